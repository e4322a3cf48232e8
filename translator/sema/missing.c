// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Of SystemTap's documented library, what is not in ours yet: better said than answered with what has a similar name,
 * or with advice to look for a typing error. binding (bind.c) asks for functions, derivation (derive.c) for aliases.
 */
#include "translator/sema/missing.h"

#include <glib.h>

#include "translator/util/i18n.h"

static const struct missing functions[] = {
	{"switch_file", N_("changing the output file from a handler"), NULL},
	{"print_java_backtrace sprint_java_backtrace", N_("stacks of Java programs"),
	 N_("print_ubacktrace() shows the stack of the virtual machine")},
	{"cve_count_metric cve_record_metric cve_tmpdisable", N_("metrics of live patches"),
	 N_("the macros @prometheus_dump_array... make metrics of arrays")},
};

/* By their first words. */
static const struct missing aliases[] = {
	{"generic", NULL, N_("probe the functions themselves: kernel.function(\"generic_*\")")},
	{"java hotspot python python2 python3 ruby", NULL, NULL},
};

static const struct missing *find(const struct missing *table, size_t size, const char *name)
{
	for (size_t i = 0; i < size; i++) {
		g_auto(GStrv) names = g_strsplit(table[i].names, " ", -1);

		if (g_strv_contains((const char *const *)names, name))
			return &table[i];
	}
	return NULL;
}

const struct missing *missing_function(const char *name)
{
	return find(functions, G_N_ELEMENTS(functions), name);
}

const struct missing *missing_alias(const char *first_word)
{
	return find(aliases, G_N_ELEMENTS(aliases), first_word);
}
