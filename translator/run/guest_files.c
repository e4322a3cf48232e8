// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files that a script brings into a guest, which holds nothing but busybox: the programs and libraries that its
 * probes name, what the command of -c runs, the interpreters of both, and what --file names. Each goes to the same
 * path; stap-vm adds the shared libraries of programs.
 *
 * The probed programs come from the module (section .spile.info), since a script that was translated before is not
 * analyzed again. The command is a text for a shell. It is not run here to find out what it starts: each word that may
 * be a program is looked up, also inside a quoted text such as that of "sh -c". A name without '/' is a program only
 * where a command can begin.
 *
 * The trap: a command like "ls" means the guest's own, a link to busybox. So a program that busybox can be is brought
 * only if a probe names it.
 */
#include "translator/run/guest_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/debuginfo/object/module_programs.h"
#include "translator/run/arguments.h"
#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"
#include "translator/util/process.h"

enum {
	LONGEST_FIRST_LINE = 256, /* that the kernel reads of a script (BINPRM_BUF_SIZE) */
	MOST_INTERPRETERS = 5, /* of interpreters that are scripts, as in the kernel */
	MOST_NESTED_TEXTS = 4, /* of quoted commands within commands */
};

struct brought {
	GPtrArray *argv;
	struct arena *arena;
	const struct sysroot *sysroot;
	GHashTable *paths; /* that are in argv */
	GHashTable *applets; /* names of busybox's; NULL: not read yet */
	bool is_verbose;
};

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static void add_file(struct brought *brought, const char *file, const char *path)
{
	if (g_hash_table_contains(brought->paths, path))
		return;
	g_hash_table_add(brought->paths, (void *)path);
	/* Without a path of its own, stap-vm keeps symbolic links: the same file under the same names. */
	add_pair(brought->argv, "--file",
		 strcmp(file, path) ? arena_printf(brought->arena, "%s:%s", file, path) : path);
	if (brought->is_verbose) {
		fprintf(stderr, _("Bringing %s into the guest"), path);
		fputc('\n', stderr);
	}
}

/* The program in the first line of a script, or NULL. */
static char *interpreter_of(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char text[LONGEST_FIRST_LINE];
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	char *name = text + 2;

	if (length < 2 || strncmp(text, "#!", 2))
		return NULL;
	text[length] = '\0';
	name += strspn(name, " \t");
	return g_strndup(name, strcspn(name, " \t\n"));
}

static bool is_plain_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* A path with an absolute directory, of which symbolic links are kept. */
static char *absolute(const char *path)
{
	return g_canonicalize_filename(path, NULL);
}

/* A file and the interpreters that it needs. What does not exist here may exist in the guest. */
static void add_with_interpreters(struct brought *brought, const char *path)
{
	g_autofree char *next = absolute(path);

	for (int i = 0; next && i <= MOST_INTERPRETERS; i++) {
		g_autofree char *file = sysroot_file(brought->sysroot, next);
		char *interpreter;

		if (!is_plain_file(file))
			return;
		add_file(brought, arena_strdup(brought->arena, file), arena_strdup(brought->arena, next));
		interpreter = interpreter_of(file);
		g_free(next);
		next = interpreter;
	}
}

/* Directories of programs, in which the guest has links to busybox. */
static const char *const program_folders[] = {"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/"};

/* ---- what probes name -------------------------------------------------------------------------------------------- */

/* The other names of a program where links make directories of programs the same: the guest searches /bin first. */
static void add_other_names(struct brought *brought, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	for (guint i = 0; i < G_N_ELEMENTS(program_folders); i++) {
		const char *other = arena_printf(brought->arena, "%s%s", program_folders[i], name);
		g_autofree char *real = sysroot_resolve(brought->sysroot, other);

		if (real && strcmp(other, path) && !strcmp(real, path))
			add_with_interpreters(brought, other);
	}
}

static void add_probed_files(struct brought *brought, const char *module_path)
{
	g_autoptr(GPtrArray) programs = g_ptr_array_new();

	module_programs(brought->arena, module_path, programs);
	for_each_ptr(const char *, path, programs) {
		add_with_interpreters(brought, path);
		add_other_names(brought, path);
	}
}

/* ---- what the command runs --------------------------------------------------------------------------------------- */

/* Is it busybox in the guest? */
static bool is_applet(struct brought *brought, const char *name)
{
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;

	if (!brought->applets) {
		brought->applets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		/* Without busybox there is no guest, which stap-vm reports. */
		error_free(process_run((const char *const[]){"busybox", "--list", NULL}, NULL, &output));
		lines = g_strsplit(output ?: "", "\n", -1);
		for (char **line = lines; *line; line++)
			g_hash_table_add(brought->applets, g_strdup(*line));
	}
	return g_hash_table_contains(brought->applets, name);
}

static bool is_of_system(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(program_folders); i++)
		if (g_str_has_prefix(path, program_folders[i]) && !strchr(path + strlen(program_folders[i]), '/'))
			return true;
	return false;
}

/* Files of the guest's own kernel, or of devices. */
static bool is_of_kernel(const char *path)
{
	return g_str_has_prefix(path, "/proc/") || g_str_has_prefix(path, "/sys/") || g_str_has_prefix(path, "/dev/");
}

static void add_word_of_command(struct brought *brought, const char *word, bool begins_command)
{
	g_autofree char *found = strchr(word, '/') ? absolute(word) : NULL;
	const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;

	if (!found && begins_command && *word && !is_applet(brought, word))
		found = g_find_program_in_path(word);
	if (!found || is_of_kernel(found) || access(found, X_OK) || !is_plain_file(found) ||
	    (is_of_system(found) && is_applet(brought, name)))
		return;
	add_with_interpreters(brought, found);
}

/* A word of a shell's text as the shell would take it, but for '$' and patterns. */
struct word {
	GString *text;
	bool is_quoted; /* in part */
};

/* Read a word without its quotes, and move @p at to the character after it. */
static void read_word(const char **at, struct word *word)
{
	char quote = '\0';
	const char *c = *at;

	g_string_truncate(word->text, 0);
	word->is_quoted = false;
	for (; *c && (quote || !strchr(" \t\n;|&()<>", *c)); c++) {
		if (*c == quote) {
			quote = '\0';
		} else if (!quote && (*c == '"' || *c == '\'')) {
			quote = *c;
			word->is_quoted = true;
		} else if (*c == '\\' && quote != '\'' && c[1]) {
			g_string_append_c(word->text, *++c);
		} else {
			g_string_append_c(word->text, *c);
		}
	}
	*at = c;
}

/* "NAME=VALUE" before a command. */
static bool is_assignment(const char *word)
{
	size_t length = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return length && word[length] == '=';
}

/* After these words of the shell, or programs that run others, a command begins again. */
static bool runs_another(const char *word)
{
	static const char *const words[] = {"if",   "then", "else", "elif", "while", "until",  "do",	  "!",	 "{",
					    "exec", "time", "env",  "nice", "nohup", "setsid", "timeout", "sudo"};

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static void add_command(struct brought *brought, const char *command, int depth)
{
	struct word word = {.text = g_string_new(NULL)};
	bool begins = true;

	for (const char *at = command; *at;) {
		if (strchr(" \t", *at)) {
			at++;
		} else if (strchr("<>", *at)) {
			begins = false;
			at++;
		} else if (strchr("\n;|&()", *at)) {
			begins = true;
			at++;
		} else {
			read_word(&at, &word);
			add_word_of_command(brought, word.text->str, begins);
			if (word.is_quoted && strpbrk(word.text->str, " \t\n;") && depth < MOST_NESTED_TEXTS)
				add_command(brought, word.text->str, depth + 1);
			begins = begins && (is_assignment(word.text->str) || runs_another(word.text->str));
		}
	}
	g_string_free(word.text, TRUE);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

void add_brought_files(GPtrArray *argv, const struct options *options, const struct remote *remote)
{
	static const struct sysroot here;
	struct brought brought = {.argv = argv,
				  .arena = remote->translation->arena,
				  .sysroot = &remote->translation->search.sysroot,
				  .paths = g_hash_table_new(g_str_hash, g_str_equal),
				  .is_verbose = options->verbosity > 1};

	add_probed_files(&brought, remote->module_path);
	brought.sysroot = &here;
	if (options->command)
		add_command(&brought, options->command, 0);
	for_each_ptr(const char *, text, options->guest_files)
		add_pair(argv, "--file", text);
	g_hash_table_destroy(brought.paths);
	if (brought.applets)
		g_hash_table_destroy(brought.applets);
}
