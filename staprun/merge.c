// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merge the trace files.
 *
 * Each CPU has its own file, and the module numbers the records of all files in one sequence without gaps
 * (runtime/abi/protocol.h). So the next record to emit is the one with the next number. If no file has it yet, a CPU
 * whose file was read slightly too early is writing it right now; records with higher numbers wait.
 *
 * The bytes of a file stay in its buffer as they were read; only the header of its first record is parsed. A run of
 * numbers usually comes from one CPU, so the file that had the last number is tried first.
 *
 * Output that a handler printed in several records is collected until its last part arrives, and then emitted at once.
 */
#include "staprun/merge.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/memory.h"

/* The parts of one handler's output, until the last one arrives. */
struct chain {
	char *parts; /* NULL: no parts */
	size_t length, capacity;
	unsigned int next;
};

struct merge_file {
	char *name;
	char *data;
	size_t start, end, capacity; /* data[start..end) is not emitted yet */
	bool has_head; /* a whole record is at `start`, its header is in `head` */
	struct stp_record head;
	bool any; /* a record was seen */
	uint64_t last; /* sequence number of the last record */
	bool broken;
	bool ended; /* no more data will be added */
	struct chain chains[STP_WRITERS];
};

struct merge {
	merge_emit_t *emit;
	void *data;
	struct merge_file *files;
	unsigned int count, current;
	uint64_t next;
	bool apart; /* do not order records across files */
	uint64_t torn; /* parts dropped because others are missing */
};

struct merge *merge_new(merge_emit_t *emit, void *data)
{
	struct merge *merge = memory_new(1, sizeof(*merge));

	merge->emit = emit;
	merge->data = data;
	return merge;
}

void merge_free(struct merge *merge)
{
	if (!merge)
		return;
	for (unsigned int i = 0; i < merge->count; i++) {
		for (unsigned int writer = 0; writer < STP_WRITERS; writer++)
			free(merge->files[i].chains[writer].parts);
		free(merge->files[i].name);
		free(merge->files[i].data);
	}
	free(merge->files);
	free(merge);
}

void merge_set_apart(struct merge *merge)
{
	merge->apart = true;
}

unsigned int merge_current(const struct merge *merge)
{
	return merge->current;
}

void merge_end(struct merge *merge, unsigned int number)
{
	merge->files[number].ended = true;
}

bool merge_has_record(const struct merge *merge, unsigned int number)
{
	return merge->files[number].has_head;
}

unsigned int merge_add_file(struct merge *merge, const char *name)
{
	merge->files = memory_resize(merge->files, merge->count + 1, sizeof(*merge->files));
	memset(&merge->files[merge->count], 0, sizeof(merge->files[0]));
	merge->files[merge->count].name = text_copy(name, strlen(name));
	return merge->count++;
}

void *merge_reserve(struct merge *merge, unsigned int number, size_t size)
{
	struct merge_file *file = &merge->files[number];

	if (file->start == file->end)
		file->start = file->end = 0;
	if (file->capacity - file->end < size && file->start) {
		memmove(file->data, file->data + file->start, file->end - file->start);
		file->end -= file->start;
		file->start = 0;
	}
	if (file->capacity - file->end < size) {
		file->capacity = 2 * (file->end + size);
		file->data = memory_resize(file->data, file->capacity, 1);
	}
	return file->data + file->end;
}

static struct error *corrupt(struct merge_file *file, const char *why)
{
	file->broken = true;
	file->has_head = false;
	file->start = file->end = 0;
	return error_with_hint(error_new(ERROR_OTHER, _("corrupt record in %s: %s"), file->name, why),
			       _("use stap and staprun of the same version"));
}

/* Parse the header of the record at `start`, and set has_head if the record is complete. */
static struct error *load_head(struct merge *merge, struct merge_file *file)
{
	size_t size = file->end - file->start;

	file->has_head = false;
	if (size < sizeof(file->head))
		return NULL;
	memcpy(&file->head, file->data + file->start, sizeof(file->head));
	if (file->head.magic != STP_RECORD_MAGIC)
		return corrupt(file, _("invalid magic number"));
	if (file->head.type >= STP_RECORD_TYPES)
		return corrupt(file, _("unknown type"));
	if (file->head.writer >= STP_WRITERS)
		return corrupt(file, _("unknown writer"));
	if (file->head.length > STP_RECORD_LIMIT)
		return corrupt(file, _("too long"));
	if ((!merge->apart && file->head.sequence < merge->next) || (file->any && file->head.sequence <= file->last))
		return corrupt(file, _("duplicate sequence number"));
	file->has_head = size - sizeof(file->head) >= file->head.length;
	return NULL;
}

struct error *merge_commit(struct merge *merge, unsigned int number, size_t size)
{
	struct merge_file *file = &merge->files[number];

	if (file->broken)
		return NULL;
	file->end += size;
	return file->has_head ? NULL : load_head(merge, file);
}

/* Bytes collected per handler; longer output is emitted in pieces. */
enum { CHAIN_LIMIT = 64 << 20 };

static void drop_chain(struct merge *merge, struct chain *chain)
{
	if (!chain->parts)
		return;
	merge->torn += chain->next;
	free(chain->parts);
	chain->parts = NULL;
}

static void begin_chain(struct chain *chain)
{
	chain->length = 0;
	chain->capacity = STP_RECORD_LIMIT;
	chain->parts = memory_new(chain->capacity, 1);
}

/* Emit a chain as records of the maximum size, all with the number of the last part. */
static void emit_chain(struct merge *merge, struct chain *chain, const struct stp_record *last)
{
	struct stp_record record = *last;

	record.part = 0;
	for (size_t at = 0; at < chain->length; at += record.length) {
		record.length = chain->length - at < STP_RECORD_LIMIT ? chain->length - at : STP_RECORD_LIMIT;
		merge->emit(merge->data, &record, chain->parts + at);
	}
	free(chain->parts);
	chain->parts = NULL;
}

static void add_part(struct merge *merge, struct chain *chain, const struct stp_record *record, const char *payload)
{
	unsigned int number = record->part & ~STP_PART_MORE;

	if (!number) {
		drop_chain(merge, chain);
		begin_chain(chain);
		chain->next = 0;
	} else if (!chain->parts || number != (chain->next & ~STP_PART_MORE)) {
		drop_chain(merge, chain);
		merge->torn++;
		return;
	}
	chain->next++;
	while (chain->capacity - chain->length < record->length) {
		chain->capacity *= 2;
		chain->parts = memory_resize(chain->parts, chain->capacity, 1);
	}
	memcpy(chain->parts + chain->length, payload, record->length);
	chain->length += record->length;
	if ((record->part & STP_PART_MORE) && chain->length < CHAIN_LIMIT)
		return;
	emit_chain(merge, chain, record);
	if (record->part & STP_PART_MORE)
		begin_chain(chain);
}

static void deliver(struct merge *merge, struct merge_file *file, const struct stp_record *record, const char *payload)
{
	struct chain *chain = &file->chains[record->writer];

	if (merge->apart || record->type != STP_RECORD_OUTPUT || (!record->part && !chain->parts))
		merge->emit(merge->data, record, payload);
	else
		add_part(merge, chain, record, payload);
}

uint64_t merge_torn(const struct merge *merge)
{
	return merge->torn;
}

/* Emit the first record of a file and parse the header of the next one. */
static struct error *emit_head(struct merge *merge, struct merge_file *file)
{
	struct stp_record head = file->head;
	const char *payload = file->data + file->start + sizeof(head);

	file->any = true;
	file->last = head.sequence;
	merge->next = head.sequence + 1;
	deliver(merge, file, &head, payload);
	file->start += sizeof(head) + head.length;
	return load_head(merge, file);
}

static bool is_next(const struct merge *merge, unsigned int number)
{
	return merge->files[number].has_head && (merge->apart || merge->files[number].head.sequence == merge->next);
}

struct error *merge_emit(struct merge *merge)
{
	for (;;) {
		unsigned int tried = 0;
		struct error *error;

		while (tried < merge->count && !is_next(merge, merge->current)) {
			merge->current = (merge->current + 1) % merge->count;
			tried++;
		}
		if (tried == merge->count)
			return NULL;
		error = emit_head(merge, &merge->files[merge->current]);
		if (error)
			return error;
	}
}

size_t merge_held(const struct merge *merge)
{
	size_t held = 0;

	for (unsigned int i = 0; i < merge->count; i++)
		held += merge->files[i].end - merge->files[i].start;
	return held;
}

/* Return the file whose first record has the lowest number, or NULL if no file has a record. */
static struct merge_file *lowest(struct merge *merge)
{
	struct merge_file *first = NULL;

	for (unsigned int i = 0; i < merge->count; i++)
		if (merge->files[i].has_head && (!first || merge->files[i].head.sequence < first->head.sequence))
			first = &merge->files[i];
	return first;
}

static struct error *emit_lowest(struct merge *merge, struct merge_file *file, uint64_t *missing)
{
	/* Two files claim the same number. */
	if (file->head.sequence < merge->next && !merge->apart)
		return corrupt(file, _("duplicate sequence number"));
	if (!merge->apart)
		*missing += file->head.sequence - merge->next;
	merge->current = file - merge->files;
	return emit_head(merge, file);
}

static bool all_have_records(const struct merge *merge)
{
	for (unsigned int i = 0; i < merge->count; i++)
		if (!merge->files[i].has_head && !merge->files[i].broken && !merge->files[i].ended)
			return false;
	return true;
}

struct error *merge_flush_ready(struct merge *merge, uint64_t *missing)
{
	struct error *error = merge_emit(merge);
	struct merge_file *first;

	*missing = 0;
	while (!error && all_have_records(merge) && (first = lowest(merge)))
		error = emit_lowest(merge, first, missing) ?: merge_emit(merge);
	return error;
}

struct error *merge_go_on_at(struct merge *merge, uint64_t next)
{
	struct error *error = NULL;
	struct merge_file *first;
	uint64_t missing = 0;

	while (!error && (first = lowest(merge)) && first->head.sequence < next)
		error = emit_lowest(merge, first, &missing);
	if (merge->next < next)
		merge->next = next;
	merge->torn = 0; /* losing the beginning is expected when attaching */
	return error;
}

struct error *merge_flush(struct merge *merge, uint64_t *missing)
{
	struct error *error = NULL;
	struct merge_file *first;

	*missing = 0;
	while ((first = lowest(merge))) {
		struct error *another = emit_lowest(merge, first, missing);

		if (error)
			error_free(another);
		else
			error = another;
	}
	for (unsigned int i = 0; i < merge->count; i++)
		for (unsigned int writer = 0; writer < STP_WRITERS; writer++)
			drop_chain(merge, &merge->files[i].chains[writer]);
	for (unsigned int i = 0; i < merge->count && !error; i++)
		if (merge->files[i].end > merge->files[i].start)
			error = corrupt(&merge->files[i], _("the file is truncated"));
	return error;
}
