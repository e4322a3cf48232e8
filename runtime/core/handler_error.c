// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run-time errors of handlers: the pending error, which the nearest catch takes, and the report of an error that no
 * catch has taken.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/abi/protocol.h"
#include "runtime/core/context.h"
#include "runtime/core/full_context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"

static atomic_t error_count;
const char abort_mark[] = "abort";
const char missing_mark[] = "missing";

/* ---- setting and catching ---------------------------------------------------------------------------------------- */

void stp_error(struct stp_context *c, const char *format, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, format);
	vsnprintf(c->error_text, sizeof(c->error_text), format, args);
	va_end(args);
	c->error = c->error_text;
	full_context_of(c)->attention = true;
}

void stp_error_called(struct stp_context *c, const char *place)
{
	struct stp_error_call *last = NULL;

	if (c->error_call_count && c->error_call_count <= STP_ERROR_CALLS)
		last = &c->error_calls[c->error_call_count - 1];
	if (last && last->place == place)
		last->times++;
	else if (c->error_call_count < STP_ERROR_CALLS)
		c->error_calls[c->error_call_count++] = (struct stp_error_call){.place = place, .times = 1};
	else
		c->error_call_count = STP_ERROR_CALLS + 1;
}

void stp_fault(struct stp_context *c, unsigned long address)
{
	stp_error(c, "read fault [man error::fault] at 0x%lx", address);
}

void stp_user_fault(struct stp_context *c, unsigned long address)
{
	stp_error(c, "read fault [man error::fault] at 0x%lx", address);
}

void stp_limit_error(struct stp_context *c, const char *text, const char *hint)
{
	if (c->error)
		return;
	stp_error(c, "%s", text);
	c->error_hint = hint;
}

void stp_too_many_actions(struct stp_context *c)
{
	stp_limit_error(c, "MAXACTION exceeded", "-D MAXACTION=N allows a handler more statements");
}

void stp_abort(struct stp_context *c)
{
	session_request_exit();
	if (c->error)
		return;
	c->error = abort_mark;
	full_context_of(c)->attention = true;
}

int stp_catch(struct stp_context *c, char *to)
{
	if (c->error == abort_mark || c->error == missing_mark)
		return 0;
	if (to)
		strscpy(to, c->error, stp_script.string_size);
	c->error = NULL;
	c->error_place = NULL;
	c->error_hint = NULL;
	c->error_call_count = 0;
	c->sink = &full_context_of(c)->stream; /* the error may have come in the middle of a sprintf */
	/* The catch block gets no new budget, or a runaway loop would go on in it. */
	c->actions = max(c->actions, 0);
	return 1;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static void print_error_text(struct stp_context *c, const char *text)
{
	stp_print(c, text, strlen(text));
}

static unsigned int error_calls(const struct stp_context *c)
{
	return min_t(unsigned int, c->error_call_count, STP_ERROR_CALLS);
}

/* Print the calls of functions that led to the error, innermost first, and the probe. */
static void print_history(struct stp_context *c)
{
	char times[sizeof(" (4294967295 times)")];
	unsigned int i;

	for (i = 0; i < error_calls(c); i++) {
		print_error_text(c, ", called from ");
		print_error_text(c, c->error_calls[i].place);
		snprintf(times, sizeof(times), " (%u times)", c->error_calls[i].times);
		if (c->error_calls[i].times > 1)
			print_error_text(c, times);
	}
	if (c->error_call_count > STP_ERROR_CALLS)
		print_error_text(c, ", ...");
	print_error_text(c, ", in probe ");
	print_error_text(c, c->probe->point);
}

/* Return the source lines that follow the text of a place; empty if the place is not in the user's script. */
static const char *quote_of(const char *place)
{
	return place ? place + strlen(place) + 1 : "";
}

/* Print the source line of the error; for an error in the library, the line that called it. */
static void print_quote(struct stp_context *c)
{
	const char *quote = quote_of(c->error_place);
	unsigned int i;

	for (i = 0; !*quote && i < error_calls(c); i++)
		quote = quote_of(c->error_calls[i].place);
	print_error_text(c, quote);
}

int context_errors(void)
{
	return atomic_read(&error_count);
}

void report_error(struct stp_context *c)
{
	struct full_context *f = full_context_of(c);
	int errors;

	flush_stream(f);
	if (c->error == abort_mark || c->error == missing_mark || stp_script.suppress_errors)
		return;
	errors = atomic_inc_return(&error_count);
	if (errors > stp_script.max_errors + 1)
		return;
	f->record.type = STP_RECORD_ERROR;
	c->sink = &f->stream; /* the error may have come in the middle of a sprintf */
	print_error_text(c, c->error);
	print_error_text(c, c->error_place ? c->error_place : "");
	print_history(c);
	print_quote(c);
	if (c->error_hint) {
		print_error_text(c, "\nhint: ");
		print_error_text(c, c->error_hint);
	}
	flush_stream(f);
	f->record.type = STP_RECORD_OUTPUT;
	if (errors > stp_script.max_errors) {
		atomic_set(&session_failed, 1);
		session_request_exit();
	}
}

/* ---- arithmetic that can fail ------------------------------------------------------------------------------------ */

stp_long stp_divide(struct stp_context *c, stp_long left, stp_long right)
{
	if (right == 0) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (right == -1)
		return -(u64)left; /* wraps; the CPU's division would fault */
	return left / right;
}

stp_long stp_modulo(struct stp_context *c, stp_long left, stp_long right)
{
	if (right == 0) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (right == -1)
		return 0;
	return left % right;
}
