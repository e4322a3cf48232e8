// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --lint: which names of a script exist on which kernel. Passes 1 and 2 run for all kernels on this machine, or for
 * those of -r. They record what they decide at each place (meanings.c), and their diagnostics are not printed as usual,
 * but once for all kernels that have them.
 */
#include "translator/lint.h"

#include <stdio.h>
#include <string.h>

#include "common/base/i18n.h"
#include "translator/bundle/parts.h"
#include "translator/drivers.h"

/* A diagnostic, and the kernels that have it. */
struct finding {
	const struct diagnostic *diagnostic;
	GString *kernels; /* "RELEASE, RELEASE" */
	unsigned int count;
};

static bool is_same(const struct diagnostic *one, const struct diagnostic *other)
{
	const struct location *a = &one->location, *b = &other->location;

	return one->kind == other->kind && !strcmp(one->text, other->text) && a->line == b->line &&
	       a->column == b->column && !g_strcmp0(a->file ? a->file->name : NULL, b->file ? b->file->name : NULL);
}

static struct finding *find(GPtrArray *findings, const struct diagnostic *diagnostic)
{
	struct finding *finding;

	for_each_ptr(struct finding *, other, findings)
		if (is_same(other->diagnostic, diagnostic))
			return other;
	finding = g_new0(struct finding, 1);
	finding->diagnostic = diagnostic;
	finding->kernels = g_string_new(NULL);
	g_ptr_array_add(findings, finding);
	return finding;
}

static void free_finding(gpointer data)
{
	struct finding *finding = data;

	g_string_free(finding->kernels, TRUE);
	g_free(finding);
}

/* Merge the diagnostics of all kernels. */
static GPtrArray *find_all(GPtrArray *drivers)
{
	GPtrArray *findings = g_ptr_array_new_with_free_func(free_finding);

	for_each_ptr(const struct driver *, d, drivers) {
		const GPtrArray *all = diagnostics_all(d->t.diagnostics);

		for_each_ptr(const struct diagnostic *, diagnostic, all) {
			struct finding *finding = find(findings, diagnostic);

			g_string_append_printf(finding->kernels, "%s%s", finding->count++ ? ", " : "",
					       d->t.kernel.release);
		}
	}
	return findings;
}

static void print_place(const struct location *place)
{
	if (place->file)
		printf("%s:%d:%d: ", place->file->name, place->line, place->column);
}

static void print_finding(const struct finding *finding, unsigned int kernels)
{
	const struct diagnostic *diagnostic = finding->diagnostic;

	print_place(&diagnostic->location);
	printf("%s: %s", diagnostic->kind == WARNING ? _("warning") : _("error"), diagnostic->text);
	if (finding->count < kernels) /* TRANSLATORS: a list of kernels */
		printf(_(" on %s"), finding->kernels->str);
	else
		printf("%s", _(" on all kernels"));
	putchar('\n');
	if (diagnostic->hint)
		printf("  %s: %s\n", _("hint"), diagnostic->hint);
}

static void print_all(struct arena *arena, GPtrArray *drivers)
{
	GPtrArray *translations = arena_ptr_array(arena);
	g_autoptr(GPtrArray) findings = find_all(drivers);

	for_each_ptr(struct driver *, d, drivers) {
		meanings_note_points(&d->t);
		g_ptr_array_add(translations, &d->t);
	}
	printf(ngettext("%u kernel:", "%u kernels:", drivers->len), drivers->len);
	for_each_ptr(const struct translation *, t, translations)
		printf(" %s", t->kernel.release);
	putchar('\n');
	for_each_ptr(const char *, key, meanings_keys(arena, translations))
		printf("%s: %s\n", key, meanings_describe(arena, translations, key));
	for_each_ptr(const struct finding *, finding, findings)
		print_finding(finding, drivers->len);
}

static struct error *find_kernels(struct driver *first, GPtrArray *drivers)
{
	GPtrArray *names = first->options.releases;
	struct error *error = NULL;

	for_each_ptr(const char *, name, names)
		error = error ?: drivers_find_named(first, drivers, name);
	return names->len ? error : drivers_find_named(first, drivers, "*");
}

struct error *lint(struct driver *first)
{
	GPtrArray *drivers = arena_ptr_array(first->t.arena);
	struct error *error = find_kernels(first, drivers);

	drivers_sort(drivers);
	for_each_ptr(struct driver *, d, drivers) {
		if (error)
			break;
		meanings_record(&d->t);
		error = error_prefix(driver_analyze(d), _("kernel %s"), d->t.kernel.release);
		if (diagnostics_errors(d->t.diagnostics))
			first->exit_status = EXIT_FAILURE;
	}
	if (!error)
		print_all(first->t.arena, drivers);
	drivers_finish(first, drivers);
	return error;
}
