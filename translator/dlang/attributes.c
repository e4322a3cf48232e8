// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Describe how stable names and data are, and on which platforms they are the same: for each probe (dtrace -lv), and as
 * the lowest stability of anything that a program uses (dtrace -v, option amin). DTrace's guide documents the stability
 * of each provider. This file also finds the types of args[] for dtrace -lv.
 */
#include "translator/dlang/attributes.h"

#include <string.h>

#include "translator/dlang/lower.h"
#include "common/base/i18n.h"
#include "translator/lang/diagnostic.h"

/* How likely a name or its data changes with a release; from the least stable. */
enum stability {
	STABILITY_INTERNAL,
	STABILITY_PRIVATE,
	STABILITY_OBSOLETE,
	STABILITY_EXTERNAL,
	STABILITY_UNSTABLE,
	STABILITY_EVOLVING,
	STABILITY_STABLE,
	STABILITY_STANDARD,
	STABILITY_COUNT_
};

/* On which platforms the same name exists; from the fewest. */
enum platforms {
	PLATFORMS_UNKNOWN,
	PLATFORMS_CPU,
	PLATFORMS_PLATFORM,
	PLATFORMS_GROUP,
	PLATFORMS_ISA,
	PLATFORMS_COMMON,
	PLATFORMS_COUNT_
};

static const char *const stability_names[STABILITY_COUNT_] = {
	[STABILITY_INTERNAL] = "Internal", [STABILITY_PRIVATE] = "Private",   [STABILITY_OBSOLETE] = "Obsolete",
	[STABILITY_EXTERNAL] = "External", [STABILITY_UNSTABLE] = "Unstable", [STABILITY_EVOLVING] = "Evolving",
	[STABILITY_STABLE] = "Stable",	   [STABILITY_STANDARD] = "Standard",
};

static const char *const platform_names[PLATFORMS_COUNT_] = {
	[PLATFORMS_UNKNOWN] = "Unknown", [PLATFORMS_CPU] = "CPU", [PLATFORMS_PLATFORM] = "Platform",
	[PLATFORMS_GROUP] = "Group",	 [PLATFORMS_ISA] = "ISA", [PLATFORMS_COMMON] = "Common",
};

/* The attributes of a provider's name, and of the parts of its probes. */
struct provider_attributes {
	const char *provider;
	struct d_attributes parts[D_PART_COUNT_], arguments;
};

#define A(stability, platforms)                                                                                        \
	{                                                                                                              \
		STABILITY_##stability, STABILITY_##stability, PLATFORMS_##platforms                                    \
	}
#define UNKNOWN A(PRIVATE, UNKNOWN)

static const struct provider_attributes known[] = {
	{"dtrace", {A(STABLE, COMMON), UNKNOWN, UNKNOWN, A(STABLE, COMMON)}, A(STABLE, COMMON)},
	{"profile", {A(EVOLVING, COMMON), A(UNSTABLE, COMMON), UNKNOWN, A(EVOLVING, COMMON)}, A(EVOLVING, COMMON)},
	{"lockstat", {A(EVOLVING, COMMON), UNKNOWN, UNKNOWN, A(EVOLVING, COMMON)}, A(EVOLVING, COMMON)},
	{"cpc", {A(EVOLVING, COMMON), UNKNOWN, UNKNOWN, A(EVOLVING, CPU)}, A(EVOLVING, COMMON)},
	{"syscall", {A(EVOLVING, COMMON), UNKNOWN, A(UNSTABLE, ISA), A(EVOLVING, COMMON)}, A(UNSTABLE, ISA)},
	{"fbt", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(PRIVATE, ISA)},
	{"rawfbt", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(PRIVATE, ISA)},
	{"sdt", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(PRIVATE, ISA)}, A(PRIVATE, ISA)},
	{"rawtp", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(PRIVATE, ISA)}, A(PRIVATE, ISA)},
	{"proc", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"sched", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"io", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"ip", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"tcp", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"udp", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(EVOLVING, ISA)}, A(EVOLVING, ISA)},
	{"pid", {A(EVOLVING, ISA), UNKNOWN, UNKNOWN, A(PRIVATE, ISA)}, UNKNOWN},
};

/* Static probes of programs, whose providers choose their names. */
static const struct provider_attributes of_programs = {NULL, {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}, UNKNOWN};

static const struct provider_attributes *attributes_of(const struct d_place *place)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (!strcmp(known[i].provider, place->provider->name))
			return &known[i];
	return &of_programs;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

struct d_stability dlang_stability(const struct d_attributes *attributes)
{
	return (struct d_stability){stability_names[attributes->name], stability_names[attributes->data],
				    platform_names[attributes->platforms]};
}

static bool find_word(const char *const *words, unsigned int count, const char *word, unsigned int *ret)
{
	for (*ret = 0; *ret < count; ++*ret)
		if (!g_ascii_strcasecmp(words[*ret], word))
			return true;
	return false;
}

bool dlang_parse_stability(const char *text, struct d_attributes *ret)
{
	g_auto(GStrv) words = g_strsplit(text, "/", -1);

	return g_strv_length(words) == 3 && find_word(stability_names, STABILITY_COUNT_, words[0], &ret->name) &&
	       find_word(stability_names, STABILITY_COUNT_, words[1], &ret->data) &&
	       find_word(platform_names, PLATFORMS_COUNT_, words[2], &ret->platforms);
}

static void lower_to(struct d_attributes *least, const struct d_attributes *other)
{
	least->name = MIN(least->name, other->name);
	least->data = MIN(least->data, other->data);
	least->platforms = MIN(least->platforms, other->platforms);
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

static struct d_attributes attributes_of_probe(const struct d_place *place)
{
	const struct provider_attributes *of = attributes_of(place);
	struct d_attributes least = of->parts[D_PROVIDER];

	/* A probe without a module or a function depends on neither. */
	for (int part = 0; part < D_PART_COUNT_; part++)
		if (!place->parts[part] || *place->parts[part])
			lower_to(&least, &of->parts[part]);
	return least;
}

struct d_stability d_probe_stability(const struct d_place *place)
{
	const struct d_attributes attributes = attributes_of_probe(place);

	return dlang_stability(&attributes);
}

struct d_stability d_argument_stability(const struct d_place *place)
{
	return dlang_stability(&attributes_of(place)->arguments);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static struct d_use *use_of(struct d_lowering *l)
{
	static const struct d_attributes most = A(STABLE, COMMON);
	const struct source_file *file = l->clause->location.file;
	struct d_use *use = g_hash_table_lookup(l->d->uses, file);

	if (!use) {
		use = arena_new0(l->arena, struct d_use);
		*use = (struct d_use){most, most};
		g_hash_table_insert(l->d->uses, (void *)file, use);
	}
	return use;
}

static bool check(struct d_lowering *l, const struct location *at, const char *name,
		  const struct d_attributes *attributes)
{
	const struct d_attributes *least = &l->d->options.least;
	const struct d_stability words = dlang_stability(attributes);

	return (attributes->name >= least->name && attributes->data >= least->data &&
		attributes->platforms >= least->platforms) ||
	       d_fail(l, at, "D_ATTR_MIN", _("attributes for %s (%s/%s/%s) are less than predefined minimum"), name,
		      words.name, words.data, words.platforms);
}

bool d_use_probe(struct d_lowering *l)
{
	const struct d_attributes attributes = attributes_of_probe(l->place);

	lower_to(&use_of(l)->descriptions, &attributes);
	return check(l, &l->clause->location, _("the probe description"), &attributes);
}

bool d_use_name(struct d_lowering *l, const struct location *at, const char *name, enum d_owner owner)
{
	static const struct d_attributes owners[D_OWNER_COUNT_] = {
		[D_OWNER_LANGUAGE] = A(STABLE, COMMON),
		[D_OWNER_THREAD] = {STABILITY_STABLE, STABILITY_PRIVATE, PLATFORMS_COMMON},
		[D_OWNER_ARGUMENTS] = A(STABLE, COMMON), /* at most */
		[D_OWNER_KERNEL] = UNKNOWN,
	};
	struct d_attributes attributes = owners[owner];

	/* Inlines and translators are there to hide what may change; argument types are asked for without a clause. */
	if (l->expansion || !l->clause)
		return true;
	if (owner == D_OWNER_ARGUMENTS)
		lower_to(&attributes, &attributes_of(l->place)->arguments);
	lower_to(&use_of(l)->statements, &attributes);
	return check(l, at, name, &attributes);
}

/* ---- types of arguments ------------------------------------------------------------------------------------------ */

static const char *argument_type(struct d_lowering *l, unsigned int index)
{
	const struct d_place *place = l->place;
	struct d_value value = {0};

	if (place->provider->type_name)
		return place->provider->type_name(place, index);
	return place->provider->typed(l, &place->derived->point->location, index, &value) ? value.type->spelling : NULL;
}

GPtrArray *d_argument_types(struct d_translation *d, const struct d_place *place)
{
	struct d_lowering l = {.d = d, .t = d->t, .arena = d->arena, .place = (struct d_place *)place};
	GPtrArray *ret = arena_ptr_array(d->arena);
	size_t mark = diagnostics_mark(d->t->diagnostics);

	l.block = build_block(d->arena, &place->derived->point->location);
	for (unsigned int index = 0; place->provider->typed && index < D_MOST_ARGUMENTS; index++) {
		const char *type = argument_type(&l, index);

		/* Only providers that name the types have gaps. */
		if (!type && !place->provider->type_name)
			break;
		g_ptr_array_add(ret, (void *)type);
	}
	/* Drop the reports about arguments that do not exist. */
	diagnostics_rewind(d->t->diagnostics, mark);
	return ret;
}
