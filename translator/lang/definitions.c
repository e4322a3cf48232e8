// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which names a text may define, without parsing it: the library is half a megabyte, of which a script uses little, and
 * to parse all of it takes as long as all else that passes 1 and 2 do for a small script. So its files are parsed when
 * somebody asks for a name of theirs.
 *
 * What defines has a keyword before it: "function", "global", "probe", "private". Where it cannot be seen what one of
 * them leads to, because a macro or a condition of the preprocessor follows, the answer is that nobody knows. Bodies
 * and conditions are gone through like the rest: a name that is none does no harm, one that is missed would.
 */
#include <string.h>

#include "translator/lang/lang.h"

struct scan {
	void (*found)(const char *name, size_t length, void *data);
	void *data;
	bool is_unclear;
};

static bool is_name_character(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool is_name_start(char c)
{
	return is_name_character(c) && !g_ascii_isdigit(c);
}

/* Past blanks and comments. */
static const char *skip_blanks(const char *p)
{
	for (;;) {
		const char *end;

		while (g_ascii_isspace(*p))
			p++;
		if (*p == '#' || (p[0] == '/' && p[1] == '/')) {
			p += strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			end = strstr(p + 2, "*/");
			p = end ? end + 2 : p + strlen(p);
		} else {
			return p;
		}
	}
}

static const char *skip_name(const char *p)
{
	while (is_name_character(*p))
		p++;
	return p;
}

/* @p: at the quotation mark. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* What no keyword is followed by, unless something else makes a name of it. */
static bool may_become_name(const char *p)
{
	return *p == '@' || *p == '$' || (p[0] == '%' && p[1] == '(');
}

/* "function name". */
static void scan_function(struct scan *scan, const char *p)
{
	if (is_name_start(*p))
		scan->found(p, skip_name(p) - p, scan->data);
	else
		scan->is_unclear |= may_become_name(p);
}

/* Past the size, the value and the percent sign that a global may have. */
static const char *skip_global_rest(struct scan *scan, const char *p)
{
	for (;;) {
		p = skip_blanks(p);
		if (may_become_name(p)) {
			scan->is_unclear = true;
			return p;
		}
		if (*p == '%') {
			p++;
		} else if (*p == '[') {
			p += strcspn(p, "]");
			p += *p == ']';
		} else if (*p == '=') {
			p = skip_blanks(p + 1);
			/* An argument of the script, or how many there are. */
			if (*p == '$' || (*p == '@' && !is_name_start(p[1])))
				p += p[1] == '#' ? 2 : 1;
			p += *p == '-';
			p = skip_name(p);
		} else if (*p == '"') {
			p = skip_string(p);
		} else {
			return p;
		}
	}
}

/* "global name, name[SIZE] = VALUE". */
static void scan_global(struct scan *scan, const char *p)
{
	while (is_name_start(*p)) {
		const char *end = skip_name(p);

		scan->found(p, end - p, scan->data);
		p = skip_global_rest(scan, end);
		if (*p != ',')
			return;
		p = skip_blanks(p + 1);
	}
	scan->is_unclear |= may_become_name(p);
}

/*
 * Past the rest of an alias's name, up to what ends it: a comma, an equals sign, or a brace where it is no alias. But
 * names may be made of braces as well: "a.{b,c}".
 */
static const char *skip_point_rest(struct scan *scan, const char *p)
{
	char last = ',';

	for (p = skip_blanks(p); *p && *p != ',' && *p != '=' && (*p != '{' || last == '.' || last == ',');) {
		scan->is_unclear |= may_become_name(p) || *p == '{';
		last = *p;
		p = skip_blanks(*p == '"' ? skip_string(p) : p + 1);
	}
	return p;
}

/* "probe name.component = POINT", with several names perhaps: of each the first component. */
static void scan_alias(struct scan *scan, const char *p)
{
	const char *end = skip_point_rest(scan, p);

	/* What ends the names tells: without an equals sign there, it is a probe, which defines nothing. */
	while (*end == ',')
		end = skip_point_rest(scan, end + 1);
	if (*end != '=')
		return;
	do {
		if (is_name_start(*p))
			scan->found(p, skip_name(p) - p, scan->data);
		p = skip_point_rest(scan, p);
		p = skip_blanks(p + 1);
	} while (p <= end);
}

static void scan_private(struct scan *scan, const char *p);

static const struct keyword {
	const char *text;
	void (*scan)(struct scan *scan, const char *p);
} keywords[] = {
	{"function", scan_function},
	{"global", scan_global},
	{"probe", scan_alias},
	{"private", scan_private},
};

static const struct keyword *find_keyword(const char *word, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keywords); i++)
		if (*word == *keywords[i].text && length == strlen(keywords[i].text) &&
		    !memcmp(word, keywords[i].text, length))
			return &keywords[i];
	return NULL;
}

/* "private name" is a global as well; of "private function" the other word is looked at by itself. */
static void scan_private(struct scan *scan, const char *p)
{
	if (!find_keyword(p, skip_name(p) - p))
		scan_global(scan, p);
}

/* Past a token, or a part of one that is no name. */
static const char *skip_other(const char *p)
{
	const char *end;

	if (*p == '"')
		return skip_string(p);
	if (p[0] == '%' && p[1] == '{') {
		end = strstr(p, "%}");
		return end ? end + 2 : p + strlen(p);
	}
	if (*p == '$' || *p == '@')
		return p[1] == '#' ? p + 2 : skip_name(p + 1);
	return p + 1;
}

bool find_definitions(const struct source_file *file, void (*found)(const char *name, size_t length, void *data),
		      void *data)
{
	struct scan scan = {.found = found, .data = data};
	const char *p = file->text, *end;
	const struct keyword *keyword;

	while (*(p = skip_blanks(p))) {
		if (!is_name_character(*p)) {
			p = skip_other(p);
			continue;
		}
		end = skip_name(p);
		keyword = find_keyword(p, end - p);
		if (keyword)
			keyword->scan(&scan, skip_blanks(end));
		p = end;
	}
	/* Behind a NUL nothing was looked at. */
	return !scan.is_unclear && p == file->text + file->length;
}
