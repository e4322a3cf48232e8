// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun -v: list the loaded script modules with their status, as a table on a terminal and else as words NAME=VALUE
 * (staprun(8)).
 *
 * Everything is read first, with the necessary privileges, and printed without them.
 */
#include "staprun/list.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/utf8.h"
#include "staprun/control.h"
#include "staprun/lock.h"
#include "staprun/module.h"

struct listed_module {
	char name[INFO_NAME_SIZE];
	const char *state;
	struct control_status status;
};

struct module_list {
	struct listed_module *modules;
	unsigned int count;
	bool sees_all;
	uid_t user; /* the real user id; root while the lock is held */
};

/* Return "left", "attached", "unused", or the state of a script that is not running. */
static const char *state_of(const struct control_status *status)
{
	if (status->left)
		return "left";
	if (strcmp(status->state, "running") != 0)
		return status->state;
	return status->driver ? "attached" : "unused";
}

static void read_module(void *data, const char *name)
{
	struct module_list *list = data;
	_cleanup_close_ int directory = -1;
	struct error *error = module_open_directory(name, &directory);
	struct listed_module *module;

	/* The module has just been removed. */
	if (error) {
		error_free(error);
		return;
	}
	list->modules = memory_resize(list->modules, list->count + 1, sizeof(*list->modules));
	module = &list->modules[list->count];
	*module = (struct listed_module){0};
	snprintf(module->name, sizeof(module->name), "%s", name);
	control_look(directory, &module->status);
	list->count += *module->status.state && (list->sees_all || module->status.owner == list->user);
}

static int compare_modules(const void *left, const void *right)
{
	return strcmp(((const struct listed_module *)left)->name, ((const struct listed_module *)right)->name);
}

static void print_row(const struct listed_module *module)
{
	const struct control_status *status = &module->status;
	const struct passwd *owner = getpwuid(status->owner);
	_cleanup_free_ char *state = utf8_padded(control_state_text(state_of(status)), -9);
	time_t loaded_at = status->loaded_at;
	char since[32] = "?", number[24];
	struct tm local;

	if (localtime_r(&loaded_at, &local))
		strftime(since, sizeof(since), "%F %T", &local);
	snprintf(number, sizeof(number), "%llu", status->owner);
	printf("%-24s %s %-19s %-10s %8llu %12llu %8llu\n", module->name, state, since, owner ? owner->pw_name : number,
	       control_memory(status) >> 10, status->hits, status->driver);
}

static void print_table(const struct module_list *list)
{
	/* The widths are those of print_row(). */
	static const struct {
		const char *name;
		int width;
	} heads[] = {
		/* TRANSLATORS: heads of columns; "since" is a date, the driver the process that writes the output. */
		{N_("module"), -24}, {N_("state"), -9}, {N_("since"), -19}, {N_("user"), -10},
		{N_("KB"), 8},	     {N_("hits"), 12},	{N_("driver"), 8},
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		_cleanup_free_ char *head = utf8_padded(_(heads[i].name), heads[i].width);

		printf("%s%s", i ? " " : "", head);
	}
	putchar('\n');
	for (unsigned int i = 0; i < list->count; i++)
		print_row(&list->modules[i]);
}

static void print_words(const struct module_list *list)
{
	for (unsigned int i = 0; i < list->count; i++) {
		const struct control_status *status = &list->modules[i].status;

		printf("module=%s state=%s loaded_at=%llu uptime=%llu owner=%llu memory=%llu hits=%llu errors=%llu "
		       "skipped=%llu lost=%llu driver=%llu\n",
		       list->modules[i].name, state_of(status), status->loaded_at, status->uptime, status->owner,
		       control_memory(status), status->hits, status->errors, control_skipped(status), status->lost,
		       status->driver);
	}
}

struct error *list_modules(enum access access)
{
	struct module_list list = {.sees_all = access == ACCESS_ALL, .user = getuid()};
	struct error *error = control_find_debugfs();
	struct lock lock;

	/* Opening a file while its module is being removed makes the kernel log a warning. */
	error = error ?: lock_take(&lock);
	if (!error) {
		error = control_each_module(read_module, &list);
		lock_release(&lock);
	}
	error = error ?: privilege_drop();
	if (!error && list.count)
		qsort(list.modules, list.count, sizeof(*list.modules), compare_modules);
	if (!error && isatty(STDOUT_FILENO))
		print_table(&list);
	else if (!error)
		print_words(&list);
	free(list.modules);
	return error;
}
