// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Paths that root may use (common/base/root_paths.h), and names from outside (common/base/foreign.h). The tests of
 * paths need root, because only root can give files to other users.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/foreign.h"
#include "common/base/root_paths.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

enum kind { RELEASE = 1, MACHINE = 2, MODULE = 4, BUILD_ID = 8 };

/* Texts, and the kinds of names that each is valid for. */
static const struct {
	const char *text;
	int kinds;
} names[] = {
	{"6.1.0-56-cloud-amd64", RELEASE},
	{"6.12.117+deb12-rt-amd64", RELEASE},
	{"7.3~rc2-cloud-amd64", RELEASE},
	{"5.14.0-362.el9.x86_64", RELEASE},
	{"6.1", RELEASE},
	{"x86_64", RELEASE | MACHINE | MODULE},
	{"ext4", RELEASE | MACHINE | MODULE},
	{"0123456789abcdef", RELEASE | MACHINE | BUILD_ID},
	{"abc", RELEASE | MACHINE | MODULE},
	{"AB", RELEASE | MACHINE | MODULE},
	{"", 0},
	{".", 0},
	{"..", 0},
	{"../../x", 0},
	{"/tmp/x", 0},
	{"6.1/../../x", 0},
	{"6..1", 0},
	{"-6.1", 0},
	{"-oProxyCommand=x", 0},
	{".6.1", 0},
	{"6.1 ", 0},
	{"6.1\n6.2", 0},
	{"6.1\033[2J", 0},
	{"6.1%s", 0},
	{"6.1'x", 0},
	{"6.1;x", 0},
	{"6.1\xc3\xa9", 0},
	{"_x", 0},
	{"a-b", RELEASE | MACHINE},
};

static int kinds_of(const char *text, size_t length)
{
	struct release release;
	struct machine_name machine;
	struct module_name module;
	struct build_id build_id;
	int kinds = 0;

	kinds |= release_parse(text, length, &release) ? RELEASE : 0;
	g_assert_cmpstr(release.text, ==, kinds & RELEASE ? text : "");
	kinds |= machine_name_parse(text, length, &machine) ? MACHINE : 0;
	g_assert_cmpstr(machine.text, ==, kinds & MACHINE ? text : "");
	kinds |= module_name_parse(text, length, &module) ? MODULE : 0;
	g_assert_cmpstr(module.text, ==, kinds & MODULE ? text : "");
	kinds |= build_id_parse(text, length, &build_id) ? BUILD_ID : 0;
	g_assert_cmpstr(build_id.text, ==, kinds & BUILD_ID ? text : "");
	return kinds;
}

static void test_names(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_test_message("'%s'", names[i].text);
		g_assert_cmpint(kinds_of(names[i].text, strlen(names[i].text)), ==, names[i].kinds);
	}
	/* A NUL is part of the name. */
	g_assert_cmpint(kinds_of("6.1\0x", 5), ==, 0);
	g_assert_cmpint(kinds_of("\0", 1), ==, 0);
}

static void test_lengths(void)
{
	static const struct {
		size_t size;
		int kind;
	} limits[] = {{RELEASE_SIZE, RELEASE}, {RELEASE_SIZE, MACHINE}, {MODULE_NAME_SIZE, MODULE}};
	g_autofree char *text = g_strnfill(10000, 'a');

	for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
		g_autofree char *longest = g_strndup(text, limits[i].size - 1),
				*longer = g_strndup(text, limits[i].size);

		g_assert_true(kinds_of(longest, strlen(longest)) & limits[i].kind);
		g_assert_false(kinds_of(longer, strlen(longer)) & limits[i].kind);
	}
	g_assert_cmpint(kinds_of(text, 10000), ==, 0);
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

enum { SOMEBODY = 65534 };

struct tree {
	char *top;
};

static char *in_tree(const struct tree *tree, const char *name)
{
	return g_build_filename(tree->top, name, NULL);
}

static void add_directory(const struct tree *tree, const char *name, mode_t mode, uid_t owner)
{
	g_autofree char *path = in_tree(tree, name);

	g_assert_cmpint(mkdir(path, 0700), ==, 0);
	g_assert_cmpint(chmod(path, mode), ==, 0);
	g_assert_cmpint(chown(path, owner, 0), ==, 0);
}

static void make_link(const struct tree *tree, const char *name, const char *target, uid_t owner)
{
	g_autofree char *path = in_tree(tree, name);

	g_assert_cmpint(symlink(target, path), ==, 0);
	g_assert_cmpint(lchown(path, owner, 0), ==, 0);
}

/* Return the component of a path in the tree that others can change, relative to the tree; "" if root may use it. */
static char *culprit_of(const struct tree *tree, const char *name)
{
	g_autofree char *path = in_tree(tree, name);
	char *culprit = NULL, *relative;

	if (root_may_use(path, &culprit)) {
		g_assert_null(culprit);
		return g_strdup("");
	}
	g_assert_nonnull(culprit);
	g_assert_true(g_str_has_prefix(culprit, tree->top));
	relative = g_strdup(culprit + strlen(tree->top) + 1);
	free(culprit);
	return relative;
}

static void fill_tree(const struct tree *tree)
{
	add_directory(tree, "mine", 0755, 0);
	add_directory(tree, "mine/inner", 0700, 0);
	add_directory(tree, "theirs", 0755, SOMEBODY);
	add_directory(tree, "theirs/mine", 0700, 0);
	add_directory(tree, "group", 0775, 0);
	add_directory(tree, "all", 0777, 0);
	add_directory(tree, "shared", 01777, 0);
	add_directory(tree, "shared/mine", 0700, 0);
	add_directory(tree, "shared/theirs", 0755, SOMEBODY);
	make_link(tree, "to-mine", "mine/inner", 0);
	make_link(tree, "to-theirs", "theirs/mine", 0);
	make_link(tree, "up", "mine/../theirs", 0);
	make_link(tree, "chain", "to-theirs", 0);
	make_link(tree, "loop", "loop", 0);
	make_link(tree, "theirs/link", "../mine", 0);
	make_link(tree, "shared/their-link", "../mine", SOMEBODY);
	make_link(tree, "shared/my-link", "../mine", 0);
	make_link(tree, "nowhere", "shared/absent", 0);
}

static const struct {
	const char *path, *culprit;
} paths[] = {
	{"mine", ""},
	{"mine/inner", ""},
	{"mine/absent/below", ""},
	{"mine//./inner/", ""},
	{"theirs", "theirs"},
	{"theirs/mine", "theirs"},
	{"theirs/../mine", "theirs"},
	{"theirs/link", "theirs"},
	{"group", "group"},
	{"group/absent", "group"},
	{"all", "all"},
	{"shared", ""},
	{"shared/mine", ""},
	{"shared/theirs", "shared/theirs"},
	{"shared/absent", "shared/absent"},
	{"shared/absent/below", "shared/absent"},
	{"shared/my-link", ""},
	{"shared/their-link", "shared/their-link"},
	{"to-mine", ""},
	{"to-theirs", "theirs"},
	{"chain", "theirs"},
	{"up", "theirs"},
	{"loop", "loop"},
	{"nowhere", "shared/absent"},
};

static void test_paths(void)
{
	struct tree tree;
	g_autofree char *command = NULL;

	if (geteuid()) {
		g_test_skip("needs root");
		return;
	}
	/* Do not use TMPDIR, which others may be able to change. */
	tree.top = g_mkdtemp(g_strdup("/tmp/spile-paths-XXXXXX"));
	g_assert_nonnull(tree.top);
	fill_tree(&tree);
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		g_autofree char *culprit = culprit_of(&tree, paths[i].path);

		g_test_message("%s", paths[i].path);
		g_assert_cmpstr(culprit, ==, paths[i].culprit);
	}
	command = g_strdup_printf("rm -rf %s", tree.top);
	g_assert_cmpint(system(command), ==, 0);
	g_free(tree.top);
}

/* Run in a new process, because the environment is checked only once. */
static void test_environment(void)
{
	g_autofree char *theirs = g_strdup("/tmp/spile-paths-XXXXXX"), *fresh = NULL;

	if (geteuid()) {
		g_test_skip("needs root");
		return;
	}
	if (!g_test_subprocess()) {
		g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
		g_test_trap_assert_passed();
		g_test_trap_assert_stderr("*root does not use HOME=/tmp/spile-paths-*hint: *SPILE_DATADIR=*");
		return;
	}
	g_assert_nonnull(g_mkdtemp(theirs));
	g_assert_cmpint(chown(theirs, SOMEBODY, 0), ==, 0);
	fresh = g_strconcat(theirs, "-fresh", NULL);
	g_setenv("HOME", theirs, TRUE);
	g_setenv("TMPDIR", theirs, TRUE);
	g_setenv("SPILE_DATADIR", theirs, TRUE);
	g_setenv("SYSTEMTAP_RELEASE", "6.1", TRUE);
	g_setenv("SPILE_CACHE", fresh, TRUE);
	g_setenv("SPILE_CONFIG", "/etc", TRUE);
	environment_check();
	g_assert_cmpstr(g_getenv("HOME"), !=, theirs);
	g_assert_nonnull(g_getenv("HOME"));
	g_assert_null(g_getenv("TMPDIR"));
	g_assert_null(g_getenv("SPILE_DATADIR"));
	g_assert_cmpstr(g_getenv("SYSTEMTAP_RELEASE"), ==, "6.1");
	g_assert_cmpstr(g_getenv("SPILE_CONFIG"), ==, "/etc");
	/* The directory was created before another user could create it. */
	g_assert_cmpstr(g_getenv("SPILE_CACHE"), ==, fresh);
	g_assert_cmpint(g_rmdir(fresh), ==, 0);
	environment_restore();
	g_assert_cmpstr(g_getenv("HOME"), ==, theirs);
	g_assert_cmpstr(g_getenv("TMPDIR"), ==, theirs);
	g_assert_null(g_getenv("SPILE_DATADIR"));
	g_assert_cmpint(g_rmdir(theirs), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/paths/names", test_names);
	g_test_add_func("/paths/lengths", test_lengths);
	g_test_add_func("/paths/root", test_paths);
	g_test_add_func("/paths/environment", test_environment);
	return g_test_run();
}
