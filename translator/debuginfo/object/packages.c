// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packages of split DWARF: PROGRAM.dwp concatenates the files that the compiler wrote for each unit (-gsplit-dwarf).
 * One table records which bytes belong to which unit (DWARF 5, section 7.3.5, and the older GNU form), a second one
 * does so for type units (-fdebug-types-section).
 *
 * Only recent versions of libdw read packages, so the package is unpacked (split.c).
 */
#include "translator/debuginfo/object/packages.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "translator/debuginfo/object/unit_files.h"

#define MOST_COLUMNS 16
/*
 * Limit of unpacked bytes, as a multiple of the package. Units share contributions, each of which is copied with every
 * unit; a larger total means a malformed package.
 */
#define MOST_COPIES 64

enum column { COLUMN_INFO = 1, COLUMN_TYPES = 2, COLUMN_ABBREV = 3, COLUMN_STR_OFFSETS = 6 };

/* The sections of the columns; the numbers are the same in both forms. */
static const struct {
	const char *new_name, *old_name; /* in DWARF 5, and before */
} columns[] = {
	[COLUMN_INFO] = {".debug_info.dwo", ".debug_info.dwo"},
	[COLUMN_TYPES] = {NULL, ".debug_types.dwo"},
	[COLUMN_ABBREV] = {".debug_abbrev.dwo", ".debug_abbrev.dwo"},
	[4] = {".debug_line.dwo", ".debug_line.dwo"},
	[5] = {".debug_loclists.dwo", ".debug_loc.dwo"},
	[COLUMN_STR_OFFSETS] = {".debug_str_offsets.dwo", ".debug_str_offsets.dwo"},
	[8] = {".debug_rnglists.dwo", ".debug_macro.dwo"},
};

/* A unit index: a hash table from a unit's number to its row. */
struct table {
	uint64_t version, column_count, unit_count, slot_count;
	const uint8_t *numbers, *rows, *ids, *offsets, *sizes;
};

struct package {
	int fd;
	Elf *elf;
	struct table units, types; /* types.unit_count may be 0 */
	uint64_t left; /* bytes that may still be unpacked */
};

static uint64_t number_at(const uint8_t *bytes, uint64_t number, unsigned int size)
{
	struct reader reader = {bytes + number * size, bytes + number * size + size, false};

	return read_unsigned(&reader, size);
}

static bool read_table(Elf *elf, const char *section, struct table *ret)
{
	struct span index = elf_section_span(elf, section);
	struct reader reader = {index.data, index.data + index.size, false};
	struct table table = {0};
	uint64_t cells;

	table.version = read_unsigned(&reader, 4) & UINT16_MAX;
	table.column_count = read_unsigned(&reader, 4);
	table.unit_count = read_unsigned(&reader, 4);
	table.slot_count = read_unsigned(&reader, 4);
	if (reader.bad || table.column_count > MOST_COLUMNS || (table.version != 2 && table.version != 5))
		return false;
	cells = table.unit_count * table.column_count * 4;
	table.numbers = reader.position;
	read_skip(&reader, table.slot_count * 8);
	table.rows = reader.position;
	read_skip(&reader, table.slot_count * 4);
	table.ids = reader.position;
	read_skip(&reader, table.column_count * 4);
	table.offsets = reader.position;
	read_skip(&reader, cells);
	table.sizes = reader.position;
	read_skip(&reader, cells);
	if (reader.bad)
		return false;
	*ret = table;
	return true;
}

static bool find_row(const struct table *table, uint64_t number, uint64_t *ret)
{
	for (uint64_t slot = 0; slot < table->slot_count; slot++) {
		uint64_t row = number_at(table->rows, slot, 4);

		if (number_at(table->numbers, slot, 8) != number || !row || row > table->unit_count)
			continue;
		*ret = row - 1;
		return true;
	}
	return false;
}

/* Return the start of a unit's contribution to a column; UINT64_MAX if the column does not exist. */
static uint64_t place_of(const struct table *table, uint64_t row, enum column column)
{
	for (uint64_t i = 0; i < table->column_count; i++)
		if (number_at(table->ids, i, 4) == column)
			return number_at(table->offsets, row * table->column_count + i, 4);
	return UINT64_MAX;
}

/* ---- unpacking ---- */

/*
 * Copy only the strings that the units use, from the package's common section, and update the table of their offsets.
 */
static void take_strings(struct package *package, struct unit_file *file)
{
	struct span strings = elf_section_span(package->elf, ".debug_str.dwo");
	GByteArray *taken = unit_file_section(file, ".debug_str.dwo");
	GByteArray *table = unit_file_section(file, columns[COLUMN_STR_OFFSETS].old_name);
	guint start = package->units.version == 5 ? 8 : 0; /* after the header of the table */

	for (guint at = start; at + 4 <= table->len; at += 4) {
		const char *text = span_string(strings, number_at(table->data + at, 0, 4)) ?: "";
		uint32_t offset = GUINT32_TO_LE(taken->len);
		size_t length = strlen(text) + 1;

		if (length > package->left || length > G_MAXUINT - taken->len)
			return;
		package->left -= length;
		memcpy(table->data + at, &offset, sizeof(offset));
		g_byte_array_append(taken, (const guint8 *)text, (guint)length);
	}
}

/*
 * Append a unit to the file. The other sections that it refers to are the same for all units of one file, and copied
 * once.
 */
static void take_row(struct package *package, const struct table *table, uint64_t row, struct unit_file *file)
{
	for (uint64_t i = 0; i < table->column_count; i++) {
		uint64_t id = number_at(table->ids, i, 4), cell = row * table->column_count + i;
		uint64_t offset = number_at(table->offsets, cell, 4), size = number_at(table->sizes, cell, 4);
		const char *name = id >= G_N_ELEMENTS(columns) ? NULL
				   : table->version == 5       ? columns[id].new_name
							       : columns[id].old_name;
		struct span section = name ? elf_section_span(package->elf, name) : (struct span){NULL, 0};

		GByteArray *taken;

		if (!name || offset > section.size || size > section.size - offset || size > package->left ||
		    (id != COLUMN_INFO && id != COLUMN_TYPES && unit_file_has(file, name)))
			continue;
		taken = unit_file_section(file, name);
		if (size > G_MAXUINT - taken->len)
			continue;
		package->left -= size;
		g_byte_array_append(taken, section.data + offset, (guint)size);
	}
}

bool package_unpack_unit(struct package *package, uint64_t number, const char *path)
{
	_cleanup_unit_file_ struct unit_file *file = unit_file_new(package->elf);
	uint64_t row;

	if (!find_row(&package->units, number, &row))
		return false;
	take_row(package, &package->units, row, file);
	take_strings(package, file);
	return unit_file_write(file, path);
}

/* Add an empty DWARF 4 unit, because libdw opens no file without .debug_info. */
static void add_empty_unit(struct unit_file *file)
{
	static const guint8 unit[] = {8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 0};

	g_byte_array_append(unit_file_section(file, columns[COLUMN_INFO].old_name), unit, sizeof(unit));
}

/* Type units from the same compiler file share abbreviations and strings, and go into the same file. */
void package_unpack_types(struct package *package, const char *directory)
{
	const struct table *table = &package->types;
	g_autoptr(GHashTable) files =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)unit_file_free);
	GHashTableIter iterator;
	gpointer name, file;

	for (uint64_t row = 0; row < table->unit_count; row++) {
		g_autofree char *origin =
			g_strdup_printf("%" PRIx64 "-%" PRIx64 ".dwo", place_of(table, row, COLUMN_ABBREV),
					place_of(table, row, COLUMN_STR_OFFSETS));

		file = g_hash_table_lookup(files, origin);
		if (!file) {
			file = unit_file_new(package->elf);
			g_hash_table_insert(files, g_steal_pointer(&origin), file);
		}
		take_row(package, table, row, file);
	}
	g_hash_table_iter_init(&iterator, files);
	while (g_hash_table_iter_next(&iterator, &name, &file)) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		take_strings(package, file);
		if (!unit_file_has(file, columns[COLUMN_INFO].old_name))
			add_empty_unit(file);
		unit_file_write(file, path);
	}
}

/* ---- opening ---- */

static bool read_package(struct package *package)
{
	size_t size;

	if (!package->elf || elf_kind(package->elf) != ELF_K_ELF || elf_check_sections(package->elf) ||
	    !elf_rawfile(package->elf, &size) || !read_table(package->elf, ".debug_cu_index", &package->units))
		return false;
	package->left = size * MOST_COPIES;
	return true;
}

struct package *package_open(const struct debuginfo *debuginfo)
{
	const char *const paths[] = {debuginfo->debug.path, debuginfo->object ? debuginfo->object->real_path : NULL};

	/* Object files with the types of headers have no package. */
	for (size_t i = 0; debuginfo->object && i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *path = g_strconcat(paths[i], ".dwp", NULL);
		struct package *package = g_new0(struct package, 1);

		package->fd = open(path, O_RDONLY | O_CLOEXEC);
		package->elf = package->fd < 0 ? NULL : elf_begin(package->fd, ELF_C_READ_MMAP, NULL);
		if (read_package(package)) {
			read_table(package->elf, ".debug_tu_index", &package->types);
			return package;
		}
		package_close(package);
	}
	return NULL;
}

Elf *package_elf(const struct package *package)
{
	return package->elf;
}

void package_close(struct package *package)
{
	if (!package)
		return;
	elf_end(package->elf);
	if (package->fd >= 0)
		close(package->fd);
	g_free(package);
}
