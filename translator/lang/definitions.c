// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Find the names that a text may define, without parsing it. The library has half a megabyte, of which a script uses
 * little. Parsing all of it would take as long as everything else in passes 1 and 2 of a small script. So a file is
 * parsed only when one of its names is needed.
 *
 * A keyword precedes each definition: "function", "global", "probe", "private". If a macro or a preprocessor condition
 * follows the keyword, the names are unknown. Bodies and conditions are scanned like other text: a superfluous name
 * does no harm, but a missed one would.
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

/* Skip blanks and comments. */
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

/* Skip a string; @p is at its first quotation mark. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* Does a macro, condition or argument begin here, whose expansion may be a name? */
static bool may_become_name(const char *p)
{
	return *p == '@' || *p == '$' || (p[0] == '%' && p[1] == '(');
}

/* Scan "function name". */
static void scan_function(struct scan *scan, const char *p)
{
	if (is_name_start(*p))
		scan->found(p, skip_name(p) - p, scan->data);
	else
		scan->is_unclear |= may_become_name(p);
}

/* Skip the size, the value and the percent sign that a global may have. */
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
			/* A script argument, or their number. */
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

/* Scan "global name, name[SIZE] = VALUE". */
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
 * Skip the rest of an alias's name, up to a comma or equals sign, or to the "{" of a probe. A name may contain braces,
 * too: "a.{b,c}".
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

/* Scan "probe name.component = POINT", which may have several names. Add the first component of each. */
static void scan_alias(struct scan *scan, const char *p)
{
	const char *end = skip_point_rest(scan, p);

	/* Without an equals sign after the names, it is a probe, which defines nothing. */
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

/* Scan "private name", which declares a global. In "private function", the second word is a keyword. */
static void scan_private(struct scan *scan, const char *p)
{
	if (!find_keyword(p, skip_name(p) - p))
		scan_global(scan, p);
}

/* Skip a token that is not a name, or a part of it. */
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
	/* Text after a NUL was not scanned. */
	return !scan.is_unclear && p == file->text + file->length;
}
