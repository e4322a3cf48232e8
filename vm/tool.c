// SPDX-License-Identifier: GPL-2.0-or-later
/* Run the host's tools; see tool.h. */
#include "vm/tool.h"

#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/i18n.h"

enum { LAST_WORDS = 2000 };

/* Return the end of a tool's error output, starting at the beginning of a line. */
static const char *last_words(char *text)
{
	size_t length;

	g_strchomp(text);
	length = strlen(text);
	if (length <= LAST_WORDS)
		return text;
	text += length - LAST_WORDS;
	return strchr(text, '\n') ? strchr(text, '\n') + 1 : text;
}

static struct error *spawn_failure(const char *name, const GError *cause)
{
	bool missing = g_error_matches(cause, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);

	return error_new(missing ? ERROR_LOOKUP : ERROR_SYSTEM, _("cannot run %s: %s"), name, cause->message);
}

/* In the child: end the tool if stap-vm is killed. */
static void end_with_parent(void *parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != GPOINTER_TO_INT(parent))
		_exit(1);
}

struct error *tool_run(const char *directory, const char *const argv[], char **output)
{
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	g_autoptr(GError) cause = NULL;
	g_autofree char *out = NULL, *err = NULL;
	int status;

	if (!g_spawn_sync(directory, (char **)argv, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN,
			  end_with_parent, GINT_TO_POINTER(getpid()), &out, &err, &status, &cause))
		return spawn_failure(argv[0], cause);
	if (!g_spawn_check_wait_status(status, &cause))
		return error_new(ERROR_OTHER, _("%s failed (%s): %s"), argv[0], cause->message, last_words(err));
	if (output)
		*output = g_steal_pointer(&out);
	return NULL;
}

struct error *tool_run_to(int fd, const char *const argv[])
{
	const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD;
	g_autoptr(GError) cause = NULL;
	GPid pid;
	int status;

	if (!g_spawn_async_with_fds(NULL, (char **)argv, NULL, flags, NULL, NULL, &pid, -1, fd, -1, &cause))
		return spawn_failure(argv[0], cause);
	if (waitpid(pid, &status, 0) < 0)
		return error_errno("%s", argv[0]);
	if (!g_spawn_check_wait_status(status, &cause))
		return error_new(ERROR_OTHER, _("%s failed: %s"), argv[0], cause->message);
	return NULL;
}

struct error *tool_explain(struct error *error, const struct known_failure *failures, size_t count)
{
	for (size_t i = 0; error && !error->hint && i < count; i++)
		if (strstr(error->message, failures[i].text))
			error_with_hint(error, "%s", _(failures[i].hint));
	return error;
}

struct error *tool_remove(const char *path)
{
	return tool_run(NULL, (const char *const[]){"rm", "-rf", "--", path, NULL}, NULL);
}
