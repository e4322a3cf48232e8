// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Basic formats of arguments of system calls: numbers, flags, strings and structures in the program's memory.
 *
 * The program's memory is read without waiting for pages. An object that cannot be read completely is shown by its
 * address; a part already written is removed again. Text is written directly to the script's string. If it does not
 * fit, it ends in "...".
 */
#include "runtime/abi/syscall_table.h"
#include "runtime/core/internal.h"
#include "runtime/syscall/formats.h"
#include "runtime/syscall/hit.h"
#include "runtime/text/quote.h"
#include "runtime/user/memory.h"

struct text text_begin(char *to)
{
	return (struct text){.to = to, .size = stp_script.string_size};
}

void text_end_marked(struct text *t)
{
	static const char mark[] = "...";

	text_end(t);
	if (t->used >= t->size && t->size >= sizeof(mark))
		memcpy(t->to + t->size - sizeof(mark), mark, sizeof(mark));
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
	unsigned int i, start = t->used;

	for (i = 0; i < words->count; i++) {
		const struct syscall_word *word = &words->words[i];

		if (!word_is_in(word, flags))
			continue;
		if (t->used > start)
			put_character(t, '|');
		put_text(t, word->name);
		*has_value |= word->mask == WHOLE;
		flags &= word->mask == WHOLE ? 0 : ~word->clears;
	}
	return flags;
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

void put_policy(struct text *t, enum syscall_set set, u32 value)
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

void put_data(struct text *t, unsigned long address, u64 length)
{
	enum { MOST_CHARACTERS = 45, WITH_QUOTES = MOST_CHARACTERS + 5 };

	length = min_t(u64, length, WITH_QUOTES);
	if (!address || quote_memory(t, QUOTED_USER, address, length, false, WITH_QUOTES))
		put_hex(t, address);
}

/* Print bytes in quotes, and those that are not printable as "\x00". */
void put_bytes(struct text *t, unsigned long address, u64 length)
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

void put_times(struct text *t, const struct syscall_hit *hit, unsigned long address, bool is_64_bit)
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
void put_strings(struct text *t, const struct syscall_hit *hit, unsigned long address)
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
