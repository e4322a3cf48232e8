// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening the debuginfo of the kernel or of one module.
 *
 * debuginfo_open() finds the file, checks that it is a whole x86-64 ELF file of the right kind, and reads its build-id:
 * a few milliseconds. libdw itself is started when the first DIE is wanted, since a query that the index answers needs
 * none. Where there is no DWARF, the same files, or the boot image, are opened for what else is in them.
 *
 * A module is a relocatable file: its DWARF holds offsets that only relocation makes meaningful. libdwfl lays its
 * sections out in one imaginary address space and applies the relocations; the addresses that come out ("dwarf
 * addresses") are translated to section + offset here, and back.
 */
#include "translator/debuginfo/internal.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"

#define COMPRESSED_BY_ZSTD 2 /* ELFCOMPRESS_ZSTD, which older headers lack */

struct span image_bytes(const struct debuginfo *debuginfo, uint64_t start, uint64_t end)
{
	Elf_Scn *section = NULL;

	while (debuginfo->elf && (section = elf_nextscn(debuginfo->elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS ||
		    start < header.sh_addr || start - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || !data->d_buf || end - header.sh_addr > data->d_size)
			break;
		return (struct span){(const uint8_t *)data->d_buf + (start - header.sh_addr), end - start};
	}
	return (struct span){NULL, 0};
}

Elf_Scn *elf_section_by_name(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t strings;

	if (!elf || elf_getshdrstrndx(elf, &strings) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, header))
			continue;
		found = elf_strptr(elf, strings, header->sh_name);
		if (found && strcmp(found, name) == 0)
			return section;
	}
	return NULL;
}

/* ".zdebug_info" for ".debug_info": compressed as before ELF had a way to say so. libdw may have uncompressed it. */
static Elf_Scn *old_compressed_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section;
	Elf_Data *data;

	if (!g_str_has_prefix(name, ".debug_"))
		return NULL;
	g_autofree char *old = g_strconcat(".z", name + 1, NULL);
	section = elf_section_by_name(elf, old, header);
	data = section ? elf_getdata(section, NULL) : NULL;
	if (data && data->d_buf && data->d_size > 12 && !memcmp(data->d_buf, "ZLIB", 4))
		elf_compress_gnu(section, 0, 0);
	return section;
}

struct span elf_section_span(Elf *elf, const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_section_by_name(elf, name, &header) ?: old_compressed_section(elf, name, &header);
	Elf_Data *data = section && header.sh_type != SHT_NOBITS ? elf_getdata(section, NULL) : NULL;

	if (!data || !data->d_buf)
		return (struct span){NULL, 0};
	return (struct span){data->d_buf, data->d_size};
}

char *elf_build_id(Elf *elf)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
	GString *text;

	if (size <= 0)
		return NULL;
	text = g_string_new(NULL);
	for (ssize_t i = 0; i < size; i++)
		g_string_append_printf(text, "%02x", ((const uint8_t *)bytes)[i]);
	return g_string_free(text, FALSE);
}

char *notes_build_id(const void *notes, size_t size)
{
	struct reader reader = {notes, (const uint8_t *)notes + size, false};

	while (reader.end - reader.position >= 12) {
		uint64_t name = read_unsigned(&reader, 4), length = read_unsigned(&reader, 4);
		uint64_t type = read_unsigned(&reader, 4);
		const uint8_t *owner = reader.position;
		GString *text;

		read_skip(&reader, (name + 3) / 4 * 4);
		if (reader.bad || length > (uint64_t)(reader.end - reader.position))
			return NULL;
		if (type != NT_GNU_BUILD_ID || name != 4 || memcmp(owner, "GNU", 4) != 0) {
			read_skip(&reader, (length + 3) / 4 * 4);
			continue;
		}
		text = g_string_new(NULL);
		for (uint64_t i = 0; i < length; i++)
			g_string_append_printf(text, "%02x", reader.position[i]);
		return g_string_free(text, FALSE);
	}
	return NULL;
}

struct error *debuginfo_malformed(const struct debuginfo *debuginfo, const char *detail)
{
	struct error *error =
		error_new(ERROR_DEBUGINFO, _("cannot use the debuginfo in %s: %s"), debuginfo->path, detail);

	if (debuginfo->is_types)
		return error_with_hint(error, _("name an x86-64 program, library or object file that is whole"));
	if (debuginfo->is_kernel)
		return error_with_hint(error, _("reinstall it: package linux-image-%s-dbg, or stap-vm fetch %s"),
				       debuginfo->kernel.release, debuginfo->kernel.release);
	return error_with_hint(
		error,
		_("reinstall the package that brought the file (linux-image-%s-dbg for modules of the kernel package)"),
		debuginfo->kernel.release);
}

/* Do all sections lie inside the file? A copy that was cut short has the headers wrong or sections behind its end. */
static const char *check_sections(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t strings, size = 0;
	GElf_Ehdr file;

	/* libelf takes section headers behind the end of the file for none at all. */
	if (!elf_rawfile(elf, &size) || !gelf_getehdr(elf, &file) || file.e_shoff > size ||
	    (uint64_t)file.e_shnum * file.e_shentsize > size - file.e_shoff || elf_getshdrstrndx(elf, &strings) != 0)
		return _("the file is truncated (its section headers are missing)");
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return _("the file is truncated (a section header is missing)");
		if (header.sh_type != SHT_NOBITS &&
		    (header.sh_offset > size || header.sh_size > size - header.sh_offset))
			return _("the file is truncated (a section lies behind its end)");
	}
	return NULL;
}

static bool has_contents(Elf *elf, const char *name)
{
	GElf_Shdr header;

	return elf_section_by_name(elf, name, &header) && header.sh_type != SHT_NOBITS;
}

static bool has_dwarf(Elf *elf)
{
	return has_contents(elf, ".debug_info") || has_contents(elf, ".zdebug_info");
}

/*
 * DWARF that is there and cannot be read, with what would help: without this, less would be known for no reason that
 * anybody could see.
 */
static struct error *check_dwarf(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;
	struct error *error;

	if (!elf_section_by_name(debuginfo->elf, ".gnu_debugaltlink", &header))
		return NULL;
	error = error_new(ERROR_DEBUGINFO,
			  _("cannot use the debuginfo in %s: dwz has moved parts of it to another file"),
			  debuginfo->path);
	return error_with_hint(error, _("take debug symbols that dwz -m has not been run on"));
}

/* Why libdw found no DWARF in a file that has some. */
static struct error *unreadable_dwarf(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;
	GElf_Chdr compression;
	Elf_Scn *section = elf_section_by_name(debuginfo->elf, ".debug_info", &header);

	if (section && header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &compression) &&
	    compression.ch_type != ELFCOMPRESS_ZLIB)
		return error_with_hint(
			error_new(ERROR_DEBUGINFO,
				  _("cannot use the debuginfo in %s: it is compressed in a way that "
				    "elfutils does not know here (%s)"),
				  debuginfo->path, compression.ch_type == COMPRESSED_BY_ZSTD ? "zstd" : _("unknown")),
			_("uncompress it: objcopy --decompress-debug-sections %s COPY"), debuginfo->path);
	return debuginfo_malformed(debuginfo, dwarf_errmsg(-1));
}

/* libdw uncompresses what it can, and does without what it cannot. */
static bool is_still_compressed(const struct debuginfo *debuginfo)
{
	GElf_Shdr header;

	return elf_section_by_name(debuginfo->elf, ".debug_info", &header) && header.sh_flags & SHF_COMPRESSED;
}

static const char *check_header(const struct debuginfo *debuginfo)
{
	GElf_Ehdr header;

	if (elf_kind(debuginfo->elf) != ELF_K_ELF || !gelf_getehdr(debuginfo->elf, &header))
		return _("it is not an ELF file");
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return _("it is for a 32-bit machine, x86-64 is wanted");
	if (header.e_ident[EI_DATA] != ELFDATA2LSB)
		return _("it is for a big-endian machine, x86-64 is wanted");
	if (header.e_machine != EM_X86_64)
		return _("it is for another machine, x86-64 is wanted");
	if (debuginfo->is_kernel && header.e_type == ET_REL)
		return _("it is an object file, not a linked kernel");
	if (debuginfo->is_types)
		return header.e_type == ET_CORE ? _("it is a core dump") : NULL;
	if (!debuginfo->is_kernel && header.e_type != ET_REL)
		return _("it is not a kernel module (no relocatable file)");
	return NULL;
}

static struct error *check_file(struct debuginfo *debuginfo)
{
	const char *detail = check_header(debuginfo);

	if (!detail)
		detail = check_sections(debuginfo->elf);
	return detail ? debuginfo_malformed(debuginfo, detail) : NULL;
}

/* Number 0 stays empty, so that a number also says "vmlinux". */
void debuginfo_read_sections(struct debuginfo *debuginfo, Elf *elf)
{
	struct section none = {NULL, 0, 0};
	Elf_Scn *scn = NULL;
	size_t strings;

	g_array_set_size(debuginfo->sections, 0);
	g_array_append_val(debuginfo->sections, none);
	if (elf_getshdrstrndx(elf, &strings) != 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		struct section section;
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_ALLOC))
			continue;
		name = elf_strptr(elf, strings, header.sh_name);
		section = (struct section){arena_strdup(debuginfo->arena, name ? name : ""), header.sh_addr,
					   header.sh_size};
		g_array_append_val(debuginfo->sections, section);
	}
}

char *elf_file_build_id(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *build_id;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd < 0 ? NULL : dwelf_elf_begin(fd);
	build_id = elf && elf_kind(elf) == ELF_K_ELF ? elf_build_id(elf) : NULL;
	elf_end(elf);
	return build_id;
}

/* The .ko and its debug file must come from the same build. Compressed modules are read through libdwelf. */
static struct error *check_module_match(const struct debuginfo *debuginfo)
{
	g_autofree char *build_id = NULL;

	if (!debuginfo->code_path || strcmp(debuginfo->code_path, debuginfo->path) == 0)
		return NULL;
	/* Unreadable, or compressed in a way unknown to elfutils: then the debug file has to do. */
	build_id = elf_file_build_id(debuginfo->code_path);
	if (!build_id || strcmp(build_id, debuginfo->build_id) == 0)
		return NULL;
	return error_with_hint(
		error_new(ERROR_DEBUGINFO,
			  _("the debuginfo %s (build-id %s) does not belong to the module %s (build-id %s)"),
			  debuginfo->path, debuginfo->build_id, debuginfo->code_path, build_id),
		_("install the package of debug symbols of exactly this build: linux-image-%s-dbg"),
		debuginfo->kernel.release);
}

static struct error *read_build_id(struct debuginfo *debuginfo)
{
	g_autofree char *build_id = elf_build_id(debuginfo->elf);

	if (!build_id && !debuginfo->is_types)
		return debuginfo_malformed(debuginfo, _("it has no build-id"));
	/* An object file has none; then there is nothing to know its index by. */
	if (!build_id) {
		debuginfo->cache_folder = NULL;
		build_id = g_strdup("");
	}
	debuginfo->build_id = arena_strdup(debuginfo->arena, build_id);
	return NULL;
}

static struct error *open_file(struct debuginfo *debuginfo)
{
	struct error *error;

	debuginfo->fd = open(debuginfo->path, O_RDONLY | O_CLOEXEC);
	if (debuginfo->fd < 0) {
		int why = errno;

		return debuginfo_malformed(debuginfo, g_strerror(why));
	}
	elf_version(EV_CURRENT);
	/* libdwelf also reads compressed files; a kernel is never one, and need not be tried as such. */
	debuginfo->elf =
		debuginfo->is_kernel ? elf_begin(debuginfo->fd, ELF_C_READ_MMAP, NULL) : dwelf_elf_begin(debuginfo->fd);
	if (!debuginfo->elf)
		return debuginfo_malformed(debuginfo, _("it is not an ELF file"));
	error = check_file(debuginfo);
	if (error)
		return error;
	debuginfo_read_sections(debuginfo, debuginfo->elf);
	error = read_build_id(debuginfo);
	return error ?: check_module_match(debuginfo);
}

void close_file(struct debuginfo *debuginfo)
{
	btf_close(debuginfo);
	if (debuginfo->elf)
		elf_end(debuginfo->elf);
	if (debuginfo->fd >= 0)
		close(debuginfo->fd);
	image_free(debuginfo->image);
	digest_close(debuginfo);
	debuginfo->elf = NULL;
	debuginfo->fd = -1;
	debuginfo->image = NULL;
	debuginfo->symbol_file = NULL;
}

/* ---- the sources that are files ---- */

/* Where the file should be; NULL if there is none. */
static struct error *find_file(struct debuginfo *debuginfo)
{
	const char *release = debuginfo->kernel.release, *debug;

	if (debuginfo->named_file) {
		debuginfo->path = debuginfo->code_path = debuginfo->named_file;
		return NULL;
	}
	if (debuginfo->is_kernel) {
		debuginfo->path = debuginfo->code_path = debuginfo->kernel.vmlinux;
		return NULL;
	}
	kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->module, &debuginfo->code_path, &debug);
	debuginfo->path = debug ?: debuginfo->code_path;
	if (debuginfo->path)
		return NULL;
	return error_with_hint(error_new(ERROR_LOOKUP, _("kernel %s has no module '%s'"), release, debuginfo->module),
			       _("list the modules with: stap -l 'module(\"*\").function(\"*init*\")'"));
}

struct error *open_dwarf_file(struct debuginfo *debuginfo, const char *path)
{
	struct error *error = find_file(debuginfo);

	debuginfo->path = arena_strdup(debuginfo->arena, path);
	if (debuginfo->is_kernel)
		debuginfo->code_path = debuginfo->path;
	error = error ?: open_file(debuginfo);
	if (!error && !has_dwarf(debuginfo->elf))
		error = debuginfo_malformed(debuginfo, _("it has no DWARF"));
	return error ?: check_dwarf(debuginfo);
}

struct error *open_dwarf(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = find_file(debuginfo);

	if (!error && !debuginfo->path)
		return NULL;
	error = error ?: open_file(debuginfo);
	/* What is there and no good is an error: other debuginfo may not be what the user counts on. */
	*found = error || has_dwarf(debuginfo->elf);
	return *found && !error ? check_dwarf(debuginfo) : error;
}

/* The kernel's build-id where its file cannot be read: it is running. */
static struct error *open_running(struct debuginfo *debuginfo, bool *found)
{
	if (!debuginfo->kernel.build_id || !kernel_is_running(&debuginfo->kernel))
		return NULL;
	debuginfo->build_id = debuginfo->kernel.build_id;
	debuginfo->path = arena_printf(debuginfo->arena, "%s/proc/kallsyms", debuginfo->kernel.root);
	debuginfo->symbol_file = debuginfo->path;
	*found = true;
	return NULL;
}

/* A boot image that is of no use is as good as none: it is not what the user gave us as debuginfo. */
static struct error *open_image(struct debuginfo *debuginfo, bool *found)
{
	struct error *error;

	debuginfo->path = debuginfo->kernel.image;
	debuginfo->elf = debuginfo->path ? image_open(debuginfo->path, &debuginfo->image) : NULL;
	if (!debuginfo->elf)
		return open_running(debuginfo, found);
	error = check_file(debuginfo);
	if (!error)
		debuginfo_read_sections(debuginfo, debuginfo->elf);
	error = error ?: read_build_id(debuginfo);
	debuginfo->code_path = debuginfo->path;
	debuginfo->symbol_file = debuginfo->kernel.system_map;
	*found = true;
	return error;
}

/* The file of debug symbols where packages put it, by the build-id. */
static bool find_debug_file(struct debuginfo *debuginfo)
{
	const char *build_id = debuginfo->build_id;
	const char *path =
		arena_printf(debuginfo->arena, "%s/usr/lib/debug/.build-id/%.2s/%s.debug", debuginfo->kernel.root ?: "",
			     build_id, strlen(build_id) > 2 ? build_id + 2 : "");

	if (strlen(build_id) <= 2 || !g_file_test(path, G_FILE_TEST_EXISTS))
		return false;
	close_file(debuginfo);
	debuginfo->path = path;
	return true;
}

struct error *open_types(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = open_file(debuginfo);

	if (!error && !has_dwarf(debuginfo->elf) && find_debug_file(debuginfo))
		error = open_file(debuginfo);
	*found = error || has_dwarf(debuginfo->elf);
	return *found && !error ? check_dwarf(debuginfo) : error;
}

struct error *open_symbols(struct debuginfo *debuginfo, bool *found)
{
	struct error *error = find_file(debuginfo);

	if (!error && !debuginfo->path)
		return open_image(debuginfo, found);
	error = error ?: open_file(debuginfo);
	*found = true;
	return error;
}

/* A module that was named by the path of its file: one that no package brought. */
static struct error *find_named_file(struct debuginfo *debuginfo, const char *path)
{
	debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	if (g_file_test(path, G_FILE_TEST_EXISTS))
		return NULL;
	return error_new(ERROR_LOOKUP, _("there is no module file %s"), path);
}

const char *debuginfo_module_spelling(struct arena *arena, const char *module)
{
	g_autofree char *name = g_path_get_basename(module);

	if (strchr(module, '/'))
		name[strcspn(name, ".")] = '\0';
	return g_strdelimit(arena_strdup(arena, name), "-", '_');
}

static struct debuginfo *debuginfo_new(const struct target_kernel *kernel, const char *module, const char *cache_folder)
{
	struct arena *arena = arena_new();
	struct debuginfo *debuginfo = arena_new0(arena, struct debuginfo);

	debuginfo->arena = arena;
	debuginfo->kernel = *kernel;
	debuginfo->fd = -1;
	debuginfo->cache_folder = cache_folder ? arena_strdup(arena, cache_folder) : NULL;
	debuginfo->sections = g_array_new(FALSE, FALSE, sizeof(struct section));
	debuginfo->types = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->members = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->enumerators = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->passings = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->passing_units = g_hash_table_new(g_direct_hash, g_direct_equal);
	debuginfo->module = debuginfo_module_spelling(arena, module);
	debuginfo->is_kernel = strcmp(module, "kernel") == 0;
	return debuginfo;
}

struct error *debuginfo_open(const struct target_kernel *kernel, const char *module, const char *cache_folder,
			     struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, module ? module : "kernel", cache_folder);
	struct error *error = NULL;

	*ret = NULL;
	if (module && strchr(module, '/'))
		error = find_named_file(debuginfo, module);
	error = error ?: source_open(debuginfo);
	if (error) {
		debuginfo_close(debuginfo);
		return error;
	}
	*ret = debuginfo;
	return NULL;
}

struct error *debuginfo_open_btf(struct debuginfo *debuginfo, bool *found)
{
	struct debuginfo *other = debuginfo_new(&debuginfo->kernel, debuginfo->module, debuginfo->cache_folder);
	struct error *error = source_open_btf(other, found);

	if (error || !*found)
		debuginfo_close(other);
	else
		debuginfo->by_btf = other;
	return error;
}

static bool is_relocatable(const struct debuginfo *debuginfo)
{
	GElf_Ehdr header;

	return !debuginfo->is_kernel && gelf_getehdr(debuginfo->elf, &header) && header.e_type == ET_REL;
}

struct error *debuginfo_open_types(const struct target_kernel *kernel, const char *path, const char *name, bool is_user,
				   const char *cache_folder, struct debuginfo **ret)
{
	struct debuginfo *debuginfo = debuginfo_new(kernel, path, cache_folder);
	struct error *error;

	*ret = NULL;
	debuginfo->is_types = true;
	debuginfo->module = arena_strdup(debuginfo->arena, name);
	debuginfo->is_user = is_user;
	debuginfo->named_file = debuginfo->path = arena_strdup(debuginfo->arena, path);
	error = source_open_types(debuginfo);
	if (error) {
		debuginfo_close(debuginfo);
		return error;
	}
	debuginfo->dwarf_sample = index_dwarf_sample(debuginfo->elf);
	if (is_user && !is_relocatable(debuginfo))
		debuginfo->program = program_read(debuginfo);
	*ret = debuginfo;
	return NULL;
}

bool type_is_user(const struct type *type)
{
	return type->debuginfo && type->debuginfo->is_user;
}

void debuginfo_close(struct debuginfo *debuginfo)
{
	if (!debuginfo)
		return;
	debuginfo_close(debuginfo->by_btf);
	index_free(debuginfo->index);
	g_free(debuginfo->functions);
	g_hash_table_unref(debuginfo->types);
	g_hash_table_unref(debuginfo->members);
	g_hash_table_unref(debuginfo->enumerators);
	g_hash_table_unref(debuginfo->passings);
	g_hash_table_unref(debuginfo->passing_units);
	g_array_unref(debuginfo->sections);
	if (debuginfo->cfi_is_own)
		dwarf_cfi_end(debuginfo->cfi);
	if (debuginfo->dwfl) /* owns the module's Dwarf and its CFI */
		dwfl_end(debuginfo->dwfl);
	else if (debuginfo->dwarf)
		dwarf_end(debuginfo->dwarf);
	close_file(debuginfo);
	arena_free(debuginfo->arena);
}

/* ---- the libdw handle ---- */

static int no_separate_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
				 const char *file, const char *link, GElf_Word checksum, char **debug)
{
	return -1; /* what was opened is the file with the DWARF; libdwfl shall not go looking for another */
}

static struct error *open_module_dwarf(struct debuginfo *debuginfo)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = no_separate_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	g_autofree char *found = NULL;
	Dwfl_Module *module;
	Dwarf_Addr bias;
	Elf *elf;

	debuginfo->dwfl = dwfl_begin(&callbacks);
	if (!debuginfo->dwfl)
		return debuginfo_malformed(debuginfo, dwfl_errmsg(-1));
	module = dwfl_report_offline(debuginfo->dwfl, debuginfo->module, debuginfo->path, -1);
	dwfl_report_end(debuginfo->dwfl, NULL, NULL);
	debuginfo->dwarf = module ? dwfl_module_getdwarf(module, &bias) : NULL;
	elf = module ? dwfl_module_getelf(module, &bias) : NULL;
	if (!debuginfo->dwarf || !elf)
		return unreadable_dwarf(debuginfo);
	found = elf_build_id(elf);
	if (debuginfo->build_id[0] && g_strcmp0(found, debuginfo->build_id))
		return error_with_hint(error_new(ERROR_DEBUGINFO, _("%s was replaced by another build meanwhile"),
						 debuginfo->path),
				       _("run stap again"));
	debuginfo_read_sections(debuginfo, elf); /* the same, now with the addresses that libdwfl chose */
	return NULL;
}

Dwarf *debuginfo_second_dwarf(const struct debuginfo *debuginfo)
{
	return dwarf_begin(debuginfo->fd, DWARF_C_READ);
}

struct error *debuginfo_dwarf(struct debuginfo *debuginfo, Dwarf **ret)
{
	struct error *error;
	Elf *elf;

	if (!debuginfo->dwarf && debuginfo->digest) {
		error = digest_dwarf(debuginfo, &elf);
		if (error)
			return error;
		debuginfo->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		if (!debuginfo->dwarf)
			return debuginfo_malformed(debuginfo, dwarf_errmsg(-1));
	} else if (!debuginfo->dwarf && !is_relocatable(debuginfo)) {
		debuginfo->dwarf = dwarf_begin_elf(debuginfo->elf, DWARF_C_READ, NULL);
		/* An index that was made of another copy does not help. */
		if (!debuginfo->dwarf || is_still_compressed(debuginfo))
			return unreadable_dwarf(debuginfo);
	} else if (!debuginfo->dwarf) {
		error = open_module_dwarf(debuginfo);
		if (error)
			return error;
	}
	*ret = debuginfo->dwarf;
	return NULL;
}

/* ---- addresses ---- */

static const struct section *section_at(const struct debuginfo *debuginfo, unsigned int number)
{
	return number < debuginfo->sections->len ? &g_array_index(debuginfo->sections, struct section, number) : NULL;
}

const char *debuginfo_section_name(const struct debuginfo *debuginfo, unsigned int number)
{
	const struct section *section = debuginfo->is_kernel ? NULL : section_at(debuginfo, number);

	return section ? section->name : NULL;
}

int debuginfo_section_number(const struct debuginfo *debuginfo, const char *name)
{
	for (guint i = 1; i < debuginfo->sections->len; i++)
		if (strcmp(section_at(debuginfo, i)->name, name) == 0)
			return (int)i;
	return -1;
}

/* A range may end behind the last byte of a section; that address counts as the section's if no other has it. */
static const struct section *section_around(const struct debuginfo *debuginfo, uint64_t address, int *number)
{
	const struct section *ends_here = NULL;

	for (guint i = 1; i < debuginfo->sections->len; i++) {
		const struct section *section = section_at(debuginfo, i);

		if (address < section->base || address - section->base > section->size || !section->size)
			continue;
		*number = (int)i;
		if (address - section->base < section->size)
			return section;
		ends_here = section;
	}
	return ends_here;
}

int debuginfo_section_of(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	int number;

	if (debuginfo->is_kernel)
		return 0;
	return section_around(debuginfo, dwarf_address, &number) ? number : -1;
}

uint64_t debuginfo_dwarf_address(const struct debuginfo *debuginfo, struct address address)
{
	int number =
		debuginfo->is_kernel || !address.section ? -1 : debuginfo_section_number(debuginfo, address.section);

	return number < 0 ? address.value : section_at(debuginfo, (unsigned int)number)->base + address.value;
}

struct address debuginfo_public_address(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	const struct section *section;
	int number;

	if (debuginfo->is_kernel)
		return (struct address){dwarf_address, NULL};
	section = section_around(debuginfo, dwarf_address, &number);
	if (!section)
		return (struct address){dwarf_address, NULL};
	return (struct address){dwarf_address - section->base, section->name};
}

bool debuginfo_is_percpu(const struct debuginfo *debuginfo, uint64_t dwarf_address)
{
	int number = debuginfo_section_number(debuginfo, ".data..percpu");
	const struct section *section = number < 0 ? NULL : section_at(debuginfo, (unsigned int)number);

	return section && dwarf_address >= section->base && dwarf_address - section->base < section->size;
}

const char *debuginfo_module_name(const struct debuginfo *debuginfo)
{
	return debuginfo->module;
}

const char *debuginfo_module_file(const struct debuginfo *debuginfo)
{
	return debuginfo->named_file;
}

const char *debuginfo_build_id(const struct debuginfo *debuginfo)
{
	return debuginfo->build_id;
}

const char *debuginfo_path(const struct debuginfo *debuginfo)
{
	return debuginfo->path;
}
