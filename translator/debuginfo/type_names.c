// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types by name, and what else about types does not depend on where they were read from: types.c makes them of DWARF,
 * btf_types.c of BTF.
 */
#include "translator/debuginfo/internal.h"

#include <string.h>

#include "translator/util/i18n.h"

#define MOST_LEVELS 64

struct type *type_void(struct debuginfo *debuginfo)
{
	if (!debuginfo->void_type) {
		debuginfo->void_type = arena_new0(debuginfo->arena, struct type);
		debuginfo->void_type->kind = KIND_VOID;
		debuginfo->void_type->spelling = "void";
		debuginfo->void_type->debuginfo = debuginfo;
	}
	return debuginfo->void_type;
}

/* ---- members ---- */

/*
 * Where to load a bit-field that starts @p bit bits into its struct: the smallest aligned unit of 1, 2, 4 or 8 bytes
 * that holds it, which never reaches outside the struct; for a packed one that crosses all of those, the bytes it
 * touches.
 */
void member_place_bits(struct member *member, uint64_t bit)
{
	for (uint64_t size = 1; size <= 8; size *= 2) {
		uint64_t start = bit / 8 / size * size;

		if (bit + (uint64_t)member->bit_size <= (start + size) * 8) {
			member->offset = start;
			member->storage_size = (int)size;
			member->bit_offset = (int)(bit - start * 8);
			return;
		}
	}
	member->offset = bit / 8;
	member->bit_offset = (int)(bit % 8);
	member->storage_size = (member->bit_offset + member->bit_size + 7) / 8;
}

static bool find_member(struct type *type, const char *name, uint64_t offset, int level, struct member *ret)
{
	const GPtrArray *members;
	_cleanup_error_ struct error *error = debuginfo_members(type, &members);

	for (guint i = 0; !error && level < MOST_LEVELS && i < members->len; i++) {
		const struct member *member = g_ptr_array_index(members, i);

		if (member->name && strcmp(member->name, name) == 0) {
			*ret = *member;
			ret->offset += offset;
			return true;
		}
		if (!member->name && find_member(member->type, name, offset + member->offset, level + 1, ret))
			return true;
	}
	return false;
}

struct error *debuginfo_find_member(struct type *type, const char *name, struct member *ret)
{
	const GPtrArray *members;
	struct error *error = debuginfo_members(type, &members);

	if (error)
		return error;
	if (find_member(type, name, 0, 0, ret))
		return NULL;
	return error_new(ERROR_LOOKUP, _("'%s' has no member '%s'"), type->spelling, name);
}

/* ---- types by name ---- */

/* C allows many spellings of the integers, DWARF has one each (that of gcc). */
const char *base_type_name(const char *name)
{
	static const char *const spellings[][2] = {
		{"unsigned", "unsigned int"},
		{"signed", "int"},
		{"signed int", "int"},
		{"long", "long int"},
		{"unsigned long", "long unsigned int"},
		{"unsigned long int", "long unsigned int"},
		{"short", "short int"},
		{"unsigned short", "short unsigned int"},
		{"unsigned short int", "short unsigned int"},
		{"long long", "long long int"},
		{"unsigned long long", "long long unsigned int"},
		{"unsigned long long int", "long long unsigned int"},
		{"bool", "_Bool"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++)
		if (strcmp(name, spellings[i][0]) == 0)
			return spellings[i][1];
	return name;
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

void index_scoped_names(const struct index *index, const void *first, uint64_t count, size_t size, const char *name,
			GPtrArray *ret)
{
	g_autofree char *suffix = g_strconcat("::", name, NULL);

	for (uint64_t i = 0; i < count; i++) {
		const char *found = index_string(index, *(const uint32_t *)((const char *)first + i * size));

		if (g_str_has_suffix(found, suffix) &&
		    (!ret->len || strcmp(g_ptr_array_index(ret, ret->len - 1), found) != 0))
			g_ptr_array_add(ret, (gpointer)found);
	}
}

struct error *scoped_names_error(const struct debuginfo *debuginfo, const char *name, const GPtrArray *names)
{
	enum { MOST_NAMES = 5 };
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < names->len && i < MOST_NAMES; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(names, i));
	return error_with_hint(error_new(ERROR_LOOKUP, _("%s has '%s' in %u scopes"), debuginfo->module, name,
					 names->len),
			       _("say which: %s%s"), text->str, names->len > MOST_NAMES ? ", ..." : "");
}

/*
 * No space but between words, "const" and "volatile" gone unless they are in "<...>"; the stars at the end are counted off.
 */
static char *clean_type_name(const char *name, int *stars)
{
	g_autofree char *copy = g_strdelimit(g_strdup(name), "\t\n", ' ');
	g_autoptr(GString) clean = g_string_new(NULL);
	g_auto(GStrv) words = NULL;
	bool in_template = false;
	size_t length;

	*stars = 0;
	for (length = strlen(copy); length && (copy[length - 1] == '*' || copy[length - 1] == ' '); length--)
		*stars += copy[length - 1] == '*';
	copy[length] = '\0';
	words = g_strsplit(copy, " ", -1);
	for (char **word = words; *word; word++) {
		if ((*word)[0] && (in_template || (strcmp(*word, "const") != 0 && strcmp(*word, "volatile") != 0)))
			g_string_append_printf(clean, "%s%s", clean->len ? " " : "", *word);
		in_template = in_template || strchr(*word, '<');
	}
	return scoped_spelling(clean->str);
}

static struct type *pointer_to(struct type *target)
{
	struct debuginfo *debuginfo = target->debuginfo;
	struct type *type = arena_new0(debuginfo->arena, struct type);
	bool is_pointer = target->kind == KIND_POINTER && g_str_has_suffix(target->spelling, "*");

	type->kind = KIND_POINTER;
	type->size = 8;
	type->target = target;
	type->debuginfo = debuginfo;
	type->spelling = arena_printf(debuginfo->arena, "%s%s*", target->spelling, is_pointer ? "" : " ");
	return type;
}

struct error *debuginfo_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	g_autofree char *clean = NULL;
	int stars;

	if (error)
		return error;
	clean = clean_type_name(name, &stars);
	if (strcmp(clean, "void") == 0)
		*ret = type_void(debuginfo);
	else
		error = debuginfo->source->reader->find_type(debuginfo, clean, ret);
	if (error)
		return error;
	if (!*ret)
		return error_new(ERROR_LOOKUP, _("%s has no type '%s'"), debuginfo->module, name);
	while (stars--)
		*ret = pointer_to(*ret);
	return NULL;
}
