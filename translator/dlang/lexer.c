// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lexer of D. Macro variables ($1, $$1, $target, $pid) are replaced here: in a program by a token, in a probe
 * description by text. "#pragma D option" becomes a part of the program; other lines that begin with "#" are skipped,
 * if they are those of a preprocessor or of an interpreter.
 */
#include "translator/dlang/lexer.h"

#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/number.h"
#include "translator/lang/lexer.h"

static char ahead(const struct d_lexer *lexer, size_t distance)
{
	return lexer->cursor + distance < lexer->end ? lexer->cursor[distance] : '\0';
}

static struct location here(const struct d_lexer *lexer, size_t length)
{
	return (struct location){
		.file = lexer->file,
		.line = lexer->line,
		.column = (int)(lexer->cursor - lexer->line_start) + 1,
		.length = (int)length,
	};
}

static void lexer_error(struct d_lexer *lexer, const struct location *at, const char *format, ...) G_GNUC_PRINTF(3, 4);

static void lexer_error(struct d_lexer *lexer, const struct location *at, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diagnose(lexer->context->diagnostics, PARSE_ERROR, at, "[D_SYNTAX] %s", text);
}

static void new_line(struct d_lexer *lexer)
{
	lexer->cursor++;
	lexer->line++;
	lexer->line_start = lexer->cursor;
}

static void skip_comment(struct d_lexer *lexer)
{
	struct location start = here(lexer, 2);

	for (lexer->cursor += 2; lexer->cursor < lexer->end; lexer->cursor++) {
		if (ahead(lexer, 0) == '*' && ahead(lexer, 1) == '/') {
			lexer->cursor += 2;
			return;
		}
		if (ahead(lexer, 0) == '\n') {
			lexer->line++;
			lexer->line_start = lexer->cursor + 1;
		}
	}
	lexer_error(lexer, &start, _("comment is never closed"));
}

/* ---- lines that begin with "#" ----------------------------------------------------------------------------------- */

/* pragma := "#" "pragma" "D" ( "option" name [ "=" value ] | "depends_on" … | "attributes" … | "binding" … ) */
static void lex_pragma(struct d_lexer *lexer, char **words, const struct location *at)
{
	struct d_option *option;
	char *name, *equals;

	if (!words[1] || strcmp(words[1], "D"))
		return; /* of another language */
	if (words[2] && !strcmp(words[2], "attributes") && !(words[3] && words[4])) {
		diagnose(lexer->context->diagnostics, PARSE_ERROR, at, "[D_PRAGMA_MALFORM] %s",
			 _("#pragma D attributes requires ATTRIBUTES provider NAME CLASS, or ATTRIBUTES NAME"));
		return;
	}
	if (!words[2] || strcmp(words[2], "option")) {
		static const char *const known[] = {"depends_on", "attributes", "binding", "error", "line"};

		for (size_t i = 0; words[2] && i < G_N_ELEMENTS(known); i++)
			if (!strcmp(words[2], known[i]) && strcmp(words[2], "error"))
				return;
		diagnose(lexer->context->diagnostics, PARSE_ERROR, at,
			 words[2] && !strcmp(words[2], "error") ? _("[D_PRAGERR] #error: %s")
								: _("[D_PRAGMA_INVAL] invalid pragma '%s'"),
			 words[2] ?: "");
		return;
	}
	if (!words[3] || words[4]) {
		diagnose(lexer->context->diagnostics, PARSE_ERROR, at, "[D_PRAGMA_MALFORM] %s",
			 _("#pragma D option requires one NAME or NAME=VALUE"));
		return;
	}
	option = arena_new0(lexer->context->arena, struct d_option);
	option->location = *at;
	option->name = name = arena_strdup(lexer->context->arena, words[3]);
	equals = strchr(name, '=');
	if (equals) {
		*equals = '\0';
		option->value = equals + 1;
	}
	g_ptr_array_add(lexer->program->options, option);
}

static void skip_line(struct d_lexer *lexer)
{
	const char *end = memchr(lexer->cursor, '\n', (size_t)(lexer->end - lexer->cursor));

	lexer->cursor = end ?: lexer->end;
}

/* Split the rest of a line into words. */
static char **line_words(const char *line)
{
	g_auto(GStrv) parts = g_strsplit_set(line, " \t\r", -1);
	GPtrArray *words = g_ptr_array_new();

	for (char **part = parts; *part; part++)
		if (**part)
			g_ptr_array_add(words, g_strdup(*part));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

/* Change the place of what follows, by a line of cpp: 12 "file" … */
static void lex_line_number(struct d_lexer *lexer, char **words, const struct location *at)
{
	int64_t line;
	size_t length;

	if (!words[0] || !parse_number(words[0], 10, 0, INT32_MAX, &line)) {
		diagnose(lexer->context->diagnostics, PARSE_ERROR, at, "[D_PRAGMA_MALFORM] %s",
			 _("#line requires a number, and perhaps the name of a file"));
		return;
	}
	lexer->line = (int)line - 1;
	length = words[1] ? strlen(words[1]) : 0;
	if (length < 2 || *words[1] != '"')
		return;
	if (strlen(lexer->main->name) == length - 2 && !strncmp(words[1] + 1, lexer->main->name, length - 2)) {
		lexer->file = lexer->main;
	} else {
		struct source_file *included = arena_new0(lexer->context->arena, struct source_file);

		*included = *lexer->main;
		included->name = arena_strndup(lexer->context->arena, words[1] + 1, length - 2);
		lexer->file = included;
	}
}

/* Read a line that begins with "#": a pragma, "#!", "#line", "# 12 file" or "#ident". */
static void lex_control_line(struct d_lexer *lexer)
{
	struct location at = here(lexer, strcspn(lexer->cursor, "\n"));
	g_autofree char *line = g_strndup(lexer->cursor + 1, (size_t)at.length - 1);
	g_auto(GStrv) words = line_words(line);

	if (!words[0] || *line == '!' || !strcmp(words[0], "ident"))
		; /* nothing to do */
	else if (!strcmp(words[0], "line"))
		lex_line_number(lexer, words + 1, &at);
	else if (g_ascii_isdigit(*words[0]))
		lex_line_number(lexer, words, &at);
	else if (!strcmp(words[0], "pragma"))
		lex_pragma(lexer, words, &at);
	else if (!strcmp(words[0], "error"))
		diagnose(lexer->context->diagnostics, PARSE_ERROR, &at, "[D_PRAGERR] %s", line);
	else
		diagnose(lexer->context->diagnostics, PARSE_ERROR, &at,
			 _("[D_PRAGCTL_INVAL] invalid control directive '#%s'"), words[0]);
	skip_line(lexer);
}

static void skip_space(struct d_lexer *lexer)
{
	for (;;) {
		char c = ahead(lexer, 0);

		if (c == '\n')
			new_line(lexer);
		else if (c && g_ascii_isspace(c))
			lexer->cursor++;
		else if (c == '/' && ahead(lexer, 1) == '*')
			skip_comment(lexer);
		else if (c == '/' && ahead(lexer, 1) == '/')
			skip_line(lexer);
		else if (c == '#' && lexer->cursor == lexer->line_start)
			lex_control_line(lexer);
		else if (c == '\\' && ahead(lexer, 1) == '\n')
			lexer->cursor++;
		else
			return;
	}
}

char d_lexer_peek(struct d_lexer *lexer)
{
	struct d_lexer copy = *lexer;

	skip_space(&copy);
	return ahead(&copy, 0);
}

/* ---- words and numbers ------------------------------------------------------------------------------------------- */

static bool is_word_start(char c)
{
	return g_ascii_isalpha(c) || c == '_';
}

static size_t word_length(const struct d_lexer *lexer, size_t from)
{
	size_t length = 0;

	while (g_ascii_isalnum(ahead(lexer, from + length)) || ahead(lexer, from + length) == '_')
		length++;
	return length;
}

static struct d_token token_of(struct d_lexer *lexer, enum d_token_kind kind, size_t length)
{
	struct d_token token = {.kind = kind, .location = here(lexer, length), .length = length};

	token.text = arena_strndup(lexer->context->arena, lexer->cursor, length);
	lexer->cursor += length;
	return token;
}

/* Set the value of a number with a suffix such as "ULL"; its type is the first of C's that holds it. */
static bool read_number(struct d_token *token, const char *text)
{
	char *end;
	bool is_decimal = text[0] != '0';
	uint64_t value;

	errno = 0;
	value = g_ascii_strtoull(text, &end, 0);
	if (errno || end == text)
		return false; /* errno tells which */
	for (; *end; end++) {
		if (strchr("uU", *end))
			token->is_unsigned = true;
		else if (strchr("lL", *end))
			token->is_long = true;
		else
			return false;
	}
	if (value > INT64_MAX || (value > INT32_MAX && value <= UINT32_MAX && !is_decimal && !token->is_long))
		token->is_unsigned = true;
	if (value > UINT32_MAX || (value > INT32_MAX && !token->is_unsigned))
		token->is_long = true;
	token->number = (int64_t)value;
	return true;
}

static struct d_token lex_number(struct d_lexer *lexer)
{
	struct d_token token = token_of(lexer, D_TOKEN_NUMBER, word_length(lexer, 0));

	if (ahead(lexer, 0) == '.' && g_ascii_isdigit(ahead(lexer, 1))) {
		lexer_error(lexer, &token.location, _("floating-point constants are not permitted"));
		token.kind = D_TOKEN_BAD;
		lexer->cursor += 1 + word_length(lexer, 1);
	} else if (!read_number(&token, token.text)) {
		diagnose(lexer->context->diagnostics, PARSE_ERROR, &token.location,
			 errno ? _("[D_INT_OFLOW] integer constant '%s' has more than 64 bits")
			       : _("[D_INT_DIGIT] integer constant '%s' has an invalid digit"),
			 token.text);
		token.kind = D_TOKEN_BAD;
	}
	return token;
}

/* ---- strings and characters -------------------------------------------------------------------------------------- */

/* Decode text up to a closing quote. Return NULL after an error. */
static GString *quoted_text(struct d_lexer *lexer, char quote)
{
	GString *text = g_string_new(NULL);
	const char *cursor = lexer->cursor + 1;

	while (cursor < lexer->end && *cursor != quote && *cursor != '\n') {
		char byte;

		if (decode_string_character(&cursor, &byte))
			g_string_append_c(text, byte);
	}
	if (cursor < lexer->end && *cursor == quote) {
		lexer->cursor = cursor + 1;
		return text;
	}
	diagnose(lexer->context->diagnostics, PARSE_ERROR,
		 &(struct location){.file = lexer->file,
				    .line = lexer->line,
				    .column = (int)(lexer->cursor - lexer->line_start) + 1,
				    .length = 1},
		 quote == '"' ? _("[D_STR_NL] newline encountered in string literal")
			      : _("[D_CHR_NL] newline encountered in character constant"));
	lexer->cursor = cursor;
	g_string_free(text, TRUE);
	return NULL;
}

static struct d_token lex_string(struct d_lexer *lexer)
{
	struct d_token token = {.kind = D_TOKEN_STRING, .location = here(lexer, 1)};
	const char *start = lexer->cursor;
	GString *text = quoted_text(lexer, '"');

	token.location.length = (int)(lexer->cursor - start);
	if (!text) {
		token.kind = D_TOKEN_BAD;
		return token;
	}
	token.text = arena_strndup(lexer->context->arena, text->str, text->len);
	token.length = text->len;
	g_string_free(text, TRUE);
	return token;
}

/* A character constant is an int; one of several characters has the first in the most significant byte. */
static struct d_token lex_character(struct d_lexer *lexer)
{
	struct d_token token = {.kind = D_TOKEN_CHARACTER, .location = here(lexer, 1), .text = "''"};
	const char *start = lexer->cursor;
	GString *text = quoted_text(lexer, '\'');

	token.location.length = (int)(lexer->cursor - start);
	if (text && (!text->len || text->len > sizeof(int64_t)))
		diagnose(lexer->context->diagnostics, PARSE_ERROR, &token.location,
			 text->len ? _("[D_CHR_OFLOW] a character constant has at most 8 characters")
				   : _("[D_CHR_NULL] empty character constant"));
	if (!text || !text->len || text->len > sizeof(int64_t)) {
		token.kind = D_TOKEN_BAD;
		return token;
	}
	token.number = (signed char)text->str[0];
	for (size_t i = 1; i < text->len; i++)
		token.number = (int64_t)((uint64_t)token.number << 8) | (unsigned char)text->str[i];
	token.is_long = text->len > sizeof(int);
	g_string_free(text, TRUE);
	return token;
}

/* ---- macro variables --------------------------------------------------------------------------------------------- */

/* Return the number that a macro variable stands for, such as $pid. Return false if there is no such variable. */
static bool macro_number(const struct d_lexer *lexer, const char *name, int64_t *ret)
{
	const struct {
		const char *name;
		int64_t value;
	} numbers[] = {
		{"egid", getegid()}, {"euid", geteuid()},  {"gid", getgid()},
		{"pid", getpid()},   {"pgid", getpgid(0)}, {"ppid", getppid()},
		{"sid", getsid(0)},  {"uid", getuid()},	   {"target", lexer->macros->target},
		{"projid", 0},	     {"taskid", 0}, /* Linux has no projects and tasks: all processes are in number 0 */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
		if (!strcmp(name, numbers[i].name)) {
			*ret = numbers[i].value;
			return true;
		}
	return false;
}

/*
 * Return the text of macro variable @name ("1", "pid"); NULL after a diagnostic.
 *
 * @param[in] at The variable in the program.
 */
static const char *macro_text(struct d_lexer *lexer, const char *name, const struct location *at)
{
	const struct d_macros *macros = lexer->macros;
	struct diagnostics *diagnostics = lexer->context->diagnostics;
	int64_t number;

	if (!strcmp(name, "0"))
		return macros->script_name;
	if (g_ascii_isdigit(*name)) {
		int64_t index = g_ascii_strtoll(name, NULL, 10);

		if (index >= 1 && index <= macros->argument_count) {
			if (lexer->context->argument_used)
				lexer->context->argument_used[index - 1] = true;
			return macros->arguments[index - 1];
		}
		if (macros->defaults)
			return "";
		diagnose(diagnostics, PARSE_ERROR, at, _("[D_MACRO_UNDEF] macro argument $%s is not defined"), name);
		diagnose_hint(diagnostics, _("add the argument to the command line, or use -x defaultargs"));
		return NULL;
	}
	if (!macro_number(lexer, name, &number)) {
		diagnose(diagnostics, PARSE_ERROR, at, _("[D_MACRO_UNDEF] macro variable $%s is not defined"), name);
		return NULL;
	}
	if (!strcmp(name, "target") && !number) {
		diagnose(diagnostics, PARSE_ERROR, at, "[D_MACRO_UNDEF] %s",
			 _("$target is not defined: neither -c nor -p was given"));
		return NULL;
	}
	return arena_printf(lexer->context->arena, "%" G_GINT64_FORMAT, number);
}

/* Turn the value of a macro variable into a token: a number, a string in quotes, or a word. */
static void read_macro(struct d_lexer *lexer, struct d_token *token, const char *text)
{
	const char *digits = text + (*text == '-');
	size_t length = strlen(text);

	token->text = text;
	token->length = length;
	token->kind = D_TOKEN_WORD;
	if (!length) {
		token->kind = D_TOKEN_NUMBER;
	} else if (g_ascii_isdigit(*digits)) {
		token->kind = D_TOKEN_NUMBER;
		if (!read_number(token, digits)) {
			diagnose(lexer->context->diagnostics, PARSE_ERROR, &token->location,
				 _("[D_MACRO_OFLOW] macro argument '%s' is not an integer of at most 64 bits"), text);
			token->kind = D_TOKEN_BAD;
		}
		token->number = *text == '-' ? -token->number : token->number;
	} else if (length >= 2 && *text == '"' && text[length - 1] == '"') {
		token->kind = D_TOKEN_STRING;
		token->text = arena_strndup(lexer->context->arena, text + 1, length - 2);
		token->length = length - 2;
	} else if (*text == '`') {
		token->kind = D_TOKEN_KERNEL;
		token->text = text + 1;
	} else if (!is_word_start(*text) || strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
							 "0123456789_") != length) {
		lexer_error(lexer, &token->location,
			    _("macro argument '%s' is neither a number, a name nor a string in quotes"), text);
		diagnose_hint(lexer->context->diagnostics, _("use $$N for the argument as a string"));
		token->kind = D_TOKEN_BAD;
	}
}

static struct d_token lex_macro(struct d_lexer *lexer)
{
	size_t dollars = ahead(lexer, 1) == '$' ? 2 : 1, length = word_length(lexer, dollars);
	const char *name = arena_strndup(lexer->context->arena, lexer->cursor + dollars, length);
	struct d_token token = token_of(lexer, D_TOKEN_BAD, dollars + length);
	const char *text = length ? macro_text(lexer, name, &token.location) : NULL;

	if (!length)
		lexer_error(lexer, &token.location, _("'$' without a name"));
	if (!text)
		return token;
	if (!strcmp(name, "target") && dollars == 1 && lexer->macros->target == D_TARGET_OF_COMMAND) {
		token.kind = D_TOKEN_WORD;
		return token;
	}
	/* The program runs in another process than this one. */
	if (!strcmp(name, "pid") && dollars == 1) {
		token.kind = D_TOKEN_WORD;
		return token;
	}
	if (dollars == 1 && strcmp(name, "0")) {
		read_macro(lexer, &token, text);
		return token;
	}
	token.kind = D_TOKEN_STRING;
	token.text = text;
	token.length = strlen(text);
	return token;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static const char *const operators[] = {
	"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "+=",
	"-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "{",  "}",	 "(",  ")",  "[",  "]",	 ";",  ",",  ":",
	"?",   "=",   "+",   "-",  "*",	 "/",  "%",  "&",  "|",	 "^",  "~",  "!",  "<",	 ">",  ".",
};

static struct d_token lex_operator(struct d_lexer *lexer)
{
	struct d_token bad;

	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++) {
		size_t length = strlen(operators[i]);

		if ((size_t)(lexer->end - lexer->cursor) >= length && !strncmp(lexer->cursor, operators[i], length))
			return token_of(lexer, D_TOKEN_OPERATOR, length);
	}
	bad = token_of(lexer, D_TOKEN_BAD, 1);
	lexer_error(lexer, &bad.location, _("unexpected character '%s'"), bad.text);
	return bad;
}

/* A name of the kernel: `symbol, module`symbol, or `type in a list of types. */
static struct d_token lex_kernel(struct d_lexer *lexer, size_t module_length)
{
	size_t length = word_length(lexer, module_length + 1);
	const char *module = module_length ? arena_strndup(lexer->context->arena, lexer->cursor, module_length) : NULL;
	struct d_token token = token_of(lexer, D_TOKEN_KERNEL, module_length + 1 + length);

	token.module = module;
	token.text += module_length + 1;
	token.length = length;
	if (!length) {
		lexer_error(lexer, &token.location, _("'`' must be followed by the name of a kernel symbol"));
		token.kind = D_TOKEN_BAD;
	}
	return token;
}

struct d_token d_lexer_next(struct d_lexer *lexer)
{
	size_t length;
	char c;

	skip_space(lexer);
	c = ahead(lexer, 0);
	if (lexer->cursor >= lexer->end)
		return (struct d_token){.kind = D_TOKEN_END, .location = here(lexer, 0), .text = ""};
	if (is_word_start(c)) {
		length = word_length(lexer, 0);
		return ahead(lexer, length) == '`' ? lex_kernel(lexer, length) : token_of(lexer, D_TOKEN_WORD, length);
	}
	if (c == '`')
		return lex_kernel(lexer, 0);
	if (g_ascii_isdigit(c))
		return lex_number(lexer);
	if (c == '"')
		return lex_string(lexer);
	if (c == '\'')
		return lex_character(lexer);
	if (c == '$')
		return lex_macro(lexer);
	if (c == '@') {
		struct d_token token;

		lexer->cursor++;
		token = token_of(lexer, D_TOKEN_AGGREGATION, word_length(lexer, 0));
		token.location.column--;
		token.location.length++;
		return token;
	}
	return lex_operator(lexer);
}

/* ---- probe descriptions ------------------------------------------------------------------------------------------ */

static bool is_description_character(char c)
{
	return g_ascii_isalnum(c) || (c && strchr("_:*?[]!.-`@()~+<>=&,", c));
}

/* Commas separate descriptions, except inside of parentheses or brackets. */
static bool ends_description(const struct d_lexer *lexer, int depth)
{
	char c = ahead(lexer, 0);

	return !is_description_character(c) || (c == ',' && !depth);
}

struct d_token d_lexer_description(struct d_lexer *lexer)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct d_token token = {.kind = D_TOKEN_DESCRIPTION};
	const char *start;
	int depth = 0;

	skip_space(lexer);
	token.location = here(lexer, 1);
	start = lexer->cursor;
	for (;;) {
		if (ahead(lexer, 0) == '$' && word_length(lexer, 1)) {
			size_t length = word_length(lexer, 1);
			struct location at = here(lexer, length + 1);
			const char *name = arena_strndup(lexer->context->arena, lexer->cursor + 1, length);
			const char *value = macro_text(lexer, name, &at);

			if (!value)
				token.kind = D_TOKEN_BAD;
			g_string_append(text, value ?: "");
			lexer->cursor += length + 1;
			continue;
		}
		if (ends_description(lexer, depth))
			break;
		depth += strchr("([", ahead(lexer, 0)) ? 1 : strchr(")]", ahead(lexer, 0)) ? -1 : 0;
		g_string_append_c(text, *lexer->cursor++);
	}
	token.location.length = MAX(1, (int)(lexer->cursor - start));
	token.text = arena_strndup(lexer->context->arena, text->str, text->len);
	token.length = text->len;
	return token;
}

void d_lexer_begin(struct d_lexer *lexer, struct language_context *context, const struct source_file *file,
		   const struct d_macros *macros, struct d_program *program)
{
	*lexer = (struct d_lexer){
		.context = context,
		.file = file,
		.main = file,
		.program = program,
		.macros = macros,
		.cursor = file->text,
		.end = file->text + file->length,
		.line_start = file->text,
		.line = 1,
	};
}
