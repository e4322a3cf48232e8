// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run programs of another system, which stap-vm has put into a build root (vm/build_root.c).
 *
 * The child gets its own mount namespace; without root, also a user namespace, which needs no privilege. In it, "/" is
 * assembled anew: usr and etc come from the build root, everything else from the host, at the same paths. So paths on
 * the command line and output files are those of the host. The namespaces end with the child. The setup takes about 1
 * ms.
 *
 * The new "/" is assembled on the host's /etc, which is not needed in it.
 */
#include "common/build_root.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAGE "/etc"
#define PROGRAM_DIRECTORIES "/usr/sbin:/usr/bin:/sbin:/bin"

/* A directory or symbolic link in the new "/". */
struct piece {
	char *from; /* NULL: a link */
	char *to; /* below STAGE */
	char *target; /* of the link */
};

struct build_root_entry {
	char *directory;
	GArray *pieces; /* of struct piece */
};

/* Entries of "/" that come from the build root, or are links into it. */
static const struct {
	const char *name;
	const char *target; /* of a link; NULL: a directory */
} own[] = {
	{"usr", NULL},	    {"etc", NULL},	    {"bin", "usr/bin"},	    {"sbin", "usr/sbin"},
	{"lib", "usr/lib"}, {"lib64", "usr/lib64"}, {"lib32", "usr/lib32"}, {"libx32", "usr/libx32"},
};

static bool is_own(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
		if (!strcmp(own[i].name, name))
			return true;
	return false;
}

static void add_piece(struct build_root_entry *entry, const char *from, const char *name, const char *target)
{
	struct piece piece = {g_strdup(from), g_build_filename(STAGE, name, NULL), g_strdup(target)};

	g_array_append_val(entry->pieces, piece);
}

static void add_of_root(struct build_root_entry *entry, const char *root)
{
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
		g_autofree char *from = g_build_filename(root, own[i].name, NULL);

		if (own[i].target)
			add_piece(entry, NULL, own[i].name, own[i].target);
		else if (g_file_test(from, G_FILE_TEST_IS_DIR))
			add_piece(entry, from, own[i].name, NULL);
	}
}

static void add_of_host(struct build_root_entry *entry)
{
	g_autoptr(GDir) top = g_dir_open("/", 0, NULL);
	const char *name;

	while (top && (name = g_dir_read_name(top))) {
		g_autofree char *path = g_build_filename("/", name, NULL), *target = g_file_read_link(path, NULL);

		if (is_own(name))
			continue;
		if (target)
			add_piece(entry, NULL, name, target);
		else if (g_file_test(path, G_FILE_TEST_IS_DIR))
			add_piece(entry, path, name, NULL);
	}
}

struct build_root_entry *build_root_entry_new(const char *root, const char *directory)
{
	struct build_root_entry *entry = g_new0(struct build_root_entry, 1);

	entry->directory = directory ? g_strdup(directory) : g_get_current_dir();
	entry->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
	add_of_root(entry, root);
	add_of_host(entry);
	return entry;
}

void build_root_entry_free(struct build_root_entry *entry)
{
	if (!entry)
		return;
	for (guint i = 0; i < entry->pieces->len; i++) {
		struct piece *piece = &g_array_index(entry->pieces, struct piece, i);

		g_free(piece->from);
		g_free(piece->to);
		g_free(piece->target);
	}
	g_array_unref(entry->pieces);
	g_free(entry->directory);
	g_free(entry);
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* Enter a user namespace with the same user ID, in which we may mount. */
static bool enter_user_namespace(void)
{
	char users[64], groups[64];

	snprintf(users, sizeof(users), "%u %u 1", geteuid(), geteuid());
	snprintf(groups, sizeof(groups), "%u %u 1", getegid(), getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return false;
	return write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", users) &&
	       write_file("/proc/self/gid_map", groups);
}

static bool enter_namespace(void)
{
	if (geteuid() == 0 && !unshare(CLONE_NEWNS))
		return true;
	return enter_user_namespace();
}

static bool place(const struct piece *piece)
{
	if (!piece->from)
		return !symlink(piece->target, piece->to);
	/* Recursively: the kernel refuses to bind a mount of another user namespace without the mounts below it. */
	return !mkdir(piece->to, 0755) && !mount(piece->from, piece->to, NULL, MS_BIND | MS_REC, NULL);
}

bool build_root_enter(const struct build_root_entry *entry)
{
	if (!enter_namespace() || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", STAGE, "tmpfs", 0, "mode=755"))
		return false;
	for (guint i = 0; i < entry->pieces->len; i++)
		if (!place(&g_array_index(entry->pieces, struct piece, i)))
			return false;
	if (chroot(STAGE) || chdir(entry->directory))
		return false;
	return !setenv("PATH", PROGRAM_DIRECTORIES, 1);
}

bool build_root_has(const char *root, const char *program)
{
	g_autofree char *path = g_build_filename(root, "usr/bin", program, NULL);

	return g_file_test(path, G_FILE_TEST_IS_EXECUTABLE);
}
