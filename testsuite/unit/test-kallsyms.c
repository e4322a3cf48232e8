// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols from a kernel's own tables, made here in the format of each kernel version (scripts/kallsyms.c). Damaged
 * tables must not be read beyond their ends.
 */
#include <elf.h>
#include <glib.h>
#include <libelf.h>
#include <string.h>

#include "common/arena.h"
#include "testsuite/unit/part.h"
#include "translator/debuginfo/kernel/kernel.h"

#define SYMBOLS 1501
#define TEXT 0xffffffff81000000u
#define SECTION 0xffffffff82200000u
#define TOKENS 256

enum form {
	BEFORE_6_4, /* addresses come first */
	ABSOLUTE_PERCPU, /* the same; addresses of text are negative */
	SINCE_6_4, /* addresses come last */
	SINCE_7_0, /* … from their own places; closer together */
};

static uint64_t address_of(enum form form, unsigned int i)
{
	return form == ABSOLUTE_PERCPU && i < 3 ? i * 8u : TEXT + i * 16u;
}

static void add_number(GByteArray *bytes, uint64_t value, unsigned int size)
{
	g_byte_array_append(bytes, (const uint8_t *)&value, size);
}

static void align(GByteArray *bytes, unsigned int step)
{
	while (bytes->len % step)
		add_number(bytes, 0, 1);
}

static void add_addresses(GByteArray *bytes, enum form form)
{
	for (unsigned int i = 0; i < SYMBOLS; i++) {
		uint64_t address = address_of(form, i), value = address - TEXT;

		if (form == SINCE_7_0)
			value = address - (SECTION + bytes->len);
		else if (form == ABSOLUTE_PERCPU)
			value = address < TEXT ? address : TEXT - 1 - address;
		add_number(bytes, value, 4);
	}
	if (form == SINCE_7_0)
		return;
	align(bytes, 8);
	add_number(bytes, TEXT, 8);
}

/* Make a name of letters that stand for themselves. Every 100th name is so long that its length takes two bytes. */
static char *name_of(unsigned int i)
{
	g_autofree char *tail = g_strnfill(i % 100 ? 0 : 150, 'x');

	return g_strdup_printf("symbol_%u%s", i, tail);
}

static void add_names(GByteArray *bytes, unsigned int step)
{
	uint32_t markers[SYMBOLS / TOKENS + 1];
	unsigned int first;

	add_number(bytes, SYMBOLS, 4);
	align(bytes, step);
	first = bytes->len;
	for (unsigned int i = 0; i < SYMBOLS; i++) {
		g_autofree char *name = name_of(i);
		size_t length = strlen(name) + 1;

		if (i % TOKENS == 0)
			markers[i / TOKENS] = bytes->len - first;
		if (length > 127)
			add_number(bytes, (length & 0x7f) | 0x80 | (length >> 7) << 8, 2);
		else
			add_number(bytes, length, 1);
		g_byte_array_append(bytes, (const uint8_t *)"T", 1);
		g_byte_array_append(bytes, (const uint8_t *)name, (guint)length - 1);
	}
	align(bytes, step);
	for (size_t i = 0; i < G_N_ELEMENTS(markers); i++)
		add_number(bytes, markers[i], 4);
	align(bytes, step);
}

static void add_tokens(GByteArray *bytes, unsigned int step)
{
	unsigned int first = bytes->len, offsets[TOKENS];

	for (unsigned int i = 0; i < TOKENS; i++) {
		g_autofree char *token = i > ' ' && i < 127 ? g_strdup_printf("%c", i) : g_strdup_printf("of_%u", i);

		offsets[i] = bytes->len - first;
		g_byte_array_append(bytes, (const uint8_t *)token, (guint)strlen(token) + 1);
	}
	align(bytes, step);
	for (unsigned int i = 0; i < TOKENS; i++)
		add_number(bytes, offsets[i], 2);
}

/* @before: as many words of something else come first, so that the tables lie otherwise to multiples of 8. */
static GByteArray *make_section(enum form form, unsigned int before)
{
	unsigned int step = form == SINCE_7_0 ? 4 : 8;
	GByteArray *bytes = g_byte_array_new();

	for (unsigned int i = 0; i < before; i++)
		add_number(bytes, 0xfeedface, 4);
	align(bytes, step);
	if (form == BEFORE_6_4 || form == ABSOLUTE_PERCPU)
		add_addresses(bytes, form);
	add_names(bytes, step);
	add_tokens(bytes, step);
	if (form == SINCE_6_4 || form == SINCE_7_0)
		add_addresses(bytes, form);
	for (unsigned int i = 0; i < 50; i++)
		add_number(bytes, 0xfeedface, 4);
	return bytes;
}

struct seen {
	enum form form;
	unsigned int count, wrong;
};

static void take(void *data, uint64_t value, char letter, const char *name)
{
	struct seen *seen = data;
	g_autofree char *wanted = name_of(seen->count);

	seen->wrong += value != address_of(seen->form, seen->count) || letter != 'T' || strcmp(name, wanted) != 0;
	seen->count++;
}

/* Read a copy of exactly this size, so that sanitizers see reads beyond it. */
static bool read_bytes(const uint8_t *bytes, size_t size, struct seen *seen)
{
	g_autofree uint8_t *copy = g_memdup2(bytes, size);
	struct arena *arena = arena_new();
	bool found = kallsyms_read_section(&(struct kallsyms_section){{copy, size}, SECTION, 0xffffffff81000000}, arena,
					   take, seen);

	arena_free(arena);
	return found;
}

static void test_form(const void *data)
{
	enum form form = (enum form)GPOINTER_TO_INT(data);

	for (unsigned int before = 0; before < 4; before++) {
		g_autoptr(GByteArray) bytes = make_section(form, before);
		struct seen seen = {.form = form};

		g_assert_true(read_bytes(bytes->data, bytes->len, &seen));
		g_assert_cmpuint(seen.count, ==, SYMBOLS);
		g_assert_cmpuint(seen.wrong, ==, 0);
	}
}

static void test_damaged(const void *data)
{
	enum form form = (enum form)GPOINTER_TO_INT(data);
	g_autoptr(GByteArray) bytes = make_section(form, 1);
	struct seen seen = {.form = form};

	for (size_t size = 0; size < bytes->len; size += 97 * part_step(3))
		read_bytes(bytes->data, size, &seen);
	for (size_t at = 0; at < bytes->len; at += 61 * part_step(3)) {
		uint8_t kept = bytes->data[at];

		bytes->data[at] ^= 0xff;
		read_bytes(bytes->data, bytes->len, &seen);
		bytes->data[at] = kept;
	}
}

/* ---- boot images ---- */

#define HEADER 0x10000 /* an image is larger than what precedes its text */
#define POINTERS 20

static void add_relocation(GByteArray *bytes, uint64_t place, uint64_t value)
{
	Elf64_Rela relocation = {place, ELF64_R_INFO(0, R_AARCH64_RELATIVE), (int64_t)value};

	g_byte_array_append(bytes, (const uint8_t *)&relocation, sizeof(relocation));
}

/*
 * Make an image for arm64 that is linked at @p base: the header, POINTERS pointers to themselves, the tables, and the
 * relocations of the pointers and of the tables' address.
 */
static GByteArray *make_image(enum form form, uint64_t base)
{
	GByteArray *image = g_byte_array_new();
	g_autoptr(GByteArray) tables = make_section(form, 1);
	const uint64_t text = TEXT, none = 0;
	uint8_t *word;

	g_byte_array_set_size(image, HEADER);
	memset(image->data, 0, HEADER);
	memcpy(image->data + 0x38, "ARM\x64", 4);
	for (unsigned int i = 0; i < POINTERS; i++)
		add_number(image, 0, 8);
	g_byte_array_append(image, tables->data, tables->len);
	align(image, 8);
	word = memmem(image->data, image->len, &text, sizeof(text));
	memcpy(word, &none, sizeof(none));
	for (unsigned int i = 0; i < POINTERS; i++)
		add_relocation(image, base + HEADER + i * 8u, base + HEADER + i * 8u);
	add_relocation(image, base + (uint64_t)(word - image->data), text);
	return image;
}

/* Check the ELF file around an image that begins @p before bytes before the first symbol. */
static void check_image(enum form form, uint64_t before)
{
	g_autoptr(GByteArray) image = make_image(form, TEXT - before);
	size_t size;
	g_autofree char *file = raw_image_wrap((struct span){image->data, image->len}, &size);
	Elf64_Ehdr header;
	Elf64_Shdr section;
	struct arena *arena = arena_new();
	struct seen seen = {.form = form};
	const uint8_t *content;

	memcpy(&header, file, sizeof(header));
	/* .rodata follows the empty section and .shstrtab. */
	memcpy(&section, file + header.e_shoff + 2 * sizeof(section), sizeof(section));
	g_assert_cmphex(section.sh_addr, ==, TEXT - before);
	content = (const uint8_t *)file + section.sh_offset;
	for (unsigned int i = 0; i < POINTERS; i++) {
		uint64_t pointer;

		memcpy(&pointer, content + HEADER + i * 8u, sizeof(pointer));
		g_assert_cmphex(pointer, ==, section.sh_addr + HEADER + i * 8u);
	}
	g_assert_true(kallsyms_read_section(
		&(struct kallsyms_section){{content, section.sh_size}, section.sh_addr, 0xffff800000000000}, arena,
		take, &seen));
	g_assert_cmpuint(seen.count, ==, SYMBOLS);
	g_assert_cmpuint(seen.wrong, ==, 0);
	arena_free(arena);
}

/* The first symbol is the image's first byte, or the text's, which begins 64 KB later. */
static void test_relocated_image(void)
{
	static const enum form forms[] = {BEFORE_6_4, SINCE_6_4};

	elf_version(EV_CURRENT);
	for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
		check_image(forms[i], 0);
		check_image(forms[i], 0x10000);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"before-6.4", "absolute-percpu", "since-6.4", "since-7.0"};

	g_test_init(&argc, &argv, NULL);
	for (unsigned int i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *form = g_strdup_printf("/kallsyms/%s", names[i]);
		g_autofree char *damaged = g_strdup_printf("/kallsyms/damaged/%s", names[i]);

		g_test_add_data_func(form, GINT_TO_POINTER(i), test_form);
		g_test_add_data_func(damaged, GINT_TO_POINTER(i), test_damaged);
	}
	g_test_add_func("/kallsyms/relocated-image", test_relocated_image);
	return g_test_run();
}
