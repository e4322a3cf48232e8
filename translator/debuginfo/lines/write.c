// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing a table of source lines (runtime/abi/line_table.h) from rows, which table.c reads for the kernel and its
 * modules and unwind/lines.c for programs. Sequences may be anywhere, so they are sorted. The last of several rows at
 * one address counts; sequences that overlap earlier ones are dropped.
 */
#include "translator/debuginfo/lines/write.h"

#include <string.h>

enum { TRACING_SIZE = 16 }; /* bytes before the first row of a function, at most */

struct table_writer {
	const GArray *starts; /* NULL: none */
	guint next_start;
	GArray *blocks;
	GByteArray *stream;
	struct line_row last;
	uint32_t last_address; /* of the last row of a sequence, which may be one that needs no bytes */
	unsigned int block_rows;
};

static void write_number(GByteArray *stream, uint32_t value)
{
	do {
		guint8 byte = value & 0x7f;

		value >>= 7;
		byte |= value ? 0x80 : 0;
		g_byte_array_append(stream, &byte, 1);
	} while (value);
}

static void write_row(struct table_writer *writer, const struct line_row *row)
{
	int64_t lines = (int64_t)row->line - writer->last.line;
	bool is_other_file = row->file != writer->last.file;

	if (writer->blocks->len && !lines && !is_other_file)
		return;
	/* The encoded difference has two bits less than the 32 of a number. */
	if (!writer->blocks->len || writer->block_rows == STP_LINES_ROWS || ABS(lines) >= 1 << 29) {
		struct stp_lines_block block = {row->address, row->file, row->line, writer->stream->len};

		g_array_append_val(writer->blocks, block);
		writer->block_rows = 0;
	} else {
		write_number(writer->stream, row->address - writer->last.address);
		write_number(writer->stream, (uint32_t)ABS(lines) << 2 | (lines < 0) << 1 | is_other_file);
		if (is_other_file)
			write_number(writer->stream, row->file);
	}
	writer->block_rows++;
	writer->last = *row;
}

static int compare_sequences(gconstpointer a, gconstpointer b)
{
	const struct line_sequence *x = a, *y = b;

	return x->low != y->low ? (x->low < y->low ? -1 : 1) : (x->first > y->first) - (x->first < y->first);
}

/* Before a row, write one with its line at the start of its function, unless another sequence covers that. */
static void write_start(struct table_writer *writer, const struct line_row *row, uint32_t covered)
{
	while (writer->starts && writer->next_start < writer->starts->len) {
		struct line_row start = {g_array_index(writer->starts, uint32_t, writer->next_start), row->file,
					 row->line};

		if (start.address >= row->address)
			break;
		writer->next_start++;
		if (row->line && row->address - start.address <= TRACING_SIZE && start.address >= covered &&
		    (!writer->blocks->len || start.address > writer->last_address))
			write_row(writer, &start);
	}
}

static void write_sequences(const GArray *rows, const GArray *sequences, struct table_writer *writer)
{
	uint32_t covered = 0;

	for (guint i = 0; i < sequences->len; i++) {
		const struct line_sequence *sequence = &g_array_index(sequences, struct line_sequence, i);
		const struct line_row gap = {covered, writer->last.file, 0}, *row;

		/* Already covered, probably by a copy. */
		if (sequence->low < covered)
			continue;
		if (writer->blocks->len && sequence->low > covered)
			write_row(writer, &gap);
		for (guint n = sequence->first; n < sequence->end; n++) {
			row = &g_array_index(rows, struct line_row, n);
			if (n + 1 < sequence->end && row[1].address == row->address)
				continue;
			if (row->address < writer->last.address)
				continue;
			write_start(writer, row, covered);
			write_row(writer, row);
			writer->last_address = row->address;
		}
		covered = sequence->high;
	}
	if (writer->blocks->len)
		write_row(writer, &(struct line_row){covered, writer->last.file, 0});
}

static uint32_t append_name(GByteArray *names, uint32_t base, const char *name)
{
	uint32_t offset = base + names->len;

	/* No file has such a long path. */
	if (strlen(name) >= STP_LINES_NAME_SIZE)
		name = "?";
	g_byte_array_append(names, (const guint8 *)name, (guint)strlen(name) + 1);
	return offset;
}

/* The parts of a table other than its head and blocks. */
struct table_parts {
	GArray *files; /* uint32_t */
	GByteArray *names;
};

static GByteArray *join_parts(const struct stp_lines *head, const GArray *sections, const struct table_writer *writer,
			      const struct table_parts *parts)
{
	GByteArray *table = g_byte_array_new();

	g_byte_array_append(table, (const guint8 *)head, sizeof(*head));
	g_byte_array_append(table, (const guint8 *)sections->data, sections->len * sizeof(struct stp_lines_section));
	g_byte_array_append(table, (const guint8 *)writer->blocks->data,
			    writer->blocks->len * sizeof(struct stp_lines_block));
	g_byte_array_append(table, (const guint8 *)parts->files->data, parts->files->len * sizeof(uint32_t));
	g_byte_array_append(table, writer->stream->data, writer->stream->len);
	g_byte_array_append(table, parts->names->data, parts->names->len);
	return table;
}

static GByteArray *assemble(const struct table_writer *writer, uint64_t base, const GPtrArray *files, GArray *sections,
			    const GPtrArray *section_names)
{
	g_autoptr(GByteArray) names = g_byte_array_new();
	g_autoptr(GArray) offsets = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const struct table_parts parts = {offsets, names};
	struct stp_lines head = {.version = STP_LINES_VERSION,
				 .block_count = writer->blocks->len,
				 .file_count = files->len,
				 .section_count = sections->len,
				 .base_low = (unsigned int)base,
				 .base_high = (unsigned int)(base >> 32),
				 .sections = sizeof(head)};

	head.blocks = head.sections + head.section_count * sizeof(struct stp_lines_section);
	head.files = head.blocks + head.block_count * sizeof(struct stp_lines_block);
	head.stream = head.files + head.file_count * sizeof(uint32_t);
	head.names = head.stream + writer->stream->len;
	for (guint i = 0; i < files->len; i++) {
		uint32_t offset = append_name(names, head.names, files->pdata[i]);

		g_array_append_val(offsets, offset);
	}
	for (guint i = 0; i < sections->len; i++)
		g_array_index(sections, struct stp_lines_section, i).name =
			append_name(names, head.names, section_names->pdata[i]);
	head.size = head.names + names->len;
	for (guint i = 0; i < writer->blocks->len; i++)
		g_array_index(writer->blocks, struct stp_lines_block, i).stream += head.stream;
	return join_parts(&head, sections, writer, &parts);
}

GByteArray *line_table_write(uint64_t base, const GArray *rows, GArray *sequences, const GArray *starts,
			     const GPtrArray *files, GArray *sections, const GPtrArray *section_names)
{
	struct table_writer writer = {.starts = starts,
				      .blocks = g_array_new(FALSE, FALSE, sizeof(struct stp_lines_block)),
				      .stream = g_byte_array_new()};
	GByteArray *table = NULL;

	g_array_sort(sequences, compare_sequences);
	write_sequences(rows, sequences, &writer);
	if (writer.blocks->len)
		table = assemble(&writer, base, files, sections, section_names);
	g_array_unref(writer.blocks);
	g_byte_array_unref(writer.stream);
	return table;
}
