// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Demangling C++ and Rust symbols ("_ZN8geometry5Shape4areaEi"), in which scope, name and parameters are one word. So
 * functions of a program without debug symbols have the same names as in DWARF. libiberty does the work for both
 * languages.
 */
#include "translator/debuginfo/index/index.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

/* A buffer for a demangled name; longer ones are left mangled. */
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
 * Is the text more than a name? "non-virtual thunk to f" and "f [clone .1]" are code of f, but not f. Spaces are
 * allowed in brackets and after "operator".
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

/* Append a part of the name. Limit the length, because back-references in a symbol can expand to gigabytes. */
static void add_part(const char *part, size_t size, void *data)
{
	struct reading *reading = data;

	if (size >= sizeof(reading->text) - reading->length)
		longjmp(reading->too_long, 1);
	memcpy(reading->text + reading->length, part, size);
	reading->length += size;
	reading->text[reading->length] = '\0';
}

/* Demangle a symbol without parameters and result. */
static bool read_by(int (*demangle)(const char *, int, demangle_callbackref, void *), const char *symbol,
		    struct reading *reading)
{
	reading->length = 0;
	/* longjmp() out of libiberty leaks nothing, because both demanglers allocate on the stack only. */
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
