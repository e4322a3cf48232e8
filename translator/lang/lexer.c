// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lexer: turn source text into tokens.
 *
 * Every token has its place and a pointer to its first source byte, so that later stages can report places inside it,
 * such as a directive of a printf format. The lexical grammar has two peculiarities. "#" begins a comment, except in
 * "$#" and "@#". "%" is the modulo operator, but also begins the brackets "%(", "%?", "%:", "%)" and "%{". The longest
 * operator wins, as in C.
 *
 * An error inside a token is reported here, and a token takes its place, so that the parser can find more errors.
 * Lexing ends only at bytes that prove that the text is not a script (control bytes, invalid UTF-8), since a binary
 * file would cause a screenful of errors. Strings, comments and embedded C may contain any byte except NUL, because old
 * scripts use other encodings.
 */
#include "translator/lang/lexer.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/annotations.h"

/* The operators without the forms of "$", "@" and "%", longest first. */
static const char *const operators[] = {
	"<<<", ">>>", "<<=", ">>=", "%(", "%?", "%:", "%)", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
	"^=",  ".=",  "=~",  "!~",  "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "+",  "-",	"*",  "/",  "%",  "&",
	"|",   "^",   "~",   "!",   "=",  "<",	">",  "?",  ":",  ";",	",",  ".",  "(",  ")",	"[",  "]",  "{",  "}",
};

static const char *const keywords[] = {
	"probe", "global", "function", "private", "if",	  "else",   "while", "for",   "foreach",
	"in",	 "break",  "continue", "return",  "next", "delete", "try",   "catch",
};

struct lexer {
	struct language_context *context;
	const struct source_file *file;
	const struct location *expanded_from;
	const char *cursor, *end;
	int line, column;
	bool is_script; /* false after a byte that proves the contrary */
	GArray *tokens;
};

static struct location here(const struct lexer *lexer)
{
	return (struct location){lexer->file, lexer->line, lexer->column, 1, lexer->expanded_from};
}

static void advance(struct lexer *lexer, size_t count)
{
	for (; count && lexer->cursor < lexer->end; count--) {
		lexer->column++;
		if (*lexer->cursor++ == '\n') {
			lexer->line++;
			lexer->column = 1;
		}
	}
}

/* Return the byte @offset places ahead, or NUL after the end. */
static char ahead(const struct lexer *lexer, size_t offset)
{
	return (size_t)(lexer->end - lexer->cursor) > offset ? lexer->cursor[offset] : '\0';
}

static bool starts_with(const struct lexer *lexer, const char *text)
{
	size_t length;

	/* Compare the first byte inline: dozens of operators are tried at each place. */
	if (*lexer->cursor != *text)
		return false;
	length = strlen(text);
	return (size_t)(lexer->end - lexer->cursor) >= length && memcmp(lexer->cursor, text, length) == 0;
}

static bool is_identifier_start(char c)
{
	return g_ascii_isalpha(c) || c == '_';
}

static bool is_identifier(char c)
{
	return g_ascii_isalnum(c) || c == '_' || c == '$';
}

static size_t identifier_length(const struct lexer *lexer, size_t offset)
{
	size_t length = 0;

	while (is_identifier(ahead(lexer, offset + length)))
		length++;
	return length;
}

/* Append a token for the next @length bytes, with the value @text, and skip them. */
static struct token *add_token(struct lexer *lexer, enum token_kind kind, size_t length, const char *text,
			       size_t text_length)
{
	struct token token = {.kind = kind, .location = here(lexer), .source = lexer->cursor};

	token.location.length = (int)length;
	token.text = arena_strndup(lexer->context->arena, text, text_length);
	token.length = text_length;
	g_array_append_val(lexer->tokens, token);
	advance(lexer, length);
	return &g_array_index(lexer->tokens, struct token, lexer->tokens->len - 1);
}

#define lexer_error(lexer, location, ...) diagnose((lexer)->context->diagnostics, PARSE_ERROR, location, __VA_ARGS__)
#define lexer_hint(lexer, ...) diagnose_hint((lexer)->context->diagnostics, __VA_ARGS__)

static void skip_line(struct lexer *lexer)
{
	const char *newline = memchr(lexer->cursor, '\n', (size_t)(lexer->end - lexer->cursor));

	advance(lexer, (size_t)((newline ? newline : lexer->end) - lexer->cursor));
}

/* Skip the text up to and including @closing. Return false after a diagnostic if the text ends first. */
static bool skip_bracketed(struct lexer *lexer, size_t opening_length, const char *closing, const char *what)
{
	struct location start = here(lexer);
	const char *found;

	start.length = (int)opening_length;
	advance(lexer, opening_length);
	found = memmem(lexer->cursor, (size_t)(lexer->end - lexer->cursor), closing, strlen(closing));
	if (!found) {
		lexer_error(lexer, &start, _("%s is never closed"), what);
		lexer_hint(lexer, _("add '%s' where it ends"), closing);
		lexer->is_script = false;
		return false;
	}
	advance(lexer, (size_t)(found - lexer->cursor) + strlen(closing));
	return true;
}

/* Skip a comment, and note what it says about a global. */
static void skip_comment(struct lexer *lexer)
{
	const char *start = lexer->cursor;
	struct location location = here(lexer);
	const struct token *last =
		lexer->tokens->len ? &g_array_index(lexer->tokens, struct token, lexer->tokens->len - 1) : NULL;

	if (!starts_with(lexer, "/*"))
		skip_line(lexer);
	else if (!skip_bracketed(lexer, 2, "*/", _("comment")))
		return;
	if (lexer->context->comments && !lexer->expanded_from) {
		struct comment comment = {start, (size_t)(lexer->cursor - start)};

		g_array_append_val(lexer->context->comments, comment);
	}
	if (!lexer->expanded_from)
		annotations_note(lexer->context, &location, start, (size_t)(lexer->cursor - start), last);
}

/* Skip whitespace and comments. A backslash at the end of a line counts as whitespace. */
static void skip_space(struct lexer *lexer)
{
	while (lexer->cursor < lexer->end && lexer->is_script) {
		char c = *lexer->cursor;

		if (strchr(" \t\r\n\v\f", c))
			advance(lexer, 1);
		else if (starts_with(lexer, "\\\n") || starts_with(lexer, "\\\r\n"))
			skip_line(lexer);
		else if (c == '#' || starts_with(lexer, "//") || starts_with(lexer, "/*"))
			skip_comment(lexer);
		else
			return;
	}
}

static int octal_escape(const char **cursor)
{
	int value = 0;

	for (int i = 0; i < 3 && **cursor >= '0' && **cursor <= '7'; i++)
		value = value * 8 + *(*cursor)++ - '0';
	return value;
}

static int hex_escape(const char **cursor)
{
	int value = 0;

	for (int i = 0; i < 2 && g_ascii_isxdigit(**cursor); i++)
		value = value * 16 + g_ascii_xdigit_value(*(*cursor)++);
	return value;
}

int decode_string_character(const char **cursor, char *byte)
{
	static const char letters[] = "abtnvfre\\\"'?", values[] = "\a\b\t\n\v\f\r\033\\\"'?";
	const char *letter;

	if (**cursor != '\\') {
		*byte = *(*cursor)++;
		return 1;
	}
	++*cursor;
	if (**cursor == '\n') {
		++*cursor;
		return 0;
	}
	letter = **cursor ? strchr(letters, **cursor) : NULL;
	if (letter) {
		++*cursor;
		*byte = values[letter - letters];
		return 1;
	}
	if (**cursor >= '0' && **cursor <= '7') {
		*byte = (char)octal_escape(cursor);
		return 1;
	}
	if (**cursor == 'x' && g_ascii_isxdigit((*cursor)[1])) {
		++*cursor;
		*byte = (char)hex_escape(cursor);
		return 1;
	}
	/* Not an escape of C: the character stands for itself. */
	*byte = **cursor ? *(*cursor)++ : '\\';
	return 1;
}

/* string := '"' { character | escape } '"' */
static void lex_string(struct lexer *lexer)
{
	GString *text = g_string_new(NULL);
	const char *cursor = lexer->cursor + 1;
	struct location start = here(lexer);
	bool closed;

	while (cursor < lexer->end && *cursor != '"' && *cursor != '\n') {
		char byte;

		if (decode_string_character(&cursor, &byte))
			g_string_append_c(text, byte);
	}
	closed = cursor < lexer->end && *cursor == '"';
	if (!closed) {
		lexer_error(lexer, &start, _("string literal is never closed"));
		lexer_hint(lexer, _("a string ends with '\"' on the line where it began; write \\n for a new line, or "
				    "several strings one after the other"));
	}
	add_token(lexer, closed ? TOKEN_STRING : TOKEN_BAD, (size_t)(cursor - lexer->cursor) + closed, text->str,
		  text->len);
	g_string_free(text, TRUE);
}

/* Report a C character constant, which the language does not have. */
static void lex_quoted_character(struct lexer *lexer)
{
	struct location start = here(lexer);
	size_t length = 1;

	while (ahead(lexer, length) && !strchr("'\n", ahead(lexer, length)))
		length += ahead(lexer, length) == '\\' && ahead(lexer, length + 1) ? 2 : 1;
	length += ahead(lexer, length) == '\'';
	start.length = (int)MIN(length, (size_t)(lexer->end - lexer->cursor));
	lexer_error(lexer, &start, _("unexpected quote (')"));
	lexer_hint(lexer, _("strings are written in double quotes, characters as their number"));
	add_token(lexer, TOKEN_BAD, (size_t)start.length, lexer->cursor, (size_t)start.length);
}

/* Parse digits in a base as an unsigned 64-bit number, stored as a signed one. Return false if it is too large. */
static bool parse_digits(const char *text, const char *end, unsigned int base, int64_t *number)
{
	uint64_t value = 0;

	for (; text < end; text++) {
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)g_ascii_xdigit_value(*text), &value))
			return false;
	}
	*number = (int64_t)value;
	return true;
}

/* Report a number that contains an invalid digit or character. */
static void diagnose_bad_digit(struct lexer *lexer, const struct location *location, unsigned int base,
			       const char *text, const char *bad)
{
	int length = location->length;

	if (strchr("uUlL", *bad) && base != 16) {
		lexer_error(lexer, location, _("number '%.*s' has a suffix"), length, text);
		lexer_hint(lexer, _("numbers are 64 bits wide; remove the suffix"));
	} else if (text[0] == '0' && strchr("bB", text[1]) && *bad == text[1]) {
		lexer_error(lexer, location, _("binary number '%.*s'"), length, text);
		lexer_hint(lexer, _("numbers are decimal, hexadecimal (0x...) or octal (0...)"));
	} else if (base == 8 && g_ascii_isdigit(*bad)) {
		lexer_error(lexer, location, _("digit '%c' in octal number '%.*s'"), *bad, length, text);
		lexer_hint(lexer, _("a number that begins with 0 is octal"));
	} else {
		lexer_error(lexer, location, _("'%.*s' is neither a number nor a name"), length, text);
		lexer_hint(lexer, _("a name does not begin with a digit"));
	}
}

/* number := decimal | "0x" hexadecimal | "0" octal */
static void lex_number(struct lexer *lexer)
{
	const char *text = lexer->cursor, *digits = text, *bad;
	unsigned int base = 10;
	struct location location = here(lexer);
	size_t length = identifier_length(lexer, 0);
	int64_t number = 0;

	if (text[0] == '0' && length > 1) {
		base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;
		digits += base == 16 ? 2 : 1;
	}
	bad = digits;
	while (bad < text + length && g_ascii_isxdigit(*bad) && g_ascii_xdigit_value(*bad) < (int)base)
		bad++;
	if (bad == text + length && base == 10 && ahead(lexer, length) == '.' &&
	    g_ascii_isdigit(ahead(lexer, length + 1))) {
		length += 1 + identifier_length(lexer, length + 1);
		location.length = (int)length;
		lexer_error(lexer, &location, _("floating-point number '%.*s'"), (int)length, text);
		lexer_hint(lexer, _("the language has 64-bit integers only; scale the value, e.g. count microseconds"));
	} else {
		location.length = (int)length;
		if (bad < text + length || digits == text + length)
			diagnose_bad_digit(lexer, &location, base, text, bad);
		else if (!parse_digits(digits, bad, base, &number))
			lexer_error(lexer, &location, _("number '%.*s' does not fit in 64 bits"), (int)length, text);
	}
	add_token(lexer, TOKEN_NUMBER, length, text, length)->number = number;
}

/* %{ C code %} */
static void lex_embedded(struct lexer *lexer)
{
	struct token token = {.kind = TOKEN_EMBEDDED, .location = here(lexer), .source = lexer->cursor};

	token.location.length = 2;
	if (!skip_bracketed(lexer, 2, "%}", _("embedded C code")))
		return;
	token.length = (size_t)(lexer->cursor - token.source) - 4;
	token.text = arena_strndup(lexer->context->arena, token.source + 2, token.length);
	g_array_append_val(lexer->tokens, token);
}

/* Lex $name, $$name, $1, $#, $* and the same with "@". A single "$" or "$$" requests pretty-printing. */
static void lex_sigil(struct lexer *lexer)
{
	char sigil = *lexer->cursor, next = ahead(lexer, 1);
	size_t digits = 0, length;
	struct location location = here(lexer);

	while (g_ascii_isdigit(ahead(lexer, 1 + digits)))
		digits++;
	if (digits || next == '#' || next == '*') {
		digits = MAX(digits, 1);
		add_token(lexer, TOKEN_ARGUMENT, 1 + digits, lexer->cursor + 1, digits);
		return;
	}
	length = identifier_length(lexer, 1);
	if (sigil == '$') {
		add_token(lexer, TOKEN_TARGET, 1 + length, lexer->cursor, 1 + length);
	} else if (length) {
		add_token(lexer, TOKEN_AT, 1 + length, lexer->cursor + 1, length);
	} else {
		lexer_error(lexer, &location, _("expected a name after '@'"));
		lexer_hint(lexer,
			   _("'@' begins an operator such as @count(x), a macro, or a script argument such as @1"));
		add_token(lexer, TOKEN_BAD, 1, "@", 1);
	}
}

static bool is_listed(const char *const *list, size_t count, const char *text, size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (strlen(list[i]) == length && memcmp(list[i], text, length) == 0)
			return true;
	}
	return false;
}

static void lex_word(struct lexer *lexer)
{
	size_t length = identifier_length(lexer, 0);
	bool keyword = is_listed(keywords, G_N_ELEMENTS(keywords), lexer->cursor, length);

	add_token(lexer, keyword ? TOKEN_KEYWORD : TOKEN_IDENTIFIER, length, lexer->cursor, length);
}

/* Report a character that the language does not use, with a hint for typographic quotes. */
static void lex_stray_character(struct lexer *lexer)
{
	static const char quotes[] = "\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb";
	struct location location = here(lexer);
	gunichar c = g_utf8_get_char_validated(lexer->cursor, lexer->end - lexer->cursor);
	int length;

	if (c == (gunichar)-1 || c == (gunichar)-2 || g_unichar_iscntrl(c)) {
		lexer_error(lexer, &location, _("byte 0x%02x is not text"), (unsigned char)*lexer->cursor);
		lexer_hint(lexer, _("a script is UTF-8 text; is this the right file?"));
		lexer->is_script = false;
		return;
	}
	length = g_unichar_to_utf8(c, NULL);
	location.length = length;
	lexer_error(lexer, &location, _("unexpected character '%.*s'"), length, lexer->cursor);
	if (g_utf8_strchr(quotes, -1, c))
		lexer_hint(lexer, _("this is a typographic quote; strings are written in '\"'"));
	add_token(lexer, TOKEN_BAD, (size_t)length, lexer->cursor, (size_t)length);
}

static bool lex_operator(struct lexer *lexer)
{
	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++) {
		if (!starts_with(lexer, operators[i]))
			continue;
		add_token(lexer, TOKEN_OPERATOR, strlen(operators[i]), operators[i], strlen(operators[i]));
		return true;
	}
	return false;
}

static void lex_token(struct lexer *lexer)
{
	char c = *lexer->cursor;

	if (is_identifier_start(c))
		lex_word(lexer);
	else if (g_ascii_isdigit(c))
		lex_number(lexer);
	else if (c == '"')
		lex_string(lexer);
	else if (c == '\'')
		lex_quoted_character(lexer);
	else if (c == '$' || c == '@')
		lex_sigil(lexer);
	else if (starts_with(lexer, "%{"))
		lex_embedded(lexer);
	else if (!lex_operator(lexer))
		lex_stray_character(lexer);
}

/* Report a NUL byte, which proves that the file is not text. */
static bool check_no_nul(struct lexer *lexer)
{
	const char *nul = memchr(lexer->cursor, '\0', lexer->file->length);
	struct lexer at = *lexer;
	struct location location;

	if (!nul)
		return true;
	advance(&at, (size_t)(nul - lexer->cursor));
	location = here(&at);
	lexer_error(lexer, &location, _("NUL byte: this is not a text file"));
	lexer_hint(lexer, _("is this the right file?"));
	return false;
}

bool lex_source(struct language_context *context, const struct source_file *file, const struct location *expanded_from,
		GArray *tokens, struct location *end)
{
	struct lexer lexer = {
		.context = context,
		.file = file,
		.expanded_from = expanded_from,
		.cursor = file->text,
		.end = file->text + file->length,
		.line = 1,
		.column = 1,
		.is_script = true,
		.tokens = tokens,
	};

	*end = here(&lexer);
	if (!check_no_nul(&lexer))
		return false;
	for (;;) {
		skip_space(&lexer);
		annotations_set_next(context, file, lexer.cursor);
		if (lexer.cursor == lexer.end || !lexer.is_script)
			break;
		lex_token(&lexer);
		*end = here(&lexer);
	}
	return lexer.is_script;
}

bool token_is(const struct token *token, const char *text)
{
	/* Compare the first byte first: most comparisons fail there. */
	return *token->text == *text && (token->kind == TOKEN_OPERATOR || token->kind == TOKEN_KEYWORD) &&
	       strcmp(token->text, text) == 0;
}

const char *token_description(struct arena *arena, const struct token *token)
{
	enum { MOST = 40 };
	int length = (int)MIN(token->length, (size_t)MOST);
	const char *dots = token->length > MOST ? "..." : "";

	switch (token->kind) {
	case TOKEN_END:
		return _("end of file");
	case TOKEN_IDENTIFIER:
		return arena_printf(arena, _("identifier '%.*s%s'"), length, token->text, dots);
	case TOKEN_KEYWORD:
		return arena_printf(arena, _("keyword '%s'"), token->text);
	case TOKEN_NUMBER:
		return arena_printf(arena, _("number %.*s%s"), length, token->text, dots);
	case TOKEN_STRING: {
		g_autofree char *escaped = g_strescape(token->text, NULL);

		return arena_printf(arena, _("string \"%.*s%s\""), MOST, escaped, strlen(escaped) > MOST ? "..." : "");
	}
	case TOKEN_AT:
	case TOKEN_ARGUMENT:
		return arena_printf(arena, "'%c%.*s%s'", token->source[0], length, token->text, dots);
	case TOKEN_EMBEDDED:
		return _("embedded C code");
	default:
		return arena_printf(arena, "'%.*s%s'", length, token->text, dots);
	}
}
