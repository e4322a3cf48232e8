// SPDX-License-Identifier: GPL-2.0-or-later
/* Text helpers of the emitter. */
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

		/* '?' too: no trigraphs. Octal escapes of three digits end by themselves. */
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
	/* The lowest number has no literal of its own in C. */
	if (number == INT64_MIN)
		return "(-0x7fffffffffffffffLL - 1)";
	return arena_printf(arena, "%" G_GINT64_FORMAT "LL", number);
}

const char *string_slot(struct writer *w)
{
	unsigned int slot = w->strings_used++;

	w->strings_most = MAX(w->strings_most, w->strings_used);
	return arena_printf(w->t->arena, "f->s%u", slot);
}

/* "near identifier 'x' at file:line:col": what the user needs to find the place. */
static const char *place_text(struct writer *w, const struct expr *culprit)
{
	const struct location *at = &culprit->location;
	const char *what = culprit->kind == EXPR_CALL || culprit->kind == EXPR_SYMBOL ? "identifier" : "operator";
	g_autofree char *token = NULL;
	const char *text;

	if (!at->file)
		return "\"\"";
	token = culprit->text && (culprit->kind == EXPR_CALL || culprit->kind == EXPR_SYMBOL)
			? g_strdup(culprit->text)
			: g_strndup(at->length ? expr_text(w->t->arena, culprit) : "?", 40);
	text = arena_printf(w->t->arena, " near %s '%s' at %s:%d:%d", what, token, at->file->name, at->line,
			    at->column);
	return c_string(w->t->arena, text, strlen(text));
}

const char *statement_place_text(struct writer *w, const struct statement *s)
{
	const struct location *at = &s->location;
	const char *text;

	if (!at->file)
		return "\"\"";
	text = arena_printf(w->t->arena, " near statement at %s:%d:%d", at->file->name, at->line, at->column);
	return c_string(w->t->arena, text, strlen(text));
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
	line(w, "\tstp_error_called(c, %s);", c_string(w->t->arena, place, strlen(place)));
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
