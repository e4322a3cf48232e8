// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols of a kernel without a symbol table, from the kallsyms tables in its image and from text files.
 *
 * scripts/kallsyms.c of the kernel writes these tables into .rodata:
 *   - the number of symbols;
 *   - their names, each a length and that many one-byte tokens; the first letter is the type as shown by nm;
 *   - markers: the offset of every 256th name;
 *   - 256 tokens as strings, and an index with their offsets;
 *   - the addresses, as offsets from a base.
 *
 * In a boot image, no symbol locates the tables, but each can be verified. The tokens of the digits are the digits; the
 * token index has the tokens' offsets; the count leads over the names to the markers, which repeat the offsets.
 *
 * Linux 6.4 moved the addresses from the front to the end. Linux 7.0 removed the base: each address is an offset from
 * its own place, sorted by address, and the tables are aligned to 4 bytes instead of 8.
 */
#include "translator/debuginfo/kernel/kernel.h"

#include <inttypes.h>
#include <string.h>

#define TOKENS 256
#define FIRST_DIGIT '0'
#define MARKER_STEP 256
#define FEWEST_SYMBOLS 1000
#define MOST_SYMBOLS (1u << 22)
#define LONGEST_NAME 1024
#define LARGEST_KERNEL (256u << 20)
#define PAGE 4096

struct tables {
	uint64_t lowest_text; /* link-time addresses of kernels are not lower */
	struct span section; /* contains all tables */
	uint64_t address; /* of the section */
	size_t tokens, token_index, count_at, names, markers;
	uint32_t count;
	size_t offsets, base; /* base: 0 if offsets are relative to their own places */
};

static uint64_t number_at(struct span span, size_t at, unsigned int size)
{
	struct reader reader = {span.data + at, span.data + span.size, false};

	return at < span.size ? read_unsigned(&reader, size) : 0;
}

static size_t align(size_t at, size_t step)
{
	return (at + step - 1) & ~(step - 1);
}

/* ---- finding ---- */

/* Find the token @p count tokens before the one at @p at. Return false if that leads out of the section. */
static bool step_back(struct span section, size_t at, unsigned int count, size_t *ret)
{
	/* Each token is text and a NUL; at[-1] is the NUL of the one before. */
	for (; count; count--) {
		if (at < 2)
			return false;
		for (at--; at && section.data[at - 1]; at--)
			;
	}
	*ret = at;
	return true;
}

static bool check_token_index(struct tables *tables, size_t at, const uint16_t offsets[TOKENS])
{
	tables->token_index = at;
	for (unsigned int i = 0; i < TOKENS; i++)
		if (number_at(tables->section, at + i * 2, 2) != offsets[i])
			return false;
	return true;
}

/* Are there 256 strings at `tokens`, followed by the table of their offsets? */
static bool check_tokens(struct tables *tables)
{
	struct span section = tables->section;
	uint16_t offsets[TOKENS];
	size_t at = tables->tokens;

	for (unsigned int i = 0; i < TOKENS; i++) {
		const uint8_t *end = at < section.size ? memchr(section.data + at, 0, section.size - at) : NULL;

		if (!end)
			return false;
		offsets[i] = (uint16_t)(at - tables->tokens);
		at = (size_t)(end - section.data) + 1;
	}
	return check_token_index(tables, align(at, 4), offsets) || check_token_index(tables, align(at, 8), offsets);
}

static bool find_tokens(struct tables *tables)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
	struct span section = tables->section;
	size_t at = 0;

	while (at < section.size) {
		const uint8_t *found = memmem(section.data + at, section.size - at, digits, sizeof(digits));

		if (!found)
			return false;
		at = (size_t)(found - section.data);
		if (step_back(section, at, FIRST_DIGIT, &tables->tokens) && check_tokens(tables))
			return true;
		at++;
	}
	return false;
}

/*
 * Return the start of the name after the one at @p at; 0 if it is malformed. A length over 127 takes two bytes (since
 * 6.1).
 */
static size_t next_name(struct span section, size_t at, size_t *first, size_t *length)
{
	if (at + 1 >= section.size)
		return 0;
	*length = section.data[at++];
	if (*length & 0x80)
		*length = (*length & 0x7f) | (size_t)section.data[at++] << 7;
	*first = at;
	return *length && *length < LONGEST_NAME && *length <= section.size - at ? at + *length : 0;
}

/* Is the word at @p at the count of the names after it, followed by the markers? @p step is the tables' alignment. */
static bool check_names(struct tables *tables, size_t at, size_t step)
{
	struct span section = tables->section;
	uint32_t count = (uint32_t)number_at(section, at, 4), second = 0;
	size_t names = at + step, name = names, first = 0, length = 0;

	if (count < FEWEST_SYMBOLS || count > MOST_SYMBOLS || (step > 4 && number_at(section, at + 4, 4)))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (i == MARKER_STEP)
			second = (uint32_t)(name - names);
		name = next_name(section, name, &first, &length);
		if (!name || name > tables->tokens)
			return false;
	}
	tables->count = count;
	tables->count_at = at;
	tables->names = names;
	tables->markers = align(name, step);
	return number_at(section, tables->markers, 4) == 0 && number_at(section, tables->markers + 4, 4) == second;
}

static bool find_names(struct tables *tables)
{
	for (size_t at = tables->tokens & ~(size_t)3; at;) {
		at -= 4;
		if (check_names(tables, at, 4) || (at % 8 == 0 && check_names(tables, at, 8)))
			return true;
	}
	return false;
}

static int32_t offset_at(const struct tables *tables, uint32_t i)
{
	return (int32_t)number_at(tables->section, tables->offsets + i * 4u, 4);
}

/* Return an address in tables without a base. */
static uint64_t address_by_place(const struct tables *tables, uint32_t i)
{
	return tables->address + tables->offsets + i * 4u + (uint64_t)(int64_t)offset_at(tables, i);
}

/*
 * Are these tables without a base? Addresses must ascend from the start of the text. Constant data would also ascend,
 * so the offsets must differ.
 */
static bool check_places(const struct tables *tables)
{
	uint64_t last = tables->lowest_text;

	if (tables->count * 4u > tables->section.size - MIN(tables->offsets, tables->section.size))
		return false;
	for (uint32_t i = 0; i < tables->count; i++) {
		uint64_t address = address_by_place(tables, i);

		if (address < last)
			return false;
		last = address;
	}
	return address_by_place(tables, 0) < tables->address &&
	       offset_at(tables, tables->count - 1) > offset_at(tables, 0);
}

static bool is_base(const struct tables *tables, size_t at)
{
	uint64_t base = number_at(tables->section, at, 8);

	/* A boot image is one section, which begins before the first symbol. The kernel's text begins a page. */
	return base >= tables->lowest_text && base % PAGE == 0 &&
	       (base <= tables->address ? tables->address - base < LARGEST_KERNEL
					: base - tables->address < tables->section.size);
}

static bool find_addresses(struct tables *tables)
{
	size_t size = align((size_t)tables->count * 4, 8);

	tables->offsets = tables->token_index + TOKENS * 2;
	tables->base = 0;
	if (check_places(tables))
		return true;
	tables->base = tables->offsets + size;
	if (is_base(tables, tables->base))
		return true;
	if (tables->count_at < size + 8)
		return false;
	tables->base = tables->count_at - 8;
	tables->offsets = tables->base - size;
	return is_base(tables, tables->base);
}

unsigned int kallsyms_base_places(struct span image, uint64_t lowest_text, size_t ret[2])
{
	struct tables tables = {.section = image, .lowest_text = lowest_text};
	unsigned int count = 0;
	size_t size, after;

	if (!find_tokens(&tables) || !find_names(&tables))
		return 0;
	size = align((size_t)tables.count * 4, 8);
	after = tables.token_index + TOKENS * 2 + size;
	if (after < image.size && image.size - after >= 8)
		ret[count++] = after;
	if (tables.count_at >= size + 8)
		ret[count++] = tables.count_at - 8;
	return count;
}

/* ---- reading ---- */

static void expand(const struct tables *tables, size_t first, size_t length, GString *ret)
{
	g_string_truncate(ret, 0);
	for (size_t i = 0; i < length && ret->len < LONGEST_NAME; i++) {
		uint8_t token = tables->section.data[first + i];
		size_t offset = number_at(tables->section, tables->token_index + token * 2u, 2);

		/* check_tokens() has found the terminating NUL. */
		g_string_append(ret, (const char *)tables->section.data + tables->tokens + offset);
	}
}

/*
 * Are per-CPU addresses absolute? Then negative offsets count back from the base, and the others are absolute
 * addresses.
 */
static bool has_absolute_percpu(const struct tables *tables)
{
	for (uint32_t i = 0; tables->base && i < tables->count; i++)
		if (offset_at(tables, i) < 0)
			return true;
	return false;
}

static uint64_t address_of(const struct tables *tables, uint32_t i, bool absolute_percpu)
{
	uint64_t base = number_at(tables->section, tables->base, 8);
	int32_t offset = offset_at(tables, i);

	if (!tables->base)
		return address_by_place(tables, i);
	if (!absolute_percpu)
		return base + (uint32_t)offset;
	return offset >= 0 ? (uint64_t)offset : base - 1 - (uint64_t)(int64_t)offset;
}

static void read_names(struct arena *arena, const struct tables *tables, take_symbol *take, void *data)
{
	bool absolute_percpu = has_absolute_percpu(tables);
	g_autoptr(GString) name = g_string_new(NULL);
	size_t at = tables->names, first = 0, length = 0;

	for (uint32_t i = 0; i < tables->count; i++) {
		at = next_name(tables->section, at, &first, &length);
		expand(tables, first, length, name);
		if (name->len > 1)
			take(data, address_of(tables, i, absolute_percpu), name->str[0],
			     arena_strdup(arena, name->str + 1));
	}
}

bool kallsyms_read_section(const struct kallsyms_section *section, struct arena *arena, take_symbol *take, void *data)
{
	struct tables tables = {
		.section = section->bytes, .address = section->address, .lowest_text = section->lowest_text};

	if (!section->bytes.size || !find_tokens(&tables) || !find_names(&tables) || !find_addresses(&tables))
		return false;
	read_names(arena, &tables, take, data);
	return true;
}

bool kallsyms_read(const struct debuginfo *debuginfo, take_symbol *take, void *data)
{
	Elf *elf = debuginfo->debug.elf;
	GElf_Shdr header;

	return elf_section_by_name(elf, ".rodata", &header) &&
	       kallsyms_read_section(&(struct kallsyms_section){elf_section_span(elf, ".rodata"), header.sh_addr,
								debuginfo->kernel.abi->kernel->lowest_text},
				     debuginfo->arena, take, data);
}

/* ---- text ---- */

/* Parse "ffffffff81000000 T _stext"; reject symbols of modules, which end with "\t[module]". */
static bool parse_line(char *line, uint64_t *value, char *letter, char **name)
{
	char *end;

	*value = g_ascii_strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	*letter = end[1];
	*name = end + 3;
	return !strchr(*name, '\t') && (*name)[0];
}

/*
 * Find the distance of the kernel's text from the lowest address that it can have. On architectures where the text has
 * no fixed address, the distance does not lead to the addresses in the kernel's file, but to addresses that are the
 * same after each boot. Return false if kallsyms hides addresses.
 */
static bool find_slide(char **lines, uint64_t lowest_text, uint64_t *slide)
{
	uint64_t value;
	char letter, *name;

	for (char **line = lines; *line; line++) {
		g_autofree char *copy = g_strdup(*line);

		if (!parse_line(copy, &value, &letter, &name) || strcmp(name, "_text") != 0)
			continue;
		*slide = value - lowest_text;
		return value != 0;
	}
	return false;
}

bool symbol_file_read(const struct debuginfo *debuginfo, const char *path, take_symbol *take, void *data)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	uint64_t lowest_text = debuginfo->kernel.abi->kernel->lowest_text, slide, value;
	char letter, *name;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	lines = g_strsplit(text, "\n", -1);
	if (!find_slide(lines, lowest_text, &slide))
		return false;
	for (char **line = lines; *line; line++) {
		if (!parse_line(*line, &value, &letter, &name))
			continue;
		/* KASLR does not relocate per-CPU offsets. */
		take(data, value >= lowest_text ? value - slide : value, letter, arena_strdup(debuginfo->arena, name));
	}
	return true;
}
