/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Complete the stacks in the JSON lines of a run (stap-json(5)) with what only this machine knows: inlined functions,
 * source files and lines. See relay.c.
 */
#ifndef SPILE_FRAMES_FRAMES_H
#define SPILE_FRAMES_FRAMES_H

#include "translator/translation.h"

struct frames;

/**
 * From now on, pass what is written to standard output through a filter that completes the stacks in it.
 *
 * @param[in] translations const struct translation *, by the number of the host; NULL if a host runs no script.
 * @param[out] ret NULL if no script has stacks in its globals, or the filter cannot be started. Then nothing changes.
 */
void frames_begin(const GPtrArray *translations, struct frames **ret);

/**
 * Write everything that has arrived, and restore standard output.
 *
 * @param[in] is_given_up Do not wait for the reader of the output.
 * @param[in,out] exit_status Set if the output could not be written because its reader is gone.
 * @return An error if the output could not be written for another reason.
 */
struct error *frames_end(struct frames *frames, bool is_given_up, int *exit_status);

#endif
