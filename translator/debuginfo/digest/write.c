// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --export-debuginfo: writing a digest.
 *
 * The index refers to DIEs by offset, so it is updated together with the reduced .debug_info. Everything else that the
 * readers need from the ELF file (code, symbols) is in the index.
 */
#include "translator/debuginfo/digest/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "common/checksum.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "translator/debuginfo/digest/format.h"

/* Higher levels take many times longer and save a few percent. */
#define COMPRESSION_LEVEL 12
#define WINDOW_LOG 27

/* A section is split into pieces, each a zstd frame, which can be uncompressed in parallel. */
#define PIECE_SIZE (8u << 20)

/* Sections that are copied unchanged. The other DWARF sections are reduced or dropped. */
static const char *const debug_sections[] = {".debug_str",	   ".debug_line_str", ".debug_line",
					     ".debug_rnglists",	   ".debug_ranges",   ".debug_addr",
					     ".debug_str_offsets", ".debug_frame",    ".eh_frame"};

struct digest_writer {
	char *path, *temporary; /* final name; name until the file is complete */
	int fd;
	uint64_t position;
	ZSTD_CCtx *compressor;
	GArray *members, *sections; /* struct digest_member, struct digest_section */
};

uint64_t digest_table_sum(const struct digest_header *header, const void *members, const void *sections)
{
	uint64_t sum = checksum(0, members, header->member_count * sizeof(struct digest_member));

	return checksum(sum, sections, header->section_count * sizeof(struct digest_section));
}

/* ---- sections ---- */

static struct error *write_failed(void)
{
	return error_errno(_("cannot write the digest"));
}

static struct error *put_bytes(struct digest_writer *writer, const void *bytes, size_t size)
{
	if (!write_all(writer->fd, bytes, size))
		return write_failed();
	writer->position += size;
	return NULL;
}

static struct error *put_section(struct digest_writer *writer, const char *name, struct span span, uint64_t address)
{
	size_t room = ZSTD_compressBound(span.size) + (span.size / PIECE_SIZE + 1) * ZSTD_compressBound(0), size = 0;
	g_autofree char *stored = g_malloc(room);
	struct digest_section section = {.offset = writer->position, .size = span.size, .address = address};

	for (size_t done = 0; !size || done < span.size; done += PIECE_SIZE) {
		size_t piece = ZSTD_compress2(writer->compressor, stored + size, room - size, span.data + done,
					      MIN(PIECE_SIZE, span.size - done));

		if (ZSTD_isError(piece))
			return error_new(ERROR_OTHER, _("cannot compress the digest: %s"), ZSTD_getErrorName(piece));
		size += piece;
	}
	g_strlcpy(section.name, name, sizeof(section.name));
	section.stored_size = size;
	section.checksum = checksum(0, stored, size);
	g_array_append_val(writer->sections, section);
	return put_bytes(writer, stored, size);
}

/* Record the allocated sections in order, because the index has their numbers. */
static void put_allocated(struct digest_writer *writer, const struct debuginfo *debuginfo)
{
	for (guint i = 1; i < debuginfo->sections->len; i++) {
		const struct section *from = &g_array_index(debuginfo->sections, struct section, i);
		struct digest_section section = {.size = from->size, .address = from->base, .is_allocated = 1};

		g_strlcpy(section.name, from->name, sizeof(section.name));
		g_array_append_val(writer->sections, section);
	}
}

/*
 * Write "name\0system\0" for each tracepoint. The readers cannot find the systems, because the kernel's data is not in
 * the digest.
 */
static struct error *put_tracepoints(struct digest_writer *writer, const GPtrArray *tracepoints)
{
	g_autoptr(GByteArray) text = g_byte_array_new();

	for_each_ptr(const struct tracepoint *, tracepoint, tracepoints) {
		g_byte_array_append(text, (const guint8 *)tracepoint->name, (guint)strlen(tracepoint->name) + 1);
		g_byte_array_append(text, (const guint8 *)tracepoint->system, (guint)strlen(tracepoint->system) + 1);
	}
	return put_section(writer, DIGEST_TRACEPOINTS, (struct span){text->data, text->len}, 0);
}

static struct error *put_array(struct digest_writer *writer, const char *name, const GByteArray *bytes)
{
	return bytes->len ? put_section(writer, name, (struct span){bytes->data, bytes->len}, 0) : NULL;
}

static struct error *put_reduced(struct digest_writer *writer, struct debuginfo *debuginfo, Dwarf *dwarf)
{
	g_autoptr(GByteArray) info = g_byte_array_new(), abbrev = g_byte_array_new(), loclists = g_byte_array_new(),
			      loc = g_byte_array_new();
	struct index *index, *copy;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	copy = index_copy(index);
	error = dwarf_reduce(debuginfo, dwarf, copy, &(struct reduced_sections){info, abbrev, loclists, loc});
	index_seal(copy);
	if (!error)
		error = put_section(writer, DIGEST_INDEX, (struct span){copy->memory, copy->memory_size}, 0);
	index_free(copy);
	error = error ?: put_section(writer, ".debug_info", (struct span){info->data, info->len}, 0);
	error = error ?: put_section(writer, ".debug_abbrev", (struct span){abbrev->data, abbrev->len}, 0);
	error = error ?: put_array(writer, ".debug_loclists", loclists);
	return error ?: put_array(writer, ".debug_loc", loc);
}

struct error *digest_add(struct digest_writer *writer, struct debuginfo *debuginfo, const GPtrArray *tracepoints)
{
	struct digest_member member = {.first_section = writer->sections->len};
	Dwarf *dwarf;
	struct error *error = debuginfo_dwarf(debuginfo, &dwarf);

	if (error)
		return error;
	g_strlcpy(member.name, debuginfo->name, sizeof(member.name));
	g_strlcpy(member.build_id, debuginfo->build_id, sizeof(member.build_id));
	put_allocated(writer, debuginfo);
	error = put_reduced(writer, debuginfo, dwarf);
	for (size_t i = 0; i < G_N_ELEMENTS(debug_sections) && !error; i++) {
		struct span span = elf_section_span(dwarf_getelf(dwarf), debug_sections[i]);

		if (span.size)
			error = put_section(writer, debug_sections[i], span, 0);
	}
	error = error ?: put_tracepoints(writer, tracepoints);
	member.section_count = writer->sections->len - member.first_section;
	g_array_append_val(writer->members, member);
	return error;
}

/* ---- the file ---- */

static struct error *put_tables(struct digest_writer *writer, const char *release)
{
	struct digest_header header = {
		.version = DIGEST_VERSION,
		.member_count = writer->members->len,
		.section_count = writer->sections->len,
	};
	size_t members = writer->members->len * sizeof(struct digest_member);
	size_t sections = writer->sections->len * sizeof(struct digest_section);
	static const uint64_t zero;
	struct error *error = put_bytes(writer, &zero, -writer->position % sizeof(zero));

	memcpy(header.magic, DIGEST_MAGIC, sizeof(header.magic));
	header.members = writer->position;
	error = error ?: put_bytes(writer, writer->members->data, members);
	header.sections = writer->position;
	error = error ?: put_bytes(writer, writer->sections->data, sections);
	header.size = writer->position;
	header.checksum = digest_table_sum(&header, writer->members->data, writer->sections->data);
	g_strlcpy(header.release, release, sizeof(header.release));
	if (!error && pwrite(writer->fd, &header, sizeof(header), 0) != (ssize_t)sizeof(header))
		error = write_failed();
	return error;
}

struct error *digest_begin(const char *path, struct digest_writer **ret)
{
	static const struct digest_header nothing;
	struct digest_writer *writer = g_new0(struct digest_writer, 1);

	writer->path = g_strdup(path);
	writer->temporary = g_strconcat(path, ".XXXXXX", NULL);
	writer->fd = g_mkstemp_full(writer->temporary, O_RDWR | O_CLOEXEC, 0644);
	writer->members = g_array_new(FALSE, FALSE, sizeof(struct digest_member));
	writer->sections = g_array_new(FALSE, FALSE, sizeof(struct digest_section));
	writer->compressor = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
	ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_windowLog, WINDOW_LOG);
	/* Use two threads, if the library supports them. */
	ZSTD_CCtx_setParameter(writer->compressor, ZSTD_c_nbWorkers, 2);
	*ret = writer;
	return writer->fd < 0 ? error_errno(_("cannot write %s"), path) : put_bytes(writer, &nothing, sizeof(nothing));
}

struct error *digest_end(struct digest_writer *writer, const char *release, struct error *error)
{
	error = error ?: put_tables(writer, release);
	if (writer->fd >= 0 && close(writer->fd) != 0 && !error)
		error = write_failed();
	if (!error && rename(writer->temporary, writer->path) != 0)
		error = error_errno(_("cannot write %s"), writer->path);
	if (error && writer->fd >= 0)
		unlink(writer->temporary);
	ZSTD_freeCCtx(writer->compressor);
	g_array_unref(writer->members);
	g_array_unref(writer->sections);
	g_free(writer->temporary);
	g_free(writer->path);
	g_free(writer);
	return error;
}
