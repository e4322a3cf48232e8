// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of SystemTap's documented library, what is not in ours yet: better said than answered with what has a similar name,
 * or with advice to look for a typing error. binding (bind.c) asks for functions, derivation (derive.c) for aliases.
 */
#include "translator/sema/missing.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "translator/util/i18n.h"

static const struct missing functions[] = {
	{"print_java_backtrace sprint_java_backtrace", N_("stacks of Java programs"),
	 N_("print_ubacktrace() shows the stack of the virtual machine")},
};

/* With all that begins with them; system calls without what "nd_syscall" and its like begin with. */
static const struct missing aliases[] = {
	{"generic.fop.sendfile", N_("the kernel has no such function any more"),
	 N_("sendfile(2) reads as splice(2) does: generic.fop.splice_read")},
	{"init", N_("the documentation does not say what it is"), N_("what is to run first is a probe of begin")},
	{"java hotspot python python2 python3 ruby", N_("it takes an agent in the interpreter"),
	 N_("see which marks the program has itself: stap -l 'process(\"PATH\").mark(\"*\")'")},
	{"ipmib.InDiscards", N_("the kernel counts it in the midst of functions, where nothing is hit"), NULL},
	{"stap.cache_add_nss", N_("there are no such entries in the cache"),
	 N_("those that there are: stap.cache_add_mod, stap.cache_add_src")},
	{"syscall.recv syscall.send", N_("x86 has no such system call"),
	 N_("programs use others for it: syscall.recvfrom, syscall.sendto")},
	{"syscall.gethostname syscall.pselect7 syscall.compat_pselect7 syscall.timerfd syscall.tux "
	 "syscall.vm86_warning",
	 N_("x86 has no such system call"), NULL},
};

/* Is it a name of the list, or does a name of the list and a dot begin it? */
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
