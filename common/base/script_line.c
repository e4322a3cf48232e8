// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON line about the script, which a run of stap --format=json or of a bundle with -J begins with (stap-json(5)).
 */
#include "common/base/script_line.h"

#include <errno.h>

#include "common/base/i18n.h"
#include "common/base/json_schema.h"

static void write_words(struct json_writer *w, enum json_field field, const char *const *words)
{
	json_member(w, field);
	json_array_begin(w);
	while (*words)
		json_text(w, *words++);
	json_array_end(w);
}

struct error *script_line_write(FILE *to, const struct script_line *line)
{
	struct json_writer w;
	struct error *error;

	json_begin(&w, to, JSON_SCRIPT_TIME);
	json_member_now(&w, JSON_SCRIPT_TIME);
	json_member_number(&w, JSON_SCRIPT_VERSION, JSON_SCHEMA_VERSION);
	if (line->name) {
		json_member_text(&w, JSON_SCRIPT_NAME, line->name);
		json_member(&w, JSON_SCRIPT_TEXT);
		json_string(&w, line->text, line->length);
	}
	write_words(&w, JSON_SCRIPT_OPTIONS, line->options);
	write_words(&w, JSON_SCRIPT_ARGUMENTS, line->arguments);
	json_member_text(&w, JSON_SCRIPT_STAP, line->stap);
	json_line_end(&w);
	/* If the output has no reader, continue: the end of the session handles that. */
	if (!fflush(to) || errno == EPIPE)
		return NULL;
	error = error_errno(_("cannot write the output"));
	clearerr(to); /* the error is reported now, so it must not be reported again at exit */
	return error;
}
