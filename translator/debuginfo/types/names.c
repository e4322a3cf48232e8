// SPDX-License-Identifier: GPL-2.0-or-later
/* Helpers for types that do not depend on their source: from_dwarf.c makes types from DWARF, btf/types.c from BTF. */
#include "translator/debuginfo/types/types.h"

#include <string.h>

#include "common/base/i18n.h"

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
 * Choose the smallest aligned unit of 1, 2, 4 or 8 bytes that holds the bit-field; it never reaches outside the struct.
 * A packed bit-field that crosses all of these is loaded from exactly the bytes that it touches.
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

/* ---- types by name ---- */

/* C allows many spellings of the integer types, DWARF has only that of gcc. */
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

char *clean_type_name(const char *name, int *stars)
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

struct type *pointer_to(struct type *target)
{
	struct debuginfo *debuginfo = target->debuginfo;
	struct type *type = arena_new0(debuginfo->arena, struct type);
	bool is_pointer = target->kind == KIND_POINTER && g_str_has_suffix(target->spelling, "*");

	type->kind = KIND_POINTER;
	type->size = debuginfo_abi(debuginfo)->word;
	type->target = target;
	type->debuginfo = debuginfo;
	type->spelling = arena_printf(debuginfo->arena, "%s%s*", target->spelling, is_pointer ? "" : " ");
	return type;
}
