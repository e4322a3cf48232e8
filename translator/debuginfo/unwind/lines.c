// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines of a program or library, read by libdw. File names are absolute paths if the build directory is one. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "translator/debuginfo/lines/write.h"
#include "translator/debuginfo/unwind/frames.h"

struct line_reader {
	uint64_t base;
	uint32_t extent;
	GArray *rows, *sequences;
	GPtrArray *files; /* char * */
	GHashTable *numbers; /* name -> number + 1 */
	guint start; /* of the current sequence */
	const char *directory; /* of the current unit */
	Dwarf_Die *unit;
	uint64_t last_end; /* of the sequence before */
};

/* The directory may be relative, too, as in Debian's C library. */
static char *whole_name(const struct line_reader *reader, const char *name)
{
	const char *directory = reader->directory ?: "/";
	bool is_absolute = g_path_is_absolute(name) || g_path_is_absolute(directory);
	g_autofree char *path = g_canonicalize_filename(name, g_path_is_absolute(directory) ? directory : "/");

	return g_strdup(is_absolute ? path : path + 1);
}

static uint32_t file_number(struct line_reader *reader, const char *name)
{
	g_autofree char *path = whole_name(reader, name);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(reader->numbers, path));

	if (!number) {
		char *copy = g_steal_pointer(&path);

		g_ptr_array_add(reader->files, copy);
		number = reader->files->len;
		g_hash_table_insert(reader->numbers, copy, GUINT_TO_POINTER(number));
	}
	return number - 1;
}

static void end_sequence(struct line_reader *reader, uint64_t address)
{
	struct line_sequence sequence = {0, (uint32_t)(address - reader->base), reader->start, reader->rows->len};

	if (sequence.first < sequence.end && address - reader->base <= reader->extent) {
		sequence.low = g_array_index(reader->rows, struct line_row, sequence.first).address;
		if (sequence.low < sequence.high)
			g_array_append_val(reader->sequences, sequence);
	}
	reader->start = reader->rows->len;
}

static void read_row(struct line_reader *reader, Dwarf_Line *line)
{
	const char *name = dwarf_linesrc(line, NULL, NULL);
	struct line_row row = {0};
	Dwarf_Addr address;
	bool is_end = false;
	int number;

	if (dwarf_lineaddr(line, &address) || dwarf_lineno(line, &number) || dwarf_lineendsequence(line, &is_end))
		return;
	if (is_end) {
		end_sequence(reader, address);
		reader->last_end = address;
		return;
	}
	/*
	 * libdw sorts the end of a sequence before other rows at its address. Such a row begins the next sequence, or
	 * has no code, as after a call that does not return. Then it must not reach up to the next sequence.
	 */
	if (address == reader->last_end && dwarf_haspc(reader->unit, address) != 1)
		return;
	if (!name || address - reader->base >= reader->extent)
		return;
	row.address = (uint32_t)(address - reader->base);
	row.line = number > 0 ? (uint32_t)number : 0;
	row.file = file_number(reader, name);
	g_array_append_val(reader->rows, row);
}

static const char *unit_directory(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static void read_units(struct line_reader *reader, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
		Dwarf_Lines *lines;
		size_t count;

		if (dwarf_getsrclines(&die, &lines, &count))
			continue;
		reader->start = reader->rows->len;
		reader->directory = unit_directory(&die);
		reader->unit = &die;
		reader->last_end = 0;
		for (size_t i = 0; i < count; i++)
			read_row(reader, dwarf_onesrcline(lines, i));
		g_array_set_size(reader->rows, reader->start);
	}
}

GByteArray *object_lines(Dwarf *dwarf, uint64_t base, uint32_t extent)
{
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(struct stp_lines_section));
	struct line_reader reader = {
		.base = base,
		.extent = extent,
		.rows = g_array_new(FALSE, FALSE, sizeof(struct line_row)),
		.sequences = g_array_new(FALSE, FALSE, sizeof(struct line_sequence)),
		.files = g_ptr_array_new_with_free_func(g_free),
		.numbers = g_hash_table_new(g_str_hash, g_str_equal),
	};
	GByteArray *table;

	read_units(&reader, dwarf);
	table = line_table_write(0, reader.rows, reader.sequences, NULL, reader.files, sections, NULL);
	g_hash_table_unref(reader.numbers);
	g_ptr_array_unref(reader.files);
	g_array_unref(reader.rows);
	g_array_unref(reader.sequences);
	return table;
}
