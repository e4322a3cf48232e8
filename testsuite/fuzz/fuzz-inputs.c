// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hostile input for the programs that read data of others: module files and the output of modules (staprun), messages
 * of guests and their users (stap-vm), the cache and lines of JSON (stap), both sides of a compile server, recordings
 * (stap-report), scripts and clients of stap-exporter, bundles.
 *
 * Usage: fuzz-inputs KIND[,KIND...] [--seconds N | --rounds N] [--seed N] [--input FILE]
 *        fuzz-inputs try FILE...
 *
 * Each round makes an input of a kind (inputs.h) and mostly damages it. Rounds run in children, some hundred in each.
 * If a child dies or takes too long, its input is kept beside FILE, under a name that tells `try` the kind. Run it
 * under AddressSanitizer (the suite fuzz).
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"

enum { ROUNDS_OF_CHILD = 200, ROUND_SECONDS = 20, LARGEST_INPUT = 1 << 20, MOST_FAILURES = 5 };

static const struct input_kind *const kinds[] = {
	&input_module, &input_records,	  &input_reader,  &input_monitor,	  &input_globals,
	&input_client, &input_hub,	  &input_archive, &input_monitor_of_qemu, &input_snapshot,
	&input_entry,  &input_directory,  &input_request, &input_answer,	  &input_recording,
	&input_lines,  &input_prometheus, &input_header,  &input_frames,	  &input_bundle,
};

/* The current round of a child, for its parent. */
static struct shared {
	guint32 done;
	const struct input_kind *kind;
	gsize size;
	guint8 bytes[LARGEST_INPUT];
} * shared;

static char *directory;

/* ---- helpers of all kinds ---------------------------------------------------------------------------------------- */

guint fuzz_below(GRand *random, guint least, guint end)
{
	return (guint)g_rand_int_range(random, (gint32)least, (gint32)end);
}

void fuzz_append(GByteArray *out, const void *bytes, gsize size)
{
	if (size)
		g_byte_array_append(out, bytes, (guint)size);
}

int fuzz_file(const void *bytes, gsize size)
{
	int file = memfd_create("fuzz", MFD_CLOEXEC);

	if (file < 0 || (size && write(file, bytes, size) != (ssize_t)size) || lseek(file, 0, SEEK_SET))
		g_error("memfd: %s", strerror(errno));
	return file;
}

char *fuzz_take(int file, gsize *size)
{
	off_t end = lseek(file, 0, SEEK_END);
	char *text = g_malloc0((gsize)end + 1);

	if (end < 0 || pread(file, text, (gsize)end, 0) != end || ftruncate(file, 0) || lseek(file, 0, SEEK_SET))
		g_error("memfd: %s", strerror(errno));
	*size = (gsize)end;
	return text;
}

/* In a child, discard standard error, except for reports of the sanitizers. */
static int reports = STDERR_FILENO;

void fuzz_wrong(const char *what)
{
	dprintf(reports, "fuzz: %s\n", what);
	abort();
}

void fuzz_put(const char *path, const void *bytes, gsize size)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (file < 0 || (size && write(file, bytes, size) != (ssize_t)size))
		g_error("%s: %s", path, strerror(errno));
	close(file);
}

const char *fuzz_directory(void)
{
	return directory;
}

void fuzz_add_piece(GByteArray *out, guint whom, const void *bytes, gsize size)
{
	const guint8 head[] = {(guint8)whom, (guint8)size, (guint8)(size >> 8)};

	g_assert_cmpuint(size, <=, G_MAXUINT16);
	fuzz_append(out, head, sizeof(head));
	fuzz_append(out, bytes, size);
}

bool fuzz_next_piece(const guint8 **bytes, gsize *size, struct fuzz_piece *piece)
{
	if (*size < 3)
		return false;
	*piece = (struct fuzz_piece){
		.whom = (*bytes)[0],
		.bytes = *bytes + 3,
		.size = MIN(*size - 3, (*bytes)[1] | (gsize)(*bytes)[2] << 8),
	};
	*size -= 3 + piece->size;
	*bytes = piece->bytes + piece->size;
	return true;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static void silence(void)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

	reports = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
	if (__sanitizer_set_report_fd)
		__sanitizer_set_report_fd((void *)(gintptr)reports);
	dup2(nowhere, STDERR_FILENO);
}

/* Copy the input to an allocation of exactly its size, so that sanitizers see reads beyond it. */
static void feed(void)
{
	guint hash = 5381;
	GRand *random;
	guint8 *bytes = malloc(shared->size);

	if (shared->size)
		memcpy(bytes, shared->bytes, shared->size);
	for (gsize i = 0; i < shared->size; i++)
		hash = hash * 33 + bytes[i];
	random = g_rand_new_with_seed(hash);
	alarm(ROUND_SECONDS);
	shared->kind->feed(random, bytes, shared->size);
	alarm(0);
	g_rand_free(random);
	free(bytes);
}

static void run_round(const GPtrArray *chosen, guint32 round)
{
	GRand *random = g_rand_new_with_seed(round);
	GByteArray *made = g_byte_array_new();
	gsize size;

	shared->kind = g_ptr_array_index(chosen, round % chosen->len);
	shared->kind->make(random, made);
	size = MIN(made->len, LARGEST_INPUT);
	if (size && fuzz_below(random, 0, 8))
		for (guint count = 1u << fuzz_below(random, 0, 6); count--;)
			fuzz_damage(random, made->data, &size);
	shared->size = size;
	if (size)
		memcpy(shared->bytes, made->data, size);
	g_byte_array_free(made, TRUE);
	g_rand_free(random);
	feed();
	shared->done++;
}

static void run_rounds(const GPtrArray *chosen, guint32 first, guint32 count)
{
	for (guint32 i = 0; i < count; i++)
		run_round(chosen, first + i);
}

/* Run rounds in a child. Without chosen kinds, feed the input in `shared`. */
static bool ends_well(const GPtrArray *chosen, guint32 first, guint32 count)
{
	pid_t child = fork();
	int status;

	if (!child) {
		silence();
		if (chosen)
			run_rounds(chosen, first, count);
		else
			feed();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		g_error("fork: %s", strerror(errno));
	if (WIFSIGNALED(status))
		fprintf(stderr, "killed by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
	return !status;
}

static void keep(const char *input, guint32 number)
{
	g_autofree char *beside = g_path_get_dirname(input), *base = g_path_get_basename(input);
	g_autofree char *path = g_strdup_printf("%s/%s-%s-%u", beside, shared->kind->name, base, number);

	if (g_file_set_contents(path, (const char *)shared->bytes, (gssize)shared->size, NULL))
		fprintf(stderr, "the input is in %s\n", path);
}

struct extent {
	int seconds;
	guint32 rounds; /* 0: the seconds are the limit */
	guint32 seed;
	const char *input;
};

static guint32 fuzz(const GPtrArray *chosen, const struct extent *extent)
{
	gint64 end = g_get_monotonic_time() + (gint64)extent->seconds * G_USEC_PER_SEC;
	guint32 failures = 0, round = 0;
	struct rusage used;

	while (failures < MOST_FAILURES && (extent->rounds ? round < extent->rounds : g_get_monotonic_time() < end)) {
		guint32 count = extent->rounds ? MIN(extent->rounds - round, ROUNDS_OF_CHILD) : ROUNDS_OF_CHILD;

		shared->done = 0;
		if (ends_well(chosen, extent->seed + round, count)) {
			round += count;
			continue;
		}
		round += shared->done + 1;
		keep(extent->input, failures++);
	}
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%u inputs from seed %u, %ld s of processor, %u failures\n", round, extent->seed,
	       used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000000,
	       failures);
	return failures;
}

/* Run an input whose name keep() has made. */
static guint32 try_file(const char *path)
{
	g_autofree char *base = g_path_get_basename(path), *bytes = NULL;
	gsize size;

	shared->kind = NULL;
	base[strcspn(base, "-")] = '\0';
	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(kinds[i]->name, base))
			shared->kind = kinds[i];
	if (!shared->kind || !g_file_get_contents(path, &bytes, &size, NULL) || size > LARGEST_INPUT)
		g_error("%s is no input", path);
	memcpy(shared->bytes, bytes, size);
	shared->size = size;
	if (ends_well(NULL, 0, 0))
		return 0;
	fprintf(stderr, "%s failed\n", path);
	return 1;
}

static GPtrArray *choose(const char *names)
{
	g_auto(GStrv) list = g_strsplit(names, ",", -1);
	GPtrArray *chosen = g_ptr_array_new();

	for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(names, "all") || g_strv_contains((const char *const *)list, kinds[i]->name))
			g_ptr_array_add(chosen, (gpointer)kinds[i]);
	return chosen;
}

/* Remove the directory, with the files of children that died. */
static void remove_directory(void)
{
	g_autofree char *command = g_strdup_printf("rm -rf '%s'", directory);

	if (system(command))
		fprintf(stderr, "%s is still there\n", directory);
}

int main(int argc, char **argv)
{
	struct extent extent = {.seconds = 10, .seed = (guint32)time(NULL), .input = "fuzz-input"};
	g_autoptr(GPtrArray) chosen = choose(argc > 1 ? argv[1] : "");
	bool tries = argc > 1 && !strcmp(argv[1], "try");
	guint32 failures = 0;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	directory = g_dir_make_tmp("spile-fuzz-XXXXXX", NULL);
	if (shared == MAP_FAILED || !directory || (!tries && !chosen->len))
		return 2;
	for (int i = 2; i < argc; i++) {
		if (tries)
			failures += try_file(argv[i]);
		else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
			extent.seconds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
			extent.rounds = (guint32)strtoul(argv[++i], NULL, 0);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			extent.seed = (guint32)strtoul(argv[++i], NULL, 0);
		else if (!strcmp(argv[i], "--input") && i + 1 < argc)
			extent.input = argv[++i];
		else
			return 2;
	}
	if (tries)
		printf("%d inputs, %u failures\n", argc - 2, failures);
	else
		failures = fuzz(chosen, &extent);
	remove_directory();
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
