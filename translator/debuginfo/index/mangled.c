// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of C++ and Rust in a symbol table, where scope and name are one word with what the function takes
 * ("_ZN8geometry5Shape4areaEi"): taken apart, so that a program without debug symbols knows its functions by the names
 * that it would have in DWARF. libiberty knows how they are made, for both languages.
 */
#include "translator/debuginfo/index/index.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

bool is_mangled(const char *symbol)
{
	return g_str_has_prefix(symbol, "_Z") || g_str_has_prefix(symbol, "_R");
}

/*
 * "non-virtual thunk to f", "f [clone .1]": code that belongs to a function, and is none of that name. What is in
 * brackets, and what follows "operator", may have spaces.
 */
static bool has_words(const char *text)
{
	int depth = 0;

	for (const char *next = text; *next; next++) {
		if (!depth && g_str_has_prefix(next, "operator") && (next == text || next[-1] == ':'))
			return strstr(next, " [clone ");
		depth += strchr("<({", *next) ? 1 : strchr(">)}", *next) ? -1 : 0;
		if (!depth && *next == ' ')
			return true;
	}
	return false;
}

bool index_read_mangled(struct arena *arena, const char *symbol, const char **scope, const char **name)
{
	/* Without what the function takes and gives. */
	char *text = is_mangled(symbol) ? cplus_demangle(symbol, DMGL_AUTO) : NULL;
	bool is_name = text && text[0] && !has_words(text);

	if (is_name) {
		const char *end = find_scope_end(text);

		*scope = end ? arena_strndup(arena, text, (size_t)(end - text) + 2) : "";
		*name = arena_strdup(arena, end ? end + 2 : text);
	}
	free(text);
	return is_name;
}
