// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames of stacks as text. The runtime prints them in these forms, for the functions of the library that return
 * stacks, and for the symbols in the file "globals" (runtime/abi/snapshot.h):
 *
 *	 0xADDRESS : NAME+0xOFFSET/0xSIZE [OBJECT]
 *	 0xADDRESS : NAME+0xOFFSET/0xSIZE at FILE:LINE [OBJECT] (inexact)
 *	 0xADDRESS [OBJECT+0xOFFSET] (incomplete)
 *	NAME+0xOFFSET [OBJECT]
 *	NAME+0xOFFSET/0xSIZE
 *
 * Names of C++ and of JIT code contain blanks, brackets and "at", so a line is taken apart from its end.
 */
#include "monitor/frame_text.h"

#include <stdlib.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";

static bool starts_with(const char *text, const char *end, const char *prefix)
{
	size_t length = strlen(prefix);

	return (size_t)(end - text) >= length && !memcmp(text, prefix, length);
}

static bool take_suffix(const char *text, const char **end, const char *suffix)
{
	size_t length = strlen(suffix);

	if ((size_t)(*end - text) < length || memcmp(*end - length, suffix, length) != 0)
		return false;
	*end -= length;
	return true;
}

/* Return the last place of a word in a text, or NULL. */
static const char *last_of(const char *text, const char *end, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = end - length; at >= text; at--)
		if (!memcmp(at, word, length))
			return at;
	return NULL;
}

/* Read a number that fills the text. */
static bool read_whole(const char *text, const char *end, int base, uint64_t *ret)
{
	const char *digits = base == 16 ? hex_digits : "0123456789";
	char copy[17]; /* at most 64 bits */
	size_t length = end - text;

	if (!length || length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (strspn(copy, digits) != length)
		return false;
	*ret = strtoull(copy, NULL, base);
	return true;
}

/* Take "+0xOFFSET" or "+0xOFFSET/0xSIZE" from the end. Return false if it is not there. */
static bool take_offset(const char *text, const char **end, uint64_t *offset, bool *has_size)
{
	const char *plus = last_of(text, *end, "+0x");
	const char *number = plus ? plus + 3 : NULL, *slash;
	uint64_t size;

	if (!plus)
		return false;
	slash = memchr(number, '/', *end - number);
	if (slash && (!starts_with(slash, *end, "/0x") || !read_whole(slash + 3, *end, 16, &size)))
		return false;
	if (!read_whole(number, slash ? slash : *end, 16, offset))
		return false;
	*end = plus;
	*has_size = slash;
	return true;
}

/* Take " at FILE:LINE" from the end. */
static void take_place(const char *text, const char **end, struct frame_text *frame)
{
	const char *at = last_of(text, *end, " at "), *colon;
	uint64_t line;

	if (!at)
		return;
	colon = last_of(at, *end, ":");
	if (!colon || colon <= at + 4 || !read_whole(colon + 1, *end, 10, &line) || line > INT32_MAX)
		return;
	frame->file = (struct span){at + 4, colon - at - 4};
	frame->line = (int64_t)line;
	*end = at;
}

/* Is this text the part before the object: nothing, or a name with its offset and perhaps a place? */
static bool precedes_object(const char *text, const char *end)
{
	struct frame_text frame = {0};
	uint64_t offset;
	bool has_size;

	take_place(text, &end, &frame);
	return end <= text || take_offset(text, &end, &offset, &has_size);
}

/* Take " [OBJECT]" or " [OBJECT+0xOFFSET]" from the end. Names and objects may contain " [", too. */
static void take_object(const char *text, const char **end, struct frame_text *frame)
{
	const char *close = *end, *open = text;
	bool has_size;

	if (!take_suffix(text, &close, "]"))
		return;
	/* After an address, the blank is still there. */
	while ((open = memmem(open, close - open, "[", 1))) {
		if (open == text || (open[-1] == ' ' && precedes_object(text, open - 1)))
			break;
		open++;
	}
	if (!open)
		return;
	*end = open > text ? open - 1 : text;
	take_offset(open + 1, &close, &frame->offset, &has_size);
	frame->object = (struct span){open + 1, close - open - 1};
}

/* Take "0xADDRESS" and " : " from the beginning. */
static void take_address(const char **text, const char *end, struct frame_text *frame)
{
	const char *word = *text, *after = word;
	uint64_t address;

	while (after < end && *after != ' ')
		after++;
	if (!starts_with(word, end, "0x") || !read_whole(word + 2, after, 16, &address))
		return;
	frame->address = (struct span){word, after - word};
	*text = starts_with(after, end, " : ") ? after + 3 : after;
}

bool frame_text_parse(const char *line, size_t length, struct frame_text *ret)
{
	const char *text = line, *end = line + length;
	uint64_t offset;
	bool has_size;

	*ret = (struct frame_text){0};
	while (text < end && *text == ' ')
		text++;
	take_address(&text, end, ret);
	ret->is_cut = take_suffix(text, &end, " (incomplete)");
	take_suffix(text, &end, " (inexact)");
	take_object(text, &end, ret);
	take_place(text, &end, ret);
	if (take_offset(text, &end, &offset, &has_size)) {
		ret->offset = offset;
		ret->has_size = has_size;
	}
	if (end > text)
		ret->name = (struct span){text, end - text};
	return ret->name.length || ret->address.length;
}

static bool span_is(const struct span *span, const char *text)
{
	return span->text && span->length == strlen(text) && !memcmp(span->text, text, span->length);
}

static bool span_has(const struct span *span, const char *text)
{
	return span->text && memmem(span->text, span->length, text, strlen(text));
}

static bool is_kernel_address(const struct span *address)
{
	return address->length == sizeof("0x0123456789abcdef") - 1 && strchr("89abcdef", address->text[2]);
}

/* Kernel frames without an address have the form of symdata(), with the size; those of programs have none. */
static bool is_of_kernel(const struct frame_text *frame, bool has_kernel, bool has_user)
{
	if (!has_kernel || !has_user)
		return has_kernel;
	return frame->address.text ? is_kernel_address(&frame->address) : frame->has_size;
}

const char *frame_text_kind(const struct frame_text *frame, bool has_kernel, bool has_user)
{
	if (span_is(&frame->object, "kernel"))
		return "kernel";
	if (is_of_kernel(frame, has_kernel, has_user))
		return frame->object.text ? "module" : frame->name.text ? "kernel" : "unknown";
	if (!frame->object.text)
		return "unknown";
	if (span_has(&frame->object, "/perf-") && span_has(&frame->object, ".map"))
		return "jit";
	return span_has(&frame->object, ".so") || span_has(&frame->object, "[vdso") ? "library" : "program";
}
