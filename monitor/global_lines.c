// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The values of a running script's globals as JSON lines (stap-json(5)), from the records of the module's file
 * "globals" (runtime/abi/snapshot.h).
 *
 * A snapshot may have a million elements, so it is written while it is read. Addresses in keys that are stacks are
 * written as frames. The module sends their names before the element.
 */
#include "monitor/global_lines.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/json_schema.h"
#include "common/base/memory.h"
#include "monitor/frame_text.h"
#include "runtime/abi/layout.h"
#include "runtime/abi/snapshot.h"

/* ---- names of addresses ------------------------------------------------------------------------------------------ */

static struct address_name *find_slot(const struct address_names *names, uint64_t address, bool is_return)
{
	size_t at = (address * 2 + is_return) * 0x9e3779b97f4a7c15u >> 32 & (names->size - 1);

	while (names->slots[at].text &&
	       (names->slots[at].address != address || names->slots[at].is_return != is_return))
		at = (at + 1) & (names->size - 1);
	return &names->slots[at];
}

static void grow(struct address_names *names)
{
	struct address_names larger = {.count = names->count, .size = names->size ? 2 * names->size : 1024};

	larger.slots = memory_new(larger.size, sizeof(*larger.slots));
	for (size_t i = 0; i < names->size; i++)
		if (names->slots[i].text)
			*find_slot(&larger, names->slots[i].address, names->slots[i].is_return) = names->slots[i];
	free(names->slots);
	*names = larger;
}

static void free_name(struct address_name *name)
{
	free(name->text);
	free(name->build_id);
}

static char *hex_text(const char *bytes, size_t size)
{
	char *text = memory_new(2 * size + 1, 1);

	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
	return text;
}

/* The text and the build-id follow the symbol in its record. */
static void add_name(struct address_names *names, const struct stp_snapshot_symbol *symbol, const char *text)
{
	struct address_name *slot;

	if (2 * names->count >= names->size)
		grow(names);
	slot = find_slot(names, symbol->address, symbol->is_return);
	names->count += !slot->text;
	free_name(slot);
	*slot = (struct address_name){
		.address = symbol->address,
		.is_return = symbol->is_return,
		.text = text_copy(text, symbol->length),
		.build_id = symbol->id_size ? hex_text(text + symbol->length, symbol->id_size) : NULL,
		.link_address = symbol->link_address,
	};
}

static const struct address_name *name_of(const struct address_names *names, uint64_t address, bool is_return)
{
	const struct address_name *slot = names->size ? find_slot(names, address, is_return) : NULL;

	return slot && slot->text ? slot : NULL;
}

static void clear_names(struct address_names *names)
{
	for (size_t i = 0; i < names->size; i++)
		free_name(&names->slots[i]);
	free(names->slots);
	*names = (struct address_names){0};
}

/* ---- build-ids of files ------------------------------------------------------------------------------------------ */

static struct object_id *find_object(const struct object_ids *objects, const char *name, size_t length)
{
	size_t hash = 0;

	for (size_t i = 0; i < length; i++)
		hash = hash * 31 + (unsigned char)name[i];
	hash &= objects->size - 1;
	while (objects->slots[hash].name &&
	       (strncmp(objects->slots[hash].name, name, length) != 0 || objects->slots[hash].name[length] != '\0'))
		hash = (hash + 1) & (objects->size - 1);
	return &objects->slots[hash];
}

static void clear_objects(struct object_ids *objects)
{
	for (size_t i = 0; i < objects->size; i++) {
		free(objects->slots[i].name);
		free(objects->slots[i].path);
		free(objects->slots[i].build_id);
	}
	free(objects->slots);
	*objects = (struct object_ids){0};
}

static void grow_objects(struct object_ids *objects)
{
	struct object_ids larger = {.count = objects->count, .size = objects->size ? 2 * objects->size : 256};

	larger.slots = memory_new(larger.size, sizeof(*larger.slots));
	for (size_t i = 0; i < objects->size; i++) {
		const struct object_id *slot = &objects->slots[i];

		if (slot->name)
			*find_object(&larger, slot->name, strlen(slot->name)) = *slot;
	}
	free(objects->slots);
	*objects = larger;
}

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static const char *base_name(const char *path, size_t length)
{
	const char *slash = memrchr(path, '/', length);

	return slash ? slash + 1 : path;
}

/* Drop the path or the build-id if another file of the same name has a different one. */
static void join_objects(struct object_id *slot, const char *path, const char *build_id)
{
	if (!same_text(slot->path, path)) {
		free(slot->path);
		slot->path = NULL;
	}
	if (!same_text(slot->build_id, build_id)) {
		free(slot->build_id);
		slot->build_id = NULL;
	}
}

/* The path and the build-id follow the object in its record. */
static void add_object(struct object_ids *objects, const struct stp_snapshot_object *object, const char *text)
{
	char *path = text_copy(text, object->length);
	char *build_id = object->id_size ? hex_text(text + object->length, object->id_size) : NULL;
	const char *name = base_name(path, strlen(path));
	struct object_id *slot;

	if (2 * objects->count >= objects->size)
		grow_objects(objects);
	slot = find_object(objects, name, strlen(name));
	if (!slot->name) {
		*slot = (struct object_id){text_copy(name, strlen(name)), path, build_id};
		objects->count++;
		return;
	}
	join_objects(slot, path, build_id);
	free(path);
	free(build_id);
}

/* Find the file that a text names; NULL if none is known. */
static const struct object_id *object_of(const struct object_ids *objects, const struct span *object)
{
	const char *name = object->text ? base_name(object->text, object->length) : NULL;
	const struct object_id *slot;

	if (!name || !objects->size)
		return NULL;
	slot = find_object(objects, name, object->text + object->length - name);
	return slot->name ? slot : NULL;
}

void snapshot_lines_clear(struct snapshot_lines *lines)
{
	clear_names(&lines->names);
	clear_objects(&lines->objects);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* The part of a record that is not read yet. */
struct cursor {
	const char *at, *end;
	bool is_bad; /* it ended too early */
};

static const void *take(struct cursor *cursor, size_t size)
{
	const char *at = cursor->at;

	if (cursor->is_bad || (size_t)(cursor->end - at) < size) {
		cursor->is_bad = true;
		return NULL;
	}
	cursor->at += size;
	return at;
}

static int64_t take_number(struct cursor *cursor)
{
	const void *bytes = take(cursor, sizeof(int64_t));
	int64_t number = 0;

	if (bytes)
		memcpy(&number, bytes, sizeof(number));
	return number;
}

/* Return a string that is not terminated; "" if the record is damaged. */
static struct span take_string(struct cursor *cursor)
{
	uint64_t length = (uint64_t)take_number(cursor);
	const char *text = take(cursor, length < INT32_MAX ? (length + 7) / 8 * 8 : SIZE_MAX);

	return text ? (struct span){text, length} : (struct span){"", 0};
}

/* Return a string that ends with NUL. */
static const char *take_text(struct cursor *cursor)
{
	const char *end = cursor->is_bad ? NULL : memchr(cursor->at, 0, cursor->end - cursor->at);
	const char *text = end ? take(cursor, end + 1 - cursor->at) : NULL;

	cursor->is_bad |= !text;
	return text ? text : "";
}

/* ---- stacks ------------------------------------------------------------------------------------------------------ */

static unsigned int stack_flags(const char *stacks, unsigned int key)
{
	return strlen(stacks) > key ? (unsigned int)(stacks[key] - '0') % STP_STACK_FLAGS_END_ : 0;
}

static void put_span(struct json_writer *w, enum json_field field, const struct span *span)
{
	if (!span->text)
		return;
	json_member(w, field);
	json_string(w, span->text, span->length);
}

static void put_identity(struct json_writer *w, const struct address_name *name)
{
	if (!name->build_id)
		return;
	json_member_text(w, JSON_FRAME_BUILD_ID, name->build_id);
	json_member_address(w, JSON_FRAME_LINK_ADDRESS, name->link_address);
}

/* Write the object: the path of a program or library if it is known. */
static void put_object(struct json_writer *w, const struct span *text, const struct object_id *object)
{
	if (object && object->path)
		json_member_text(w, JSON_FRAME_OBJECT, object->path);
	else
		put_span(w, JSON_FRAME_OBJECT, text);
}

static void put_frame(struct json_writer *w, const struct snapshot_lines *lines, const struct frame_text *frame,
		      const struct address_name *name, unsigned int flags)
{
	const char *kind = frame_text_kind(frame, flags & STP_STACK_KERNEL, flags & STP_STACK_USER);
	bool is_file = !name && (!strcmp(kind, "program") || !strcmp(kind, "library"));
	const struct object_id *object = is_file ? object_of(&lines->objects, &frame->object) : NULL;

	json_object_begin(w);
	put_span(w, JSON_FRAME_NAME, &frame->name);
	if (frame->name.text || frame->object.text)
		json_member_number(w, JSON_FRAME_OFFSET, (int64_t)frame->offset);
	json_member_text(w, JSON_FRAME_KIND, kind);
	if (strcmp(kind, "kernel") != 0)
		put_object(w, &frame->object, object);
	put_span(w, JSON_FRAME_FILE, &frame->file);
	if (frame->line)
		json_member_number(w, JSON_FRAME_LINE, frame->line);
	put_span(w, JSON_FRAME_ADDRESS, &frame->address);
	if (name)
		put_identity(w, name);
	else if (object)
		json_member_optional(w, JSON_FRAME_BUILD_ID, object->build_id);
	json_object_end(w);
}

/* What precedes an address in a stack decides whether it is the innermost one of the kernel or of the program. */
struct stack_position {
	bool has_address, was_kernel;
};

static bool is_return(struct stack_position *position, uint64_t address)
{
	bool is_kernel = (int64_t)address < 0, result = position->has_address && position->was_kernel == is_kernel;

	*position = (struct stack_position){true, is_kernel};
	return result;
}

static void put_address_frame(struct json_writer *w, const struct snapshot_lines *lines,
			      struct stack_position *position, const struct frame_text *frame, unsigned int flags)
{
	uint64_t address = strtoull(frame->address.text, NULL, 16);
	const struct address_name *name = name_of(&lines->names, address, is_return(position, address));
	struct frame_text named = *frame;

	if (name)
		frame_text_parse(name->text, strlen(name->text), &named);
	named.address = frame->address;
	put_frame(w, lines, &named, name, flags);
}

/* Return the length of the word at the beginning, and whether it is an address. */
static size_t next_word(const char *at, const char *end, struct frame_text *frame, bool *is_address)
{
	const char *space = memchr(at, ' ', end - at);
	size_t length = (space ? space : end) - at;

	*is_address = frame_text_parse(at, length, frame) && frame->address.text && !frame->name.text;
	return length;
}

static bool is_address_list(const char *at, const char *end)
{
	struct frame_text frame;
	bool is_address = true;

	for (size_t length; at < end && is_address; at += length + 1) {
		length = next_word(at, end, &frame, &is_address);
		is_address |= !length;
	}
	return is_address;
}

/* Stand in for the frames outside of the last one, so that a stack that was cut is not taken for a whole one. */
static void put_missing_frames(struct json_writer *w)
{
	json_object_begin(w);
	json_member_text(w, JSON_FRAME_NAME, "[incomplete]");
	json_member_text(w, JSON_FRAME_KIND, "unknown");
	json_object_end(w);
}

static void put_address_list(struct json_writer *w, const struct snapshot_lines *lines, struct stack_position *position,
			     const char *at, const char *end, unsigned int flags)
{
	struct frame_text frame;
	bool is_address;

	for (size_t length; at < end; at += length + 1) {
		length = next_word(at, end, &frame, &is_address);
		if (is_address)
			put_address_frame(w, lines, position, &frame, flags);
	}
	/* The runtime ends the text of such a stack with a blank. */
	if (position->has_address && end[-1] == ' ')
		put_missing_frames(w);
}

/*
 * Write the frames of a text: in each line, addresses separated by blanks, or one frame. A frame without a newline was
 * truncated, because the text did not fit into a string of the script. Lists of addresses contain whole addresses.
 */
static void put_stack(struct json_writer *w, const struct snapshot_lines *lines, const struct span *text,
		      unsigned int flags)
{
	const char *at = text->text, *end = at + text->length;
	struct stack_position position = {0};
	struct frame_text frame;

	json_array_begin(w);
	while (at < end) {
		const char *newline = memchr(at, '\n', end - at);
		const char *stop = newline ? newline : end;
		bool is_list = is_address_list(at, stop);

		if (is_list) {
			put_address_list(w, lines, &position, at, stop, flags);
		} else if (frame_text_parse(at, stop - at, &frame)) {
			if (newline)
				put_frame(w, lines, &frame, NULL, flags);
			if (frame.is_cut || (!newline && frame.address.text))
				put_missing_frames(w);
		}
		at = stop + 1;
	}
	json_array_end(w);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* A global whose record has been read. */
struct global {
	struct stp_snapshot_global head;
	const char *name, *unit, *show, *file, *key_names, *stacks;
};

/* A bound of a bucket of a histogram. */
struct bound {
	int64_t value;
	bool is_open; /* without a bound */
};

static const struct bound no_bound = {.is_open = true};

/* Return the least value of a bucket of a logarithmic histogram. */
static struct bound log_bound(uint64_t index)
{
	if (index >= STP_LOG_BUCKETS || index == 0)
		return no_bound;
	if (index > STP_LOG_ZERO)
		return (struct bound){.value = INT64_C(1) << (index - STP_LOG_ZERO - 1)};
	if (index == STP_LOG_ZERO)
		return (struct bound){.value = 0};
	/* Bucket -n begins just above the next lower power of two. */
	return (struct bound){.value = (int64_t)(1 - (UINT64_C(1) << (STP_LOG_ZERO - index)))};
}

static struct bound linear_bound(const struct stp_snapshot_global *head, uint64_t index)
{
	int64_t value;

	if (index == 0 || index >= head->buckets)
		return no_bound;
	if (__builtin_mul_overflow((int64_t)(index - 1), head->width, &value) ||
	    __builtin_add_overflow(value, head->low, &value))
		return no_bound;
	return (struct bound){.value = value};
}

static struct bound lower_bound(const struct stp_snapshot_global *head, uint64_t index)
{
	return head->statistic & STP_STATISTIC_LOG ? log_bound(index) : linear_bound(head, index);
}

static void put_bound(struct json_writer *w, struct bound bound)
{
	if (bound.is_open)
		json_null(w);
	else
		json_number(w, bound.value);
}

static void put_bucket(struct json_writer *w, const struct stp_snapshot_global *head, uint64_t index, int64_t count)
{
	json_array_begin(w);
	put_bound(w, lower_bound(head, index));
	put_bound(w, lower_bound(head, index + 1));
	json_number(w, count);
	json_array_end(w);
}

static void put_histogram(struct json_writer *w, const struct stp_snapshot_global *head, uint64_t count,
			  struct cursor *cursor)
{
	uint64_t next = 0;

	json_member(w, JSON_STATISTICS_HISTOGRAM);
	json_object_begin(w);
	json_member_text(w, JSON_HISTOGRAM_KIND, head->statistic & STP_STATISTIC_LOG ? "log" : "linear");
	json_member(w, JSON_HISTOGRAM_BUCKETS);
	json_array_begin(w);
	for (uint64_t i = 0; i < count && !cursor->is_bad; i++) {
		uint64_t index = (uint64_t)take_number(cursor);
		int64_t value = take_number(cursor);

		cursor->is_bad |= index >= head->buckets || (i && index < next);
		for (; i && next < index && !cursor->is_bad; next++)
			put_bucket(w, head, next, 0);
		if (!cursor->is_bad)
			put_bucket(w, head, index, value);
		next = index + 1;
	}
	json_array_end(w);
	json_object_end(w);
}

static void put_statistics(struct json_writer *w, const struct stp_snapshot_global *head, struct cursor *cursor)
{
	struct stp_snapshot_statistic values = {0};
	const void *bytes = take(cursor, sizeof(values));

	if (bytes)
		memcpy(&values, bytes, sizeof(values));
	json_object_begin(w);
	json_member_number(w, JSON_STATISTICS_COUNT, values.count);
	json_member_number(w, JSON_STATISTICS_SUM, values.sum);
	if (values.count > 0) {
		json_member_number(w, JSON_STATISTICS_MIN, values.min);
		json_member_number(w, JSON_STATISTICS_MAX, values.max);
		json_member_number(w, JSON_STATISTICS_AVG, values.sum / values.count);
		if (head->statistic & STP_STATISTIC_VARIANCE)
			json_member_number(w, JSON_STATISTICS_VARIANCE, values.variance);
	}
	if (head->buckets)
		put_histogram(w, head, values.bucket_count, cursor);
	json_object_end(w);
}

enum data_type { DATA_NUMBER, DATA_STRING, DATA_STATISTICS, DATA_TYPE_COUNT_ };

static enum data_type value_type(const struct stp_snapshot_global *head)
{
	static const enum data_type types[STP_GLOBAL_KIND_COUNT_] = {
		[STP_GLOBAL_LONG] = DATA_NUMBER,	  [STP_GLOBAL_STRING] = DATA_STRING,
		[STP_GLOBAL_STATISTIC] = DATA_STATISTICS, [STP_GLOBAL_MAP_LONG] = DATA_NUMBER,
		[STP_GLOBAL_MAP_STRING] = DATA_STRING,	  [STP_GLOBAL_MAP_STATISTIC] = DATA_STATISTICS,
	};

	return types[head->kind];
}

static void put_value(struct json_writer *w, const struct stp_snapshot_global *head, struct cursor *cursor)
{
	struct span text;

	switch (value_type(head)) {
	case DATA_NUMBER:
		json_number(w, take_number(cursor));
		break;
	case DATA_STRING:
		text = take_string(cursor);
		json_string(w, text.text, text.length);
		break;
	default:
		put_statistics(w, head, cursor);
	}
}

static bool key_is_string(const struct global *global, unsigned int key)
{
	return global->head.key_strings >> key & 1;
}

static void put_key(struct json_writer *w, const struct snapshot_lines *lines, const struct global *global,
		    unsigned int key, struct cursor *cursor)
{
	unsigned int flags = stack_flags(global->stacks, key);
	struct span text;

	if (!key_is_string(global, key)) {
		json_number(w, take_number(cursor));
		return;
	}
	text = take_string(cursor);
	if (flags)
		put_stack(w, lines, &text, flags);
	else
		json_string(w, text.text, text.length);
}

static void put_element(struct json_writer *w, const struct snapshot_lines *lines, const struct global *global,
			struct cursor *cursor)
{
	json_array_begin(w);
	json_array_begin(w);
	for (unsigned int i = 0; i < global->head.key_count; i++)
		put_key(w, lines, global, i, cursor);
	json_array_end(w);
	put_value(w, &global->head, cursor);
	json_array_end(w);
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void put_key_types(struct json_writer *w, const struct global *global)
{
	json_member(w, JSON_GLOBAL_KEYS);
	json_array_begin(w);
	for (unsigned int i = 0; i < global->head.key_count; i++)
		json_text(w, stack_flags(global->stacks, i) ? "stack" : key_is_string(global, i) ? "string" : "number");
	json_array_end(w);
}

static void put_stack_keys(struct json_writer *w, const struct global *global)
{
	static const char *const kinds[] = {"unknown", "kernel", "user", "both"};
	static const char *const forms[] = {"unknown", "addresses", "symbols", "mixed"};

	if (!*global->stacks)
		return;
	json_member(w, JSON_GLOBAL_STACKS);
	json_array_begin(w);
	for (unsigned int i = 0; i < global->head.key_count; i++) {
		unsigned int flags = stack_flags(global->stacks, i);

		if (!flags)
			continue;
		json_object_begin(w);
		json_member_number(w, JSON_STACK_KEY, i);
		json_member_text(w, JSON_STACK_KIND, kinds[flags & 3]);
		json_member_text(w, JSON_STACK_FORM, forms[flags >> 2 & 3]);
		if (flags & (STP_STACK_AT | STP_STACK_AFTER))
			json_member_text(w, JSON_STACK_INNERMOST, flags & STP_STACK_AT ? "instruction" : "call");
		json_object_end(w);
	}
	json_array_end(w);
}

static void put_key_names(struct json_writer *w, const struct global *global)
{
	const char *name = global->key_names;

	if (!*name)
		return;
	json_member(w, JSON_GLOBAL_KEY_NAMES);
	json_array_begin(w);
	for (unsigned int i = 0; i < global->head.key_count; i++) {
		size_t length = strcspn(name, ",");

		json_string(w, name, length);
		name += length + (name[length] == ',');
	}
	json_array_end(w);
}

static void put_place(struct json_writer *w, const struct global *global)
{
	json_member(w, JSON_GLOBAL_PLACE);
	json_object_begin(w);
	json_member_text(w, JSON_PLACE_FILE, global->file);
	json_member_number(w, JSON_PLACE_LINE, global->head.line);
	json_member_number(w, JSON_PLACE_COLUMN, global->head.column);
	json_object_end(w);
}

static void begin_global(struct json_writer *w, FILE *to, const struct snapshot_lines *lines,
			 const struct global *global, bool is_final)
{
	static const char *const types[DATA_TYPE_COUNT_] = {
		[DATA_NUMBER] = "number", [DATA_STRING] = "string", [DATA_STATISTICS] = "statistics"};

	json_begin(w, to, JSON_GLOBAL_TIME);
	json_member_now(w, JSON_GLOBAL_TIME);
	json_member_number(w, JSON_GLOBAL_SNAPSHOT, lines->number);
	json_member_bool(w, JSON_GLOBAL_FINAL, is_final);
	json_member_text(w, JSON_GLOBAL_NAME, global->name);
	json_member_text(w, JSON_GLOBAL_KIND, global->head.key_count ? "array" : "scalar");
	put_key_types(w, global);
	put_key_names(w, global);
	put_stack_keys(w, global);
	json_member_text(w, JSON_GLOBAL_VALUES, types[value_type(&global->head)]);
	if (*global->unit)
		json_member_text(w, JSON_GLOBAL_UNIT, global->unit);
	if (*global->show)
		json_member_text(w, JSON_GLOBAL_SHOW, global->show);
	put_place(w, global);
	json_member(w, JSON_GLOBAL_ELEMENTS);
	json_array_begin(w);
}

static void end_global(struct json_writer *w, bool is_complete)
{
	json_array_end(w);
	json_member_bool(w, JSON_GLOBAL_COMPLETE, is_complete);
	json_line_end(w);
}

static void put_snapshot(struct snapshot_lines *lines, FILE *to, bool is_final)
{
	struct json_writer w;

	json_begin(&w, to, JSON_SNAPSHOT_TIME);
	json_member_now(&w, JSON_SNAPSHOT_TIME);
	json_member_number(&w, JSON_SNAPSHOT_SNAPSHOT, lines->number++);
	json_member_bool(&w, JSON_SNAPSHOT_FINAL, is_final);
	json_line_end(&w);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The state between two records of a snapshot. */
struct reading {
	struct snapshot_lines *lines;
	FILE *to;
	bool is_final, is_in_global;
	char *texts; /* the record of the global */
	struct global global;
	struct json_writer w;
};

static bool take_global(struct reading *r, const char *data, size_t size)
{
	struct cursor cursor;

	free(r->texts);
	r->texts = memory_new(size, 1);
	memcpy(r->texts, data, size);
	cursor = (struct cursor){.at = r->texts, .end = r->texts + size};
	if (!take(&cursor, sizeof(r->global.head)) || r->is_in_global)
		return false;
	memcpy(&r->global.head, r->texts, sizeof(r->global.head));
	r->global.name = take_text(&cursor);
	r->global.unit = take_text(&cursor);
	r->global.show = take_text(&cursor);
	r->global.file = take_text(&cursor);
	r->global.key_names = take_text(&cursor);
	r->global.stacks = take_text(&cursor);
	if (cursor.is_bad || r->global.head.kind >= STP_GLOBAL_KIND_COUNT_ || r->global.head.key_count > STP_MAX_KEYS)
		return false;
	r->is_in_global = true;
	begin_global(&r->w, r->to, r->lines, &r->global, r->is_final);
	return true;
}

static bool take_element(struct reading *r, const char *data, size_t size)
{
	struct cursor cursor = {.at = data + sizeof(struct stp_snapshot_record), .end = data + size};

	if (!r->is_in_global)
		return false;
	put_element(&r->w, r->lines, &r->global, &cursor);
	return !cursor.is_bad;
}

static bool take_symbol(struct reading *r, const char *data, size_t size)
{
	struct stp_snapshot_symbol symbol;

	if (size < sizeof(symbol))
		return false;
	memcpy(&symbol, data, sizeof(symbol));
	if (symbol.length + symbol.id_size > size - sizeof(symbol))
		return false;
	add_name(&r->lines->names, &symbol, data + sizeof(symbol));
	return true;
}

static bool take_object(struct reading *r, const char *data, size_t size)
{
	struct stp_snapshot_object object;

	if (size < sizeof(object))
		return false;
	memcpy(&object, data, sizeof(object));
	if (object.length + object.id_size > size - sizeof(object))
		return false;
	if (object.is_first)
		clear_objects(&r->lines->objects);
	add_object(&r->lines->objects, &object, data + sizeof(object));
	return true;
}

static bool take_end(struct reading *r, const struct stp_snapshot_record *record)
{
	if (!r->is_in_global)
		return false;
	r->is_in_global = false;
	end_global(&r->w, !record->is_partial);
	return true;
}

static bool take_record(struct reading *r, const struct stp_snapshot_record *record, const char *data)
{
	switch (record->type) {
	case STP_SNAPSHOT_GLOBAL:
		return take_global(r, data, record->size);
	case STP_SNAPSHOT_ELEMENT:
		return take_element(r, data, record->size);
	case STP_SNAPSHOT_SYMBOL:
		return take_symbol(r, data, record->size);
	case STP_SNAPSHOT_OBJECT:
		return take_object(r, data, record->size);
	case STP_SNAPSHOT_END:
		return take_end(r, record);
	default:
		return false;
	}
}

/* Write the lines of all whole records. Return how many bytes they have; -1: they are damaged. */
static ssize_t take_records(struct reading *r, const char *data, size_t size)
{
	struct stp_snapshot_record record;
	size_t at = 0;

	while (size - at >= sizeof(record)) {
		memcpy(&record, data + at, sizeof(record));
		if (record.size < sizeof(record) || record.size % 8)
			return -1;
		if (record.size > size - at)
			break;
		if (!take_record(r, &record, data + at))
			return -1;
		at += record.size;
	}
	return (ssize_t)at;
}

/* End a line that is not complete, so that the output stays JSON. The writer knows how deep it is. */
static void finish_reading(struct reading *r)
{
	if (r->is_in_global)
		end_global(&r->w, false);
	free(r->texts);
}

bool snapshot_lines_of(struct snapshot_lines *lines, const char *data, size_t size, FILE *to, bool is_final)
{
	struct reading r = {.lines = lines, .to = to, .is_final = is_final};
	bool is_sound = take_records(&r, data, size) == (ssize_t)size;

	finish_reading(&r);
	put_snapshot(lines, to, is_final);
	return is_sound;
}

static struct error *read_error(void)
{
	return error_errno(_("cannot read the file '%s' of the module"), "globals");
}

struct error *snapshot_lines_write(struct snapshot_lines *lines, FILE *to, bool is_final)
{
	struct reading r = {.lines = lines, .to = to, .is_final = is_final};
	_cleanup_free_ char *data = NULL;
	size_t used = 0, size = 1 << 17;
	ssize_t got, done = 0;

	if (lseek(lines->file, 0, SEEK_SET) < 0)
		return read_error();
	data = memory_new(size, 1);
	while ((got = read(lines->file, data + used, size - used)) > 0) {
		used += got;
		done = take_records(&r, data, used);
		if (done < 0)
			break;
		used -= done;
		memmove(data, data + done, used);
		if (used > size / 2)
			data = memory_resize(data, size *= 2, 1);
	}
	finish_reading(&r);
	if (got < 0 && errno == EBUSY && !r.texts)
		return NULL;
	if (got < 0 && errno != EBUSY)
		return read_error();
	if (done < 0 || used)
		return error_new(ERROR_OTHER, _("the file '%s' of the module is damaged"), "globals");
	put_snapshot(lines, to, is_final);
	return NULL;
}
