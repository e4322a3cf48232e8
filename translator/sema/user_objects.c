// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Choose the programs and libraries whose tables (runtime/abi/object_table.h) the module contains, if the script asks
 * for stacks or symbols of programs. These are the programs of -d and -c, those that the script probes, and with --ldd
 * their libraries. Tables of other programs are made while the script runs.
 */
#include <string.h>

#include "common/base/i18n.h"
#include "translator/debuginfo/unwind/unwind.h"
#include "translator/sema/sema.h"

struct object_plan {
	struct translation *t;
	GHashTable *done; /* real paths */
};

static void warn_no_table(struct translation *t, const char *path, const struct error *error)
{
	diagnose(t->diagnostics, WARNING, &(struct location){0}, _("the module contains no stacks and symbols of %s"),
		 path);
	diagnose_hint(t->diagnostics, "%s", error->message);
}

static void add_object(struct object_plan *plan, const char *path, bool warn)
{
	struct translation *t = plan->t;
	g_autoptr(GByteArray) table = NULL;
	g_autofree char *kept = NULL;
	struct object_table *object;
	char *real = sysroot_resolve(&t->search.sysroot, path);
	struct error *error;

	/* The tables depend on debug files that libdwfl finds, which file_facts cannot record. */
	file_facts_give_up(t->search.facts);
	if (!real && warn) {
		error = error_new(ERROR_LOOKUP, _("the file does not exist on this machine"));
		warn_no_table(t, path, error);
		error_free(error);
	}
	if (!real || g_hash_table_contains(plan->done, real)) {
		g_free(real);
		return;
	}
	g_hash_table_add(plan->done, real);
	error = object_table_get(-1, real, wants_user_lines(t), t->search.cache_directory, &table, &kept);
	if (error && warn)
		warn_no_table(t, path, error);
	error_free(error);
	/* Without a cache, there is no file to include: the table is made while the script runs. */
	if (!kept)
		return;
	object = arena_new0(t->arena, struct object_table);
	object->file = arena_strdup(t->arena, real);
	object->path = arena_strdup(t->arena, sysroot_inside(&t->search.sysroot, path));
	object->table = arena_strdup(t->arena, kept);
	g_ptr_array_add(t->user_objects, object);
}

/* --ldd: add the libraries of all programs so far. */
static void add_libraries(struct object_plan *plan)
{
	g_autoptr(GPtrArray) programs = g_ptr_array_new(), libraries = g_ptr_array_new();
	struct debuginfo *debuginfo;

	for_each_ptr(const struct object_table *, object, plan->t->user_objects)
		g_ptr_array_add(programs, (void *)object->file);
	for_each_ptr(const char *, program, programs) {
		struct error *error = translation_object(plan->t, program, &debuginfo);

		error = error ?: debuginfo_libraries(debuginfo, libraries);
		if (error)
			warn_no_table(plan->t, program, error);
		error_free(error);
	}
	for_each_ptr(const char *, library, libraries)
		add_object(plan, library, true);
}

/* Return the path of the program of -c, or NULL if its first word contains shell syntax. */
static char *command_program(const struct translation *t)
{
	g_autofree char *word = g_strndup(t->options->command, strcspn(t->options->command, " \t\n"));

	if (strpbrk(word, "\"'\\$`;&|<>(){}*?[~=#"))
		return NULL;
	return strchr(word, '/') ? g_strdup(word) : sysroot_find_program(&t->search.sysroot, word);
}

bool names_program(const struct translation *t, const char *module)
{
	g_autofree char *file = strchr(module, '/') ? sysroot_resolve(&t->search.sysroot, module) : NULL;

	return file && object_is_program(file);
}

/* Is the argument of -d a path, but not of a kernel module? */
static bool is_path_of_object(const char *name)
{
	return strchr(name, '/') && !strstr(name, ".ko");
}

void plan_user_objects(struct translation *t)
{
	g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *program = t->options->command ? command_program(t) : NULL;
	struct object_plan plan = {t, done};

	t->user_objects = arena_ptr_array(t->arena);
	if (!wants_user_stacks(t))
		return;
	for_each_ptr(const char *, module, t->line_modules) {
		if (names_program(t, module) || is_path_of_object(module))
			add_object(&plan, module, true);
	}
	for_each_ptr(const struct target *, target, t->targets) {
		if (target->debuginfo && !object_is_kernels(debuginfo_kind(target->debuginfo)))
			add_object(&plan, target->name, false);
	}
	if (program)
		add_object(&plan, program, false);
	if (t->options->with_libraries)
		add_libraries(&plan);
}

bool wants_user_stacks(const struct translation *t)
{
	return embedded_code_uses(t, "stp_user_stack") || embedded_code_uses(t, "stp_user_symbol");
}

bool wants_user_lines(const struct translation *t)
{
	return embedded_code_uses(t, "stp_user_symbol_line") || embedded_code_uses(t, "STP_USER_LINE_AND_PLACE");
}
