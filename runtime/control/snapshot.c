// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file "globals": the values of the script's globals, as records (abi/snapshot.h). staprun -J reads it
 * while the script runs and after its end probes.
 *
 * An array may have a million elements, and handlers wait while its lock is held with interrupts off. So each read()
 * copies only some elements, whose number depends on what one costs. Everything else, such as looking up symbols,
 * happens without the lock. As in monitor.c, globals are read only while no begin or end probe runs.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "runtime/abi/snapshot.h"
#include "runtime/control/control.h"
#include "runtime/control/snapshot.h"
#include "runtime/core/internal.h"
#include "runtime/core/lock.h"
#include "runtime/core/session.h"
#include "runtime/data/map.h"
#include "runtime/data/statistic.h"

enum {
	LOCKED_ELEMENTS = 32, /* at most, in one step */
	LOCKED_WORDS = 16384, /* reads of other CPUs' counters in one step, about */
	LOCKED_PLACES = 1024, /* of a map, which may be empty */
	OUT_SIZE = 65536,
	NAMED_BITS = 12, /* of the number of addresses that are remembered as named */
	SYMBOL_TEXT = 768,
};

/* The next step of read(). */
enum snapshot_phase { PHASE_GLOBAL, PHASE_OBJECTS, PHASE_ELEMENTS, PHASE_SYMBOLS, PHASE_END };

struct snapshot_file {
	struct mutex lock; /* for readers that share the file */
	enum snapshot_phase phase;
	unsigned int index; /* of the global */
	unsigned int next_object;
	bool has_told_objects;
	struct map_scan scan;
	bool is_last, is_partial; /* of the elements */
	/* The elements of a step, and how far the addresses in them are named. */
	char *elements;
	size_t elements_size, elements_used, named_to;
	/* bytes that user space has not read yet */
	char *out;
	size_t out_used, out_read;
	u64 named[1 << NAMED_BITS]; /* address * 2 + is_return; 0: none */
};

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void add_bytes(char **to, const void *bytes, size_t size)
{
	memcpy(*to, bytes, size);
	memset(*to + size, 0, ALIGN(size, sizeof(u64)) - size);
	*to += ALIGN(size, sizeof(u64));
}

static void add_number(char **to, s64 number)
{
	add_bytes(to, &number, sizeof(number));
}

static void add_string(char **to, const char *text)
{
	size_t length = strnlen(text, stp_script.string_size);

	add_number(to, length);
	add_bytes(to, text, length);
}

static void add_statistic(char **to, const struct stp_global *global, const void *statistic)
{
	unsigned int number = global - stp_script.globals, i;
	struct stp_snapshot_statistic *head = (struct stp_snapshot_statistic *)*to;
	struct stp_statistic_values values;

	statistic_read(global, statistic, &values);
	*head = (struct stp_snapshot_statistic){
		.count = values.count,
		.sum = values.sum,
		.min = values.min,
		.max = values.max,
		.variance = global->statistic & STP_STATISTIC_VARIANCE ? stp_variance(NULL, number, statistic) : 0,
	};
	*to += sizeof(*head);
	for (i = 0; i < global->buckets; i++) {
		struct stp_snapshot_bucket bucket = {i, statistic_bucket(global, statistic, i)};

		if (!bucket.count)
			continue;
		add_bytes(to, &bucket, sizeof(bucket));
		head->bucket_count++;
	}
}

static bool is_statistics(const struct stp_global *global)
{
	return global->kind == STP_GLOBAL_STATISTIC || global->kind == STP_GLOBAL_MAP_STATISTIC;
}

static void add_value(char **to, const struct stp_global *global, const void *value)
{
	if (is_statistics(global))
		add_statistic(to, global, value);
	else if (global->kind == STP_GLOBAL_STRING || global->kind == STP_GLOBAL_MAP_STRING)
		add_string(to, value);
	else
		add_number(to, READ_ONCE(*(const s64 *)value));
}

/* The most bytes that an element can have. */
static size_t element_limit(const struct stp_global *global)
{
	size_t string = 2 * sizeof(u64) + stp_script.string_size;
	size_t statistic = sizeof(struct stp_snapshot_statistic) + global->buckets * sizeof(struct stp_snapshot_bucket);

	return sizeof(struct stp_snapshot_record) + string * (global->key_count + 1) +
	       (is_statistics(global) ? statistic : 0);
}

static void put_element(struct snapshot_file *file, const struct stp_global *global, const union stp_value *keys,
			const void *value)
{
	struct stp_snapshot_record *record = (void *)(file->elements + file->elements_used);
	char *to = (char *)(record + 1);
	unsigned int i;

	for (i = 0; i < global->key_count; i++) {
		if (global->key_strings & (1u << i))
			add_string(&to, keys[i].string);
		else
			add_number(&to, keys[i].number);
	}
	add_value(&to, global, value);
	*record = (struct stp_snapshot_record){.size = to - (char *)record, .type = STP_SNAPSHOT_ELEMENT};
	file->elements_used += record->size;
}

enum { GLOBAL_TEXTS = 6 };

static void global_texts(const struct stp_global *global, const char *texts[GLOBAL_TEXTS])
{
	texts[0] = global->name;
	texts[1] = global->unit ?: "";
	texts[2] = global->show ?: "";
	texts[3] = stp_script.source_name;
	texts[4] = global->key_names ?: "";
	texts[5] = global->stacks ?: "";
}

static size_t global_size(const struct stp_global *global)
{
	const char *texts[GLOBAL_TEXTS];
	size_t size = sizeof(struct stp_snapshot_global);
	unsigned int i;

	global_texts(global, texts);
	for (i = 0; i < GLOBAL_TEXTS; i++)
		size += strlen(texts[i]) + 1;
	return ALIGN(size, sizeof(u64));
}

static void put_global(struct snapshot_file *file, const struct stp_global *global)
{
	const char *texts[GLOBAL_TEXTS];
	struct stp_snapshot_global *head = (void *)(file->out + file->out_used);
	char *to = (char *)(head + 1);
	unsigned int i;

	*head = (struct stp_snapshot_global){
		.record = {.size = global_size(global), .type = STP_SNAPSHOT_GLOBAL},
		.kind = global->kind,
		.statistic = global->statistic,
		.key_count = global->key_count,
		.key_strings = global->key_strings,
		.low = global->low,
		.width = global->width,
		.buckets = global->buckets,
		.line = global->line,
		.column = global->column,
	};
	global_texts(global, texts);
	for (i = 0; i < GLOBAL_TEXTS; i++) {
		memcpy(to, texts[i], strlen(texts[i]) + 1);
		to += strlen(to) + 1;
	}
	memset(to, 0, (char *)head + head->record.size - to);
	file->out_used += head->record.size;
}

static void put_end(struct snapshot_file *file)
{
	const struct stp_snapshot_record end = {
		.size = sizeof(end), .type = STP_SNAPSHOT_END, .is_partial = file->is_partial};

	memcpy(file->out + file->out_used, &end, sizeof(end));
	file->out_used += sizeof(end);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static bool is_alone(const struct stp_global *global)
{
	return global->only_fed || global->kind == STP_GLOBAL_LONG;
}

static bool is_full(const struct snapshot_file *file, const struct stp_global *global)
{
	return file->elements_size - file->elements_used < element_limit(global);
}

static unsigned int most_elements(const struct stp_global *global)
{
	unsigned int words = is_statistics(global) ? nr_cpu_ids * (8 + global->buckets) : 1;

	return clamp_t(unsigned int, LOCKED_WORDS / words, 1, LOCKED_ELEMENTS);
}

static void copy_elements(struct snapshot_file *file, const struct stp_global *global)
{
	const struct stp_map *map = *global->storage;
	union stp_value keys[STP_MAX_KEYS];
	struct map_scan *scan = &file->scan;
	u32 end = min(scan->next + LOCKED_PLACES, scan->capacity);
	unsigned int left = most_elements(global);
	const void *value;

	while (left-- && !is_full(file, global) && map_scan_next(map, scan, end, keys, &value))
		put_element(file, global, keys, value);
	file->is_last = scan->next == scan->capacity;
}

static void copy_some(struct snapshot_file *file, const struct stp_global *global)
{
	if (global->key_count) {
		copy_elements(file, global);
		return;
	}
	put_element(file, global, NULL, global->kind == STP_GLOBAL_LONG ? (void *)global->storage : *global->storage);
	file->is_last = true;
}

static void take_elements(struct snapshot_file *file, const struct stp_global *global)
{
	unsigned long flags = 0;

	file->elements_used = file->named_to = 0;
	if (!is_alone(global) && !lock_look(file->index, &flags)) {
		file->is_last = file->is_partial = true;
		return;
	}
	copy_some(file, global);
	if (!is_alone(global))
		lock_look_end(file->index, flags);
}

/* ---- symbols of addresses in stacks ------------------------------------------------------------------------------ */

/* The innermost address of a stack is of the instruction itself; each other one follows a call. */
static void tell_symbol(struct stp_snapshot_symbol *symbol, char *to)
{
	if ((s64)symbol->address < 0) {
		scnprintf(to, SYMBOL_TEXT, symbol->is_return ? "%pB" : "%pS", (void *)symbol->address);
		symbol->length = strchr(to, '+') ? strlen(to) : 0;
	} else if (stp_script.user_stacks) {
		stp_script.user_stacks->symbol(symbol, to, SYMBOL_TEXT);
	}
}

/* Name an address, unless it was named before. Return false if the buffer has no space. */
static bool put_symbol(struct snapshot_file *file, u64 address, bool is_return)
{
	u64 entry = address << 1 | is_return; /* the top two bits are equal */
	u64 *named = &file->named[hash_64(entry, NAMED_BITS)];
	struct stp_snapshot_symbol head = {.address = address, .is_return = is_return};
	char *to = file->out + file->out_used;
	size_t size;

	if (*named == entry)
		return true;
	if (OUT_SIZE - file->out_used < sizeof(head) + SYMBOL_TEXT)
		return false;
	*named = entry;
	tell_symbol(&head, to + sizeof(head));
	if (!head.length) {
		/* The table of its program may come later. */
		*named = 0;
		return true;
	}
	size = sizeof(head) + head.length + head.id_size;
	head.record.type = STP_SNAPSHOT_SYMBOL;
	head.record.size = ALIGN(size, sizeof(u64));
	memset(to + size, 0, head.record.size - size);
	memcpy(to, &head, sizeof(head));
	file->out_used += head.record.size;
	return true;
}

/* Read "0x..." at the beginning of a text. Return false if its first word is something else. */
static bool read_address(const char *text, size_t length, u64 *address)
{
	char word[sizeof("0x0123456789abcdef")];
	size_t size = 0;

	while (size < length && text[size] && text[size] != ' ' && text[size] != '\n')
		size++;
	if (size < 3 || size >= sizeof(word))
		return false;
	memcpy(word, text, size);
	word[size] = '\0';
	return text[0] == '0' && text[1] == 'x' && !kstrtou64(word, 16, address);
}

/*
 * Name the addresses in a text. A kernel stack may be followed by a user stack. Return false if the buffer has no
 * space.
 */
static bool name_addresses(struct snapshot_file *file, const char *text, size_t length)
{
	bool was_kernel = false, is_first = true;
	size_t at = 0;
	u64 address;

	while (at < length) {
		if (read_address(text + at, length - at, &address)) {
			bool is_kernel = (s64)address < 0;

			if (!put_symbol(file, address, !is_first && was_kernel == is_kernel))
				return false;
			is_first = false;
			was_kernel = is_kernel;
		}
		while (at < length && text[at] != ' ' && text[at] != '\n')
			at++;
		at++;
	}
	return true;
}

static bool has_addresses(const struct stp_global *global, unsigned int key)
{
	return global->stacks && global->stacks[key] != '0' && (global->stacks[key] - '0') & STP_STACK_ADDRESSES;
}

static bool name_element(struct snapshot_file *file, const struct stp_global *global, const char *at)
{
	unsigned int i;

	for (i = 0; i < global->key_count; i++) {
		u64 length = *(const u64 *)at;

		at += sizeof(u64);
		if (!(global->key_strings & (1u << i)))
			continue;
		if (has_addresses(global, i) && !name_addresses(file, at, length))
			return false;
		at += ALIGN(length, sizeof(u64));
	}
	return true;
}

/* Name the addresses of all elements in the buffer. Return false if there is no space for the rest now. */
static bool name_elements(struct snapshot_file *file, const struct stp_global *global)
{
	while (file->named_to < file->elements_used) {
		const struct stp_snapshot_record *record = (const void *)(file->elements + file->named_to);

		if (global->stacks && !name_element(file, global, (const char *)(record + 1)))
			return false;
		file->named_to += record->size;
	}
	return true;
}

/* ---- programs and libraries -------------------------------------------------------------------------------------- */

/* Does the global have stacks of programs in which only the names of files stand? */
static bool wants_objects(const struct stp_global *global)
{
	unsigned int i;

	for (i = 0; global->stacks && i < global->key_count; i++)
		if ((global->stacks[i] - '0') & STP_STACK_USER && (global->stacks[i] - '0') & STP_STACK_SYMBOLS)
			return stp_script.user_stacks;
	return false;
}

/* Describe programs and libraries while there is space. Return false after the last one. */
static bool put_objects(struct snapshot_file *file)
{
	while (OUT_SIZE - file->out_used >= sizeof(struct stp_snapshot_object) + SYMBOL_TEXT) {
		struct stp_snapshot_object head = {.record.type = STP_SNAPSHOT_OBJECT, .is_first = !file->next_object};
		char *to = file->out + file->out_used;
		size_t size;

		if (!stp_script.user_stacks->object(file->next_object, &head, to + sizeof(head), SYMBOL_TEXT))
			return false;
		size = sizeof(head) + head.length + head.id_size;
		head.record.size = ALIGN(size, sizeof(u64));
		memset(to + size, 0, head.record.size - size);
		memcpy(to, &head, sizeof(head));
		file->out_used += head.record.size;
		file->next_object++;
	}
	return true;
}

/* ---- the steps of a snapshot ------------------------------------------------------------------------------------- */

static void begin_global(struct snapshot_file *file, const struct stp_global *global)
{
	put_global(file, global);
	file->is_partial = file->is_last = false;
	if (global->key_count)
		map_scan_begin(*global->storage, &file->scan);
	file->phase = !file->has_told_objects && wants_objects(global) ? PHASE_OBJECTS : PHASE_ELEMENTS;
}

/* The elements follow their symbols, and are read directly from their own buffer. */
static void finish_elements(struct snapshot_file *file)
{
	swap(file->out, file->elements);
	swap(file->out_used, file->elements_used);
	file->phase = file->is_last ? PHASE_END : PHASE_ELEMENTS;
}

/* Take one step. Return false after the last one. */
static bool take_step(struct snapshot_file *file)
{
	const struct stp_global *global = &stp_script.globals[file->index];

	while (file->index < stp_script.global_count && !global->is_own) {
		file->index++;
		global++;
	}
	if (file->index >= stp_script.global_count)
		return false;
	switch (file->phase) {
	case PHASE_GLOBAL:
		begin_global(file, global);
		break;
	case PHASE_OBJECTS:
		if (put_objects(file))
			break;
		file->has_told_objects = true;
		file->phase = PHASE_ELEMENTS;
		break;
	case PHASE_ELEMENTS:
		take_elements(file, global);
		file->phase = PHASE_SYMBOLS;
		break;
	case PHASE_SYMBOLS:
		if (!name_elements(file, global))
			break;
		/* If symbols precede the elements, return these first. */
		if (!file->out_used)
			finish_elements(file);
		break;
	case PHASE_END:
		put_end(file);
		file->index++;
		file->phase = PHASE_GLOBAL;
	}
	return true;
}

/* Fill the buffer. It stays empty at the end of the snapshot. */
static void fill(struct snapshot_file *file)
{
	file->out_used = file->out_read = 0;
	while (!file->out_used && take_step(file))
		cond_resched();
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static ssize_t snapshot_read(struct file *of, char __user *to, size_t size, loff_t *position)
{
	struct snapshot_file *file = of->private_data;
	ssize_t done = 0;

	mutex_lock(&file->lock);
	if (file->out_read == file->out_used) {
		if (session_try_lock()) {
			fill(file);
			session_unlock();
		} else {
			done = -EBUSY;
		}
	}
	if (!done) {
		done = min(size, file->out_used - file->out_read);
		if (copy_to_user(to, file->out + file->out_read, done))
			done = -EFAULT;
	}
	if (done > 0) {
		file->out_read += done;
		*position += done;
	}
	mutex_unlock(&file->lock);
	return done;
}

/* Seek only to the beginning, which begins a new snapshot. */
static loff_t snapshot_seek(struct file *of, loff_t offset, int whence)
{
	struct snapshot_file *file = of->private_data;

	if (offset || whence != SEEK_SET)
		return -EINVAL;
	mutex_lock(&file->lock);
	file->phase = PHASE_GLOBAL;
	file->index = file->next_object = 0;
	file->has_told_objects = false;
	file->out_used = file->out_read = 0;
	mutex_unlock(&file->lock);
	of->f_pos = 0;
	return 0;
}

static void free_file(struct snapshot_file *file)
{
	if (!file)
		return;
	kvfree(file->elements);
	kvfree(file->out);
	kvfree(file);
}

static int snapshot_open(struct inode *inode, struct file *of)
{
	struct snapshot_file *file = kvzalloc(sizeof(*file), GFP_KERNEL);
	size_t size = OUT_SIZE;
	unsigned int i;

	for (i = 0; i < stp_script.global_count; i++)
		size = max3(size, element_limit(&stp_script.globals[i]), global_size(&stp_script.globals[i]));
	if (file) {
		mutex_init(&file->lock);
		file->elements_size = size;
		file->elements = kvmalloc(size, GFP_KERNEL);
		file->out = kvmalloc(size, GFP_KERNEL);
	}
	if (!file || !file->elements || !file->out) {
		free_file(file);
		return -ENOMEM;
	}
	of->private_data = file;
	return 0;
}

static int snapshot_release(struct inode *inode, struct file *of)
{
	free_file(of->private_data);
	return 0;
}

static const struct file_operations snapshot_operations = {
	.owner = THIS_MODULE,
	.open = snapshot_open,
	.release = snapshot_release,
	.read = snapshot_read,
	.llseek = snapshot_seek,
};

int snapshot_create(struct dentry *directory)
{
	return PTR_ERR_OR_ZERO(debugfs_create_file("globals", 0600, directory, NULL, &snapshot_operations));
}
