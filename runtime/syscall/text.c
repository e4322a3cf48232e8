// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of system calls as text. This file has the basic formats (numbers, flags, strings and structures in the
 * program's memory), and a function for most kinds of the table (syscall_table.h). Calls whose arguments depend on each
 * other, such as futex(), are in syscall/special.c.
 *
 * The program's memory is read without waiting for pages. An object that cannot be read completely is shown by its
 * address; a part already written is removed again. Text is written directly to the script's string, and cut at its
 * end.
 */
#include "runtime/core/internal.h"
#include "runtime/syscall/text.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

struct text text_begin(char *to)
{
	return (struct text){.to = to, .size = stp_script.string_size};
}

void put_formatted(struct text *t, const char *format, ...)
{
	char buffer[80];
	va_list args;

	va_start(args, format);
	vscnprintf(buffer, sizeof(buffer), format, args);
	va_end(args);
	put_text(t, buffer);
}

void put_decimal(struct text *t, long value)
{
	put_formatted(t, "%ld", value);
}

void put_unsigned(struct text *t, unsigned long value)
{
	put_formatted(t, "%lu", value);
}

void put_hex(struct text *t, unsigned long value)
{
	put_formatted(t, "0x%lx", value);
}

/* Print an address, or NULL, for memory that cannot be read. */
void put_address_or_null(struct text *t, unsigned long address)
{
	if (address)
		put_hex(t, address);
	else
		put_text(t, "NULL");
}

/* ---- flags and names --------------------------------------------------------------------------------------------- */

struct syscall_word {
	u64 mask, value; /* mask WHOLE: compare the whole value */
	u64 clears; /* the bits that the name covers */
	const char *name;
};

enum { WHOLE = 0xffffffff };

struct syscall_words {
	const struct syscall_word *words;
	unsigned int count;
};

/* Macros with # so that names which are also macros of the kernel are not expanded. */
#define WORD(bits, content, told, text)                                                                                \
	{                                                                                                              \
		.mask = bits, .value = content, .clears = told, .name = text                                           \
	}
#define C(bits, content, told, word) WORD(bits, content, told, #word)
#define B(bits, word) WORD(bits, bits, bits, #word)
#define M(bits, content, word) WORD(bits, content, bits, #word)
#define V(content, word) WORD(WHOLE, content, WHOLE, #word)
#define SET(set, ...) static const struct syscall_word syscall_words_##set[] = {__VA_ARGS__};
#include "runtime/abi/syscall_sets.h"
#undef SET
#define SET(set, ...) [SYSCALL_SET_##set] = {syscall_words_##set, ARRAY_SIZE(syscall_words_##set)},
static const struct syscall_words syscall_sets[SYSCALL_SET_COUNT] = {
#include "runtime/abi/syscall_sets.h"
};
#undef SET
#undef WORD
#undef C
#undef B
#undef M
#undef V

const char *name_of_value(enum syscall_set set, u32 value)
{
	const struct syscall_words *words = &syscall_sets[set];
	unsigned int i;

	for (i = 0; i < words->count; i++)
		if (words->words[i].value == value)
			return words->words[i].name;
	return NULL;
}

void put_value(struct text *t, enum syscall_set set, u32 value)
{
	const char *name = name_of_value(set, value);

	if (name)
		put_text(t, name);
	else
		put_hex(t, value);
}

void put_value_or_decimal(struct text *t, enum syscall_set set, int value)
{
	const char *name = name_of_value(set, value);

	if (name)
		put_text(t, name);
	else
		put_decimal(t, value);
}

static bool word_is_in(const struct syscall_word *word, unsigned long flags)
{
	return word->mask == WHOLE ? flags == word->value : (flags & word->mask) == word->value;
}

/* Print the known names, separated by "|". Return the remaining bits. Set *has_value if a whole value matched. */
static unsigned long put_known_flags(struct text *t, enum syscall_set set, unsigned long flags, bool *has_value)
{
	const struct syscall_words *words = &syscall_sets[set];
	unsigned long rest = flags;
	unsigned int i, start = t->used;

	for (i = 0; i < words->count; i++) {
		const struct syscall_word *word = &words->words[i];

		if (!word_is_in(word, rest))
			continue;
		if (t->used > start)
			put_character(t, '|');
		put_text(t, word->name);
		*has_value |= word->mask == WHOLE;
		rest &= word->mask == WHOLE ? 0 : ~word->clears;
	}
	return rest;
}

/* Print the known names, then the remaining bits as one number. */
void put_flags(struct text *t, enum syscall_set set, unsigned long flags)
{
	unsigned int start = t->used;
	bool has_value = false;
	unsigned long rest = put_known_flags(t, set, flags, &has_value);

	if (!rest && t->used > start)
		return;
	if (t->used > start)
		put_character(t, '|');
	put_hex(t, rest);
}

static void put_policy(struct text *t, enum syscall_set set, u32 value)
{
	unsigned int start = t->used;
	bool has_value = false;

	put_known_flags(t, set, value, &has_value);
	if (has_value)
		return;
	t->used = start;
	put_hex(t, value);
}

void put_signal(struct text *t, u32 number)
{
	enum { FIRST_OF_REAL_TIME = 32, LAST_OF_REAL_TIME = 64 };

	if (number == FIRST_OF_REAL_TIME)
		put_text(t, "SIGRTMIN");
	else if (number > FIRST_OF_REAL_TIME && number <= LAST_OF_REAL_TIME)
		put_formatted(t, "SIGRTMIN+%u", number - FIRST_OF_REAL_TIME);
	else
		put_value(t, SYSCALL_SET_signal, number);
}

void put_signals(struct text *t, u64 mask)
{
	unsigned int number, start;

	if (!mask) {
		put_text(t, "[EMPTY]");
		return;
	}
	put_character(t, '[');
	start = t->used;
	for (number = 1; mask; number++, mask >>= 1) {
		if (!(mask & 1))
			continue;
		if (t->used > start)
			put_character(t, '|');
		put_signal(t, number);
	}
	put_character(t, ']');
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

bool put_quoted_string(struct text *t, unsigned long address, u64 length)
{
	unsigned int most = stp_script.string_size - 1;

	return !quote_memory(t, QUOTED_USER, address, min_t(u64, length, most), true, most);
}

void put_string(struct text *t, unsigned long address, u64 length)
{
	if (!address || !put_quoted_string(t, address, length))
		put_hex(t, address);
}

static void put_data(struct text *t, unsigned long address, u64 length)
{
	enum { MOST_CHARACTERS = 45, WITH_QUOTES = MOST_CHARACTERS + 5 };

	length = min_t(u64, length, WITH_QUOTES);
	if (!address || quote_memory(t, QUOTED_USER, address, length, false, WITH_QUOTES))
		put_hex(t, address);
}

/* Print bytes in quotes, and those that are not printable as "\x00". */
static void put_bytes(struct text *t, unsigned long address, u64 length)
{
	enum { MOST_BYTES = 50 };
	struct byte_reader reader = {.memory = QUOTED_USER, .next = address, .left = min_t(u64, length, MOST_BYTES)};
	unsigned int start = t->used;
	int byte;

	put_character(t, '"');
	while (address && length && (byte = reader_byte(&reader)) >= 0)
		if (byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\')
			put_character(t, byte);
		else
			put_formatted(t, "\\x%02x", byte);
	put_character(t, '"');
	if (address && length && !reader.is_faulted)
		return;
	t->used = start;
	put_hex(t, address);
}

/* ---- pointers and structures ------------------------------------------------------------------------------------- */

unsigned int word_size(const struct syscall_hit *hit)
{
	return hit->is_32_bit ? sizeof(u32) : sizeof(u64);
}

bool load_word(const struct syscall_hit *hit, unsigned long address, unsigned long *ret)
{
	*ret = 0;
	return read_user(ret, address, word_size(hit));
}

/* A number in a structure. */
struct field {
	char conversion;
	unsigned int width;
	unsigned int size;
	u64 value;
	enum syscall_set set; /* for flags */
};

static unsigned int field_size(const struct syscall_hit *hit, char conversion)
{
	switch (conversion) {
	case 'q':
	case 'Q':
	case 'X':
	case 'O':
	case 'F':
	case 'S':
		return sizeof(u64);
	case 'i':
	case 'u':
	case 'f':
		return sizeof(u32);
	case 'h':
		return sizeof(u16);
	default:
		return word_size(hit);
	}
}

static void put_field(struct text *t, const struct field *field)
{
	s64 extended = (s64)(field->value << (64 - 8 * field->size)) >> (64 - 8 * field->size);

	switch (field->conversion) {
	case 'l':
	case 'q':
	case 'i':
		put_formatted(t, "%0*lld", field->width, extended);
		return;
	case 'X':
		put_formatted(t, "0x%llx", field->value);
		return;
	case 'O':
		put_formatted(t, "0%llo", field->value);
		return;
	case 'F':
	case 'f':
		put_flags(t, field->set, field->value);
		return;
	case 'S':
		if (field->value)
			put_signal(t, field->value);
		else
			put_character(t, '0');
		return;
	default:
		put_formatted(t, "%llu", field->value);
	}
}

enum { MOST_SETS = 3 };

struct structure_form {
	const char *format;
	enum syscall_set sets[MOST_SETS];
};

#define OF(name) SYSCALL_SET_##name
#define SYSCALL_STRUCTURE_FORM(name, text, ...) [SYSCALL_STRUCT_##name] = {.format = text, .sets = {__VA_ARGS__}},
static const struct structure_form structure_forms[] = {SYSCALL_STRUCTURES(SYSCALL_STRUCTURE_FORM)};
#undef SYSCALL_STRUCTURE_FORM
#undef OF

/*
 * Print a structure by its format. Each conversion is a member; members follow one another, aligned to their size. %l
 * and %L are words of the program, %q and %Q have 64 bits, %i and %u 32 bits, %h 16 bits. Lower case means signed,
 * except for %h. %X and %O are like %Q, in hexadecimal and octal. %S is a signal in 64 bits. %F and %f are flags of 64
 * and 32 bits, from the structure's sets in order. A width pads with zeros.
 */
void put_structure(struct text *t, const struct syscall_hit *hit, unsigned long address,
		   enum syscall_structure structure)
{
	const char *format = structure_forms[structure].format;
	const enum syscall_set *set = structure_forms[structure].sets;
	unsigned long at = address;
	unsigned int start = t->used;

	if (!address) {
		put_text(t, "NULL");
		return;
	}
	for (; *format; format++) {
		struct field field = {0};

		if (*format != '%') {
			put_character(t, *format);
			continue;
		}
		for (format++; *format >= '0' && *format <= '9'; format++)
			field.width = *format - '0';
		field.conversion = *format;
		field.size = field_size(hit, *format);
		if (*format == 'F' || *format == 'f')
			field.set = *set++;
		at = ALIGN(at - address, field.size) + address;
		if (!read_user(&field.value, at, field.size)) {
			t->used = start;
			put_hex(t, address);
			return;
		}
		at += field.size;
		put_field(t, &field);
	}
}

static void put_times(struct text *t, const struct syscall_hit *hit, unsigned long address, bool is_64_bit)
{
	enum { NOW = 0x3fffffff, OMIT = 0x3ffffffe };
	unsigned int size = is_64_bit ? sizeof(u64) : word_size(hit), i;
	u64 times[4] = {0};

	for (i = 0; i < ARRAY_SIZE(times); i++) {
		if (!address || !read_user(&times[i], address + i * size, size)) {
			put_address_or_null(t, address);
			return;
		}
		if (size == sizeof(u32))
			times[i] = (s64)(s32)times[i];
	}
	for (i = 0; i < ARRAY_SIZE(times); i += 2)
		if (times[i + 1] == NOW || times[i + 1] == OMIT)
			put_text(t, times[i + 1] == NOW ? "[UTIME_NOW]" : "[UTIME_OMIT]");
		else
			put_formatted(t, "[%lld.%09lld]", (s64)times[i], (s64)times[i + 1]);
}

/* Print ["a", "b"]. A string that cannot be read is shown by its address. */
static void put_strings(struct text *t, const struct syscall_hit *hit, unsigned long address)
{
	unsigned int start = t->used;
	unsigned long string;
	bool is_first = true;

	put_character(t, '[');
	/* Stop when the buffer is full. */
	for (; address && t->used - start < t->size; address += word_size(hit)) {
		if (!load_word(hit, address, &string)) {
			put_text(t, is_first ? "" : ", ");
			put_hex(t, address);
			break;
		}
		if (!string)
			break;
		put_text(t, is_first ? "" : ", ");
		put_string(t, string, U64_MAX);
		is_first = false;
	}
	put_character(t, ']');
}

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

void put_item(struct text *t, const struct syscall_hit *hit, const struct syscall_item *item, unsigned int place)
{
	(put_kinds[item->kind] ?: put_special_kinds[item->kind])(t, hit, item, place);
}

/* ---- functions for scripts --------------------------------------------------------------------------------------- */

/* Return how many registers an argument takes. */
static unsigned int item_registers(const struct syscall_item *item)
{
	if (item->kind >= SYSCALL_PART)
		return 0;
	return item->kind == SYSCALL_PAIR || item->kind == SYSCALL_PAIR_UNSIGNED ? 2 : 1;
}

/* Return the register of an argument; for a part, that of the argument it belongs to. */
static unsigned int item_place(const struct syscall_row *row, unsigned int index)
{
	unsigned int i, place = 0;

	if (row->items[index].kind >= SYSCALL_PART)
		return row->items[index].detail;
	for (i = 0; i < index; i++)
		place += item_registers(&row->items[i]);
	return min_t(unsigned int, place, SYSCALL_ARGUMENTS - 1);
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
	text_end(&t);
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

			if (item_is_shown(&hit, i)) {
				put_text(&t, t.used ? ", " : "");
				put_item(&t, &hit, item, min_t(unsigned int, place, SYSCALL_ARGUMENTS - 1));
			}
			place += item_registers(item);
		}
	}
	text_end(&t);
}
