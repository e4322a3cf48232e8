/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Take apart a frame of a stack as the runtime prints it; see frame_text.c. */
#ifndef SPILE_MONITOR_FRAME_TEXT_H
#define SPILE_MONITOR_FRAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text. */
struct span {
	const char *text; /* NULL: absent */
	size_t length;
};

struct frame_text {
	struct span address; /* "0x..." */
	struct span name;
	uint64_t offset; /* in the function `name`, or in `object` if there is no name */
	bool has_size; /* the size of the function follows the offset */
	struct span file;
	int64_t line; /* 0: none */
	struct span object; /* "kernel", a module, or the path or name of a file */
	bool is_cut; /* the stack has further frames */
};

/**
 * Parse one line, without its newline.
 *
 * @return false if it is empty or something else than a frame.
 */
bool frame_text_parse(const char *line, size_t length, struct frame_text *ret);

/**
 * Return "kernel", "module", "program", "library", "jit" or "unknown".
 *
 * @param[in] has_kernel, has_user What frames the stack has.
 */
const char *frame_text_kind(const struct frame_text *frame, bool has_kernel, bool has_user);

#endif
