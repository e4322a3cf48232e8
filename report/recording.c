// SPDX-License-Identifier: GPL-2.0-or-later
/* Recordings (see recording.h): their values, and the loop that reads their lines and waits for more. */
#include "report/recording.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "report/pool.h"
#include "report/source.h"

const char *const frame_kind_names[FRAME_KINDS] = {
	[FRAME_KERNEL] = "kernel",   [FRAME_MODULE] = "module", [FRAME_PROGRAM] = "program",
	[FRAME_LIBRARY] = "library", [FRAME_JIT] = "jit",	[FRAME_UNKNOWN] = "unknown",
};

const char *const value_kind_names[VALUE_KINDS] = {
	[VALUE_NUMBER] = "number",
	[VALUE_STRING] = "string",
	[VALUE_STACK] = "stack",
	[VALUE_STATISTICS] = "statistics",
};

const char *skipped_name(guint reason)
{
	return json_fields[JSON_SKIPPED_REENTRANT + reason].member;
}

bool text_is(const struct text *text, const char *word)
{
	return text && strlen(word) == text->length && !memcmp(text->bytes, word, text->length);
}

bool value_equals(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case VALUE_NUMBER:
		return a->number == b->number;
	case VALUE_STACK:
		return a->stack->shape == b->stack->shape;
	default:
		return a->text == b->text;
	}
}

guint value_hash(const struct value *value)
{
	const void *shared = value->kind == VALUE_STACK ? (const void *)value->stack->shape : value->text;

	return value->kind == VALUE_NUMBER ? (guint)(value->number * 2654435761u ^ value->number >> 32)
					   : (guint)((guintptr)shared >> 4) * 2654435761u;
}

const struct sample *global_newest(const struct global *global)
{
	return g_ptr_array_index(global->samples, global->samples->len - 1);
}

bool global_has_key(const struct global *global, enum value_kind kind)
{
	for (guint i = 0; i < global->key_count; i++)
		if (global->keys[i] == kind)
			return true;
	return false;
}

enum run_state recording_state(const struct recording *recording)
{
	enum run_state state = RUN_COMPLETED;
	bool has_started = false, has_ended = recording->hosts->len, has_failed = false;

	for (guint i = 0; i < recording->messages->len; i++)
		has_failed |=
			text_is(((const struct message *)g_ptr_array_index(recording->messages, i))->level, "error");
	for (guint i = 0; i < recording->hosts->len; i++) {
		const struct host *host = g_ptr_array_index(recording->hosts, i);

		has_started |= host->start.is_known;
		has_ended &= host->end.is_known;
		has_failed |= host->end.status != 0;
		if (host->end.lost)
			state = RUN_LOST;
	}
	/* Without a start, what has failed is the translation. */
	if (!has_ended && (has_started || !has_failed))
		return recording->is_whole ? RUN_INTERRUPTED : RUN_GOES_ON;
	return has_failed ? RUN_FAILED : state;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_blank(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!g_ascii_isspace(line[i]))
			return false;
	return true;
}

/* Take the mistake of a line. Return an error to end the reading. */
static struct error *take_mistake(struct source *source, const char *mistake, bool is_cut)
{
	struct error *error;

	if (is_cut) {
		message_warn(_("%s: line %llu is cut off and left out"), source->recording->name,
			     (unsigned long long)source->line_number);
		return NULL;
	}
	error = error_new(ERROR_OTHER, _("%s: line %llu, %s"), source->recording->name,
			  (unsigned long long)source->line_number, mistake);
	if (!source->watch || !source->watch->mistake)
		return error;
	source->watch->mistake(error, source->watch->data);
	return NULL;
}

static struct error *take_line(struct source *source, const char *line, size_t length, bool is_whole)
{
	g_autofree char *mistake = NULL;

	source->line_number++;
	if (is_blank(line, length))
		return NULL;
	mistake = read_line(source, line, length);
	if (mistake)
		return take_mistake(source, mistake, !is_whole && source->recording->lines);
	source->recording->lines++;
	return NULL;
}

/* Handle the complete lines of the buffer from @p from on. At the end of the input, the last may lack a newline. */
static struct error *take_lines(struct source *source, GString *input, size_t from, bool is_end)
{
	struct error *error = NULL;
	size_t begin = 0;
	char *newline;

	while (!error && (newline = memchr(input->str + MAX(from, begin), '\n', input->len - MAX(from, begin)))) {
		error = take_line(source, input->str + begin, newline - input->str - begin, true);
		begin = newline + 1 - input->str;
	}
	if (!error && is_end && begin < input->len) {
		error = take_line(source, input->str + begin, input->len - begin, false);
		begin = input->len;
	}
	g_string_erase(input, 0, (gssize)begin);
	return error;
}

/* Append what was read, but not the rest of a line that is too long. */
static void append_chunk(GString *input, const char *chunk, size_t size, bool *skips)
{
	const char *newline = *skips ? memchr(chunk, '\n', size) : NULL;
	size_t skipped = !*skips ? 0 : newline ? (size_t)(newline + 1 - chunk) : size;

	*skips = *skips && !newline;
	g_string_append_len(input, chunk + skipped, (gssize)(size - skipped));
}

/* Leave out an incomplete line that is too long already. Lines come from hosts, which may write without an end. */
static struct error *limit_line(struct source *source, GString *input, bool *skips)
{
	enum { LONGEST = 256 << 20 };
	g_autofree char *mistake = NULL;

	if (input->len <= LONGEST)
		return NULL;
	*skips = true;
	g_string_truncate(input, 0);
	source->line_number++;
	mistake = g_strdup_printf(_("longer than %d bytes"), LONGEST);
	return take_mistake(source, mistake, false);
}

static bool is_consistent(const struct recording *recording)
{
	for (guint i = 0; i < recording->hosts->len; i++)
		if (((const struct host *)g_ptr_array_index(recording->hosts, i))->is_within_snapshot)
			return false;
	return true;
}

/* Wait for input, and let the watch work until it comes. */
static void wait_for_input(struct source *source, int fd)
{
	const struct recording_watch *watch = source->watch;
	struct pollfd input = {.fd = fd, .events = POLLIN};
	int wait;

	do
		wait = watch->idle(source->recording, is_consistent(source->recording), watch->data);
	while (poll(&input, 1, wait) <= 0);
}

static struct error *read_lines(struct source *source, int fd)
{
	enum { CHUNK = 1 << 16 };
	const struct recording_watch *watch = source->watch;
	g_autoptr(GString) input = g_string_sized_new(CHUNK);
	g_autofree char *chunk = g_malloc(CHUNK);
	struct error *error = NULL;
	bool skips = false;
	ssize_t size = 1;

	while (size && !error && !(watch && watch->is_over && watch->is_over(watch->data))) {
		size_t before = input->len;

		if (watch && watch->idle)
			wait_for_input(source, fd);
		size = read(fd, chunk, CHUNK);
		if (size < 0 && errno != EINTR && errno != EAGAIN)
			return error_errno(_("cannot read %s"), source->recording->name);
		if (size < 0)
			continue;
		append_chunk(input, chunk, (size_t)size, &skips);
		error = take_lines(source, input, before, !size);
		error = error ?: limit_line(source, input, &skips);
	}
	if (!error && !source->recording->lines)
		return error_with_hint(error_new(ERROR_OTHER, _("%s is empty"), source->recording->name),
				       _("make the file with 'stap --format=json -o FILE SCRIPT'"));
	return error;
}

static void free_outputs(gpointer data)
{
	GArray *outputs = data;

	for (guint i = 0; i < outputs->len; i++)
		g_free((gpointer)g_array_index(outputs, struct output, i).text);
	g_array_free(outputs, TRUE);
}

static struct recording *recording_new(struct pool *pool, const char *name)
{
	struct recording *recording = pool_alloc(pool, sizeof(*recording));

	recording->name = name;
	recording->script.options = pool_ptr_array(pool);
	recording->script.arguments = pool_ptr_array(pool);
	recording->hosts = pool_ptr_array(pool);
	recording->outputs = g_array_new(FALSE, TRUE, sizeof(struct output));
	pool_defer(pool, free_outputs, recording->outputs);
	recording->messages = pool_ptr_array(pool);
	return recording;
}

struct error *recording_read(struct pool *pool, const char *name, int fd, const struct recording_watch *watch,
			     struct recording **ret)
{
	struct source source = {.pool = pool, .recording = recording_new(pool, name), .watch = watch};
	_cleanup_close_ int input = fd;
	struct error *error;

	source.bytes = g_string_new(NULL);
	error = read_lines(&source, input);
	g_string_free(source.bytes, TRUE);
	note_left_out_messages(&source);
	if (!source.recording->hosts->len)
		add_host(&source, NO_HOST);
	source.recording->is_whole = true;
	*ret = source.recording;
	return error;
}

/* ---- several runs of a script ------------------------------------------------------------------------------------ */

static int host_after(int host, guint count)
{
	return host == NO_HOST ? NO_HOST : host + (int)count;
}

static void merge_hosts(struct pool *pool, struct recording *all, const struct recording *part)
{
	for (guint i = 0; i < part->hosts->len; i++) {
		struct host *host = g_ptr_array_index(part->hosts, i);

		host->number = all->hosts->len;
		host->uri = host->uri ?: pool_text(pool, part->name, strlen(part->name));
		g_ptr_array_add(all->hosts, host);
	}
}

/* Move the output and the messages, which refer to the part's hosts. */
static void merge_prints(struct recording *all, struct recording *part)
{
	for (guint i = 0; i < part->outputs->len; i++) {
		struct output output = g_array_index(part->outputs, struct output, i);

		output.host = host_after(output.host, all->hosts->len);
		g_array_append_val(all->outputs, output);
	}
	g_array_set_size(part->outputs, 0); /* its texts belong to the other array now */
	for (guint i = 0; i < part->messages->len; i++) {
		struct message *message = g_ptr_array_index(part->messages, i);

		message->host = host_after(message->host, all->hosts->len);
		g_ptr_array_add(all->messages, message);
	}
	all->output_size += part->output_size;
	all->output_left_out += part->output_left_out;
	all->messages_left_out += part->messages_left_out;
}

static struct error *merge_script(struct recording *all, const struct recording *part)
{
	if (!part->script.is_known)
		return NULL;
	if (!all->script.is_known) {
		all->script = part->script;
		all->name = part->name;
		return NULL;
	}
	/* The pool has each text once. */
	if (!all->script.text || !part->script.text || all->script.text == part->script.text)
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("%s is a recording of another script than %s"), part->name,
					 all->name),
			       _("merge only recordings of one script"));
}

static gint compare_outputs(gconstpointer a, gconstpointer b)
{
	const struct output *first = a, *second = b;

	return (first->time > second->time) - (first->time < second->time);
}

static gint compare_messages(gconstpointer a, gconstpointer b)
{
	const struct message *first = *(struct message *const *)a, *second = *(struct message *const *)b;

	return (first->time > second->time) - (first->time < second->time);
}

struct error *recording_merge(struct pool *pool, struct recording *const *recordings, guint count,
			      struct recording **ret)
{
	struct recording *all = recording_new(pool, recordings[0]->name);

	for (guint i = 0; i < count; i++) {
		struct recording *part = recordings[i];
		struct error *error = merge_script(all, part);

		if (!error && all->hosts->len + part->hosts->len > MOST_HOSTS)
			error = error_new(ERROR_OTHER, _("%s: more than %d hosts"), part->name, MOST_HOSTS);
		if (error)
			return error;
		merge_prints(all, part);
		merge_hosts(pool, all, part);
		if (part->start_time && (!all->start_time || part->start_time < all->start_time))
			all->start_time = part->start_time;
		all->last_time = MAX(all->last_time, part->last_time);
		all->lines += part->lines;
	}
	/* Both sorts are stable: what one host printed at the same time stays in order. */
	g_array_sort(all->outputs, compare_outputs);
	g_ptr_array_sort(all->messages, compare_messages);
	all->is_whole = true;
	*ret = all;
	return NULL;
}
