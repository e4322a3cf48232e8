// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What dtrace -lv tells about a probe: how stable its names and its data are, on which platforms they are the same,
 * and the types of args[]. DTrace's guide documents the stability of each provider.
 */
#include "translator/dlang/attributes.h"

#include <string.h>

#include "translator/dlang/lower.h"
#include "translator/lang/diagnostic.h"

/* How likely a name or its data changes with a release; from the least stable. */
enum stability { STABILITY_PRIVATE, STABILITY_UNSTABLE, STABILITY_EVOLVING, STABILITY_STABLE, STABILITY_COUNT_ };

/* On which platforms the same name exists; from the fewest. */
enum platforms { PLATFORMS_UNKNOWN, PLATFORMS_CPU, PLATFORMS_ISA, PLATFORMS_COMMON, PLATFORMS_COUNT_ };

static const char *const stability_names[STABILITY_COUNT_] = {
	[STABILITY_PRIVATE] = "Private",
	[STABILITY_UNSTABLE] = "Unstable",
	[STABILITY_EVOLVING] = "Evolving",
	[STABILITY_STABLE] = "Stable",
};

static const char *const platform_names[PLATFORMS_COUNT_] = {
	[PLATFORMS_UNKNOWN] = "Unknown",
	[PLATFORMS_CPU] = "CPU",
	[PLATFORMS_ISA] = "ISA",
	[PLATFORMS_COMMON] = "Common",
};

struct attributes {
	enum stability stability; /* of the name and of the data; they are equal for every provider */
	enum platforms platforms;
};

/* The attributes of a provider's name, and of the parts of its probes. */
struct provider_attributes {
	const char *provider;
	struct attributes parts[D_PART_COUNT_], arguments;
};

#define A(stability, platforms)                                                                                        \
	{                                                                                                              \
		STABILITY_##stability, PLATFORMS_##platforms                                                           \
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

static struct d_stability stability_of(struct attributes attributes)
{
	return (struct d_stability){stability_names[attributes.stability], platform_names[attributes.platforms]};
}

struct d_stability d_probe_stability(const struct d_place *place)
{
	const struct provider_attributes *of = attributes_of(place);
	struct attributes least = of->parts[D_PROVIDER];

	for (int part = 0; part < D_PART_COUNT_; part++) {
		/* A probe without a module or a function depends on neither. */
		if (place->parts[part] && !*place->parts[part])
			continue;
		least.stability = MIN(least.stability, of->parts[part].stability);
		least.platforms = MIN(least.platforms, of->parts[part].platforms);
	}
	return stability_of(least);
}

struct d_stability d_argument_stability(const struct d_place *place)
{
	return stability_of(attributes_of(place)->arguments);
}

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
