// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text in double quotes with escape sequences, so that it can be printed and read back: strings of the script, and
 * memory of the program or the kernel. Quotes, backslashes and unprintable bytes become C escape sequences. Multibyte
 * UTF-8 characters become \uXXXX, whatever the terminal supports. Text that is cut ends in "...".
 *
 * Memory is read in small pieces that do not cross a page, because memory after the end of a string may be unreadable.
 * Nothing waits for a page.
 */
#include "runtime/core/internal.h"
#include "runtime/text/quote.h"
#include "runtime/user/memory.h"

/* ---- reading bytes ----------------------------------------------------------------------------------------------- */

static bool read_bytes(enum quoted_memory memory, void *to, unsigned long from, unsigned int size)
{
	int fault = 0;
	unsigned int i;

	switch (memory) {
	case QUOTED_USER:
		return read_user(to, from, size);
	case QUOTED_KERNEL:
		for (i = 0; i < size && !fault; i++)
			((u8 *)to)[i] = stp_load(from + i, 1, &fault);
		return !fault;
	default:
		memcpy(to, (const void *)from, size);
		return true;
	}
}

static bool refill(struct byte_reader *r)
{
	unsigned int size = min_t(u64, sizeof(r->buffer) - r->next % sizeof(r->buffer), r->left), i;

	r->at = 0;
	r->count = size;
	if (!size)
		return false;
	if (read_bytes(r->memory, r->buffer, r->next, size)) {
		r->next += size;
		return true;
	}
	r->is_faulted = true;
	for (i = 0; i + 1 < size && read_bytes(r->memory, r->buffer, r->next + i, 1); i++)
		;
	r->next += i;
	return false;
}

int reader_byte(struct byte_reader *r)
{
	if (r->at == r->count && (r->is_faulted || !refill(r)))
		return -1;
	r->left--;
	return r->buffer[r->at++];
}

/* ---- characters -------------------------------------------------------------------------------------------------- */

/* Input with lookahead, to recognize multibyte characters. */
struct quoted_input {
	struct byte_reader reader;
	bool ends_at_nul;
	u8 pending[4];
	unsigned int pending_count;
};

static bool input_has(struct quoted_input *in, unsigned int count)
{
	while (in->pending_count < count) {
		int byte = reader_byte(&in->reader);

		if (byte < 0)
			return false;
		if (!byte && in->ends_at_nul) {
			in->reader.left = in->reader.at = in->reader.count = 0;
			return false;
		}
		in->pending[in->pending_count++] = byte;
	}
	return true;
}

static void input_drop(struct quoted_input *in, unsigned int count)
{
	unsigned int i;

	in->pending_count -= count;
	/* Not memmove(): the kernel's fortified version would put the path of this source file into the module. */
	for (i = 0; i < in->pending_count; i++)
		in->pending[i] = in->pending[i + count];
}

/* Return the multibyte UTF-8 character (RFC 3629) at the start of the input, or 0 if there is none. */
static unsigned int wide_input(struct quoted_input *in, unsigned int *length)
{
	static const unsigned int least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
	unsigned int first = in->pending[0], i, character;

	if (first < 0xc2 || first >= 0xf5)
		return 0;
	*length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	character = first & (0x7f >> *length);
	for (i = 1; i < *length; i++) {
		if (!input_has(in, i + 1) || (in->pending[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (in->pending[i] & 0x3f);
	}
	if (character < least[*length] || character >= 0x110000 || (character & ~0x7ffu) == 0xd800)
		return 0;
	return character;
}

enum { LONGEST_SEQUENCE = 12 };

/* Take the next character and write it as printed. The input must not be empty. */
static unsigned int next_sequence(struct quoted_input *in, char sequence[LONGEST_SEQUENCE])
{
	unsigned int length, character = wide_input(in, &length), used;
	u8 byte = in->pending[0];

	if (character) {
		input_drop(in, length);
		return scnprintf(sequence, LONGEST_SEQUENCE, character < 0x10000 ? "\\u%04X" : "\\U%08X", character);
	}
	input_drop(in, 1);
	used = stp_escape(sequence, byte);
	/* Shorten the sequence to "\0" if no octal digit follows. */
	if (!byte && !(input_has(in, 1) && in->pending[0] >= '0' && in->pending[0] <= '7'))
		used = 2;
	return used;
}

/* ---- quotes ------------------------------------------------------------------------------------------------------ */

/* Count even if the buffer is full: where a quoted string is cut depends only on its own length. */
void put_character(struct text *t, char character)
{
	if (t->used + 1 < t->size)
		t->to[t->used] = character;
	t->used++;
}

void put_text(struct text *t, const char *text)
{
	while (*text)
		put_character(t, *text++);
}

void text_end(struct text *t)
{
	t->to[min(t->used, t->size - 1)] = '\0';
}

static const char cut_mark[] = "\"...";

static unsigned long put_quoted(struct text *t, struct quoted_input *in, unsigned int most)
{
	unsigned int start = t->used, last_cut = start + 1; /* last position at which the mark still fits */
	char sequence[LONGEST_SEQUENCE];
	bool is_cut = false;

	put_character(t, '"');
	while (!is_cut && input_has(in, 1)) {
		unsigned int i, length = next_sequence(in, sequence);

		is_cut = t->used - start + length + 1 > most;
		for (i = 0; !is_cut && i < length; i++)
			put_character(t, sequence[i]);
		if (t->used - start + sizeof(cut_mark) - 1 <= most)
			last_cut = t->used;
	}
	if (in->reader.is_faulted) {
		t->used = start;
		return in->reader.next ?: 1; /* 0 would mean success */
	}
	if (is_cut)
		t->used = last_cut;
	put_text(t, is_cut ? cut_mark : "\"");
	return 0;
}

unsigned long quote_memory(struct text *t, enum quoted_memory memory, unsigned long from, u64 length, bool ends_at_nul,
			   s64 most)
{
	struct quoted_input in = {.reader = {.memory = memory, .next = from, .left = length},
				  .ends_at_nul = ends_at_nul};

	return put_quoted(t, &in, clamp_t(s64, most, (s64)sizeof(cut_mark), stp_script.string_size - 1));
}

void stp_quote_within(char *to, const char *from, stp_long most)
{
	struct text t = {.to = to, .size = stp_script.string_size};

	quote_memory(&t, QUOTED_TEXT, (unsigned long)from, strlen(from), false, most);
	text_end(&t);
}

void stp_quote(char *to, const char *from)
{
	stp_quote_within(to, from, stp_script.string_size);
}

unsigned long stp_quote_memory(char *to, unsigned long from, stp_long length, stp_long most, int of_user)
{
	struct text t = {.to = to, .size = stp_script.string_size};
	unsigned long bad =
		quote_memory(&t, of_user ? QUOTED_USER : QUOTED_KERNEL, from, max_t(s64, length, 0), false, most);

	text_end(&t);
	return bad;
}

/* ---- text without quotes ----------------------------------------------------------------------------------------- */

/* Write as many whole characters as fit. Return false if the text was cut. */
static bool put_escaped(struct text *t, const char *text, size_t room)
{
	struct quoted_input in = {.reader = {.memory = QUOTED_TEXT, .next = (unsigned long)text, .left = strlen(text)}};
	char sequence[LONGEST_SEQUENCE];

	while (input_has(&in, 1)) {
		unsigned int i, length = next_sequence(&in, sequence);

		if (t->used + length > room)
			return false;
		for (i = 0; i < length; i++)
			put_character(t, sequence[i]);
	}
	return true;
}

void stp_text(char *to, const char *text, stp_long most, int quoted)
{
	size_t room = stp_script.string_size - 1;
	struct text t = {.to = to, .size = stp_script.string_size};

	if (most > 0)
		room = min_t(u64, room, most);
	if (quoted) {
		stp_quote_within(to, text, room);
		return;
	}
	put_escaped(&t, text, room);
	text_end(&t);
}
