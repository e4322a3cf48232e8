// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names of SystemTap's documented library that ours does not have. Reporting these as unsupported helps more than
 * suggesting similar names. bind.c looks up functions, derive.c aliases.
 */
#include "translator/sema/suggest_replacements.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "common/base/i18n.h"

static const struct missing functions[] = {
	{"print_java_backtrace sprint_java_backtrace", N_("stacks of Java programs"),
	 N_("use print_ubacktrace() for the stack of the virtual machine")},
};

/* Each name also matches longer points that begin with it; "syscall." also matches "nd_syscall." and "tp_syscall.". */
static const struct missing aliases[] = {
	{"generic.fop.sendfile", N_("the kernel no longer has this function"),
	 N_("use generic.fop.splice_read: sendfile(2) reads as splice(2) does")},
	{"java hotspot python python2 python3 ruby", N_("it requires an agent in the interpreter"),
	 N_("run stap -l 'process(\"PATH\").mark(\"*\")' for a list of the program's own marks")},
	{"ipmib.InDiscards", N_("the kernel counts it inside of functions, where no probe can be placed"), NULL},
	{"stap.cache_add_nss", N_("the cache has no such entries"), N_("use stap.cache_add_mod or stap.cache_add_src")},
	{"syscall.recv syscall.send", N_("x86 has no such system call"), N_("use syscall.recvfrom or syscall.sendto")},
	{"syscall.gethostname syscall.pselect7 syscall.compat_pselect7 syscall.timerfd syscall.tux "
	 "syscall.vm86_warning",
	 N_("x86 has no such system call"), NULL},
};

/* Does a name of the list equal @name, or begin it up to "." or "("? */
static bool is_below(const char *name, const char *names)
{
	g_auto(GStrv) list = g_strsplit(names, " ", -1);

	for (char **one = list; *one; one++) {
		size_t length = strlen(*one);

		if (!strncmp(name, *one, length) && (!name[length] || strchr(".(", name[length])))
			return true;
	}
	return false;
}

static const struct missing *find(const struct missing *table, size_t size, const char *name)
{
	for (size_t i = 0; i < size; i++)
		if (is_below(name, table[i].names))
			return &table[i];
	return NULL;
}

const struct missing *missing_function(const char *name)
{
	return find(functions, G_N_ELEMENTS(functions), name);
}

const struct missing *missing_alias(const char *name)
{
	if (strlen(name) > 3 && g_str_has_prefix(name + 3, "syscall."))
		name += 3;
	return find(aliases, G_N_ELEMENTS(aliases), name);
}
