// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the files that a script needs in a guest, which has only busybox: the programs and libraries that its probes
 * name, the programs that the command of -c runs, the interpreters of both, and the arguments of --file. Each is copied
 * to the same path; stap-vm adds the shared libraries of programs.
 *
 * The probed programs are listed in the module (section .spile.info), because the script of a cached module is not
 * analyzed again. The command is shell text. It is not run here to find out what it starts: each word that may be a
 * program is searched, also inside quoted text as for "sh -c". A name without '/' is a program only where a command can
 * begin.
 *
 * The trap: a command like "ls" means the guest's own, a link to busybox. So a program that busybox provides is copied
 * only if a probe names it.
 */
#include "translator/run/guest_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/base/i18n.h"
#include "common/elf/elf.h"
#include "common/elf/module_facts.h"
#include "translator/run/arguments.h"

enum { MOST_NESTED_TEXTS = 4 }; /* quoted commands within commands */

struct brought {
	GPtrArray *argv;
	struct arena *arena;
	const struct sysroot *sysroot;
	const struct architecture *architecture; /* of the guest */
	GHashTable *paths; /* paths already in argv */
	GHashTable *applets; /* names of busybox's applets; NULL: not read yet */
	bool is_verbose;
};

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static void add_file(struct brought *brought, const char *file, const char *path)
{
	if (g_hash_table_contains(brought->paths, path))
		return;
	g_hash_table_add(brought->paths, (void *)path);
	/* Without a path after ':', stap-vm copies symbolic links as such: the same file under the same names. */
	add_pair(brought->argv, "--file",
		 strcmp(file, path) ? arena_printf(brought->arena, "%s:%s", file, path) : path);
	if (brought->is_verbose) {
		fprintf(stderr, _("Bringing %s into the guest"), path);
		fputc('\n', stderr);
	}
}

static bool is_plain_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Make a path absolute without resolving symbolic links. */
static char *absolute(const char *path)
{
	return g_canonicalize_filename(path, NULL);
}

/* Is it a program for other machines than the guest? Those of unknown machines are for the user to decide. */
static bool is_foreign(const struct brought *brought, const char *file)
{
	const struct architecture *architecture = architecture_by_elf(elf_file_machine(file));

	return architecture && architecture != brought->architecture;
}

/*
 * Add a file and the interpreters that it needs. A missing file is ignored, because it may exist in the guest. So is a
 * program for other machines: the shell of this machine would replace that of the guest.
 */
static void add_with_interpreters(struct brought *brought, const char *path)
{
	g_autofree char *next = absolute(path);

	for (int i = 0; next && i <= MOST_INTERPRETERS; i++) {
		g_autofree char *file = sysroot_file(brought->sysroot, next);
		char *interpreter;

		if (!is_plain_file(file) || is_foreign(brought, file))
			return;
		add_file(brought, arena_strdup(brought->arena, file), arena_strdup(brought->arena, next));
		interpreter = file_interpreter(file);
		g_free(next);
		next = interpreter;
	}
}

/* Directories of programs; the guest has links to busybox in them. */
static const char *const program_directories[] = {"/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/"};

/*
 * ---- probed programs -----------------------------------------------------------------------------------------------
 */

/*
 * Add the other names of a program where directories of programs are links to each other: the guest searches /bin
 * first.
 */
static void add_other_names(struct brought *brought, const char *path)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	for (guint i = 0; i < G_N_ELEMENTS(program_directories); i++) {
		const char *other = arena_printf(brought->arena, "%s%s", program_directories[i], name);
		g_autofree char *real = sysroot_resolve(brought->sysroot, other);

		if (real && strcmp(other, path) && !strcmp(real, path))
			add_with_interpreters(brought, other);
	}
}

static void add_probed_files(struct brought *brought, const char *module_path)
{
	g_autoptr(GPtrArray) programs = g_ptr_array_new();

	module_facts(brought->arena, module_path, "program", programs);
	for_each_ptr(const char *, path, programs) {
		add_with_interpreters(brought, path);
		add_other_names(brought, path);
	}
}

/*
 * ---- programs of the command ---------------------------------------------------------------------------------------
 */

/* Is it an applet of busybox in the guest? */
static bool is_applet(struct brought *brought, const char *name)
{
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;

	if (!brought->applets) {
		brought->applets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		/* Ignore errors: without busybox no guest boots, which stap-vm reports. */
		error_free(process_run((const char *const[]){"busybox", "--list", NULL}, NULL, &output));
		lines = g_strsplit(output ?: "", "\n", -1);
		for (char **line = lines; *line; line++)
			g_hash_table_add(brought->applets, g_strdup(*line));
	}
	return g_hash_table_contains(brought->applets, name);
}

static bool is_of_system(const char *path)
{
	for (guint i = 0; i < G_N_ELEMENTS(program_directories); i++)
		if (g_str_has_prefix(path, program_directories[i]) &&
		    !strchr(path + strlen(program_directories[i]), '/'))
			return true;
	return false;
}

/* Is it a file of the guest's kernel or a device? */
static bool is_of_kernel(const char *path)
{
	return g_str_has_prefix(path, "/proc/") || g_str_has_prefix(path, "/sys/") || g_str_has_prefix(path, "/dev/");
}

static void add_word_of_command(struct brought *brought, const char *word, bool begins_command)
{
	g_autofree char *found = strchr(word, '/') ? absolute(word) : NULL, *file = NULL;
	const char *name = strrchr(word, '/') ? strrchr(word, '/') + 1 : word;

	if (!found && begins_command && *word && !is_applet(brought, word))
		found = sysroot_find_program(brought->sysroot, word);
	file = found ? sysroot_file(brought->sysroot, found) : NULL;
	if (!file || is_of_kernel(found) || access(file, X_OK) || !is_plain_file(file) ||
	    (is_of_system(found) && is_applet(brought, name)))
		return;
	add_with_interpreters(brought, found);
}

/* A word of shell text, parsed as by the shell except for '$' and patterns. */
struct word {
	GString *text;
	bool is_quoted; /* at least partly */
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

/* Is it "NAME=VALUE" before a command? */
static bool is_assignment(const char *word)
{
	size_t length = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");

	return length && word[length] == '=';
}

/* Does another command follow this shell keyword or program? */
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

/*
 * ---- all files -----------------------------------------------------------------------------------------------------
 */

void add_brought_files(GPtrArray *argv, const struct options *options, const struct remote *remote)
{
	static const struct sysroot here;
	struct brought brought = {.argv = argv,
				  .arena = remote->translation->arena,
				  .sysroot = &remote->translation->search.sysroot,
				  .architecture = remote->translation->kernel.architecture,
				  .paths = g_hash_table_new(g_str_hash, g_str_equal),
				  .is_verbose = options->verbosity > 1};

	add_probed_files(&brought, remote->module_path);
	/* Commands are those of this machine, except if that is of another architecture than the guest. */
	if (!brought.sysroot->also_here)
		brought.sysroot = &here;
	if (options->command)
		add_command(&brought, options->command, 0);
	for_each_ptr(const char *, text, options->guest_files)
		add_pair(argv, "--file", text);
	g_hash_table_destroy(brought.paths);
	if (brought.applets)
		g_hash_table_destroy(brought.applets);
}
