/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walking the stacks of programs. */
#ifndef SPILE_RUNTIME_USER_STACKS_WALK_H
#define SPILE_RUNTIME_USER_STACKS_WALK_H

#include "runtime/core/internal.h"

enum { USER_FRAMES = 64 };

struct user_frames {
	unsigned int count;
	bool is_cut; /* there are, or may be, further frames */
	unsigned long addresses[USER_FRAMES]; /* innermost first */
	u64 guessed; /* bit i: frame i was found by the frame pointer, not by a rule */
};

/** Return the user stack of this hit, which is walked once. */
const struct user_frames *user_frames(struct stp_context *c);
/** Walk the stack from the given registers of the current process. */
const struct user_frames *user_frames_from(struct stp_context *c, unsigned long pc, unsigned long sp, unsigned long fp);

#endif
