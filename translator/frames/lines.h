/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Add inlined functions, files and lines to the frames of stacks in a line of JSON; see lines.c. */
#ifndef SPILE_FRAMES_LINES_H
#define SPILE_FRAMES_LINES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* A frame as stap-json writes it. Texts that are absent or not UTF-8 are NULL. */
struct stack_frame {
	char *name, *kind, *object, *build_id;
	bool has_name, has_offset, has_address, has_link_address;
	bool is_inlined;
	uint64_t offset, address, link_address;
};

/* Which instruction an address stands for. */
enum frame_position {
	FRAME_AT, /* the one at the address */
	FRAME_AFTER_CALL, /* the call before it; but see debuginfo_may_follow_call() */
	FRAME_AT_OR_AFTER, /* either, depending on the probe: the innermost frame of the kernel */
	FRAME_POSITION_COUNT_
};

/* Finds the places of frames; lookup.c, or a test. */
struct frame_source {
	void *data;
	/** Called for all new frames of a line before the first search. */
	void (*learn)(void *data, unsigned int host, const struct stack_frame *frame);
	/**
	 * Append the frame's places (struct code_place), from the innermost inlined function to the real one; none if
	 * they are not known.
	 *
	 * @return Whether the result is final; false if it may be known when more has been learned.
	 */
	bool (*find)(void *data, unsigned int host, const struct stack_frame *frame, enum frame_position position,
		     GArray *ret);
};

struct frame_lines;

struct frame_lines *frame_lines_new(const struct frame_source *source);
void frame_lines_free(struct frame_lines *lines);

/**
 * Can a line have frames? This looks only at its beginning.
 *
 * @param[out] is_final Whether the line belongs to the last snapshot.
 */
bool frame_line_is_of_stacks(const char *line, size_t length, bool *is_final);

/** Can this beginning of a line become one? */
bool frame_line_may_be_of_stacks(const char *line, size_t length);

/**
 * Append a line with its frames completed to @p out.
 *
 * @return false if the line does not change, or is damaged.
 */
bool frame_lines_complete(struct frame_lines *lines, const char *line, size_t length, GString *out);

#endif
