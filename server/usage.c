// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measure the memory of a whole sandbox. The kernel limits that only with a control group, which is not always
 * available. All processes of a sandbox are descendants of its first one, which adopts orphans, so they are found from
 * there.
 */
#include "server/usage.h"

#include <glib.h>
#include <stdio.h>
#include <unistd.h>

#include "common/base/cleanup.h"

static int64_t own_pages(pid_t process)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/statm", process);
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	long long resident = 0, shared = 0;

	return file && fscanf(file, "%*d %lld %lld", &resident, &shared) == 2 ? MAX(0, resident - shared) : 0;
}

/* Children belong to the thread that created them. */
static void add_children_of_thread(pid_t process, const char *thread, GArray *processes)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%s/children", process, thread);
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	int child;

	while (file && fscanf(file, "%d", &child) == 1)
		g_array_append_val(processes, child);
}

static void add_children(pid_t process, GArray *processes)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", process);
	g_autoptr(GDir) threads = g_dir_open(path, 0, NULL);
	const char *thread;

	while (threads && (thread = g_dir_read_name(threads)))
		add_children_of_thread(process, thread, processes);
}

int64_t usage_megabytes(pid_t process, int64_t most)
{
	g_autoptr(GArray) processes = g_array_new(FALSE, FALSE, sizeof(int));
	int64_t pages = 0;

	g_array_append_val(processes, process);
	/* Stop at the limit, because new processes may appear faster than they are counted. */
	for (guint i = 0; i < processes->len && i < most; i++) {
		pid_t one = g_array_index(processes, int, i);

		pages += own_pages(one);
		add_children(one, processes);
	}
	return pages * sysconf(_SC_PAGESIZE) >> 20;
}
