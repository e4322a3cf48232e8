/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find the places of frames in the debuginfo on this machine; see lookup.c. */
#ifndef SPILE_FRAMES_LOOKUP_H
#define SPILE_FRAMES_LOOKUP_H

#include "translator/frames/lines.h"
#include "translator/translation.h"

struct frame_lookup;

/** @param[in] translations const struct translation *, by the number of the host; NULL if a host runs no script. */
struct frame_lookup *frame_lookup_new(const GPtrArray *translations);
void frame_lookup_free(struct frame_lookup *lookup);

/** Return the source for frame_lines_new(). */
struct frame_source frame_lookup_source(struct frame_lookup *lookup);

#endif
