// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests of a compile server's handling of untrusted bytes, before files or programs are involved: frames, requests, and
 * allowed options; and of its accounting of memory. testsuite/suites/server.sh tests the rest. Limits are tested for
 * stap and for a server; `test-server --limits` prints their table, for the suite style.
 */
#include <arpa/inet.h>
#include <getopt.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/limits.h"
#include "common/wire/request.h"
#include "common/wire/server_options.h"
#include "server/log.h"
#include "server/network.h"
#include "server/usage.h"
#include "testsuite/unit/errors.h"
#include "translator/options.h"

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static void test_frames(void)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	static const char text[] = "some text";

	frame_append(bytes, FRAME_MESSAGES, text, strlen(text));
	frame_append(bytes, FRAME_END, NULL, 0);
	/* The frames may arrive in any pieces. */
	for (size_t step = 1; step <= bytes->len; step++) {
		struct frame_reader reader;
		enum frame_kind kind, kinds[2] = {};
		const char *data;
		size_t length, count = 0;

		frame_reader_init(&reader, 1000);
		for (size_t at = 0; at < bytes->len; at += step) {
			frame_reader_feed(&reader, bytes->data + at, MIN(step, bytes->len - at));
			while (!frame_reader_next(&reader, &kind, &data, &length) && kind) {
				g_assert_cmpuint(count, <, 2);
				kinds[count++] = kind;
				if (kind == FRAME_MESSAGES)
					g_assert_cmpmem(data, length, text, strlen(text));
				else
					g_assert_cmpuint(length, ==, 0);
			}
		}
		g_assert_cmpuint(count, ==, 2);
		g_assert_true(kinds[0] == FRAME_MESSAGES && kinds[1] == FRAME_END);
		frame_reader_clear(&reader);
	}
}

static struct error *read_head(const guint8 *head, size_t most)
{
	struct frame_reader reader;
	enum frame_kind kind;
	const char *data;
	size_t length;
	struct error *error;

	frame_reader_init(&reader, most);
	frame_reader_feed(&reader, head, FRAME_HEAD_LENGTH);
	error = frame_reader_next(&reader, &kind, &data, &length);
	g_assert_true(error || !kind);
	frame_reader_clear(&reader);
	return error;
}

static void test_frame_limits(void)
{
	static const guint8 unknown[] = {0, 0, 0, 1, '?'}, huge[] = {0xff, 0xff, 0xff, 0xff, FRAME_FILE},
			    end[] = {0, 0, 0, 1, FRAME_END}, pass[] = {0, 0, 0, 1, FRAME_PASS};

	must_report(read_head(unknown, 1000), "of an unknown kind");
	/* The error is returned without waiting for more bytes. */
	must_report(read_head(huge, REQUEST_MOST_BYTES), "exceeds the limit of 4194304 bytes");
	must_report(read_head(end, 1000), "exceeds the limit of 0 bytes");
	must_report(read_head(pass, 5), "the frames together exceed");
	g_assert_null(read_head(pass, 6));
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

#define WORDS(...)                                                                                                     \
	(const char *const[])                                                                                          \
	{                                                                                                              \
		__VA_ARGS__, NULL                                                                                      \
	}

/* Build frames from strings "Kdata", with '|' for NUL, up to a NULL. */
static struct error *add_all(struct request *request, const char *const *frames)
{
	struct error *error = NULL;

	for (; *frames && !error; frames++) {
		g_autofree char *data = g_strdup(*frames + 1);
		size_t length = strlen(data);

		for (size_t i = 0; i < length; i++)
			if (data[i] == '|')
				data[i] = '\0';
		error = request_add(request, **frames, data, length);
	}
	return error;
}

static const char *const good[] = {"Vspile 1",
				   "L/home/me",
				   "ELANG=de_DE.UTF-8",
				   "K6.1.0-56-amd64|0a1b",
				   "P4",
				   "Ou",
				   "OD|MAXACTION=5",
				   "Oprivilege",
				   "Id/home/me/tapset",
				   "Fa.stp|text",
				   "F6.1/b.stp|",
				   "If/home/me/x.stp",
				   "F|probe begin {}",
				   "Sx.stp",
				   "A-v",
				   "A",
				   ".",
				   NULL};

static void test_request(void)
{
	struct arena *arena = arena_new();
	struct request request;
	const struct request_item *item;

	request_init(&request, arena);
	g_assert_null(add_all(&request, good));
	g_assert_true(request.is_complete);
	g_assert_cmpstr(request.release.text, ==, "6.1.0-56-amd64");
	g_assert_cmpstr(request.build_id.text, ==, "0a1b");
	g_assert_cmpint(request.last_pass, ==, 4);
	g_assert_cmpuint(request.options->len, ==, 3);
	g_assert_cmpuint(request.items->len, ==, 2);
	item = g_ptr_array_index(request.items, 0);
	g_assert_true(item->is_directory && item->files->len == 2);
	g_assert_cmpuint(request.arguments->len, ==, 2);
	/* No frame may follow the end. */
	must_report(request_add(&request, FRAME_ARGUMENT, "x", 1), "order");
	arena_free(arena);
}

/* A request is equal after it was written and read. */
static void test_request_frames(void)
{
	struct arena *arena = arena_new();
	struct request one, other;
	g_autoptr(GByteArray) bytes = g_byte_array_new(), again = g_byte_array_new();
	struct frame_reader reader;
	enum frame_kind kind;
	const char *data;
	size_t length;

	request_init(&one, arena);
	request_init(&other, arena);
	g_assert_null(add_all(&one, good));
	request_append(&one, bytes);
	frame_reader_init(&reader, REQUEST_MOST_BYTES);
	frame_reader_feed(&reader, bytes->data, bytes->len);
	while (!frame_reader_next(&reader, &kind, &data, &length) && kind)
		g_assert_null(request_add(&other, kind, data, length));
	g_assert_true(other.is_complete);
	request_append(&other, again);
	g_assert_cmpmem(bytes->data, bytes->len, again->data, again->len);
	frame_reader_clear(&reader);
	arena_free(arena);
}

static void refuses(const char *const *frames, const char *text)
{
	struct arena *arena = arena_new();
	struct request request;

	request_init(&request, arena);
	must_report(add_all(&request, frames), text);
	g_assert_false(request.is_complete);
	arena_free(arena);
}

static void test_bad_requests(void)
{
	refuses(WORDS("Vspile 2"), "uses protocol 'spile 2'");
	refuses(WORDS("L/home"), "order");
	refuses(WORDS("Vspile 1", "Vspile 1"), "order");
	refuses(WORDS("Vspile 1", "."), "complete");
	refuses(WORDS("Vspile 1", "Lhome"), "directory");
	refuses(WORDS("Vspile 1", "L/home/../etc"), "directory");
	refuses(WORDS("Vspile 1", "L/home//me"), "directory");
	refuses(WORDS("Vspile 1", "ELD_PRELOAD=x"), "environment");
	refuses(WORDS("Vspile 1", "ELANG=/etc/passwd"), "environment");
	refuses(WORDS("Vspile 1", "K6.1"), "kernel");
	refuses(WORDS("Vspile 1", "K/boot|"), "kernel");
	refuses(WORDS("Vspile 1", "K..|"), "kernel");
	refuses(WORDS("Vspile 1", "K-x|"), "kernel");
	refuses(WORDS("Vspile 1", "K6.1|xyz"), "build-id");
	refuses(WORDS("Vspile 1", "P5"), "pass");
	refuses(WORDS("Vspile 1", "P"), "pass");
	refuses(WORDS("Vspile 1", "O|x"), "option");
	refuses(WORDS("Vspile 1", "OD|a|b"), "option");
	refuses(WORDS("Vspile 1", "Ix/home"), "path");
	refuses(WORDS("Vspile 1", "Id/"), "path");
	refuses(WORDS("Vspile 1", "Idhome"), "path");
	refuses(WORDS("Vspile 1", "Id/home/../etc"), "path");
	refuses(WORDS("Vspile 1", "Fa|x"), "file");
	refuses(WORDS("Vspile 1", "Id/home", "F../a|x"), "file");
	refuses(WORDS("Vspile 1", "Id/home", "F/a|x"), "file");
	refuses(WORDS("Vspile 1", "Id/home", "Fa/|x"), "file");
	refuses(WORDS("Vspile 1", "Id/home", "F|x"), "file");
	refuses(WORDS("Vspile 1", "If/home", "Fa|x"), "file");
	refuses(WORDS("Vspile 1", "If/home", "F|x", "F|y"), "file");
	refuses(WORDS("Vspile 1", "S-"), "script");
	refuses(WORDS("Vspile 1", "Sa", "Sb"), "script");
	refuses(WORDS("Vspile 1", "Sa|b"), "script");
	refuses(WORDS("Vspile 1", "Sa", "ib"), "script");
	refuses(WORDS("Vspile 1", "Aa|b"), "arguments");
	refuses(WORDS("Vspile 1", "kmodule"), "answer");
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void test_options(void)
{
	static const char *const never[] = {"B",	   "R",	      "r",	   "k",		 "o",
					    "p",	   "tmpdir",  "sysroot",   "debuginfo",	 "remote",
					    "sign-module", "prepare", "rlimit-as", "use-server", "interactive",
					    "nonsense",	   ""};

	for (size_t i = 0; i < G_N_ELEMENTS(never); i++) {
		g_assert_false(server_option_takes(never[i], false));
		g_assert_false(server_option_takes(never[i], true));
	}
	g_assert_true(server_option_takes("D", true));
	g_assert_false(server_option_takes("D", false));
	g_assert_true(server_option_takes("u", false));
	g_assert_false(server_option_takes("u", true));
	g_assert_true(server_option_takes("privilege", false));
	g_assert_true(server_option_takes("privilege", true));
	g_assert_cmpint(server_option_kind("g", NULL), ==, SERVER_OPTION_GURU);
	g_assert_cmpint(server_option_kind("I", NULL), ==, SERVER_OPTION_DIRECTORY);
	must_report(server_option_refusal("B"), "-B and a compile server exclude each other");
	must_report(server_option_refusal("nonsense"), "--nonsense is not an option for a compile server");
}

/* ---- memory of processes ----------------------------------------------------------------------------------------- */

enum { GENERATIONS = 24, GENERATION_MEGABYTES = 4 };

/* Start a chain of processes, each of which allocates memory and starts the next. The last reports that all run. */
static pid_t begin_generation(int left, int done)
{
	pid_t parent = getpid(), process = fork();
	char *memory;

	if (process)
		return process;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memory = g_malloc(GENERATION_MEGABYTES << 20);
	memset(memory, left, GENERATION_MEGABYTES << 20);
	if (getppid() != parent || (left == 1 ? write(done, memory, 1) != 1 : begin_generation(left - 1, done) < 0))
		_exit(1);
	for (;;)
		pause();
}

static void test_usage(void)
{
	int ends[2], status;
	pid_t first;
	char byte;

	g_assert_cmpint(pipe(ends), ==, 0);
	first = begin_generation(GENERATIONS, ends[1]);
	g_assert_cmpint(first, >, 0);
	close(ends[1]);
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 1);
	close(ends[0]);
	/* Each process's other memory is small, except under a sanitizer. */
	g_assert_cmpint(usage_megabytes(first, 1000), >=, GENERATIONS * GENERATION_MEGABYTES);
	g_assert_cmpint(usage_megabytes(first, 3), >=, 3 * GENERATION_MEGABYTES);
	g_assert_cmpint(usage_megabytes(first, 3), <, usage_megabytes(first, GENERATIONS / 2));
	g_assert_cmpint(usage_megabytes(first, GENERATIONS / 2), <, usage_megabytes(first, 1000));
	kill(first, SIGKILL);
	g_assert_cmpint(waitpid(first, &status, 0), ==, first);
	/* The process has ended, and so do all below it. */
	g_assert_cmpint(usage_megabytes(first, 1000), ==, 0);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Compare the answers of a server and of stap about a limit. */
static struct error *server_says(const struct limit *limit, const char *value, enum privilege privilege)
{
	struct request_option options[] = {{limit->is_option ? "s" : "D", value},
					   {"privilege", privilege_names[privilege]}};
	void *pointers[] = {&options[0], &options[1]};

	return server_limits_refusal(&(GPtrArray){.pdata = pointers, .len = G_N_ELEMENTS(options)});
}

static bool stap_accepts(const struct limit *limit, const char *value, enum privilege privilege)
{
	g_autofree char *word = g_strconcat("--privilege=", privilege_names[privilege], NULL);
	char *argv[] = {"stap",
			"--download-debuginfo=no",
			limit->is_option ? "-s" : "-D",
			(char *)value,
			word,
			"-e",
			"probe begin {}",
			NULL};
	struct arena *arena = arena_new();
	struct options options;
	enum options_outcome outcome;

	optind = 0; /* restart getopt */
	outcome = options_parse(&options, arena, G_N_ELEMENTS(argv) - 1, argv);

	arena_free(arena);
	return outcome == OPTIONS_RUN;
}

static void assert_limit(const struct limit *limit, int64_t value, enum privilege privilege, bool is_allowed)
{
	g_autofree char *number = g_strdup_printf("%lld", (long long)value), *text = NULL;
	struct error *error;

	text = limit->is_option ? g_strdup(number)
	       : limit->is_flag ? g_strdup(limit->name)
				: g_strdup_printf("%s=%s", limit->name, number);
	error = server_says(limit, text, privilege);
	if (is_allowed != !error || is_allowed != stap_accepts(limit, text, privilege))
		g_error("%s with --privilege=%s: %s", text, privilege_names[privilege], error ? error->message : "ok");
	if (!error)
		return;
	g_assert_nonnull(strstr(error->message, limit->name));
	g_assert_nonnull(strstr(error->message, privilege_names[privilege]));
	g_assert_true(limit->is_flag || strstr(error->message, number));
	g_assert_nonnull(error->hint);
	error_free(error);
}

/* Values at and beyond the bounds of each privilege. Values beyond the possible range are clamped. */
static void test_limits(void)
{
	for (size_t i = 0; i < limit_count; i++) {
		const struct limit *limit = &limit_table[i];
		const struct limit_range *possible = &limit->ranges[PRIVILEGE_STAPDEV];

		for (enum privilege privilege = 0; privilege < PRIVILEGE_COUNT_; privilege++) {
			const struct limit_range *range = &limit->ranges[privilege];

			g_assert_cmpint(range->low, <=, range->high);
			g_assert_true(range->low >= possible->low && range->high <= possible->high);
			if (limit->is_flag) {
				assert_limit(limit, 1, privilege, range->high == 1);
				continue;
			}
			assert_limit(limit, range->low, privilege, true);
			assert_limit(limit, range->high, privilege, true);
			if (range->high < possible->high)
				assert_limit(limit, range->high + 1, privilege, false);
			if (range->low > possible->low)
				assert_limit(limit, range->low - 1, privilege, false);
		}
	}
}

/* The last privilege option counts, in any position. A short interval cannot hide overload. */
static void test_limits_of_privilege(void)
{
	struct request_option action = {"D", "MAXACTION=2147483647"}, lower = {"unprivileged", NULL},
			      higher = {"privilege", "stapdev"}, unknown = {"privilege", "root"};
	void *lowered[] = {&action, &higher, &lower}, *raised[] = {&lower, &action, &higher},
	     *none[] = {&action, &unknown};
	const struct limit_range *interval = limit_find("STP_OVERLOAD_INTERVAL")->ranges;
	const struct limit_range *threshold = limit_find("STP_OVERLOAD_THRESHOLD")->ranges;

	must_report(server_limits_refusal(&(GPtrArray){.pdata = lowered, .len = 3}), "stapusr");
	g_assert_null(server_limits_refusal(&(GPtrArray){.pdata = raised, .len = 3}));
	must_report(server_limits_refusal(&(GPtrArray){.pdata = none, .len = 2}), "stapusr");
	for (enum privilege privilege = 0; privilege < PRIVILEGE_STAPDEV; privilege++) {
		g_assert_cmpint(limit_highest("STP_NO_OVERLOAD", privilege), ==, 0);
		g_assert_cmpint(threshold[privilege].high, <, interval[privilege].low);
	}
}

/* Print the lines of stap(1) for limits that differ between privileges. */
static void print_limits(void)
{
	for (size_t i = 0; i < limit_count; i++) {
		const struct limit *limit = &limit_table[i];
		const char *gap = "";

		printf("%-24s", limit->name);
		for (enum privilege privilege = 0; privilege < PRIVILEGE_STAPDEV; privilege++) {
			const struct limit_range *range = &limit->ranges[privilege];
			g_autofree char *text =
				range->low == range->high
					? g_strdup_printf("%lld", (long long)range->low)
					: g_strdup_printf("%lld..%lld", (long long)range->low, (long long)range->high);

			printf("%s%s", gap, text);
			gap = "                         " + MIN(strlen(text), 24);
		}
		putchar('\n');
	}
}

/* ---- the log, and networks --------------------------------------------------------------------------------------- */

/* Nothing of a client begins another line or reaches a terminal. */
static void test_log(void)
{
	static const struct {
		const char *text, *line;
	} rows[] = {
		{"plain text, \"quoted\"", "plain text, \"quoted\""},
		{"a\nforged: line\r\n\ttab", "a?forged: line???tab"},
		{"\033[2J\033]0;title\a\177\b", "?[2J?]0;title???"},
		{"\302\233"
		 "2J\302\205",
		 "?2J?"}, /* C1 controls */
		{"\342\200\250\342\200\256", "??"}, /* line separator, right-to-left override */
		{"gr\303\274n", "gr\303\274n"},
	};
	g_autofree char *longest = g_strnfill(5000, 'x'), *shortened = log_line(longest),
			*invalid = log_line("\377\233");

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *line = log_line(rows[i].text);

		g_assert_cmpstr(line, ==, rows[i].line);
	}
	g_assert_cmpuint(strlen(shortened), ==, 1000);
	for (const char *c = invalid; *c; c++)
		g_assert_true((unsigned char)*c != 0x9b && (unsigned char)*c != 0xff);
}

static struct network network_of_text(const char *text)
{
	struct sockaddr_storage address = {0};

	address.ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
	g_assert_cmpint(inet_pton(address.ss_family, text,
				  address.ss_family == AF_INET6 ? (void *)&((struct sockaddr_in6 *)&address)->sin6_addr
								: (void *)&((struct sockaddr_in *)&address)->sin_addr),
			==, 1);
	return network_of(&address);
}

static void test_networks(void)
{
	static const struct {
		const char *one, *other;
		bool is_same;
	} rows[] = {
		{"192.0.2.1", "192.0.2.254", true},
		{"192.0.2.1", "192.0.3.1", false},
		{"192.0.2.1", "::ffff:192.0.2.77", true},
		{"::ffff:192.0.2.1", "::ffff:192.0.3.1", false},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:2::1", "2001:db8:1:3::1", false},
		{"0.0.0.0", "::", false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const struct network one = network_of_text(rows[i].one), other = network_of_text(rows[i].other);

		g_assert_cmpint(network_is(&one, &other), ==, rows[i].is_same);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--limits")) {
		print_limits();
		return 0;
	}
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server/frames", test_frames);
	g_test_add_func("/server/frames/limits", test_frame_limits);
	g_test_add_func("/server/request", test_request);
	g_test_add_func("/server/request/frames", test_request_frames);
	g_test_add_func("/server/request/bad", test_bad_requests);
	g_test_add_func("/server/options", test_options);
	g_test_add_func("/server/limits", test_limits);
	g_test_add_func("/server/limits/privilege", test_limits_of_privilege);
	g_test_add_func("/server/usage", test_usage);
	g_test_add_func("/server/log", test_log);
	g_test_add_func("/server/networks", test_networks);
	return g_test_run();
}
