// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Declarations of providers: the static probes (USDT) that a program defines. dtrace -h and -G make files from them;
 * other programs in D may contain them, too.
 *
 *     provider := "provider" name "{" { probe } "}" ";"
 *     probe := "probe" name parameters [ ":" parameters ] ";"
 *     parameters := "(" [ "void" | parameter { "," parameter } ] ")"
 */
#include "translator/dlang/parser.h"

#include <string.h>

#include "common/base/i18n.h"

/* Return the number of parameters; -1 after a diagnostic. */
static int parameters(struct d_parser *p)
{
	int count = 0;

	if (!d_expect(p, "(", _("before the parameters")))
		return -1;
	if (d_accept(p, ")"))
		return 0;
	do {
		struct d_written_type *base = d_specifiers(p);
		struct d_declarator *parameter = base ? d_declarator(p, base) : NULL;

		if (!parameter)
			return -1;
		/* The only parameter may be void, which means none. */
		if (parameter->type->kind == D_WRITTEN_BASE && !strcmp(parameter->type->name, "void") && !count &&
		    d_accept(p, ")"))
			return 0;
		count++;
	} while (d_accept(p, ","));
	return d_expect(p, ")", _("after the parameters")) ? count : -1;
}

static bool probe(struct d_parser *p, struct d_provider_declaration *provider)
{
	struct d_probe_declaration *one = arena_new0(p->arena, struct d_probe_declaration);

	if (!d_expect(p, "probe", _("in a provider")))
		return false;
	one->location = d_peek(p)->location;
	one->name = d_identifier(p, _("the name of a probe"));
	if (!one->name)
		return false;
	for_each_ptr(const struct d_probe_declaration *, other, provider->probes)
		if (!strcmp(other->name, one->name))
			return d_error_at(p, &one->location, "D_DECL_IDRED", _("'%s' is declared twice"), one->name) !=
			       NULL;
	one->parameters = parameters(p);
	if (one->parameters > D_MOST_PROBE_ARGUMENTS)
		return d_error_at(p, &one->location, "D_SYNTAX", _("the probe '%s' has more than %d parameters"),
				  one->name, D_MOST_PROBE_ARGUMENTS) != NULL;
	if (one->parameters < 0 || (d_accept(p, ":") && parameters(p) < 0))
		return false;
	g_ptr_array_add(provider->probes, one);
	return d_expect(p, ";", _("after the probe"));
}

bool d_provider_declaration(struct d_parser *p)
{
	struct d_provider_declaration *provider = arena_new0(p->arena, struct d_provider_declaration);

	d_advance(p);
	provider->probes = arena_ptr_array(p->arena);
	provider->location = d_peek(p)->location;
	provider->name = d_identifier(p, _("the name of a provider"));
	if (!provider->name)
		return false;
	if (g_ascii_isdigit(provider->name[strlen(provider->name) - 1]))
		return d_error_at(p, &provider->location, "D_SYNTAX",
				  _("the name of the provider '%s' ends in a digit, as if a process followed"),
				  provider->name) != NULL;
	if (!d_expect(p, "{", _("after the name of the provider")))
		return false;
	while (!d_accept(p, "}"))
		if (!probe(p, provider))
			return false;
	g_ptr_array_add(p->program->providers, provider);
	return d_expect(p, ";", _("after the provider"));
}
