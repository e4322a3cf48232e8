// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read the answer of a compile server from frames: text, which is shown as it arrives, and a module, which is stored in
 * a file named here. The user trusts this server, but each field is still checked before it is used.
 */
#include "translator/client/answer.h"

#include <string.h>

#include "common/files.h"
#include "common/progress.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/wire/request.h"

void answer_init(struct answer_reader *reader, struct arena *arena, const char *work_directory,
		 struct server_answer *answer)
{
	*answer = (struct server_answer){0};
	*reader = (struct answer_reader){.arena = arena,
					 .work_directory = work_directory,
					 .answer = answer,
					 .output = stdout,
					 .messages = stderr};
	frame_reader_init(&reader->frames, ANSWER_MOST_BYTES);
}

void answer_clear(struct answer_reader *reader)
{
	frame_reader_clear(&reader->frames);
}

void answer_show(FILE *to, const char *data, size_t length)
{
	progress_clear();
	/* main() checks at exit whether standard output was written. */
	fwrite(data, 1, length, to);
	fflush(to);
}

static struct error *nonsense(const char *what)
{
	return error_new(ERROR_OTHER, _("invalid answer from the server: %s"), what);
}

/* ---- one for each kind ------------------------------------------------------------------------------------------- */

typedef struct error *frame_taker(struct answer_reader *reader, const char *data, size_t length);

static struct error *take_messages(struct answer_reader *reader, const char *data, size_t length)
{
	answer_show(reader->messages, data, length);
	return NULL;
}

static struct error *take_output(struct answer_reader *reader, const char *data, size_t length)
{
	answer_show(reader->output, data, length);
	return NULL;
}

static struct error *take_release(struct answer_reader *reader, const char *data, size_t length)
{
	if (*reader->answer->release.text || !release_parse(data, length, &reader->answer->release))
		return nonsense(_("the release of the kernel"));
	return NULL;
}

static struct error *take_name(struct answer_reader *reader, const char *data, size_t length)
{
	if (*reader->answer->module_name.text || !module_name_parse(data, length, &reader->answer->module_name))
		return nonsense(_("the name of the module"));
	return NULL;
}

static struct error *take_module(struct answer_reader *reader, const char *data, size_t length)
{
	struct server_answer *answer = reader->answer;

	if (!*answer->module_name.text || answer->module_path)
		return nonsense(_("a module without a name"));
	answer->module_path = arena_printf(reader->arena, "%s/%s.ko", reader->work_directory, answer->module_name.text);
	return file_write(answer->module_path, data, length);
}

static struct error *take_signature(struct answer_reader *reader, const char *data, size_t length)
{
	if (!reader->answer->module_path)
		return nonsense(_("a signature without a module"));
	return file_write(arena_printf(reader->arena, "%s" SIGNATURE_SUFFIX, reader->answer->module_path), data,
			  length);
}

static struct error *take_status(struct answer_reader *reader, const char *data, size_t length)
{
	g_autofree char *digits = g_strndup(data, length);
	guint64 status;

	if (!g_ascii_string_to_unsigned(digits, 10, 0, 255, &status, NULL))
		return nonsense(_("the exit status"));
	reader->answer->status = (int)status;
	reader->is_complete = true;
	return NULL;
}

static struct error *take_error(struct answer_reader *reader, const char *data, size_t length)
{
	const char *text = arena_strndup(reader->arena, data, length), *hint = text + strlen(text) + 1;
	struct error *error = error_new(ERROR_OTHER, "%s", text);

	return hint < text + length ? error_with_hint(error, "%s", hint) : error;
}

static const struct {
	enum frame_kind kind;
	frame_taker *take;
} takers[] = {
	{FRAME_MESSAGES, take_messages}, {FRAME_OUTPUT, take_output}, {FRAME_RELEASE, take_release},
	{FRAME_NAME, take_name},	 {FRAME_MODULE, take_module}, {FRAME_SIGNATURE, take_signature},
	{FRAME_STATUS, take_status},	 {FRAME_ERROR, take_error},
};

static struct error *take_frame(struct answer_reader *reader, enum frame_kind kind, const char *data, size_t length)
{
	for (size_t i = 0; i < G_N_ELEMENTS(takers); i++)
		if (takers[i].kind == kind)
			return takers[i].take(reader, data, length);
	return nonsense(_("it has frames of a request"));
}

struct error *answer_feed(struct answer_reader *reader, const void *data, size_t length)
{
	enum frame_kind kind;
	struct error *error;
	const char *part;
	size_t size;

	frame_reader_feed(&reader->frames, data, length);
	while (!reader->is_complete) {
		error = frame_reader_next(&reader->frames, &kind, &part, &size);
		if (error || !kind)
			return error;
		error = take_frame(reader, kind, part, size);
		if (error)
			return error;
	}
	return NULL;
}
