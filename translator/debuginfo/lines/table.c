// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Building one table with all source lines of the kernel or of a module, for scripts that look up the lines of
 * addresses at run time.
 *
 * The line programs (DWARF 5, section 6.2) are run in the order of .debug_line, without reading units. Each yields
 * sequences of rows by address; the sequences may be anywhere, so they are sorted. The last of several rows at one
 * address counts, and rows count even where no statement begins, so the answers are those of addr2line(1). See
 * runtime/abi/line_table.h for the format. The table is kept in the cache. In a module's table, sections are at the
 * addresses that libdwfl chooses. A module's init sections are left out, because other modules may later be loaded at
 * their addresses.
 */
#include "translator/debuginfo/lines/lines.h"

#include <string.h>

#include "common/cache.h"
#include "common/progress.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/lines/write.h"

struct table_builder {
	const struct debuginfo *debuginfo;
	uint64_t base; /* the table's address 0 */
	GArray *covered; /* struct stp_lines_section, whose `name` is the section's number until the table is written */
	struct dwarf_sections sections;
	struct file_names *names;
	GHashTable *numbers; /* name -> number + 1 */
	GPtrArray *files; /* by number */
	GArray *rows, *sequences;
	guint sequence_start;
};

/* A line program: the fields of its header, and the registers that its instructions change. */
struct line_program {
	struct reader reader;
	GPtrArray *files; /* of the unit */
	unsigned int least_length, line_range, first_special;
	int line_base;
	uint8_t operand_counts[256];
	uint64_t address, file, line;
};

static uint32_t file_number(struct table_builder *builder, const struct line_program *program)
{
	const char *name = program->file < program->files->len ? program->files->pdata[program->file] : NULL;
	guint number = name ? GPOINTER_TO_UINT(g_hash_table_lookup(builder->numbers, name)) : 0;

	if (!name)
		return UINT32_MAX;
	if (!number) {
		g_ptr_array_add(builder->files, (void *)name);
		number = builder->files->len;
		g_hash_table_insert(builder->numbers, (void *)name, GUINT_TO_POINTER(number));
	}
	return number - 1;
}

static void reset(struct line_program *program)
{
	program->address = 0;
	program->file = program->line = 1;
}

static void put_row(struct table_builder *builder, const struct line_program *program)
{
	struct line_row row;

	if (!program->line || program->address < builder->base || program->address - builder->base > UINT32_MAX)
		return;
	row = (struct line_row){(uint32_t)(program->address - builder->base), file_number(builder, program),
				(uint32_t)program->line};
	if (row.file != UINT32_MAX)
		g_array_append_val(builder->rows, row);
}

/* Add the module's section at an address to `covered`. Return false if the code there is not wanted. */
static bool cover_section(struct table_builder *builder, uint32_t address)
{
	int number = debuginfo_section_of(builder->debuginfo, address);
	struct stp_lines_section covered = {.name = (unsigned int)number};
	const struct section *section;

	if (!debuginfo_has_sections(builder->debuginfo))
		return true;
	if (number < 0 || g_str_has_prefix(debuginfo_section_name(builder->debuginfo, (unsigned int)number), ".init"))
		return false;
	for (guint i = 0; i < builder->covered->len; i++)
		if (g_array_index(builder->covered, struct stp_lines_section, i).name == covered.name)
			return true;
	section = &g_array_index(builder->debuginfo->sections, struct section, number);
	covered.start = (uint32_t)section->base;
	covered.size = (uint32_t)section->size;
	g_array_append_val(builder->covered, covered);
	return true;
}

static void end_sequence(struct table_builder *builder, struct line_program *program)
{
	struct line_sequence sequence = {0, (uint32_t)(program->address - builder->base), builder->sequence_start,
					 builder->rows->len};

	if (sequence.first < sequence.end && program->address >= builder->base &&
	    program->address - builder->base <= UINT32_MAX) {
		sequence.low = g_array_index(builder->rows, struct line_row, sequence.first).address;
		if (sequence.low < sequence.high && cover_section(builder, sequence.low))
			g_array_append_val(builder->sequences, sequence);
	}
	builder->sequence_start = builder->rows->len;
	reset(program);
}

static void advance(struct line_program *program, uint64_t instructions)
{
	program->address += instructions * program->least_length;
}

static void run_extended(struct table_builder *builder, struct line_program *program)
{
	uint64_t size = read_uleb(&program->reader);
	const uint8_t *next;
	unsigned int opcode;

	if (!size || size > (uint64_t)(program->reader.end - program->reader.position)) {
		program->reader.bad = true;
		return;
	}
	next = program->reader.position + size;
	opcode = (unsigned int)read_unsigned(&program->reader, 1);
	if (opcode == DW_LNE_end_sequence)
		end_sequence(builder, program);
	else if (opcode == DW_LNE_set_address)
		program->address = read_unsigned(&program->reader, MIN(size - 1, sizeof(uint64_t)));
	program->reader.position = next;
}

static void run_standard(struct table_builder *builder, struct line_program *program, unsigned int opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		put_row(builder, program);
		break;
	case DW_LNS_advance_pc:
		advance(program, read_uleb(&program->reader));
		break;
	case DW_LNS_advance_line:
		program->line += (uint64_t)read_sleb(&program->reader);
		break;
	case DW_LNS_set_file:
		program->file = read_uleb(&program->reader);
		break;
	case DW_LNS_const_add_pc:
		advance(program, (255 - program->first_special) / program->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		program->address += read_unsigned(&program->reader, 2);
		break;
	default:
		for (unsigned int i = 0; i < program->operand_counts[opcode]; i++)
			read_uleb(&program->reader);
	}
}

static void run_program(struct table_builder *builder, struct line_program *program)
{
	reset(program);
	builder->sequence_start = builder->rows->len;
	while (program->reader.position < program->reader.end && !program->reader.bad) {
		unsigned int opcode = (unsigned int)read_unsigned(&program->reader, 1);

		if (opcode >= program->first_special) {
			opcode -= program->first_special;
			advance(program, opcode / program->line_range);
			program->line += (uint64_t)(program->line_base + (int)(opcode % program->line_range));
			put_row(builder, program);
		} else if (opcode) {
			run_standard(builder, program, opcode);
		} else {
			run_extended(builder, program);
		}
	}
	/* Drop rows without the end of their sequence. */
	g_array_set_size(builder->rows, builder->sequence_start);
}

/*
 * Read the header at an offset of .debug_line. Return the offset of the next one, 0 at the end or if this one is
 * malformed.
 */
static uint64_t read_program(struct table_builder *builder, uint64_t offset, struct line_program *program)
{
	const struct span line = builder->sections.line;
	struct reader reader = {line.data + offset, line.data + line.size, false};
	unsigned int offset_size = 4, version;
	uint64_t length, header;
	const uint8_t *next;

	length = read_unsigned(&reader, 4);
	if (length == UINT32_MAX) {
		offset_size = 8;
		length = read_unsigned(&reader, 8);
	}
	if (reader.bad || length > (uint64_t)(reader.end - reader.position))
		return 0;
	next = reader.position + length;
	version = (unsigned int)read_unsigned(&reader, 2);
	if (version >= 5)
		read_skip(&reader, 2); /* address_size, segment_selector_size */
	header = read_unsigned(&reader, offset_size);
	if (reader.bad || header > (uint64_t)(next - reader.position))
		return 0;
	program->reader = (struct reader){reader.position + header, next, false};
	program->least_length = (unsigned int)read_unsigned(&reader, 1);
	read_skip(&reader, version >= 4 ? 2 : 1); /* maximum_operations_per_instruction, default_is_stmt */
	program->line_base = (int8_t)read_unsigned(&reader, 1);
	program->line_range = (unsigned int)read_unsigned(&reader, 1);
	program->first_special = (unsigned int)read_unsigned(&reader, 1);
	for (unsigned int i = 1; i < program->first_special; i++)
		program->operand_counts[i] = (uint8_t)read_unsigned(&reader, 1);
	if (version < 2 || version > 5 || reader.bad || !program->line_range || !program->first_special)
		return 0;
	program->files = line_files(&builder->sections, builder->names, offset, "", "");
	return (uint64_t)(next - line.data);
}

static void read_programs(struct table_builder *builder)
{
	uint64_t offset = 0;

	while (offset < builder->sections.line.size) {
		struct line_program program = {0};
		uint64_t next = read_program(builder, offset, &program);

		if (!next)
			break;
		run_program(builder, &program);
		g_ptr_array_unref(program.files);
		offset = next;
	}
}

static int compare_addresses(gconstpointer a, gconstpointer b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The addresses of functions, relative to the table's base. */
struct start_list {
	const struct table_builder *builder;
	GArray *starts; /* uint32_t */
};

static bool add_start(const char *name, const struct elf_symbol *symbol, void *data)
{
	const struct start_list *list = data;
	const struct debuginfo *debuginfo = list->builder->debuginfo;
	uint64_t address = symbol->value - list->builder->base;
	uint32_t start;

	(void)name;
	if (symbol->type != STT_FUNC)
		return false;
	if (debuginfo_has_sections(debuginfo)) {
		if (symbol->section >= debuginfo->sections->len)
			return false;
		address += g_array_index(debuginfo->sections, struct section, symbol->section).base;
	}
	start = (uint32_t)address;
	if (address <= UINT32_MAX)
		g_array_append_val(list->starts, start);
	return false;
}

static GArray *list_starts(const struct table_builder *builder)
{
	GArray *starts = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	elf_search_symbols(builder->debuginfo->debug.elf, add_start, &(struct start_list){builder, starts});
	g_array_sort(starts, compare_addresses);
	return starts;
}

/* Write the table; return NULL if there are no lines. */
static GByteArray *write_table(const struct table_builder *builder)
{
	g_autoptr(GArray) starts = list_starts(builder);
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	for (guint i = 0; i < builder->covered->len; i++) {
		unsigned int number = g_array_index(builder->covered, struct stp_lines_section, i).name;

		g_ptr_array_add(names, (void *)debuginfo_section_name(builder->debuginfo, number));
	}
	return line_table_write(builder->base, builder->rows, builder->sequences, starts, builder->files,
				builder->covered, names);
}

/* Return the lowest link-time address of the kernel's code; 0 for modules, whose addresses begin there. */
static uint64_t lowest_address(struct debuginfo *debuginfo)
{
	struct address address = {0};

	if (debuginfo->kind == OBJECT_KERNEL)
		error_free(debuginfo_symbol_address(debuginfo, "_text", &address));
	return address.value;
}

static GByteArray *build_table(struct debuginfo *debuginfo, Dwarf *dwarf)
{
	struct table_builder builder = {
		.debuginfo = debuginfo,
		.base = lowest_address(debuginfo),
		.covered = g_array_new(FALSE, FALSE, sizeof(struct stp_lines_section)),
		.sections = dwarf_find_sections(dwarf),
		.names = file_names_new(false),
		.numbers = g_hash_table_new(g_direct_hash, g_direct_equal),
		.files = g_ptr_array_new(),
		.rows = g_array_new(FALSE, FALSE, sizeof(struct line_row)),
		.sequences = g_array_new(FALSE, FALSE, sizeof(struct line_sequence)),
	};
	GByteArray *table;

	read_programs(&builder);
	table = write_table(&builder);
	g_hash_table_unref(builder.numbers);
	g_ptr_array_unref(builder.files);
	g_array_unref(builder.rows);
	g_array_unref(builder.sequences);
	g_array_unref(builder.covered);
	file_names_free(builder.names);
	return table;
}

static void list_sections(struct debuginfo *debuginfo, const char *table, GPtrArray *sections)
{
	for (unsigned int i = 0; i < ((const struct stp_lines *)table)->section_count; i++)
		g_ptr_array_add(sections, arena_strdup(debuginfo->arena, table + stp_lines_section(table, i)->name));
}

/* Load the table from the cache and list its sections. Return false if it is missing or damaged. */
static bool find_kept(struct debuginfo *debuginfo, const char *path, GPtrArray *sections)
{
	g_autofree char *table = NULL;
	size_t length;

	if (!cache_load(path, &table, &length))
		return false;
	list_sections(debuginfo, table, sections);
	return true;
}

static struct error *no_cache(void)
{
	return error_new(ERROR_UNSUPPORTED, _("their table needs the cache, which cannot be used"));
}

struct error *debuginfo_line_table(struct debuginfo *debuginfo, const char **path, GPtrArray *sections)
{
	g_autoptr(GByteArray) table = NULL;
	struct progress *step;
	struct error *error;
	Dwarf *dwarf;

	*path = NULL;
	if (!debuginfo->source->reader->is_dwarf)
		return NULL;
	if (!debuginfo->search.cache_directory)
		return no_cache();
	*path = arena_printf(debuginfo->arena, "%s/lines-%s%s-v%d", debuginfo->search.cache_directory,
			     debuginfo->build_id, debuginfo->source->index_suffix, STP_LINES_VERSION);
	if (find_kept(debuginfo, *path, sections))
		return NULL;
	error = debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	step = progress_begin(_("reading the source lines of %s, once"), debuginfo->debug.path);
	debuginfo_provide(debuginfo, ".debug_line");
	table = build_table(debuginfo, dwarf);
	progress_end(step);
	if (table)
		cache_store(*path, (const char *)table->data, table->len);
	if (table && g_file_test(*path, G_FILE_TEST_IS_REGULAR)) {
		list_sections(debuginfo, (const char *)table->data, sections);
		return NULL;
	}
	*path = NULL;
	return table ? no_cache() : NULL;
}
