// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of system calls (runtime/abi/syscall_rows.h): every number has exactly one row, the rows fit the registers,
 * and the numbers equal those in the headers of the kernels in $SPILE_TEST_HEADER_ROOTS. The names of flags and values
 * (runtime/abi/syscall_sets.h) are complete, too, as far as those kernels know them.
 */
#include <glib.h>
#include <stdint.h>
#include <stdio.h>
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
static const struct number numbers_arm64[] = {SYSCALL_NUMBERS_ARM64(NUMBER)};
static const struct number numbers_arm32[] = {SYSCALL_NUMBERS_ARM32(NUMBER)};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static int number_64(const struct syscall_row *row)
{
	return row->number_64;
}

static int number_32(const struct syscall_row *row)
{
	return row->number_32;
}

static int number_arm64(const struct syscall_row *row)
{
	return row->number_arm64;
}

static int number_arm32(const struct syscall_row *row)
{
	return row->number_arm32;
}

/*
 * Check the numbers of a list. @p number_of returns the number in a row. Trampolines of uprobes have no row, because
 * they are not system calls.
 */
static void check_numbers(const struct number *numbers, size_t count, int (*number_of)(const struct syscall_row *row))
{
	for (size_t i = 0; i < count; i++) {
		bool is_trampoline = number_of == number_64 && syscall_is_trampoline(false, numbers[i].number);
		int rows = 0;

		for (int row = 0; row < syscall_row_count; row++)
			rows += number_of(&syscall_rows[row]) == numbers[i].number;
		if (rows != !is_trampoline) {
			g_test_message("%d %s: %d rows", numbers[i].number, numbers[i].name, rows);
			g_test_fail();
		}
		g_assert_cmpint(numbers[i].number, <, SYSCALL_NUMBER_LIMIT);
	}
}

static void test_one_row_each(void)
{
	check_numbers(numbers_64, G_N_ELEMENTS(numbers_64), number_64);
	check_numbers(numbers_32, G_N_ELEMENTS(numbers_32), number_32);
	check_numbers(numbers_arm64, G_N_ELEMENTS(numbers_arm64), number_arm64);
	check_numbers(numbers_arm32, G_N_ELEMENTS(numbers_arm32), number_arm32);
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
		g_assert_true(r->number_64 >= 0 || r->number_32 >= 0 || r->number_arm32 >= 0);
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

/* Return the text of a kernel's header, by its path in a directory of headers, or NULL if it does not exist. */
static char *header_text(const char *root, const char *name)
{
	g_autofree char *directory = g_build_filename(root, "usr/src", NULL);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	char *text = NULL;
	const char *entry;

	while (dir && !text && (entry = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, entry, name, NULL);

		g_file_get_contents(path, &text, NULL, NULL);
	}
	return text;
}

/* Return whether a definition is not of a call that the lists have. */
static bool is_other(const char *name, int number)
{
	/* Skip the number of system calls, a trampoline, and the entries of the generic list for other machines. */
	static const char *const others[] = {"__NR_syscalls", "__NR_uprobe", "__NR_sync_file_range2",
					     "__NR_arch_specific_syscall"};

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		if (!strcmp(name, others[i]))
			return true;
	/* system calls of 32-bit programs with 64-bit times */
	return number >= 403 && number <= 423 && (strstr(name, "time64") || g_str_has_suffix(name, "64"));
}

static int check_header(const char *root, const char *header, const struct number *numbers, size_t count,
			bool is_generic)
{
	g_autofree char *text = header_text(root, header);
	g_auto(GStrv) lines = g_strsplit(text ?: "", "\n", -1);
	int found = 0;

	for (char **line = lines; *line; line++) {
		g_auto(GStrv) words = g_strsplit(*line, " ", -1);
		const char *name;

		if (g_strv_length(words) != 3 || !g_str_has_prefix(words[1], "__NR_") || !g_ascii_isdigit(*words[2]) ||
		    is_other(words[1], is_generic ? atoi(words[2]) : 0))
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

#define X86_HEADERS "arch/x86/include/generated/uapi/asm/"

static void test_headers(void)
{
	enum { LEAST = 350, LEAST_ARM64 = 300 };
	const char *directories = g_getenv("SPILE_TEST_HEADER_ROOTS");
	g_auto(GStrv) roots = g_strsplit(directories ?: "", ":", -1);
	int found_64 = 0, found_32 = 0, found_arm64 = 0, found_arm32 = 0;

	if (!directories) {
		g_test_skip("SPILE_TEST_HEADER_ROOTS is not set");
		return;
	}
	for (char **root = roots; *root; root++) {
		found_64 += check_header(*root, X86_HEADERS "unistd_64.h", numbers_64, G_N_ELEMENTS(numbers_64), false);
		found_32 += check_header(*root, X86_HEADERS "unistd_32.h", numbers_32, G_N_ELEMENTS(numbers_32), false);
		found_arm64 += check_header(*root, "include/uapi/asm-generic/unistd.h", numbers_arm64,
					    G_N_ELEMENTS(numbers_arm64), true);
		found_arm32 += check_header(*root, "arch/arm64/include/asm/unistd32.h", numbers_arm32,
					    G_N_ELEMENTS(numbers_arm32), false);
	}
	g_assert_cmpint(found_64, >, LEAST);
	g_assert_cmpint(found_32, >, LEAST);
	g_assert_cmpint(found_arm64, >, LEAST_ARM64);
	g_assert_cmpint(found_arm32, >, LEAST);
}

/* ---- names of flags and values ----------------------------------------------------------------------------------- */

struct word {
	uint64_t value;
	const char *name;
};

#define B(bits, word)                                                                                                  \
	{                                                                                                              \
		bits, #word                                                                                            \
	}
#define M(mask, content, word)                                                                                         \
	{                                                                                                              \
		content, #word                                                                                         \
	}
#define C(mask, content, clears, word)                                                                                 \
	{                                                                                                              \
		content, #word                                                                                         \
	}
#define V(content, word)                                                                                               \
	{                                                                                                              \
		content, #word                                                                                         \
	}
#define SET(set, ...) static const struct word words_##set[] = {__VA_ARGS__};
#include "runtime/abi/syscall_sets.h"
#undef SET

#define SET(set, ...) {#set, words_##set, G_N_ELEMENTS(words_##set)},
static const struct {
	const char *name;
	const struct word *words;
	size_t count;
} sets[] = {
#include "runtime/abi/syscall_sets.h"
};

/*
 * The names in a header that belong to a set: those with the prefix, except for the last words. These are names, or
 * prefixes that end with '*': masks, aliases, and flags of other calls.
 */
static const struct {
	const char *set, *prefix, *header, *except;
} families[] = {
	{"resolve", "RESOLVE_", "linux/openat2.h", ""},
	{"at", "AT_", "linux/fcntl.h", "AT_FDCWD AT_STATX_* AT_RENAME_* AT_EACCESS AT_HANDLE_* AT_GETATTR_NOSEC"},
	{"statx", "AT_STATX_", "linux/fcntl.h", "AT_STATX_SYNC_TYPE"},
	{"rename", "RENAME_", "linux/fs.h", ""},
	{"seek", "SEEK_", "linux/fs.h", "SEEK_MAX"},
	{"rwf", "RWF_", "linux/fs.h", "RWF_SUPPORTED"},
	{"fallocate", "FALLOC_FL_", "linux/falloc.h", "FALLOC_FL_ALLOCATE_RANGE"},
	{"close_range", "CLOSE_RANGE_", "linux/close_range.h", ""},
	{"fcntl", "F_", "linux/fcntl.h", "F_LINUX_SPECIFIC_BASE F_SEAL_*"},
	{"inotify", "IN_", "linux/inotify.h", "IN_CLOSE IN_MOVE IN_CLOEXEC IN_NONBLOCK"},
	{"fanotify_init", "FAN_REPORT_", "linux/fanotify.h", "FAN_REPORT_MNT"},
	{"fanotify_mark", "FAN_MARK_", "linux/fanotify.h", "FAN_MARK_INODE FAN_MARK_IGNORE_SURV FAN_MARK_MNTNS"},
	{"mmap", "MAP_", "asm-generic/mman-common.h", "MAP_TYPE MAP_FILE MAP_HUGE_*"},
	{"mmap", "MAP_", "linux/mman.h", "MAP_HUGE_*"},
	{"mremap", "MREMAP_", "linux/mman.h", ""},
	{"madvise", "MADV_", "asm-generic/mman-common.h", ""},
	{"memfd", "MFD_", "linux/memfd.h", "MFD_HUGE_SHIFT MFD_HUGE_MASK"},
	{"clone", "CLONE_", "linux/sched.h",
	 "CLONE_ARGS_* CLONE_NEWTIME CLONE_CLEAR_SIGHAND CLONE_INTO_CGROUP CLONE_AUTOREAP CLONE_NNP "
	 "CLONE_PIDFD_AUTOKILL CLONE_EMPTY_MNTNS"},
	{"clone3", "CLONE_", "linux/sched.h", "CLONE_ARGS_*"},
	{"scheduler", "SCHED_", "linux/sched.h", "SCHED_NORMAL SCHED_FLAG_*"},
	{"ptrace", "PTRACE_", "linux/ptrace.h", "PTRACE_O_* PTRACE_EVENT* PTRACE_SYSCALL_INFO_* PTRACE_PEEKSIGINFO_*"},
	{"ptrace_options", "PTRACE_O_", "linux/ptrace.h", "PTRACE_O_MASK"},
	{"prctl", "PR_SET_", "linux/prctl.h", "PR_SET_MM_* PR_SET_VMA_* PR_SET_PTRACER_*"},
	{"prctl", "PR_GET_", "linux/prctl.h", ""},
	{"capability", "CAP_", "linux/capability.h", "CAP_LAST_CAP"},
	{"si_code_segv", "SEGV_", "asm-generic/siginfo.h", ""},
	{"si_code_ill", "ILL_", "asm-generic/siginfo.h", "ILL_ILLPARAOP ILL_ILLEXCPT ILL_CPLFLT ILL_CPLADI"},
	{"si_code_bus", "BUS_", "asm-generic/siginfo.h", ""},
	{"si_code_trap", "TRAP_", "asm-generic/siginfo.h", "TRAP_PERF_FLAG_*"},
	{"clock", "CLOCK_", "linux/time.h", "CLOCK_AUX* MAX_CLOCKS"},
	{"timex", "ADJ_", "linux/timex.h", "ADJ_ADJTIME ADJ_OFFSET_READONLY"},
	{"mount", "MS_", "linux/mount.h",
	 "MS_VERBOSE MS_SUBMOUNT MS_NOREMOTELOCK MS_NOSEC MS_BORN MS_ACTIVE MS_NOUSER MS_MGC_* MS_RMT_MASK"},
	{"move_mount", "MOVE_MOUNT_", "linux/mount.h", "MOVE_MOUNT__MASK"},
	{"mount_attr", "MOUNT_ATTR_", "linux/mount.h", "MOUNT_ATTR__ATIME MOUNT_ATTR_RELATIME MOUNT_ATTR_SIZE_*"},
	{"kexec_file", "KEXEC_FILE_", "linux/kexec.h", "KEXEC_FILE_NO_CMA KEXEC_FILE_FORCE_DTB"},
	{"getrandom", "GRND_", "linux/random.h", ""},
	{"seccomp_flags", "SECCOMP_FILTER_FLAG_", "linux/seccomp.h", ""},
	{"futex2", "FUTEX2_", "linux/futex.h", "FUTEX2_SIZE_MASK"},
	{"option_socket", "SO_", "asm-generic/socket.h",
	 "SO_RCVTIMEO SO_SNDTIMEO SO_TIMESTAMP SO_TIMESTAMPNS SO_TIMESTAMPING SO_GET_FILTER"},
	{"shmctl", "SHM_STAT", "linux/shm.h", ""},
	{"semctl", "SEM_STAT", "linux/sem.h", ""},
	{"msgctl", "MSG_STAT", "linux/msg.h", ""},
};

/* Return the text of a header for programs, or NULL. */
static char *uapi_text(const char *root, const char *header)
{
	g_autofree char *directory = g_build_filename(root, "usr/src", NULL);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	char *text = NULL;
	const char *entry;

	while (dir && !text && (entry = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, entry, "include/uapi", header, NULL);

		g_file_get_contents(path, &text, NULL, NULL);
	}
	return text;
}

/* Evaluate a number, "NUMBER << NUMBER" or "F_LINUX_SPECIFIC_BASE + NUMBER", in parentheses or not. */
static bool evaluate(const char *text, uint64_t *value)
{
	static const char base[] = "F_LINUX_SPECIFIC_BASE";
	g_autoptr(GString) plain = g_string_new(text);
	uint64_t left, right = 0;
	char *end;

	g_string_replace(plain, "__force __kernel_rwf_t", "", 0);
	g_string_replace(plain, "(", "", 0);
	g_string_replace(plain, ")", "", 0);
	g_string_replace(plain, base, "1024", 0);
	left = g_ascii_strtoull(plain->str, &end, 0);
	if (end == plain->str)
		return false;
	end += strspn(end, "uUlL \t");
	if (g_str_has_prefix(end, "<<"))
		right = g_ascii_strtoull(end + 2, &end, 0), left <<= right;
	else if (*end == '+')
		right = g_ascii_strtoull(end + 1, &end, 0), left += right;
	end += strspn(end, "uUlL \t");
	*value = left;
	return !*end || g_str_has_prefix(end, "/*");
}

static bool is_excepted(const char *name, const char *except)
{
	g_auto(GStrv) words = g_strsplit(except, " ", -1);

	for (char **word = words; *word; word++)
		if (g_str_has_suffix(*word, "*") ? !strncmp(name, *word, strlen(*word) - 1) : !strcmp(name, *word))
			return true;
	return false;
}

/* Return whether a set has the name with this value, or the lower half of it. */
static bool set_has(const char *set, const char *name, uint64_t value)
{
	for (size_t i = 0; i < G_N_ELEMENTS(sets); i++)
		for (size_t n = 0; !strcmp(sets[i].name, set) && n < sets[i].count; n++)
			if (!strcmp(sets[i].words[n].name, name))
				return sets[i].words[n].value == value || sets[i].words[n].value == (uint32_t)value;
	return false;
}

/* Return how many names of a family a header has. */
static int check_family(const char *text, size_t family)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	int found = 0;

	for (char **line = lines; *line; line++) {
		g_autofree char *name = NULL, *rest = NULL;
		uint64_t value;

		if (sscanf(*line, " # define %ms %m[^\n]", &name, &rest) != 2 &&
		    sscanf(*line, "#define %ms %m[^\n]", &name, &rest) != 2)
			continue;
		if (!g_str_has_prefix(name, families[family].prefix) || is_excepted(name, families[family].except) ||
		    !evaluate(rest, &value))
			continue;
		found++;
		if (set_has(families[family].set, name, value))
			continue;
		g_test_message("%s: set %s lacks %s = 0x%" G_GINT64_MODIFIER "x", families[family].header,
			       families[family].set, name, value);
		g_test_fail();
	}
	return found;
}

static void test_names(void)
{
	const char *directories = g_getenv("SPILE_TEST_HEADER_ROOTS");
	g_auto(GStrv) roots = g_strsplit(directories ?: "", ":", -1);

	if (!directories) {
		g_test_skip("SPILE_TEST_HEADER_ROOTS is not set");
		return;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(families); i++) {
		int found = 0;

		for (char **root = roots; *root; root++) {
			g_autofree char *text = uapi_text(*root, families[i].header);

			found += text ? check_family(text, i) : 0;
		}
		/* Each family must find something, or it tests nothing. */
		if (!found) {
			g_test_message("%s: no name begins with %s", families[i].header, families[i].prefix);
			g_test_fail();
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/syscalls/one-row-each", test_one_row_each);
	g_test_add_func("/syscalls/rows-fit", test_rows_fit);
	g_test_add_func("/syscalls/names-differ", test_names_differ);
	g_test_add_func("/syscalls/headers", test_headers);
	g_test_add_func("/syscalls/names", test_names);
	return g_test_run();
}
