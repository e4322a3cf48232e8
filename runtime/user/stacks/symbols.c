// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbols, files and source lines of addresses in programs; and printing the stacks of programs.
 *
 * An address belongs to the current process. In begin, end and error probes it is looked up in all processes whose
 * stacks were walked, including those that have ended, and found if they agree. An address without a symbol, or whose
 * table has not arrived yet, is printed as a number, with the file and the offset in it if these are known.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "runtime/abi/line_table.h"
#include "runtime/abi/object_table.h"
#include "runtime/abi/snapshot.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/text/addresses.h"
#include "runtime/text/source_line.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/symbols.h"
#include "runtime/user/stacks/tables.h"
#include "runtime/user/stacks/walk.h"

/* The result of looking up an address. */
struct symbol_place {
	const struct user_file *file; /* NULL: in no known file */
	const struct stp_object_table *table; /* NULL: not known */
	unsigned long bias;
	unsigned long in_file; /* file offset */
	const char *symbol; /* NULL: not known */
	unsigned long symbol_start; /* its address in the process */
	unsigned int symbol_size; /* distance to the next symbol, as in kallsyms */
};

/* ---- lookup ------------------------------------------------------------------------------------------------------ */

/* Find the code range of an address, and whether a user's tables may be used for it. */
static bool find_user_range(bool anywhere, unsigned long address, struct user_range *ret, bool *is_own)
{
	const struct mm_struct *mm = current->flags & PF_KTHREAD ? NULL : current->mm;
	const struct user_map *map;
	const struct user_range *range;

	if (anywhere)
		return user_range_anywhere(address, ret, is_own);
	*is_own = user_tables_are_for(current);
	map = mm ? user_map_of(mm) : NULL;
	range = map ? user_range_at(map, address) : NULL;
	if (range)
		*ret = *range;
	return range;
}

static void find_user_symbol(struct symbol_place *place, unsigned long address)
{
	const struct stp_object_table *table = place->table;
	const struct stp_object_symbol *symbols =
		(const struct stp_object_symbol *)((const char *)table + table->symbols);
	const struct stp_object_symbol *symbol = stp_find_symbol(table, address - place->bias - table->base);

	if (!symbol)
		return;
	place->symbol = (const char *)table + table->names + symbol->name;
	place->symbol_start = place->bias + table->base + symbol->address;
	place->symbol_size =
		symbol + 1 < symbols + table->symbol_count ? symbol[1].address - symbol->address : symbol->size;
}

/* Look up an address in the perf map of the process that made the code. */
static void find_jit_place(bool anywhere, unsigned long address, struct symbol_place *place)
{
	const struct mm_struct *mm = current->flags & PF_KTHREAD ? NULL : current->mm;
	struct user_file *file = NULL;

	if (anywhere)
		place->table = user_jit_names_anywhere(&file, address);
	else if (mm)
		file = user_jit_map(mm);
	if (file && !place->table)
		place->table = user_jit_table(&file, address, user_tables_are_for(current));
	if (!place->table)
		return;
	place->file = file;
	place->bias = 0;
}

/*
 * Find the code range of the object of the current process that contains an address in its data, which have the same
 * load bias as the code.
 */
static bool find_by_extent(unsigned long address, bool is_own, struct user_range *ret)
{
	const struct mm_struct *mm = current->flags & PF_KTHREAD ? NULL : current->mm;
	const struct user_map *map = mm ? user_map_of(mm) : NULL;
	unsigned int i;

	for (i = 0; map && i < map->count; i++) {
		const struct user_range *range = &map->ranges[i];
		const struct stp_object_table *table = user_file_table(range->file, is_own);
		unsigned long bias;

		if (table && user_range_bias(range, table, &bias) && address - bias - table->base < table->extent) {
			*ret = *range;
			return true;
		}
	}
	return false;
}

static void take_range(struct symbol_place *place, const struct user_range *range, unsigned long address, bool may_ask,
		       bool is_own)
{
	place->file = range->file;
	place->in_file = range->offset + (address - range->start);
	place->table = user_table(range, may_ask, is_own);
	if (place->table && !user_range_bias(range, place->table, &place->bias))
		place->table = NULL;
}

/*
 * Look up an address, anywhere or in the current process. The result stays valid when the process ends. Names of JIT
 * code precede data, because an object may have holes between its segments, in which JIT code can be.
 */
static void find_place(bool anywhere, unsigned long address, struct symbol_place *place)
{
	struct user_range range;
	bool is_own;

	*place = (struct symbol_place){};
	rcu_read_lock();
	if (find_user_range(anywhere, address, &range, &is_own))
		take_range(place, &range, address, !anywhere, is_own);
	if (!place->file || (!place->table && atomic_read(&place->file->state) == USER_FILE_ANSWERED))
		find_jit_place(anywhere, address, place);
	if (!place->file && !anywhere && find_by_extent(address, is_own, &range))
		take_range(place, &range, address, true, is_own);
	rcu_read_unlock();
	if (place->table)
		find_user_symbol(place, address);
}

static void find_user_place(const struct stp_context *c, unsigned long address, struct symbol_place *place)
{
	find_place(context_is_session(c), address, place);
}

static unsigned int place_line(const struct symbol_place *place, unsigned long address, const char **file)
{
	const struct stp_object_table *table = place->table;

	if (!table || !table->lines_size)
		return 0;
	return stp_find_line((const char *)table + table->lines, address - place->bias - table->base, file);
}

/* ---- one address ------------------------------------------------------------------------------------------------- */

void stp_user_symbol_name(struct stp_context *c, char *to, unsigned long address)
{
	struct symbol_place place;

	find_user_place(c, address, &place);
	if (place.symbol)
		stp_copy(to, place.symbol);
	else
		snprintf(to, stp_script.string_size, "0x%lx", address);
}

void stp_user_symbol_data(struct stp_context *c, char *to, unsigned long address)
{
	struct symbol_place place;

	find_user_place(c, address, &place);
	if (place.symbol)
		snprintf(to, stp_script.string_size, "%s+0x%lx/0x%x [%s]", place.symbol, address - place.symbol_start,
			 place.symbol_size, user_file_name(place.file));
	else if (place.file)
		snprintf(to, stp_script.string_size, "0x%lx [%s+0x%lx]", address, user_file_name(place.file),
			 place.in_file);
	else
		snprintf(to, stp_script.string_size, "0x%lx", address);
}

/* Look up the file of an address. Return false and set the script's error if it is in no file. */
static bool find_user_file_at(struct stp_context *c, unsigned long address, struct symbol_place *place)
{
	find_user_place(c, address, place);
	if (!place->file)
		stp_error(c, "no program or library is known at 0x%lx", address);
	return place->file;
}

void stp_user_symbol_module(struct stp_context *c, char *to, unsigned long address)
{
	struct symbol_place place;

	to[0] = '\0';
	if (find_user_file_at(c, address, &place))
		stp_copy(to, user_file_name(place.file));
}

stp_long stp_user_symbol_offset(struct stp_context *c, unsigned long address)
{
	struct symbol_place place;

	if (!find_user_file_at(c, address, &place))
		return 0;
	return place.table ? address - place.bias : place.in_file;
}

void stp_user_symbol_build_id(struct stp_context *c, char *to, unsigned long address)
{
	struct symbol_place place;

	to[0] = '\0';
	if (!find_user_file_at(c, address, &place))
		return;
	if (!place.table || !place.table->build_id_size || 2 * place.table->build_id_size >= stp_script.string_size) {
		stp_error(c, "the build-id of %s is not known", user_file_name(place.file));
		return;
	}
	*bin2hex(to, place.table->build_id, place.table->build_id_size) = '\0';
}

void stp_user_symbol_line(struct stp_context *c, char *to, unsigned long address, enum stp_line_parts parts)
{
	struct symbol_place place;
	const char *file = "";
	unsigned int line;

	find_user_place(c, address, &place);
	line = place_line(&place, address, &file);
	put_source_line(to, address, line, file, parts);
}

static size_t put_symbol_text(const struct symbol_place *place, unsigned long address, bool is_return, char *to,
			      size_t size)
{
	const char *file = "";
	unsigned int line;
	size_t length;

	if (!place->symbol)
		return scnprintf(to, size, "[%s+0x%lx]", user_file_name(place->file), place->in_file);
	length = scnprintf(to, size, "%s+0x%lx/0x%x", place->symbol, address - place->symbol_start, place->symbol_size);
	line = place_line(place, address - is_return, &file);
	if (line)
		length += scnprintf(to + length, size - length, " at %s:%u", file, line);
	return length + scnprintf(to + length, size - length, " [%s]", user_file_name(place->file));
}

void user_symbol_tell(struct stp_snapshot_symbol *symbol, char *to, size_t size)
{
	unsigned long address = symbol->address;
	struct symbol_place place;

	find_place(true, address - symbol->is_return, &place);
	if (symbol->is_return && !place.symbol)
		find_place(true, address, &place);
	if (!place.file)
		return;
	symbol->length = put_symbol_text(&place, address, symbol->is_return, to, size - STP_OBJECT_ID_SIZE);
	if (!place.table || !place.table->build_id_size)
		return;
	symbol->link_address = address - place.bias;
	symbol->id_size = place.table->build_id_size;
	memcpy(to + symbol->length, place.table->build_id, symbol->id_size);
}

/* Only tables that may be used for all processes count. */
bool user_object_tell(unsigned int number, struct stp_snapshot_object *object, char *to, size_t size)
{
	const struct user_file *file = user_file(number);
	const struct stp_object_table *table = file ? user_file_table(file, false) : NULL;
	const char *name;

	if (!file)
		return false;
	name = user_file_name(file);
	/* A truncated path would name another file. */
	if (strlen(name) >= size - STP_OBJECT_ID_SIZE)
		name = kbasename(name);
	object->length = scnprintf(to, size - STP_OBJECT_ID_SIZE, "%s", name);
	object->id_size = table ? table->build_id_size : 0;
	if (table)
		memcpy(to + object->length, table->build_id, object->id_size);
	return true;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static void print_text(struct stp_context *c, const char *text)
{
	stp_print(c, text, strlen(text));
}

static void print_brief_address(struct stp_context *c, const struct symbol_place *place, unsigned long address,
				enum stp_user_form form)
{
	const char *base = place->file ? kbasename(user_file_name(place->file)) : NULL;
	char number[24];

	if (place->symbol) {
		print_text(c, place->symbol);
		stp_print(c, number, scnprintf(number, sizeof(number), "+0x%lx", address - place->symbol_start));
	} else {
		stp_print(c, number, scnprintf(number, sizeof(number), "0x%lx", address));
	}
	if (!base || form == STP_USER_BRIEF)
		return;
	print_text(c, " [");
	print_text(c, base);
	if (!place->symbol)
		stp_print(c, number, scnprintf(number, sizeof(number), "+0x%lx", place->in_file));
	print_text(c, "]");
}

static void print_user_place(struct stp_context *c, const struct symbol_place *place, unsigned long address)
{
	const char *file;
	unsigned int line = place_line(place, address, &file);
	char number[16];

	if (!line)
		return;
	print_text(c, " at ");
	print_text(c, file);
	stp_print(c, number, scnprintf(number, sizeof(number), ":%u", line));
}

/* Print an address in full. @p line_at is the address whose source line is printed; 0: none. */
static void print_full_address(struct stp_context *c, const struct symbol_place *place, unsigned long address,
			       unsigned long line_at)
{
	char number[40];

	stp_print(c, number, scnprintf(number, sizeof(number), " 0x%lx", address));
	if (!place->file)
		return;
	if (place->symbol) {
		print_text(c, " : ");
		print_text(c, place->symbol);
		stp_print(c, number,
			  scnprintf(number, sizeof(number), "+0x%lx/0x%x", address - place->symbol_start,
				    place->symbol_size));
	}
	if (line_at)
		print_user_place(c, place, line_at);
	print_text(c, " [");
	print_text(c, user_file_name(place->file));
	if (!place->symbol)
		stp_print(c, number, scnprintf(number, sizeof(number), "+0x%lx", place->in_file));
	print_text(c, "]");
}

static void print_user_address(struct stp_context *c, unsigned long address, bool is_return, enum stp_user_form form)
{
	struct symbol_place place;

	/*
	 * A return address may be after the end of its function, if the call is the last instruction: look up the byte
	 * before. However, the return address of a signal handler is the start of a function.
	 */
	find_user_place(c, address - is_return, &place);
	if (is_return && !place.symbol)
		find_user_place(c, address, &place);
	if (form == STP_USER_BRIEF || form == STP_USER_SHORT)
		print_brief_address(c, &place, address, form);
	else
		print_full_address(c, &place, address, form == STP_USER_LINE_AND_PLACE ? address - is_return : 0);
}

static void print_user_frames(struct stp_context *c, const struct user_frames *frames, enum stp_user_form form)
{
	unsigned int i;

	for (i = 0; i < frames->count; i++) {
		print_user_address(c, frames->addresses[i], i > 0, form);
		if (frames->guessed >> i & 1)
			print_text(c, " (inexact)");
		print_text(c, frames->is_cut && i + 1 == frames->count ? INCOMPLETE_MARK "\n" : "\n");
	}
}

void stp_user_stack_print(struct stp_context *c, enum stp_user_form form)
{
	print_user_frames(c, user_frames(c), form);
}

void stp_user_stack_print_from(struct stp_context *c, stp_long pc, stp_long sp, stp_long fp, enum stp_user_form form)
{
	print_user_frames(c, user_frames_from(c, pc, sp, fp), form);
}

void stp_user_stack_print_text(struct stp_context *c, const char *addresses, enum stp_user_form form)
{
	bool is_return = false;

	while (*addresses) {
		size_t length = strcspn(addresses, " \n");
		unsigned long address;
		char word[24];

		if (length && length < sizeof(word)) {
			memcpy(word, addresses, length);
			word[length] = '\0';
			if (!kstrtoul(word, 16, &address)) {
				print_user_address(c, address, is_return, form);
				print_text(c, stack_text_is_cut(addresses + length) ? INCOMPLETE_MARK "\n" : "\n");
			}
			is_return = true;
		}
		addresses += length;
		addresses += strspn(addresses, " \n");
	}
}
