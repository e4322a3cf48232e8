/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines of the kernel's code, compressed to the 4 or 5 MB that a script module can carry. The same format holds
 * the lines of one kernel module, in about a hundredth of that.
 *
 * The translator compiles the table from the line programs of the debuginfo (translator/debuginfo/lines/table.c). It is
 * linked into the script's module if the script asks for lines. In the table of a kernel module, the sections follow
 * one another, and struct stp_lines_section says where.
 *
 * Each row says that the code from its address on belongs to a file and line; rows that repeat the previous one are
 * omitted. The sorted rows are cut into blocks. A block's entry holds its first row, for binary search; the other rows
 * follow in the stream as differences to the previous row, mostly two bytes each.
 *
 * This header needs no header of the kernel or of libc. The reader takes no lock and changes nothing, so it runs in any
 * context. Its time is limited: stp_lines_are_sound() checks that blocks have few rows, and that names are short.
 */
#ifndef SPILE_RUNTIME_LINE_TABLE_H
#define SPILE_RUNTIME_LINE_TABLE_H

#define STP_LINES_VERSION 4

enum {
	STP_LINES_ROWS = 32, /* in a block */
	STP_LINES_ROW_SIZE = 15, /* most bytes of a row in the stream: three numbers */
	STP_LINES_NAME_SIZE = 1 << 13, /* longest name, with its NUL */
};

/* Offsets are from the beginning of the table. */
struct stp_lines {
	unsigned int version, block_count, file_count, section_count;
	unsigned int base_low, base_high; /* link-time address of the kernel's _text, which is address 0 here */
	unsigned int sections; /* struct stp_lines_section; none in the kernel's table */
	unsigned int blocks; /* struct stp_lines_block, sorted by address */
	unsigned int files; /* for each file, the offset of its name */
	unsigned int stream; /* ends at `names` */
	unsigned int names; /* each ends with a NUL */
	unsigned int size;
};

struct stp_lines_section {
	unsigned int name; /* offset */
	unsigned int start, size; /* the section's range of addresses in the table */
};

struct stp_lines_block {
	unsigned int address, file, line; /* line 0: no line is known here */
	unsigned int stream; /* offset of the second row; the rows end where the next block's begin */
};

/* Read a ULEB128 number: 7 bits per byte, lowest first; the last byte's top bit is 0. */
static inline unsigned int stp_lines_number(const unsigned char **at, const unsigned char *end)
{
	unsigned int value = 0, shift = 0;

	while (*at < end && shift < 35) {
		unsigned char byte = *(*at)++;

		value |= (unsigned int)(byte & 0x7f) << (shift < 32 ? shift : 31);
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static inline unsigned long long stp_lines_base(const void *table)
{
	const struct stp_lines *head = (const struct stp_lines *)table;

	return head->base_low | (unsigned long long)head->base_high << 32;
}

static inline const struct stp_lines_section *stp_lines_section(const void *table, unsigned int number)
{
	const struct stp_lines *head = (const struct stp_lines *)table;

	return (const struct stp_lines_section *)((const char *)table + head->sections) + number;
}

static inline int stp_lines_have(const struct stp_lines *head, unsigned int offset, unsigned int count,
				 unsigned int size)
{
	return offset % 4 == 0 && offset >= sizeof(*head) && offset <= head->size &&
	       (unsigned long long)count * size <= head->size - offset;
}

/** Return whether each of the names, which follow one another, ends with a NUL, and needs at most @p most bytes. */
static inline int stp_names_are_sound(const char *names, unsigned int size, unsigned int most)
{
	unsigned int i, length = 0;

	for (i = 0; i < size; i++) {
		length = names[i] ? length + 1 : 0;
		if (length >= most)
			return 0;
	}
	return !length;
}

/* Return whether the rows of a block, from @p from to @p to in the stream, are few. */
static inline int stp_block_is_sound(const struct stp_lines *head, unsigned int from, unsigned int to)
{
	return from >= head->stream && from <= to && to <= head->names &&
	       to - from <= (STP_LINES_ROWS - 1) * STP_LINES_ROW_SIZE;
}

/** Return whether a table of untrusted origin may be passed to stp_find_line(). */
static inline int stp_lines_are_sound(const void *table, unsigned int size)
{
	const struct stp_lines *head = (const struct stp_lines *)table;
	const struct stp_lines_block *blocks;
	const unsigned int *files;
	unsigned int i;

	if (size < sizeof(*head) || head->version != STP_LINES_VERSION || head->size != size ||
	    !stp_lines_have(head, head->blocks, head->block_count, sizeof(*blocks)) ||
	    !stp_lines_have(head, head->files, head->file_count, sizeof(*files)) || head->stream > head->names ||
	    head->names > size || ((const char *)table)[size - 1] ||
	    !stp_names_are_sound((const char *)table + head->names, size - head->names, STP_LINES_NAME_SIZE))
		return 0;
	blocks = (const struct stp_lines_block *)((const char *)table + head->blocks);
	files = (const unsigned int *)((const char *)table + head->files);
	for (i = 0; i < head->block_count; i++)
		if (!stp_block_is_sound(head, blocks[i].stream,
					i + 1 < head->block_count ? blocks[i + 1].stream : head->names))
			return 0;
	for (i = 0; i < head->file_count; i++)
		if (files[i] < head->names || files[i] >= size)
			return 0;
	return 1;
}

/** Find the source line of an address of the table. Return 0 and leave *file unset if it is not known. */
static inline unsigned int stp_find_line(const void *table, unsigned int address, const char **file)
{
	const struct stp_lines *head = (const struct stp_lines *)table;
	const struct stp_lines_block *blocks = (const struct stp_lines_block *)((const char *)table + head->blocks);
	const unsigned int *files = (const unsigned int *)((const char *)table + head->files);
	unsigned int low = 0, high = head->block_count;
	struct stp_lines_block row;
	const unsigned char *at, *end;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (blocks[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return 0;
	row = blocks[low - 1];
	at = (const unsigned char *)table + row.stream;
	end = (const unsigned char *)table + (low < head->block_count ? blocks[low].stream : head->names);
	while (at < end) {
		unsigned int next = row.address + stp_lines_number(&at, end), change;

		if (next > address)
			break;
		/* Bit 0: another file, whose number follows; bit 1: the difference of the line is negative. */
		change = stp_lines_number(&at, end);
		row.address = next;
		row.line += change & 2 ? -(change >> 2) : change >> 2;
		if (change & 1)
			row.file = stp_lines_number(&at, end);
	}
	if (!row.line || row.file >= head->file_count)
		return 0;
	*file = (const char *)table + files[row.file];
	return row.line;
}

#endif
