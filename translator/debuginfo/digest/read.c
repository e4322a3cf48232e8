// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --debuginfo: reading a digest.
 *
 * The file is mapped and its tables are checked: sizes, offsets, a checksum, the NULs of names. Sections are
 * uncompressed on demand: the index for any query; DWARF for variables, lines and call frames. The rest of the file is
 * never read. The frames of a section are uncompressed in parallel, and the index is cached like any other.
 *
 * For the readers, a member looks like a file of debug symbols: an ELF file in memory whose allocated sections have
 * only headers. Each section has its own checksum, so a damaged digest causes an error, not a wrong answer.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include "common/checksum.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/digest/digest.h"
#include "translator/debuginfo/digest/format.h"
#include "translator/debuginfo/kernel/kernel.h"

#define LARGEST_SECTION (2ull << 30)
#define MOST_ENTRIES (1u << 20)
#define MOST_THREADS 4

struct digest {
	GMappedFile *file;
	const uint8_t *bytes;
	const struct digest_header *header;
	const struct digest_member *member;
	const struct digest_section *sections; /* of `member` */
	char *elf_bytes, *dwarf_bytes; /* memory of debuginfo->debug.elf and of dwarf_elf */
	size_t elf_size, dwarf_size;
	GHashTable *late; /* name of a section not yet uncompressed -> its place in dwarf_bytes */
	Elf *dwarf_elf;
	GHashTable *systems; /* name of a tracepoint -> system; built on first use */
	char *system_text;
};

static struct error *malformed(const struct debuginfo *debuginfo, const char *detail)
{
	return error_with_hint(error_new(ERROR_DEBUGINFO, _("cannot use the digest %s: %s"), debuginfo->search.digest,
					 detail),
			       _("create it again on the machine with debuginfo: stap --export-debuginfo FILE -r %s"),
			       debuginfo->kernel.release);
}

/* ---- the tables ---- */

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* Are @p count entries of a size inside the file? */
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
	bool is_whole = digest_table_sum(header, members, sections) == header->checksum;
	const char *detail = is_whole ? NULL : _("it is truncated or damaged");

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

/* A zstd frame to uncompress. */
struct piece {
	const uint8_t *from;
	size_t stored_size;
	char *to;
	size_t size;
};

/* Threads that uncompress pieces. */
struct team {
	GThreadPool *pool; /* NULL if threads could not be created */
	GPtrArray *pieces; /* struct piece */
	gint failed;
};

static void uncompress_piece(gpointer data, gpointer user_data)
{
	const struct piece *piece = data;
	struct team *team = user_data;

	if (ZSTD_decompress(piece->to, piece->size, piece->from, piece->stored_size) != piece->size)
		g_atomic_int_set(&team->failed, 1);
}

static void team_begin(struct team *team)
{
	team->failed = 0;
	team->pieces = g_ptr_array_new_with_free_func(g_free);
	team->pool =
		g_thread_pool_new(uncompress_piece, team, (gint)MIN(g_get_num_processors(), MOST_THREADS), FALSE, NULL);
}

/* Wait for all pieces. Return false if one is damaged. */
static bool team_end(struct team *team)
{
	g_thread_pool_free(team->pool, FALSE, TRUE);
	g_ptr_array_unref(team->pieces);
	return !team->failed;
}

/* Is the checksum of a stored section right? */
static bool is_whole(const struct debuginfo *debuginfo, const struct digest_section *section)
{
	const uint8_t *stored = debuginfo->digest->bytes + section->offset;

	return checksum(0, stored, section->stored_size) == section->checksum;
}

/* Queue the pieces of a section, whose checksum has been verified. Return false if their sizes do not add up. */
static bool uncompress(const struct debuginfo *debuginfo, const struct digest_section *section, char *to,
		       struct team *team)
{
	const uint8_t *from = debuginfo->digest->bytes + section->offset, *end = from + section->stored_size;
	uint64_t left = section->size;

	while (from < end) {
		size_t stored_size = ZSTD_findFrameCompressedSize(from, (size_t)(end - from));
		unsigned long long size = ZSTD_getFrameContentSize(from, (size_t)(end - from));
		struct piece *piece;

		if (ZSTD_isError(stored_size) || !stored_size || size > left)
			return false;
		piece = g_memdup2(&(struct piece){from, stored_size, to, size}, sizeof(*piece));
		g_ptr_array_add(team->pieces, piece);
		g_thread_pool_push(team->pool, piece, NULL);
		from += stored_size;
		to += size;
		left -= size;
	}
	return !left;
}

static bool uncompress_section(const struct debuginfo *debuginfo, const struct digest_section *section, char *to)
{
	struct team team;
	bool is_good;

	team_begin(&team);
	is_good = is_whole(debuginfo, section) && uncompress(debuginfo, section, to, &team);
	return team_end(&team) && is_good;
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

/* Many queries do not need these sections. */
static bool is_late(const struct digest_section *section)
{
	return !strcmp(section->name, ".debug_line") || !strcmp(section->name, ".debug_frame");
}

/* The layout of an ELF file: header, contents, names of sections, section headers. */
struct layout {
	GArray *headers; /* Elf64_Shdr */
	GByteArray *names;
	uint64_t size;
};

static void lay_out(struct layout *layout, const char *name, Elf64_Shdr header, uint64_t content)
{
	header.sh_name = layout->names->len;
	header.sh_offset = layout->size;
	header.sh_addralign = 1;
	g_byte_array_append(layout->names, (const guint8 *)name, (guint)strlen(name) + 1);
	g_array_append_val(layout->headers, header);
	layout->size += content;
}

static void lay_out_section(struct layout *layout, const struct digest_section *section)
{
	lay_out(layout, section->name,
		(Elf64_Shdr){
			.sh_type = section->is_allocated ? SHT_NOBITS : SHT_PROGBITS,
			.sh_flags = section->is_allocated ? SHF_ALLOC : 0,
			.sh_addr = section->address,
			.sh_size = section->size,
		},
		section->is_allocated ? 0 : section->size);
}

/* Add .shstrtab last; it includes its own name. */
static void lay_out_names(struct layout *layout)
{
	guint size = layout->names->len + (guint)sizeof(".shstrtab");

	lay_out(layout, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_size = size}, size);
}

static void put_headers(const struct debuginfo *debuginfo, const struct layout *layout, char *bytes)
{
	const Elf64_Shdr *last = &g_array_index(layout->headers, Elf64_Shdr, layout->headers->len - 1);
	Elf64_Ehdr file = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = debuginfo->kernel.abi->elf_machine,
		.e_version = EV_CURRENT,
		.e_shoff = (layout->size + 7) & ~7ull,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)layout->headers->len,
		.e_shstrndx = (Elf64_Half)(layout->headers->len - 1),
	};

	memcpy(bytes, &file, sizeof(file));
	memcpy(bytes + last->sh_offset, layout->names->data, layout->names->len);
	memcpy(bytes + file.e_shoff, layout->headers->data, layout->headers->len * sizeof(Elf64_Shdr));
}

/* Uncompress the sections into place; for late ones, only record the place. */
static bool put_contents(struct debuginfo *debuginfo, const struct layout *layout, char *bytes)
{
	struct digest *digest = debuginfo->digest;
	bool is_good = true;
	struct team team;
	guint number = 1;

	team_begin(&team);
	for (uint32_t i = 0; i < digest->member->section_count && is_good; i++) {
		const struct digest_section *section = &digest->sections[i];
		char *to;

		if (!is_in_elf(section, true))
			continue;
		to = bytes + g_array_index(layout->headers, Elf64_Shdr, number++).sh_offset;
		if (section->is_allocated)
			continue;
		if (is_late(section))
			g_hash_table_insert(digest->late, (gpointer)section->name, to);
		else
			is_good = uncompress(debuginfo, section, to, &team);
		/* Verify the checksum while the threads uncompress. */
		is_good = is_good && is_whole(debuginfo, section);
	}
	return team_end(&team) && is_good;
}

static struct error *make_elf(struct debuginfo *debuginfo, bool with_dwarf, char **ret, size_t *size)
{
	const struct digest *digest = debuginfo->digest;
	g_autoptr(GArray) headers = g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr));
	g_autoptr(GByteArray) names = g_byte_array_new();
	struct layout layout = {headers, names, sizeof(Elf64_Ehdr)};

	g_byte_array_append(names, (const guint8 *)"", 1);
	g_array_set_size(headers, 1);
	for (uint32_t i = 0; i < digest->member->section_count; i++)
		if (is_in_elf(&digest->sections[i], with_dwarf))
			lay_out_section(&layout, &digest->sections[i]);
	lay_out_names(&layout);
	*size = ((layout.size + 7) & ~7ull) + headers->len * sizeof(Elf64_Shdr);
	/* Memory of late sections costs nothing until it is touched. */
	*ret = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*ret == MAP_FAILED) {
		*ret = NULL;
		return error_errno(_("no memory for the debuginfo in %s"), debuginfo->search.digest);
	}
	/* Without huge pages, page faults take a quarter of the time. */
	madvise(*ret, *size, MADV_HUGEPAGE);
	put_headers(debuginfo, &layout, *ret);
	if (with_dwarf && !put_contents(debuginfo, &layout, *ret))
		return malformed(debuginfo, _("it is truncated or damaged"));
	return NULL;
}

void digest_provide(struct debuginfo *debuginfo, const char *name)
{
	const struct digest_section *section;
	char *to;

	if (!debuginfo->digest || !debuginfo->digest->late)
		return;
	to = g_hash_table_lookup(debuginfo->digest->late, name);
	section = to ? find_section(debuginfo->digest, name) : NULL;
	/* The checksum was right, so the content is malformed; clear it, which reads as no DWARF. */
	if (section && !uncompress_section(debuginfo, section, to))
		memset(to, 0, section->size);
	g_hash_table_remove(debuginfo->digest->late, name);
}

struct error *digest_dwarf(struct debuginfo *debuginfo, Elf **ret)
{
	struct digest *digest = debuginfo->digest;
	struct error *error;

	if (!digest->dwarf_elf) {
		digest->late = g_hash_table_new(g_str_hash, g_str_equal);
		error = make_elf(debuginfo, true, &digest->dwarf_bytes, &digest->dwarf_size);
		if (error)
			return error;
		digest->dwarf_elf = elf_memory(digest->dwarf_bytes, digest->dwarf_size);
	}
	*ret = digest->dwarf_elf;
	return NULL;
}

/* ---- the index, tracepoints ---- */

static struct error *read_section(const struct debuginfo *debuginfo, const char *name, void **ret, size_t *size)
{
	const struct digest_section *section = find_section(debuginfo->digest, name);

	if (!section || section->is_allocated)
		return malformed(debuginfo, _("it is truncated or damaged"));
	*size = section->size;
	*ret = g_malloc(section->size + 1);
	((char *)*ret)[section->size] = '\0';
	if (uncompress_section(debuginfo, section, *ret))
		return NULL;
	g_clear_pointer(ret, g_free);
	return malformed(debuginfo, _("it is truncated or damaged"));
}

struct error *digest_index(struct debuginfo *debuginfo, struct index **ret)
{
	const struct digest_section *section = find_section(debuginfo->digest, DIGEST_INDEX);
	g_autofree char *name = NULL;
	struct error *error;
	void *memory = NULL;
	size_t size;

	if (section && !is_whole(debuginfo, section))
		return malformed(debuginfo, _("it is truncated or damaged"));
	/* Include the checksum: another digest of the same build may have other DWARF, and so another index. */
	if (section && debuginfo->search.cache_directory)
		name = g_strdup_printf("%s-digest-%016" PRIx64, debuginfo->build_id, section->checksum);
	*ret = name ? index_load(debuginfo->search.cache_directory, name, debuginfo->build_id) : NULL;
	if (*ret)
		return NULL;
	error = read_section(debuginfo, DIGEST_INDEX, &memory, &size);
	if (error)
		return error;
	*ret = index_of_memory(memory, size, debuginfo->build_id);
	if (!*ret)
		return malformed(debuginfo, _("another version of Spile wrote it"));
	if (name)
		index_save(*ret, debuginfo->search.cache_directory, name);
	return NULL;
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
	const char *wanted = debuginfo->kind == OBJECT_KERNEL ? debuginfo->kernel.build_id : NULL;
	const char *code, *debug;
	g_autofree char *of_file = NULL;

	if (debuginfo->kind != OBJECT_KERNEL) {
		kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->name, &code, &debug);
		wanted = of_file = code ? elf_file_build_id(code) : NULL;
	}
	if (!wanted || strcmp(wanted, debuginfo->build_id) == 0)
		return NULL;
	return error_with_hint(error_new(ERROR_DEBUGINFO,
					 _("the digest %s is of another build of %s: build-id %s instead of %s"),
					 debuginfo->search.digest, debuginfo->name, debuginfo->build_id, wanted),
			       _("create it on a machine with the debuginfo of exactly this build"));
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
						 debuginfo->search.digest, digest->header->release,
						 debuginfo->kernel.release),
				       _("translate for that kernel: -r %s"), digest->header->release);
	digest->member = find_member(digest, debuginfo->name);
	if (!digest->member) {
		*found = false;
		return NULL;
	}
	digest->sections = (const struct digest_section *)(digest->bytes + digest->header->sections) +
			   digest->member->first_section;
	debuginfo->build_id = arena_strdup(debuginfo->arena, digest->member->build_id);
	return check_build_id(debuginfo) ?: make_elf(debuginfo, false, &digest->elf_bytes, &digest->elf_size);
}

struct error *open_digest(struct debuginfo *debuginfo, bool *found)
{
	struct digest *digest;
	GError *failure = NULL;
	struct error *error;

	if (!debuginfo->search.digest || debuginfo->named_file)
		return NULL;
	*found = true;
	digest = debuginfo->digest = g_new0(struct digest, 1);
	debuginfo->debug.path = debuginfo->search.digest;
	digest->file = g_mapped_file_new(debuginfo->debug.path, FALSE, &failure);
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
	debuginfo->debug.elf = elf_memory(digest->elf_bytes, digest->elf_size);
	debuginfo_read_sections(debuginfo, debuginfo->debug.elf);
	return NULL;
}

void digest_close(struct debuginfo *debuginfo)
{
	struct digest *digest = debuginfo->digest;

	if (!digest)
		return;
	elf_end(digest->dwarf_elf);
	if (digest->elf_bytes)
		munmap(digest->elf_bytes, digest->elf_size);
	if (digest->dwarf_bytes)
		munmap(digest->dwarf_bytes, digest->dwarf_size);
	if (digest->late)
		g_hash_table_unref(digest->late);
	if (digest->systems)
		g_hash_table_unref(digest->systems);
	g_free(digest->system_text);
	if (digest->file)
		g_mapped_file_unref(digest->file);
	g_free(digest);
	debuginfo->digest = NULL;
}
