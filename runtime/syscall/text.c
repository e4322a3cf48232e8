// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of system calls as text: a function for most kinds of the table (syscall_table.h), and the functions that
 * scripts call. Calls whose arguments depend on each other, such as futex(), are in syscall/special.c.
 */
#include "runtime/abi/syscall_table.h"
#include "runtime/core/internal.h"
#include "runtime/syscall/formats.h"
#include "runtime/syscall/hit.h"
#include "runtime/syscall/special.h"
#include "runtime/text/quote.h"
#include "runtime/user/memory.h"

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static long number_of_item(const struct syscall_hit *hit, const struct syscall_item *item, unsigned int place)
{
	unsigned long value = hit->arguments[place];

	switch (item->kind) {
	case SYSCALL_INT:
	case SYSCALL_DIRFD:
	case SYSCALL_FLAGS_INT:
	case SYSCALL_VALUE:
	case SYSCALL_VALUE_LONG:
	case SYSCALL_VALUE_DECIMAL:
	case SYSCALL_POLICY:
	case SYSCALL_SIGNAL:
	case SYSCALL_OPTION:
	case SYSCALL_SOCKTYPE:
	case SYSCALL_PROTOCOL:
	case SYSCALL_IPC_FLAGS:
	case SYSCALL_FCNTL:
	case SYSCALL_PRCTL:
	case SYSCALL_KEYCTL:
	case SYSCALL_QUOTACTL:
	case SYSCALL_SYSFS:
	case SYSCALL_FUTEX:
		return (int)value;
	case SYSCALL_UINT:
	case SYSCALL_HEX:
	case SYSCALL_OCTAL:
	case SYSCALL_CREATE_MODE:
	case SYSCALL_NODE_MODE:
	case SYSCALL_FLAGS:
		return item->detail && item->kind == SYSCALL_CREATE_MODE ? value : (u32)value;
	case SYSCALL_LONG:
		return hit->is_32_bit ? (int)value : (long)value;
	case SYSCALL_PAIR:
	case SYSCALL_PAIR_UNSIGNED:
		return place + 1 < SYSCALL_ARGUMENTS ? (u32)value | hit->arguments[place + 1] << 32 : value;
	default:
		return value;
	}
}

/* ---- kinds ------------------------------------------------------------------------------------------------------- */

static void kind_signed(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			unsigned int place)
{
	put_decimal(t, number_of_item(hit, item, place));
}

static void kind_unsigned(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			  unsigned int place)
{
	put_unsigned(t, number_of_item(hit, item, place));
}

static void kind_hexadecimal(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			     unsigned int place)
{
	put_hex(t, number_of_item(hit, item, place));
}

static void kind_octal(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	put_formatted(t, "0%o", (u32)hit->arguments[place]);
}

static void kind_dirfd(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	enum { AT_CURRENT_DIRECTORY = -100 };
	int fd = hit->arguments[place];

	if (fd == AT_CURRENT_DIRECTORY)
		put_text(t, "AT_FDCWD");
	else
		put_decimal(t, fd);
}

static void kind_string(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			unsigned int place)
{
	put_string(t, hit->arguments[place], U64_MAX);
}

static void kind_string_n(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			  unsigned int place)
{
	put_string(t, hit->arguments[place], hit->arguments[item->detail]);
}

static void kind_data(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		      unsigned int place)
{
	put_data(t, hit->arguments[place], hit->arguments[item->detail]);
}

static void kind_bytes(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	put_bytes(t, hit->arguments[place], hit->arguments[item->detail]);
}

static void kind_flags(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	put_flags(t, item->detail, number_of_item(hit, item, place));
}

static void kind_value(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	put_value(t, item->detail, hit->arguments[place]);
}

static void kind_value_long(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			    unsigned int place)
{
	const char *name = name_of_value(item->detail, hit->arguments[place]);

	if (name)
		put_text(t, name);
	else
		put_hex(t, number_of_item(hit, item, place));
}

static void kind_value_decimal(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			       unsigned int place)
{
	put_value_or_decimal(t, item->detail, hit->arguments[place]);
}

static void kind_policy(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			unsigned int place)
{
	put_policy(t, item->detail, hit->arguments[place]);
}

static void kind_structure(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			   unsigned int place)
{
	put_structure(t, hit, hit->arguments[place], item->detail);
}

static void kind_signal(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			unsigned int place)
{
	put_signal(t, hit->arguments[place]);
}

/* Print a set of signals. If item->detail is 1, the register holds the set. */
static void kind_signals(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			 unsigned int place)
{
	unsigned long address = hit->arguments[place];
	u64 mask = (u32)address;

	if (item->detail || (address && read_user(&mask, address, sizeof(mask))))
		put_signals(t, mask);
	else
		put_address_or_null(t, address);
}

static void kind_times(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
		       unsigned int place)
{
	put_times(t, hit, hit->arguments[place], item->detail);
}

static void kind_strings(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			 unsigned int place)
{
	put_strings(t, hit, hit->arguments[place]);
}

static void kind_create_mode(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			     unsigned int place)
{
	if (item->detail)
		put_hex(t, hit->arguments[place]);
	else
		kind_octal(t, hit, item, place);
}

static put_kind *const put_kinds[SYSCALL_PART] = {
	[SYSCALL_INT] = kind_signed,
	[SYSCALL_UINT] = kind_unsigned,
	[SYSCALL_LONG] = kind_signed,
	[SYSCALL_ULONG] = kind_unsigned,
	[SYSCALL_ADDRESS] = kind_hexadecimal,
	[SYSCALL_HEX] = kind_hexadecimal,
	[SYSCALL_HEX_LONG] = kind_hexadecimal,
	[SYSCALL_OCTAL] = kind_octal,
	[SYSCALL_DIRFD] = kind_dirfd,
	[SYSCALL_STRING] = kind_string,
	[SYSCALL_STRING_N] = kind_string_n,
	[SYSCALL_DATA] = kind_data,
	[SYSCALL_BYTES] = kind_bytes,
	[SYSCALL_FLAGS] = kind_flags,
	[SYSCALL_FLAGS_INT] = kind_flags,
	[SYSCALL_FLAGS_LONG] = kind_flags,
	[SYSCALL_VALUE] = kind_value,
	[SYSCALL_VALUE_LONG] = kind_value_long,
	[SYSCALL_VALUE_DECIMAL] = kind_value_decimal,
	[SYSCALL_POLICY] = kind_policy,
	[SYSCALL_STRUCT] = kind_structure,
	[SYSCALL_SIGNAL] = kind_signal,
	[SYSCALL_SIGNALS] = kind_signals,
	[SYSCALL_TIMES] = kind_times,
	[SYSCALL_STRINGS] = kind_strings,
	[SYSCALL_CREATE_MODE] = kind_create_mode,
	[SYSCALL_PAIR] = kind_signed,
	[SYSCALL_PAIR_UNSIGNED] = kind_hexadecimal,
	[SYSCALL_UNSHOWN] = kind_hexadecimal,
};

static void put_item(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item, unsigned int place)
{
	(put_kinds[item->kind] ?: put_special_kinds[item->kind])(t, hit, item, place);
}

static void put_item_alone(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item,
			   unsigned int place)
{
	if (!put_special_alone(t, hit, item, place))
		put_item(t, hit, item, place);
}

/* ---- functions for scripts --------------------------------------------------------------------------------------- */

/* Return how many registers an argument takes. */
static unsigned int item_registers(const struct syscall_item *item)
{
	if (item->kind >= SYSCALL_PART)
		return 0;
	return item->kind == SYSCALL_PAIR || item->kind == SYSCALL_PAIR_UNSIGNED ? 2 : 1;
}

/* Return the first register of an argument, if those before it take the registers below @place. */
static unsigned int first_register(const struct syscall_item *item, unsigned int place)
{
	if (SYSCALL_PAIRS_ARE_EVEN && item->kind == SYSCALL_PAIR)
		place = round_up(place, 2);
	return min_t(unsigned int, place, SYSCALL_ARGUMENTS - 1);
}

/* Return the register of an argument; for a part, that of the argument it belongs to. */
static unsigned int item_place(const struct syscall_row *row, unsigned int index)
{
	unsigned int i, place = 0;

	if (row->items[index].kind >= SYSCALL_PART)
		return row->items[index].detail;
	for (i = 0; i < index; i++)
		place = first_register(&row->items[i], place) + item_registers(&row->items[i]);
	return first_register(&row->items[index], place);
}

stp_long stp_syscall_item_number(struct stp_context *c, stp_long index)
{
	struct syscall_hit hit;
	const struct syscall_item *item = syscall_hit_begin(c, &hit) ? syscall_item_of(c, &hit, index) : NULL;

	if (!item)
		return 0;
	return item->kind >= SYSCALL_PART ? number_of_part(&hit, item)
					  : number_of_item(&hit, item, item_place(hit.row, index));
}

void stp_syscall_item_text(struct stp_context *c, char *to, stp_long index)
{
	struct text t = text_begin(to);
	struct syscall_hit hit;
	const struct syscall_item *item = syscall_hit_begin(c, &hit) ? syscall_item_of(c, &hit, index) : NULL;

	if (item && item->kind >= SYSCALL_PART)
		put_part(&t, &hit, item);
	else if (item)
		put_item_alone(&t, &hit, item, item_place(hit.row, index));
	text_end_marked(&t);
}

void stp_syscall_item_raw(struct stp_context *c, char *to, stp_long index)
{
	struct text t = text_begin(to);
	struct syscall_hit hit;
	const struct syscall_item *item = syscall_hit_begin(c, &hit) ? syscall_item_of(c, &hit, index) : NULL;
	unsigned long address;
	u64 length;

	if (item) {
		address = hit.arguments[item_place(hit.row, index)];
		length = item->kind == SYSCALL_STRING_N ? hit.arguments[item->detail] : U64_MAX;
		length = min_t(u64, length, stp_script.string_size - 1);
		if (stp_copy_user_string(to, address, length + 1))
			return;
		if (address)
			put_hex(&t, address);
	}
	text_end(&t);
}

/* Return whether an argument is used, which other arguments of the call may determine. */
static bool item_is_shown(const struct syscall_hit *hit, unsigned int index)
{
	const struct syscall_item *item = &hit->row->items[index];

	if (item->kind == SYSCALL_UNSHOWN || item->kind >= SYSCALL_PART)
		return false;
	if (item->kind == SYSCALL_CREATE_MODE)
		return open_creates(hit->arguments[item_place(hit->row, index) - 1 - item->detail]);
	if (item->kind == SYSCALL_FLAGS && item->detail == SYSCALL_SET_at &&
	    hit->row->numbers[0] == SYSCALL_64_execveat)
		return hit->arguments[item_place(hit->row, index)];
	return true;
}

void stp_syscall_arguments(struct stp_context *c, char *to)
{
	struct text t = text_begin(to);
	struct syscall_hit hit;
	unsigned int i, place = 0;

	if (syscall_hit_begin(c, &hit)) {
		for (i = 0; i < hit.row->item_count; i++) {
			const struct syscall_item *item = &hit.row->items[i];

			place = first_register(item, place);
			if (item_is_shown(&hit, i)) {
				put_text(&t, t.used ? ", " : "");
				put_item(&t, &hit, item, place);
			}
			place += item_registers(item);
		}
	}
	text_end_marked(&t);
}

void stp_syscall_open_flags(char *to, stp_long flags)
{
	struct text t = text_begin(to);

	put_flags(&t, SYSCALL_SET_open, (u32)flags);
	text_end(&t);
}
