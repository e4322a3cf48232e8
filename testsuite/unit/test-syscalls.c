// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of system calls (runtime/abi/syscall_rows.h): every number has exactly one row, the rows fit the registers,
 * and the numbers equal those in the headers of the kernels in $SPILE_TEST_KERNEL_ROOTS.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi/syscall_table.h"
#include "translator/probes/syscall_rows.h"

enum { REGISTERS = 6 };

struct number {
	int number;
	const char *name;
};

#define NUMBER(value, text) {value, #text},
static const struct number numbers_64[] = {SYSCALL_NUMBERS_64(NUMBER)};
static const struct number numbers_32[] = {SYSCALL_NUMBERS_32(NUMBER)};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* The trampolines of uprobes and uretprobes are not system calls for programs. */
static bool needs_row(int number, bool is_32_bit)
{
	return !syscall_is_trampoline(is_32_bit, number);
}

static void check_numbers(const struct number *numbers, size_t count, bool is_32_bit)
{
	for (size_t i = 0; i < count; i++) {
		int rows = 0;

		for (int row = 0; row < syscall_row_count; row++) {
			const struct syscall_row *r = &syscall_rows[row];

			rows += (is_32_bit ? r->number_32 : r->number_64) == numbers[i].number;
		}
		if (rows != needs_row(numbers[i].number, is_32_bit)) {
			g_test_message("%d %s (%d bits): %d rows", numbers[i].number, numbers[i].name,
				       is_32_bit ? 32 : 64, rows);
			g_test_fail();
		}
		g_assert_cmpint(numbers[i].number, <, SYSCALL_NUMBER_LIMIT);
	}
}

static void test_one_row_each(void)
{
	check_numbers(numbers_64, G_N_ELEMENTS(numbers_64), false);
	check_numbers(numbers_32, G_N_ELEMENTS(numbers_32), true);
}

static int registers_of(const struct syscall_argument *argument)
{
	if (argument->kind >= SYSCALL_PART)
		return 0;
	return argument->kind == SYSCALL_PAIR || argument->kind == SYSCALL_PAIR_UNSIGNED ? 2 : 1;
}

static void test_rows_fit(void)
{
	for (int row = 0; row < syscall_row_count; row++) {
		const struct syscall_row *r = &syscall_rows[row];
		int registers = 0;

		g_test_message("row of %s", r->name);
		g_assert_true(r->number_64 >= 0 || r->number_32 >= 0);
		g_assert_cmpint(r->argument_count, <=, SYSCALL_ROW_ITEMS);
		for (int i = 0; i < r->argument_count; i++)
			registers += registers_of(&r->arguments[i]);
		g_assert_cmpint(registers, <=, REGISTERS);
	}
}

/* The names of variables in a row differ from each other and from the names that all rows have. */
static void test_names_differ(void)
{
	static const char *const common[] = {"name", "argstr", "retval", "retstr"};

	for (int row = 0; row < syscall_row_count; row++) {
		const struct syscall_row *r = &syscall_rows[row];
		g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

		for (size_t i = 0; i < G_N_ELEMENTS(common); i++)
			g_hash_table_add(seen, (void *)common[i]);
		for (int i = 0; i < r->argument_count; i++) {
			const struct syscall_argument *a = &r->arguments[i];
			const char *const names[] = {a->number, a->text, a->raw};

			for (size_t n = 0; n < G_N_ELEMENTS(names); n++)
				if (names[n] && !g_hash_table_add(seen, (void *)names[n]))
					g_error("%s has '%s' twice", r->name, names[n]);
		}
	}
}

/* ---- the kernel's headers ---------------------------------------------------------------------------------------- */

static const char *name_of(const struct number *numbers, size_t count, int number)
{
	for (size_t i = 0; i < count; i++)
		if (numbers[i].number == number)
			return numbers[i].name;
	return NULL;
}

/* Return the text of a kernel's header, or NULL if it does not exist. */
static char *header_text(const char *root, const char *name)
{
	g_autofree char *directory = g_build_filename(root, "usr/src", NULL);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	char *text = NULL;
	const char *entry;

	while (dir && !text && (entry = g_dir_read_name(dir))) {
		g_autofree char *path =
			g_build_filename(directory, entry, "arch/x86/include/generated/uapi/asm", name, NULL);

		g_file_get_contents(path, &text, NULL, NULL);
	}
	return text;
}

static int check_header(const char *root, const char *header, const struct number *numbers, size_t count)
{
	g_autofree char *text = header_text(root, header);
	g_auto(GStrv) lines = g_strsplit(text ?: "", "\n", -1);
	int found = 0;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", -1);
		const char *name;

		if (g_strv_length(words) != 3 || !g_str_has_prefix(words[1], "__NR_") || !g_ascii_isdigit(*words[2]) ||
		    !strcmp(words[1], "__NR_syscalls") /* the number of system calls */ ||
		    !strcmp(words[1], "__NR_uprobe")) /* a trampoline, see above */
			continue;
		name = name_of(numbers, count, atoi(words[2]));
		if (g_strcmp0(name, words[1] + strlen("__NR_"))) {
			g_test_message("%s: %s is %s here", header, *line, name ?: "missing");
			g_test_fail();
		}
		found++;
	}
	return found;
}

static void test_headers(void)
{
	enum { LEAST = 350 };
	const char *directories = g_getenv("SPILE_TEST_KERNEL_ROOTS");
	g_auto(GStrv) roots = g_strsplit(directories ?: "", ":", -1);
	int found_64 = 0, found_32 = 0;

	if (!directories) {
		g_test_skip("SPILE_TEST_KERNEL_ROOTS is not set");
		return;
	}
	for (char **root = roots; *root; root++) {
		found_64 += check_header(*root, "unistd_64.h", numbers_64, G_N_ELEMENTS(numbers_64));
		found_32 += check_header(*root, "unistd_32.h", numbers_32, G_N_ELEMENTS(numbers_32));
	}
	g_assert_cmpint(found_64, >, LEAST);
	g_assert_cmpint(found_32, >, LEAST);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/syscalls/one-row-each", test_one_row_each);
	g_test_add_func("/syscalls/rows-fit", test_rows_fit);
	g_test_add_func("/syscalls/names-differ", test_names_differ);
	g_test_add_func("/syscalls/headers", test_headers);
	return g_test_run();
}
