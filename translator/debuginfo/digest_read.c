// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --debuginfo: translating from a digest.
 *
 * The file is mapped, and its tables checked: sizes, places, a checksum, names that end. A section is uncompressed when
 * it is wanted: the index for any query, DWARF for variables and lines; the rest of the file is never touched. For the
 * readers a member then looks like a file of debug symbols: an ELF file in memory, whose allocated sections have only
 * headers. What is stored carries a checksum of its own, so that a damaged digest is an error and not a wrong answer.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <zstd.h>

#include "translator/debuginfo/digest.h"
#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"

#define LARGEST_SECTION (2ull << 30)
#define MOST_ENTRIES (1u << 20)

struct digest {
	GMappedFile *file;
	const uint8_t *bytes;
	const struct digest_header *header;
	const struct digest_member *member;
	const struct digest_section *sections; /* of the member */
	GByteArray *elf_bytes, *dwarf_bytes; /* what `debuginfo->elf` and its DWARF read */
	Elf *dwarf_elf;
	GHashTable *systems; /* of tracepoints; made when first needed */
	char *system_text;
};

static struct error *malformed(const struct debuginfo *debuginfo, const char *detail)
{
	return error_with_hint(error_new(ERROR_DEBUGINFO, _("cannot use the digest %s: %s"), debuginfo->kernel.digest,
					 detail),
			       _("make it anew on the machine with debuginfo: stap --export-debuginfo FILE -r %s"),
			       debuginfo->kernel.release);
}

/* ---- the tables ---- */

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* Do @p count entries of a size lie in the file? */
static bool fits(const struct digest_header *header, uint64_t offset, uint64_t count, uint64_t size)
{
	return offset % 8 == 0 && offset <= header->size && count <= MOST_ENTRIES &&
	       count * size <= header->size - offset;
}

static const char *check_header(const struct digest_header *header, size_t size)
{
	if (size < sizeof(*header) || memcmp(header->magic, DIGEST_MAGIC, sizeof(header->magic)) != 0)
		return _("it is not a digest of debuginfo");
	if (header->version != DIGEST_VERSION)
		return _("another version of Spile wrote it");
	if (header->size != size || !ends(header->release, sizeof(header->release)) ||
	    !fits(header, header->members, header->member_count, sizeof(struct digest_member)) ||
	    !fits(header, header->sections, header->section_count, sizeof(struct digest_section)))
		return _("it is truncated or damaged");
	return NULL;
}

static const char *check_member(const struct digest_header *header, const struct digest_member *member)
{
	if (!ends(member->name, sizeof(member->name)) || !ends(member->build_id, sizeof(member->build_id)) ||
	    member->first_section > header->section_count ||
	    member->section_count > header->section_count - member->first_section)
		return _("it is truncated or damaged");
	return NULL;
}

static const char *check_section(const struct digest_header *header, const struct digest_section *section)
{
	if (!ends(section->name, sizeof(section->name)) || section->offset > header->size ||
	    section->stored_size > header->size - section->offset ||
	    (section->stored_size && section->size > LARGEST_SECTION))
		return _("it is truncated or damaged");
	return NULL;
}

static const char *check_tables(const struct digest *digest)
{
	const struct digest_header *header = digest->header;
	const struct digest_member *members = (const void *)(digest->bytes + header->members);
	const struct digest_section *sections = (const void *)(digest->bytes + header->sections);
	uint64_t checksum = digest_checksum(members, header->member_count * sizeof(*members)) ^
			    digest_checksum(sections, header->section_count * sizeof(*sections));
	const char *detail = checksum == header->checksum ? NULL : _("it is truncated or damaged");

	for (uint32_t i = 0; i < header->member_count && !detail; i++)
		detail = check_member(header, &members[i]);
	for (uint32_t i = 0; i < header->section_count && !detail; i++)
		detail = check_section(header, &sections[i]);
	return detail;
}

static const struct digest_member *find_member(const struct digest *digest, const char *name)
{
	const struct digest_member *members = (const void *)(digest->bytes + digest->header->members);

	for (uint32_t i = 0; i < digest->header->member_count; i++)
		if (strcmp(members[i].name, name) == 0)
			return &members[i];
	return NULL;
}

/* ---- sections ---- */

static struct error *uncompress(const struct debuginfo *debuginfo, const struct digest_section *section, void *to)
{
	const uint8_t *stored = debuginfo->digest->bytes + section->offset;

	if (digest_checksum(stored, section->stored_size) != section->checksum ||
	    ZSTD_decompress(to, section->size, stored, section->stored_size) != section->size)
		return malformed(debuginfo, _("it is truncated or damaged"));
	return NULL;
}

static const struct digest_section *find_section(const struct digest *digest, const char *name)
{
	for (uint32_t i = 0; i < digest->member->section_count; i++)
		if (strcmp(digest->sections[i].name, name) == 0)
			return &digest->sections[i];
	return NULL;
}

/* ---- an ELF file in memory ---- */

static bool is_in_elf(const struct digest_section *section, bool with_dwarf)
{
	return section->is_allocated || (with_dwarf && !g_str_has_prefix(section->name, ".spile"));
}

/* Headers, contents and names of the sections, behind each other; the string section comes last. */
static struct error *make_elf(const struct debuginfo *debuginfo, bool with_dwarf, GByteArray **ret)
{
	const struct digest *digest = debuginfo->digest;
	g_autoptr(GArray) headers = g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr));
	g_autoptr(GByteArray) names = g_byte_array_new();
	GByteArray *bytes = g_byte_array_new();
	struct error *error = NULL;
	Elf64_Ehdr *file;

	*ret = bytes;
	g_byte_array_set_size(bytes, sizeof(Elf64_Ehdr));
	g_byte_array_append(names, (const guint8 *)"", 1);
	g_array_set_size(headers, 1);
	for (uint32_t i = 0; i < digest->member->section_count && !error; i++) {
		const struct digest_section *section = &digest->sections[i];
		Elf64_Shdr header = {
			.sh_name = names->len,
			.sh_type = section->is_allocated ? SHT_NOBITS : SHT_PROGBITS,
			.sh_flags = section->is_allocated ? SHF_ALLOC : 0,
			.sh_addr = section->address,
			.sh_offset = bytes->len,
			.sh_size = section->size,
			.sh_addralign = 1,
		};

		if (!is_in_elf(section, with_dwarf))
			continue;
		g_byte_array_append(names, (const guint8 *)section->name, (guint)strlen(section->name) + 1);
		g_array_append_val(headers, header);
		if (section->is_allocated)
			continue;
		g_byte_array_set_size(bytes, bytes->len + (guint)section->size);
		error = uncompress(debuginfo, section, bytes->data + header.sh_offset);
	}
	g_byte_array_append(names, (const guint8 *)".shstrtab", sizeof(".shstrtab"));
	g_array_append_val(headers, ((Elf64_Shdr){.sh_name = names->len - (guint)sizeof(".shstrtab"),
						  .sh_type = SHT_STRTAB,
						  .sh_offset = bytes->len,
						  .sh_size = names->len,
						  .sh_addralign = 1}));
	g_byte_array_append(bytes, names->data, names->len);
	g_byte_array_set_size(bytes, (bytes->len + 7) & ~7u);
	file = (Elf64_Ehdr *)bytes->data;
	*file = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = bytes->len,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)headers->len,
		.e_shstrndx = (Elf64_Half)(headers->len - 1),
	};
	g_byte_array_append(bytes, (const guint8 *)headers->data, headers->len * sizeof(Elf64_Shdr));
	return error;
}

struct error *digest_dwarf(struct debuginfo *debuginfo, Elf **ret)
{
	struct digest *digest = debuginfo->digest;
	struct error *error = NULL;

	if (!digest->dwarf_elf) {
		error = make_elf(debuginfo, true, &digest->dwarf_bytes);
		if (!error)
			digest->dwarf_elf = elf_memory((char *)digest->dwarf_bytes->data, digest->dwarf_bytes->len);
	}
	*ret = digest->dwarf_elf;
	return error;
}

/* ---- the index, tracepoints ---- */

static struct error *read_section(const struct debuginfo *debuginfo, const char *name, void **ret, size_t *size)
{
	const struct digest_section *section = find_section(debuginfo->digest, name);
	struct error *error;

	if (!section || section->is_allocated)
		return malformed(debuginfo, _("it is truncated or damaged"));
	*size = section->size;
	*ret = g_malloc(section->size + 1);
	((char *)*ret)[section->size] = '\0';
	error = uncompress(debuginfo, section, *ret);
	if (error)
		g_clear_pointer(ret, g_free);
	return error;
}

struct error *digest_index(struct debuginfo *debuginfo, struct index **ret)
{
	void *memory = NULL;
	size_t size;
	struct error *error = read_section(debuginfo, DIGEST_INDEX, &memory, &size);

	if (error)
		return error;
	*ret = index_of_memory(memory, size, debuginfo->build_id);
	return *ret ? NULL : malformed(debuginfo, _("another version of Spile wrote it"));
}

const char *digest_tracepoint_system(struct debuginfo *debuginfo, const char *name)
{
	struct digest *digest = debuginfo->digest;
	void *memory = NULL;
	size_t size = 0;

	if (!digest)
		return NULL;
	if (!digest->systems) {
		digest->systems = g_hash_table_new(g_str_hash, g_str_equal);
		error_free(read_section(debuginfo, DIGEST_TRACEPOINTS, &memory, &size));
		digest->system_text = memory;
		for (char *text = memory, *end = text + size; memory && text < end;) {
			char *system = text + strlen(text) + 1;

			if (system >= end)
				break;
			g_hash_table_insert(digest->systems, text, system);
			text = system + strlen(system) + 1;
		}
	}
	return g_hash_table_lookup(digest->systems, name);
}

/* ---- opening ---- */

static struct error *check_build_id(const struct debuginfo *debuginfo)
{
	const char *wanted = debuginfo->is_kernel ? debuginfo->kernel.build_id : NULL;
	const char *code, *debug;
	g_autofree char *of_file = NULL;

	if (!debuginfo->is_kernel) {
		kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->module, &code, &debug);
		wanted = of_file = code ? elf_file_build_id(code) : NULL;
	}
	if (!wanted || strcmp(wanted, debuginfo->build_id) == 0)
		return NULL;
	return error_with_hint(error_new(ERROR_DEBUGINFO,
					 _("the digest %s is of another build of %s: build-id %s instead of %s"),
					 debuginfo->kernel.digest, debuginfo->module, debuginfo->build_id, wanted),
			       _("make it on a machine with the debuginfo of exactly this build"));
}

static struct error *open_member(struct debuginfo *debuginfo, bool *found)
{
	struct digest *digest = debuginfo->digest;
	const char *detail = check_header(digest->header, g_mapped_file_get_length(digest->file));

	detail = detail ?: check_tables(digest);
	if (detail)
		return malformed(debuginfo, detail);
	if (strcmp(digest->header->release, debuginfo->kernel.release) != 0)
		return error_with_hint(error_new(ERROR_DEBUGINFO, _("the digest %s is of kernel %s, not of %s"),
						 debuginfo->kernel.digest, digest->header->release,
						 debuginfo->kernel.release),
				       _("translate for that kernel: -r %s"), digest->header->release);
	digest->member = find_member(digest, debuginfo->module);
	if (!digest->member) {
		*found = false;
		return NULL;
	}
	digest->sections = (const struct digest_section *)(digest->bytes + digest->header->sections) +
			   digest->member->first_section;
	debuginfo->build_id = arena_strdup(debuginfo->arena, digest->member->build_id);
	return check_build_id(debuginfo) ?: make_elf(debuginfo, false, &digest->elf_bytes);
}

struct error *open_digest(struct debuginfo *debuginfo, bool *found)
{
	struct digest *digest;
	GError *failure = NULL;
	struct error *error;

	if (!debuginfo->kernel.digest || debuginfo->named_file)
		return NULL;
	*found = true;
	digest = debuginfo->digest = g_new0(struct digest, 1);
	debuginfo->path = debuginfo->kernel.digest;
	digest->file = g_mapped_file_new(debuginfo->path, FALSE, &failure);
	if (!digest->file) {
		error = error_new(ERROR_DEBUGINFO, _("cannot read the digest: %s"), failure->message);
		g_error_free(failure);
		return error;
	}
	digest->bytes = (const uint8_t *)g_mapped_file_get_contents(digest->file);
	digest->header = (const struct digest_header *)digest->bytes;
	error = open_member(debuginfo, found);
	if (error || !*found)
		return error;
	elf_version(EV_CURRENT);
	debuginfo->elf = elf_memory((char *)digest->elf_bytes->data, digest->elf_bytes->len);
	debuginfo_read_sections(debuginfo, debuginfo->elf);
	return NULL;
}

void digest_close(struct debuginfo *debuginfo)
{
	struct digest *digest = debuginfo->digest;

	if (!digest)
		return;
	elf_end(digest->dwarf_elf);
	if (digest->elf_bytes)
		g_byte_array_unref(digest->elf_bytes);
	if (digest->dwarf_bytes)
		g_byte_array_unref(digest->dwarf_bytes);
	if (digest->systems)
		g_hash_table_unref(digest->systems);
	g_free(digest->system_text);
	if (digest->file)
		g_mapped_file_unref(digest->file);
	g_free(digest);
	debuginfo->digest = NULL;
}
