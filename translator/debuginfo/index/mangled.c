// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of C++ and Rust in a symbol table, where scope and name are one word with what the function takes
 * ("_ZN8geometry5Shape4areaEi"): taken apart, so that a program without debug symbols knows its functions by the names
 * that it would have in DWARF. libiberty knows how they are made, for both languages.
 */
#include "translator/debuginfo/index/index.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* A name that is read; longer ones stay symbols. */
struct reading {
	char text[4096];
	size_t length;
	jmp_buf too_long;
};

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

/* Parts of a symbol may stand for each other again and again, up to gigabytes of text: no more than is wanted. */
static void add_part(const char *part, size_t size, void *data)
{
	struct reading *reading = data;

	if (size >= sizeof(reading->text) - reading->length)
		longjmp(reading->too_long, 1);
	memcpy(reading->text + reading->length, part, size);
	reading->length += size;
	reading->text[reading->length] = '\0';
}

/* Without what the function takes and gives. */
static bool read_by(int (*demangle)(const char *, int, demangle_callbackref, void *), const char *symbol,
		    struct reading *reading)
{
	reading->length = 0;
	/* Both keep what they need on the stack. */
	return !setjmp(reading->too_long) && demangle(symbol, 0, add_part, reading) && reading->length > 0;
}

bool index_read_mangled(struct arena *arena, const char *symbol, const char **scope, const char **name)
{
	struct reading reading;
	const char *end;

	if (!is_mangled(symbol) || (!read_by(rust_demangle_callback, symbol, &reading) &&
				    !read_by(cplus_demangle_v3_callback, symbol, &reading)))
		return false;
	if (has_words(reading.text))
		return false;
	end = find_scope_end(reading.text);
	*scope = end ? arena_strndup(arena, reading.text, (size_t)(end - reading.text) + 2) : "";
	*name = arena_strdup(arena, end ? end + 2 : reading.text);
	return true;
}
