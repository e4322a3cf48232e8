// SPDX-License-Identifier: GPL-2.0-or-later
/* The common origin of DIE instances, DIEs of types, and the spelling of names with scopes. */
#include "translator/debuginfo/object/dwarf.h"

#include <string.h>

#define MOST_ORIGINS 8 /* an inlined instance, its abstract instance: 2 in practice */

void abstract_die(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	*ret = *die;
	for (int i = 0; i < MOST_ORIGINS && dwarf_attr(ret, DW_AT_abstract_origin, &attribute); i++)
		if (!dwarf_formref_die(&attribute, ret))
			break;
}

uint64_t die_origin(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	Dwarf_Die origin;

	abstract_die(die, &origin);
	return dwarf_offset_of(debuginfo, &origin);
}

/* Find the DIE that an attribute refers to, also by the signature of a type unit. */
static bool referred_die(struct debuginfo *debuginfo, Dwarf_Attribute *attribute, Dwarf_Die *ret)
{
	uint64_t signature;

	if (dwarf_formref_die(attribute, ret))
		return true;
	if (dwarf_whatform(attribute) != DW_FORM_ref_sig8)
		return false;
	memcpy(&signature, attribute->valp, sizeof(signature));
	return parts_find_type(debuginfo, GUINT64_FROM_LE(signature), ret);
}

bool die_of_signature(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	Dwarf_Attribute signature;
	Dwarf_Die type;

	if (!dwarf_attr(die, DW_AT_signature, &signature) || !referred_die(debuginfo, &signature, &type))
		return false;
	*die = type;
	return true;
}

bool die_type(struct debuginfo *debuginfo, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attribute) || !referred_die(debuginfo, &attribute, ret))
		return false;
	die_of_signature(debuginfo, ret);
	return true;
}

bool language_has_scopes(int language)
{
	switch (language) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return language > 0;
	}
}

static bool is_word(char letter)
{
	return g_ascii_isalnum(letter) || letter == '_';
}

char *scoped_spelling(const char *name)
{
	GString *text = g_string_new(NULL);

	for (const char *next = name; *next; next++)
		if (*next != ' ' || (text->len && is_word(text->str[text->len - 1]) && is_word(next[1])))
			g_string_append_c(text, *next);
	return g_string_free(text, FALSE);
}
