// SPDX-License-Identifier: GPL-2.0-or-later
/* Emit lines, literals, slots, error checks and try blocks; see writer.h. */
#include "translator/emit/writer.h"

#include <stdarg.h>

static void append_line(struct writer *w, const char *format, va_list args, const char *end)
{
	for (int i = 0; i < w->indent; i++)
		g_string_append_c(w->out, '\t');
	g_string_append_vprintf(w->out, format, args);
	g_string_append(w->out, end);
}

void line(struct writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append_line(w, format, args, "\n");
	va_end(args);
}

void open_block(struct writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append_line(w, format, args, " {\n");
	va_end(args);
	w->indent++;
}

void open_scope(struct writer *w)
{
	line(w, "{");
	w->indent++;
}

void close_block(struct writer *w)
{
	w->indent--;
	line(w, "}");
}

const char *c_string(struct arena *arena, const char *text, size_t length)
{
	g_autoptr(GString) out = g_string_new("\"");

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = text[i];

		/* Escape '?', too, because of trigraphs. Octal escapes end after three digits. */
		if (g_ascii_isprint(byte) && !strchr("\"\\?", byte))
			g_string_append_c(out, byte);
		else
			g_string_append_printf(out, "\\%03o", byte);
	}
	g_string_append_c(out, '"');
	return arena_strdup(arena, out->str);
}

const char *c_number(struct arena *arena, int64_t number)
{
	/* C has no literal for the lowest number. */
	if (number == INT64_MIN)
		return "(-0x7fffffffffffffffLL - 1)";
	return arena_printf(arena, "%" G_GINT64_FORMAT "LL", number);
}

#define SLOT "f->s%u"
#define OPAQUE_SLOT "stp_opaque(f)->s%u"

const char *string_slot(struct writer *w)
{
	unsigned int slot = w->strings_used++;

	w->strings_most = MAX(w->strings_most, w->strings_used);
	return arena_printf(w->t->arena, slot < STRINGS_OF_COMPILER ? SLOT : OPAQUE_SLOT, slot);
}

int slot_number(const char *text)
{
	unsigned int slot;

	/* Names of variables begin with another letter. */
	return sscanf(text, SLOT, &slot) == 1 || sscanf(text, OPAQUE_SLOT, &slot) == 1 ? (int)slot : -1;
}

/* Number of held values that are C temporaries; the compiler has registers for most of them. */
enum { HELD_BY_COMPILER = 16 };

const char *hold(struct writer *w, const char *text, bool is_pointer)
{
	unsigned int slot;

	/* Anything else is a literal, or is in memory already. */
	if (*text != 't')
		return text;
	if (w->held++ < HELD_BY_COMPILER)
		return text;
	slot = w->held - 1 - HELD_BY_COMPILER;
	w->numbers_most = MAX(w->numbers_most, slot + 1);
	line(w, "f->n[%u] = (stp_long)%s%s;", slot, is_pointer ? "(unsigned long)" : "", text);
	return arena_printf(w->t->arena, is_pointer ? "((const char *)(unsigned long)f->n[%u])" : "f->n[%u]", slot);
}

static const char *emit_place(struct module_writer *m, const struct location *at, const char *text)
{
	g_autofree char *quote = at->file && !at->file->is_tapset ? location_quote(at) : g_strdup("");
	const char *name = arena_printf(m->t->arena, "place_%u", g_hash_table_size(m->places));

	/* The quoted source ends with a newline, which a place must not have. */
	g_string_append_printf(m->prototypes, "static const char %s[] = %s \"\\0%s\" %s;\n", name,
			       c_string(m->t->arena, text, strlen(text)), *quote ? "\\n" : "",
			       c_string(m->t->arena, quote, *quote ? strlen(quote) - strlen("\n") : 0));
	return name;
}

/*
 * Return the name of the C string for a place: @text, a NUL, and the source lines if they are the user's. Equal places
 * share a string, for example in a thousand probes with the same handler.
 */
static const char *place_string(struct writer *w, const struct location *at, const char *text)
{
	struct module_writer *m = w->module;
	const char *key = arena_printf(w->t->arena, "%d %s", at->length, text);
	const char *name = g_hash_table_lookup(m->places, key);

	if (!name) {
		name = emit_place(m, at, text);
		g_hash_table_insert(m->places, (void *)key, (void *)name);
	}
	return name;
}

/* Return the expression's text for errors. A load is named as in the script: "$x", "@cast". */
static char *culprit_text(struct writer *w, const struct expr *culprit)
{
	const struct location *at = &culprit->location;
	bool is_lowered = culprit->kind == EXPR_LOAD || culprit->kind == EXPR_STORE;

	if (culprit->text && (culprit->kind == EXPR_CALL || culprit->kind == EXPR_SYMBOL))
		return g_strdup(culprit->text);
	if (!at->length)
		return g_strdup("?");
	return (is_lowered ? location_text(at) : NULL) ?: g_strndup(expr_text(w->t->arena, culprit), 40);
}

/* Return the place for an error: "near identifier 'x' at file:line:col". */
static const char *place_text(struct writer *w, const struct expr *culprit)
{
	const struct location *at = &culprit->location;
	g_autofree char *token = at->file ? culprit_text(w, culprit) : NULL;
	const char *what;

	if (!at->file)
		return place_string(w, at, "");
	what = culprit->kind == EXPR_CALL || culprit->kind == EXPR_SYMBOL || *token == '$' ? "identifier" : "operator";
	return place_string(w, at,
			    arena_printf(w->t->arena, " near %s '%s' at %s:%d:%d", what, token, at->file->name,
					 at->line, at->column));
}

const char *statement_place_text(struct writer *w, const struct statement *s)
{
	const struct location *at = &s->location;

	if (!at->file)
		return place_string(w, at, "");
	return place_string(
		w, at, arena_printf(w->t->arena, " near statement at %s:%d:%d", at->file->name, at->line, at->column));
}

void check_error(struct writer *w, const struct expr *culprit)
{
	open_block(w, "if (stp_unlikely(c->error))");
	line(w, "if (!c->error_place)");
	line(w, "\tc->error_place = %s;", place_text(w, culprit));
	line(w, "goto %s;", w->error_label);
	close_block(w);
}

void check_call_error(struct writer *w, const struct expr *call)
{
	const struct location *at = &call->location;
	const char *place =
		at->file ? arena_printf(w->t->arena, "%s:%d:%d", at->file->name, at->line, at->column) : "?";

	open_block(w, "if (stp_unlikely(c->error))");
	line(w, "if (!c->error_place)");
	line(w, "\tc->error_place = %s;", place_text(w, call));
	line(w, "else");
	line(w, "\tstp_error_called(c, %s);", place_string(w, at, place));
	line(w, "goto %s;", w->error_label);
	close_block(w);
}

struct try_block open_try(struct writer *w)
{
	struct try_block block = {w->error_label, w->labels++};

	w->error_label = arena_printf(w->t->arena, "catch%u", block.label);
	return block;
}

void begin_catch(struct writer *w, const struct try_block *block, const char *message)
{
	w->error_label = block->outer;
	line(w, "goto tried%u;", block->label);
	line(w, "catch%u: __attribute__((unused));", block->label);
	line(w, "if (!stp_catch(c, %s))", message);
	line(w, "\tgoto %s;", block->outer);
}

void close_try(struct writer *w, const struct try_block *block)
{
	line(w, "tried%u:;", block->label);
}
