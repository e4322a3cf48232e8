// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probe derivation: turn the probe points of a script into derived probes, one for each place where a handler runs.
 *
 * A point names an alias, or matches a pattern of a provider. Wildcards in component names can match several of both;
 * "**" matches several components. The prologue and epilogue of an alias are wrapped around the handler, and the
 * conditions of points around that.
 *
 * A point with "?" may match nothing; its diagnostics are dropped then. So a script can name functions of several
 * kernel versions. "!" does the same, and ends the list at the first point that matches.
 */
#include <fnmatch.h>

#include "common/base/i18n.h"
#include "translator/probes/builds.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_aliases.h"
#include "translator/sema/builder.h"
#include "translator/sema/scope.h"
#include "translator/sema/sema.h"
#include "translator/sema/suggest_replacements.h"

/*
 * The depth ends aliases that refer to themselves. The number of uses ends aliases that refer to each other several
 * times, which expand to exponentially many points.
 */
enum { ALIAS_DEPTH = 64, ALIAS_USES = 100000 };

/* A link of the chain of aliases and conditions between the user's probe and a place. */
struct wrapping {
	const struct wrapping *outer;
	const struct alias *alias;
	const struct expr *condition;
};

struct derivation {
	struct translation *t;
	const struct probe *probe;
	int depth;
	unsigned int uses; /* of aliases so far */
	bool given_up; /* a limit was exceeded: stop, and let no "?" drop the error */
	const char *named; /* pn(): the user's point, while one of its aliases is expanded */
	GPtrArray *found; /* of struct derived_probe * */
	GPtrArray *written; /* of struct probe_point *: from the user's point to the current one, through aliases */
	GHashTable *failed; /* failure_key() of a point of an alias that has no place -> GPtrArray of its diagnostics */
};

bool name_matches(const char *pattern, const char *name)
{
	return strpbrk(pattern, "*?[\\") ? fnmatch(pattern, name, 0) == 0 : strcmp(pattern, name) == 0;
}

static bool argument_matches(enum component_argument wanted, const struct expr *argument)
{
	switch (wanted) {
	case NO_ARGUMENT:
		return !argument;
	case NUMBER_ARGUMENT:
		return argument && argument->kind == EXPR_NUMBER;
	case STRING_ARGUMENT:
		return argument && argument->kind == EXPR_STRING;
	case OPTIONAL_NUMBER:
		return !argument || argument->kind == EXPR_NUMBER;
	case OPTIONAL_STRING:
		return !argument || argument->kind == EXPR_STRING;
	case ANY_ARGUMENT:
		return true;
	}
	return false;
}

unsigned int pattern_length(const struct point_pattern *pattern)
{
	unsigned int length = 0;

	while (length < PATTERN_COMPONENTS && pattern->components[length].name)
		length++;
	return length;
}

/*
 * Return the part of the pattern for component @index of a point, which has @extra more components than the pattern.
 * Only a part with `repeats` can match them. NULL: the point is too long.
 */
static const struct component_pattern *pattern_component(const struct point_pattern *pattern, guint index, guint extra)
{
	guint repeated = 0;

	while (repeated < PATTERN_COMPONENTS && !pattern->components[repeated].repeats)
		repeated++;
	if (extra && repeated == PATTERN_COMPONENTS)
		return NULL;
	if (index <= repeated)
		return &pattern->components[index];
	return &pattern->components[MAX(repeated, index - extra)];
}

static bool pattern_matches(const struct point_pattern *pattern, const struct probe_point *point)
{
	unsigned int length = pattern_length(pattern);

	if (point->components->len < length)
		return false;
	for (guint i = 0; i < point->components->len; i++) {
		const struct probe_component *component = g_ptr_array_index(point->components, i);
		const struct component_pattern *wanted = pattern_component(pattern, i, point->components->len - length);

		if (!wanted || !name_matches(component->name, wanted->name) ||
		    !argument_matches(wanted->argument, component->argument))
			return false;
	}
	return true;
}

/* ---- wrapping --------------------------------------------------------------------------------------------------- */

static struct statement *wrap_condition(struct arena *arena, const struct expr *condition, struct statement *body)
{
	struct statement *s = statement_new(arena, STATEMENT_IF, &condition->location);

	s->expr = expr_copy(arena, condition);
	s->body = body;
	return s;
}

static void append_copy(struct arena *arena, struct statement *block, const struct statement *part)
{
	if (part)
		g_ptr_array_add(block->statements, statement_copy(arena, part));
}

/*
 * Wrap the user's handler into the aliases. The alias nearest to the place (@wrapping) has its prologue first and its
 * epilogue last; `outer` links lead back to the user's probe.
 */
static struct statement *wrapped_body(struct arena *arena, const struct wrapping *wrapping, const struct probe *probe)
{
	struct statement *body, *block;

	if (!wrapping)
		return statement_copy(arena, probe->body);
	body = wrapped_body(arena, wrapping->outer, probe);
	if (!wrapping->alias)
		return body;
	block = build_block(arena, &body->location);
	append_copy(arena, block, wrapping->alias->prologue);
	g_ptr_array_add(block->statements, body);
	append_copy(arena, block, wrapping->alias->epilogue);
	return block;
}

/* Join all conditions between the user's probe and the place with &&. Return NULL if there are none. */
static struct expr *joined_condition(struct arena *arena, const struct wrapping *wrapping)
{
	struct expr *outer, *both;

	if (!wrapping)
		return NULL;
	outer = joined_condition(arena, wrapping->outer);
	if (!wrapping->condition)
		return outer;
	if (!outer)
		return expr_copy(arena, wrapping->condition);
	both = expr_new(arena, EXPR_LOGICAL, &wrapping->condition->location);
	both->op = OP_LOGICAL_AND;
	both->left = outer;
	both->right = expr_copy(arena, wrapping->condition);
	return both;
}

/* Return "kernel.function(…) from: my.alias", for -t. */
static const char *derivation_text(const struct derivation *d)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = d->written->len; i--;)
		g_string_append_printf(text, "%s%s", text->len ? " from: " : "",
				       probe_point_text(d->t->arena, g_ptr_array_index(d->written, i), true));
	return arena_strdup(d->t->arena, text->str);
}

static void finish(struct derivation *d, struct derived_probe *derived, const struct provider *provider,
		   const struct wrapping *wrapping)
{
	struct arena *arena = d->t->arena;
	struct expr *condition;

	derived->origin = d->probe;
	derived->written = d->written->len ? g_ptr_array_index(d->written, 0) : NULL;
	derived->provider = provider;
	if (!derived->point_text)
		derived->point_text = probe_point_text(arena, derived->point, false);
	derived->name = d->named ?: derived->listed_text ?: derived->point_text; /* pn() */
	derived->of_alias = d->named != NULL;
	g_ptr_array_add(d->found, derived);
	if (options_listing(d->t->options) && !(derived->of_alias && d->t->options->list_variables))
		return;
	if (d->t->options->timing)
		derived->derivation = derivation_text(d);
	derived->body = wrapped_body(arena, wrapping, d->probe);
	condition = joined_condition(arena, wrapping);
	if (condition)
		derived->body = derived->gate = wrap_condition(arena, condition, derived->body);
	derived->locals = arena_ptr_array(arena);
	if (derived->guard)
		derived->body = wrap_condition(arena, derived->guard, derived->body);
	if (!derived->entry_values)
		derived->entry_values = arena_ptr_array(arena);
}

/* ---- points ----------------------------------------------------------------------------------------------------- */

static void derive_points(struct derivation *d, const GPtrArray *points, const struct wrapping *wrapping,
			  const struct probe_point *suffix_of, guint suffix_from);

/*
 * Return the name of the alias that matches the leading components of the point, or NULL. The remaining components are
 * a suffix, which is appended to the points of the alias.
 */
static const struct probe_point *matching_name(const struct alias *alias, const struct probe_point *point)
{
	for_each_ptr(const struct probe_point *, name, alias->names) {
		bool same = name->components->len <= point->components->len;

		for (guint i = 0; same && i < name->components->len; i++) {
			const struct probe_component *wanted = g_ptr_array_index(name->components, i);
			const struct probe_component *given = g_ptr_array_index(point->components, i);

			same = name_matches(given->name, wanted->name) && !given->argument == !wanted->argument;
			if (same && given->argument && given->argument->kind == EXPR_STRING)
				same = !g_strcmp0(given->argument->text, wanted->argument->text);
			else if (same && given->argument)
				same = given->argument->number == wanted->argument->number;
		}
		if (same)
			return name;
	}
	return NULL;
}

/* Return the text of the point with wildcards replaced by the alias's name. */
static const char *alias_name(struct arena *arena, const struct probe_point *point, const struct probe_point *name)
{
	struct probe_point *full = probe_point_copy(arena, point);

	for (guint i = 0; i < name->components->len; i++)
		full->components->pdata[i] = name->components->pdata[i];
	return probe_point_text(arena, full, false);
}

static void follow_alias(struct derivation *d, const struct probe_point *point, const struct alias *alias,
			 const struct wrapping *wrapping, const struct probe_point *name)
{
	struct wrapping inner = {.outer = wrapping, .alias = alias};

	if (d->depth >= ALIAS_DEPTH || d->uses >= ALIAS_USES) {
		d->given_up = true;
		diagnose(d->t->diagnostics, SEMANTIC_ERROR, &point->location,
			 d->depth >= ALIAS_DEPTH ? _("probe alias nested too deep")
						 : _("probe aliases stand for too many points"));
		diagnose_hint(d->t->diagnostics, _("check whether the alias refers to itself"));
		return;
	}
	d->uses++;
	if (!d->depth++)
		d->named = alias_name(d->t->arena, point, name);
	derive_points(d, alias->points, &inner, point, name->components->len);
	if (!--d->depth)
		d->named = NULL;
}

enum alias_suffix { WITHOUT_SUFFIX, WITH_SUFFIX };

static void try_alias(struct derivation *d, const struct alias *alias, const struct probe_point *point,
		      const struct wrapping *wrapping, enum alias_suffix suffix)
{
	const struct probe_point *name;

	if (d->given_up || !sees_aliases(&point->location, alias->script) ||
	    (alias->is_private && alias->script != script_at(d->t, &point->location, d->probe->script)))
		return;
	name = matching_name(alias, point);
	if (!name || (name->components->len < point->components->len) != (suffix == WITH_SUFFIX))
		return;
	g_hash_table_add(d->t->selected, (void *)alias->script);
	follow_alias(d, point, alias, wrapping, name);
}

static void try_aliases(struct derivation *d, const GPtrArray *scripts, const struct probe_point *point,
			const struct wrapping *wrapping, enum alias_suffix suffix)
{
	for_each_ptr(const struct script *, script, scripts) {
		for_each_ptr(const struct alias *, alias, script->aliases)
			try_alias(d, alias, point, wrapping, suffix);
	}
}

/* The aliases of the library by the first component of their names: it has thousands, and aliases name aliases. */
struct alias_index {
	GHashTable *by_name; /* -> GPtrArray of struct alias * */
	GHashTable *counts; /* struct script * -> how many of its aliases are in the index */
};

static void index_alias(struct translation *t, struct alias *alias)
{
	for_each_ptr(const struct probe_point *, name, alias->names) {
		const struct probe_component *first = g_ptr_array_index(name->components, 0);
		GPtrArray *same = g_hash_table_lookup(t->alias_index->by_name, first->name);

		if (!same) {
			same = arena_ptr_array(t->arena);
			g_hash_table_insert(t->alias_index->by_name, (void *)first->name, same);
		}
		if (!same->len || g_ptr_array_index(same, same->len - 1) != alias)
			g_ptr_array_add(same, alias);
	}
}

/* Index the aliases that the library has gained since the last call. Return those whose first component is @name. */
static const GPtrArray *library_aliases(struct translation *t, const char *name)
{
	struct alias_index *index = t->alias_index;

	if (!index) {
		index = t->alias_index = arena_new0(t->arena, struct alias_index);
		index->by_name = g_hash_table_new(g_str_hash, g_str_equal);
		arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, index->by_name);
		index->counts = g_hash_table_new(NULL, NULL);
		arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, index->counts);
	}
	for_each_ptr(struct script *, script, t->library) {
		guint count = GPOINTER_TO_UINT(g_hash_table_lookup(index->counts, script));

		if (count == script->aliases->len)
			continue;
		for (; count < script->aliases->len; count++)
			index_alias(t, g_ptr_array_index(script->aliases, count));
		g_hash_table_insert(index->counts, script, GUINT_TO_POINTER(count));
	}
	return g_hash_table_lookup(index->by_name, name);
}

static bool component_is_wild(const struct probe_component *component)
{
	return strpbrk(component->name, "*?[") != NULL;
}

/* Parse and return the library scripts with aliases that the point may name. */
static const GPtrArray *library_for(struct translation *t, const struct probe_point *point)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);

	return component_is_wild(first) ? library_all(t) : library_with(t, first->name);
}

static void try_all_aliases(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping,
			    enum alias_suffix suffix)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	const GPtrArray *library = library_for(d->t, point);

	try_aliases(d, d->t->scripts, point, wrapping, suffix);
	if (component_is_wild(first)) {
		try_aliases(d, library, point, wrapping, suffix);
		return;
	}
	for_each_ptr(const struct alias *, alias, library_aliases(d->t, first->name))
		try_alias(d, alias, point, wrapping, suffix);
}

static bool has_wildcard(const struct probe_point *point)
{
	for_each_ptr(const struct probe_component *, component, point->components) {
		if (component_is_wild(component))
			return true;
	}
	return false;
}

/* Replace "ret*" by "return", and so on, for the provider. */
static const struct probe_point *without_wildcards(struct arena *arena, const struct point_pattern *pattern,
						   const struct probe_point *point)
{
	guint extra = point->components->len - pattern_length(pattern);
	struct probe_point *copy;

	if (!has_wildcard(point))
		return point;
	copy = probe_point_copy(arena, point);
	for (guint i = 0; i < copy->components->len; i++) {
		struct probe_component *component = g_ptr_array_index(copy->components, i);

		component->name = pattern_component(pattern, i, extra)->name;
	}
	return copy;
}

static void diagnose_not_supported(struct derivation *d, const struct probe_point *point)
{
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &point->location, _("probe point '%s' is not supported yet"),
		 probe_point_text(d->t->arena, point, false));
}

static void diagnose_refused(struct derivation *d, const struct probe_point *point, const char *reason)
{
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &point->location, _("probe point '%s' is not supported: %s"),
		 probe_point_text(d->t->arena, point, false), _(reason));
}

/* Check the argument of .maxactive(N), in any probe family. */
static bool check_maxactive(struct derivation *d, const struct probe_point *point)
{
	enum { MOST = 65536 };
	const struct probe_component *component = point_component(point, "maxactive");
	const struct expr *number = component ? component->argument : NULL;

	if (!number || number->kind != EXPR_NUMBER || (number->number >= 1 && number->number <= MOST))
		return true;
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &component->location, _("maxactive must be from 1 to %d"), MOST);
	return false;
}

/* Derive probes with the providers. Return true if a pattern matched, even if it resolved to no place. */
static bool try_providers(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping)
{
	bool matched = false;

	for (const struct provider *const *provider = providers; *provider; provider++) {
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++) {
			g_autoptr(GPtrArray) derived = NULL;

			if (!pattern_matches(p, point))
				continue;
			matched = true;
			if (!check_maxactive(d, point))
				return true;
			if (p->refused) {
				diagnose_refused(d, point, p->refused);
				continue;
			}
			derived = g_ptr_array_new();
			(*provider)->resolve(d->t, p, without_wildcards(d->t->arena, p, point), derived);
			for_each_ptr(struct derived_probe *, probe, derived)
				finish(d, probe, *provider, wrapping);
			if (!has_wildcard(point))
				return true;
		}
	}
	return matched;
}

/* Report a point that SystemTap has and Spile does not, and return true. */
static bool diagnose_missing(struct derivation *d, const struct probe_point *point)
{
	const struct missing *missing = missing_alias(probe_point_text(d->t->arena, point, false));

	if (!missing)
		return false;
	if (missing->subject)
		diagnose_refused(d, point, missing->subject);
	else
		diagnose_not_supported(d, point);
	if (missing->hint)
		diagnose_hint(d->t->diagnostics, "%s", _(missing->hint));
	return true;
}

static void diagnose_unknown_point(struct derivation *d, const struct probe_point *point)
{
	const struct probe_component *culprit;
	const GPtrArray *near;

	if (diagnose_missing(d, point))
		return;
	near = near_point_names(d->t, point, &culprit);
	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &culprit->location, _("no probe point or alias matches '%s'"),
		 probe_point_text(d->t->arena, point, false));
	if (near)
		diagnose_near(d->t->diagnostics, near);
	else if (culprit == g_ptr_array_index(point->components, 0))
		diagnose_hint(d->t->diagnostics, _("check the name and the kind of each argument; if it is an alias of "
						   "another tapset, add its directory with -I"));
	else
		diagnose_hint(d->t->diagnostics, _("check the name and the kind of each argument"));
}

/* Does a suffix such as "return" exist in any form of points? */
static bool is_known_suffix(const char *name)
{
	for (const struct provider *const *provider = providers; *provider; provider++)
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++)
			for (guint i = 1; i < pattern_length(p); i++)
				if (name_matches(name, p->components[i].name))
					return true;
	return false;
}

/* Report an alias whose points are all optional and do not exist in the kernel. */
static void diagnose_absent(struct derivation *d, const struct probe_point *point)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);

	diagnose(d->t->diagnostics, SEMANTIC_ERROR, &first->location,
		 _("kernel %s has none of the probe points of '%s'"), d->t->kernel.release,
		 probe_point_text(d->t->arena, point, false));
	diagnose_hint(d->t->diagnostics, _("append \"?\" to make the probe point optional"));
}

/* ---- "**" ------------------------------------------------------------------------------------------------------- */

/* The components of an alias or pattern, which "**" may match. */
struct known_name {
	guint length;
	const char *names[PATTERN_COMPONENTS];
	bool takes_argument[PATTERN_COMPONENTS];
};

struct expansion {
	struct derivation *d;
	const struct probe_point *point;
	const struct known_name *known;
	bool may_have_suffix;
	GPtrArray *points; /* of struct probe_point *: the results */
	GHashTable *texts; /* set of their texts, to find duplicates */
};

static bool is_multiple(const struct probe_component *component)
{
	return strstr(component->name, "**") != NULL;
}

static bool has_multiple(const struct probe_point *point)
{
	for_each_ptr(const struct probe_component *, component, point->components) {
		if (is_multiple(component))
			return true;
	}
	return false;
}

/* Add the point that consists of @components and the point's own from @rest on, unless these contain "**". */
static void note_expansion(struct expansion *e, const GPtrArray *components, guint rest)
{
	struct arena *arena = e->d->t->arena;
	struct probe_point *copy = arena_new0(arena, struct probe_point);

	*copy = *e->point;
	copy->components = arena_ptr_array(arena);
	for_each_ptr(struct probe_component *, component, components)
		g_ptr_array_add(copy->components, component);
	for (guint i = rest; i < e->point->components->len; i++) {
		struct probe_component *component = g_ptr_array_index(e->point->components, i);

		if (is_multiple(component))
			return;
		g_ptr_array_add(copy->components, component);
	}
	if (g_hash_table_add(e->texts, (void *)probe_point_text(arena, copy, false)))
		g_ptr_array_add(e->points, copy);
}

static void align(struct expansion *e, GPtrArray *components, guint given, guint known);

/* Let one component match @count components of the known name. Its argument belongs to the last of them. */
static void align_multiple(struct expansion *e, GPtrArray *components, guint given, guint known, guint count)
{
	const struct probe_component *component = g_ptr_array_index(e->point->components, given);
	g_autoptr(GString) joined = g_string_new(e->known->names[known]);
	guint before = components->len;

	for (guint i = 1; i < count; i++) {
		if (e->known->takes_argument[known + i - 1])
			return;
		g_string_append_printf(joined, ".%s", e->known->names[known + i]);
	}
	if (!name_matches(component->name, joined->str))
		return;
	for (guint i = 0; i < count; i++) {
		struct probe_component *one = arena_new0(e->d->t->arena, struct probe_component);

		*one = *component;
		one->name = e->known->names[known + i];
		one->argument = i + 1 == count ? component->argument : NULL;
		g_ptr_array_add(components, one);
	}
	align(e, components, given + 1, known + count);
	g_ptr_array_set_size(components, before);
}

/* Match the point from component @given on with the known name from @known on. */
static void align(struct expansion *e, GPtrArray *components, guint given, guint known)
{
	struct probe_component *component;

	if (known == e->known->length) {
		if (given == e->point->components->len || e->may_have_suffix)
			note_expansion(e, components, given);
		return;
	}
	if (given == e->point->components->len)
		return;
	component = g_ptr_array_index(e->point->components, given);
	if (is_multiple(component)) {
		for (guint count = 1; known + count <= e->known->length; count++)
			align_multiple(e, components, given, known, count);
	} else if (name_matches(component->name, e->known->names[known])) {
		g_ptr_array_add(components, component);
		align(e, components, given + 1, known + 1);
		g_ptr_array_set_size(components, components->len - 1);
	}
}

static void expand_aliases(struct expansion *e, const GPtrArray *scripts)
{
	g_autoptr(GPtrArray) components = g_ptr_array_new();

	e->may_have_suffix = true;
	for_each_ptr(const struct script *, script, scripts) {
		for_each_ptr(const struct alias *, alias, script->aliases) {
			for_each_ptr(const struct probe_point *, name, alias->names) {
				struct known_name known = {.length = name->components->len};

				if (known.length > PATTERN_COMPONENTS)
					continue;
				for (guint i = 0; i < known.length; i++) {
					const struct probe_component *c = g_ptr_array_index(name->components, i);

					known.names[i] = c->name;
					known.takes_argument[i] = c->argument != NULL;
				}
				e->known = &known;
				align(e, components, 0, 0);
			}
		}
	}
}

static void expand_patterns(struct expansion *e)
{
	g_autoptr(GPtrArray) components = g_ptr_array_new();

	e->may_have_suffix = false;
	for (const struct provider *const *provider = providers; *provider; provider++) {
		for (const struct point_pattern *p = (*provider)->patterns; p->components[0].name; p++) {
			struct known_name known = {.length = pattern_length(p)};

			if (p->refused)
				continue;
			for (guint i = 0; i < known.length; i++) {
				known.names[i] = p->components[i].name;
				known.takes_argument[i] = p->components[i].argument == NUMBER_ARGUMENT ||
							  p->components[i].argument == STRING_ARGUMENT;
			}
			e->known = &known;
			align(e, components, 0, 0);
		}
	}
}

static void derive_point(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping);

static void derive_multiple(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping)
{
	g_autoptr(GPtrArray) points = g_ptr_array_new();
	g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
	struct expansion e = {.d = d, .point = point, .points = points, .texts = texts};
	size_t mark = diagnostics_mark(d->t->diagnostics);
	guint before = d->found->len;

	expand_aliases(&e, d->t->scripts);
	expand_aliases(&e, library_for(d->t, point));
	expand_patterns(&e);
	/* Errors of expansions that require other arguments are dropped below, if another expansion succeeds. */
	for_each_ptr(const struct probe_point *, one, points)
		derive_point(d, one, wrapping);
	if (d->given_up)
		return;
	if (d->found->len > before)
		diagnostics_rewind(d->t->diagnostics, mark);
	else if (!diagnostics_failed_since(d->t->diagnostics, mark))
		diagnose_unknown_point(d, point);
}

/* Derive a point of all programs of debuginfod servers that it names. It suffices that one of them has a match. */
static void derive_of_debuginfod(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping)
{
	g_autoptr(GPtrArray) points = g_ptr_array_new();
	guint before = d->found->len;
	size_t mark;

	if (!expand_debuginfod(d->t, point, points))
		return;
	mark = diagnostics_mark(d->t->diagnostics);
	for_each_ptr(const struct probe_point *, one, points)
		derive_point(d, one, wrapping);
	if (d->found->len > before)
		diagnostics_rewind(d->t->diagnostics, mark);
}

static void derive_point(struct derivation *d, const struct probe_point *point, const struct wrapping *wrapping)
{
	size_t mark = diagnostics_mark(d->t->diagnostics);
	bool is_wild = has_wildcard(point), matched, uses_exactly;
	const struct probe_component *last;
	guint before = d->found->len;
	unsigned int uses = d->uses;

	provide_syscall_aliases(d->t, point);
	if (is_of_debuginfod(point)) {
		derive_of_debuginfod(d, point, wrapping);
		return;
	}
	if (has_multiple(point)) {
		derive_multiple(d, point, wrapping);
		return;
	}
	/* Prefer an alias with exactly this name to a shorter one with a suffix. */
	if (!is_syscall_row(point))
		try_all_aliases(d, point, wrapping, WITHOUT_SUFFIX);
	uses_exactly = d->uses > uses;
	if (!is_wild && !is_syscall_row(point) && d->found->len == before &&
	    !diagnostics_failed_since(d->t->diagnostics, mark))
		try_all_aliases(d, point, wrapping, WITH_SUFFIX);
	if (d->given_up || (d->found->len > before && !is_wild))
		return;
	matched = try_providers(d, point, wrapping);
	/* A wildcard matches suffixes of aliases only if it matches nothing else. */
	if (is_wild && !matched && d->found->len == before)
		try_all_aliases(d, point, wrapping, WITH_SUFFIX);
	/* Drop errors of forms that do not exist at this place, and of aliases without this suffix. */
	if (is_wild && d->found->len > before)
		diagnostics_rewind(d->t->diagnostics, mark);
	/* An alias that matched but resolved to nothing has reported why. */
	if (matched || d->found->len > before || diagnostics_failed_since(d->t->diagnostics, mark))
		return;
	last = g_ptr_array_index(point->components, point->components->len - 1);
	if (d->uses > uses && (point->components->len == 1 || uses_exactly || is_known_suffix(last->name)))
		diagnose_absent(d, point);
	else
		diagnose_unknown_point(d, point);
}

/* Append the suffix of the use to an alias's point: `probe a.return` with `probe a = kernel.function("x")`. */
static struct probe_point *with_suffix(struct arena *arena, const struct probe_point *point,
				       const struct probe_point *suffix_of, guint suffix_from)
{
	struct probe_point *copy = probe_point_copy(arena, point);

	for (guint i = suffix_from; suffix_of && i < suffix_of->components->len; i++)
		g_ptr_array_add(copy->components, g_ptr_array_index(suffix_of->components, i));
	return copy;
}

/* Return the key of a written point with the suffix of its alias's use. */
static char *failure_key(const struct derivation *d, const struct probe_point *written, const struct probe_point *point)
{
	return arena_printf(d->t->arena, "%p %s", written, probe_point_text(d->t->arena, point, false));
}

/* Repeat the diagnostics of a point that failed in an earlier use of its alias. Return false if it did not fail. */
static bool failed_before(struct derivation *d, const struct probe_point *written, const struct probe_point *point)
{
	const GPtrArray *reports;

	if (!g_hash_table_size(d->failed))
		return false;
	reports = g_hash_table_lookup(d->failed, failure_key(d, written, point));
	if (reports)
		diagnose_again(d->t->diagnostics, reports);
	return reports != NULL;
}

/*
 * Derive a point of a list, which is @written and the suffix. The points of an alias that is used many times fail only
 * once.
 */
static void derive_written(struct derivation *d, const struct probe_point *written, const struct probe_point *point,
			   const struct wrapping *wrapping)
{
	size_t mark = diagnostics_mark(d->t->diagnostics);
	guint before = d->found->len;

	if (failed_before(d, written, point))
		return;
	g_ptr_array_add(d->written, (void *)written);
	derive_point(d, point, wrapping);
	g_ptr_array_set_size(d->written, d->written->len - 1);
	if (d->depth && !d->given_up && d->found->len == before && diagnostics_failed_since(d->t->diagnostics, mark))
		g_hash_table_insert(d->failed, failure_key(d, written, point),
				    diagnostics_since(d->t->diagnostics, mark));
}

static void derive_points(struct derivation *d, const GPtrArray *points, const struct wrapping *wrapping,
			  const struct probe_point *suffix_of, guint suffix_from)
{
	for_each_ptr(struct probe_point *, written, points) {
		struct probe_point *point = with_suffix(d->t->arena, written, suffix_of, suffix_from);
		struct wrapping conditional = {.outer = wrapping, .condition = written->condition};
		size_t mark = diagnostics_mark(d->t->diagnostics);
		guint before = d->found->len;

		derive_written(d, written, point, written->condition ? &conditional : wrapping);
		if (d->given_up)
			return;
		if (d->found->len == before) {
			if (written->optional || written->sufficient)
				diagnostics_rewind(d->t->diagnostics, mark);
			else if (!diagnostics_failed_since(d->t->diagnostics, mark))
				diagnose(d->t->diagnostics, SEMANTIC_ERROR, &written->location,
					 _("no match for probe point '%s'"),
					 probe_point_text(d->t->arena, point, false));
		} else if (written->sufficient) {
			break;
		}
	}
}

/* Compare the order numbers of begin, end and error probes. The sort is stable. */
static gint compare_order(gconstpointer left, gconstpointer right)
{
	const struct derived_probe *a = *(struct derived_probe *const *)left;
	const struct derived_probe *b = *(struct derived_probe *const *)right;

	if (a->registration.order != b->registration.order)
		return a->registration.order < b->registration.order ? -1 : 1;
	return 0;
}

void derive_probe(struct translation *t, const struct probe *probe, GPtrArray *found)
{
	g_autoptr(GPtrArray) written = g_ptr_array_new();
	g_autoptr(GHashTable) failed = g_hash_table_new(g_str_hash, g_str_equal);
	struct derivation d = {.t = t, .probe = probe, .found = found, .written = written, .failed = failed};

	derive_points(&d, probe->points, NULL, NULL, 0);
}

static void derive_script(struct translation *t, const struct script *script)
{
	for_each_ptr(const struct probe *, probe, script->probes)
		derive_probe(t, probe, t->probes);
}

bool derive_probes(struct translation *t)
{
	t->probes = arena_ptr_array(t->arena);
	t->selected = g_hash_table_new(NULL, NULL);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->selected);
	if (t->derive_foreign)
		return t->derive_foreign(t);
	for_each_ptr(const struct script *, script, t->scripts)
		derive_script(t, script);
	sort_probes(t);
	return diagnostics_errors(t->diagnostics) == 0;
}

void sort_probes(struct translation *t)
{
	g_ptr_array_sort(t->probes, compare_order);
}

static bool has_used_function(const struct script *script)
{
	for_each_ptr(const struct function_declaration *, function, script->functions) {
		if (function->live || function->used_in_context)
			return true;
	}
	return false;
}

static bool has_used_global(const struct translation *t, const struct script *script)
{
	for_each_ptr(struct symbol *, global, script->globals) {
		if (g_ptr_array_find(t->globals, global, NULL))
			return true;
	}
	return false;
}

bool derive_library_probes(struct translation *t)
{
	guint before = t->probes->len;

	for_each_ptr(struct script *, script, t->library) {
		if (script->probes_derived || !script->probes->len)
			continue;
		if (!g_hash_table_contains(t->selected, script) && !has_used_function(script) &&
		    !has_used_global(t, script))
			continue;
		script->probes_derived = true;
		derive_script(t, script);
	}
	return t->probes->len > before;
}
