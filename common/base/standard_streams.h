/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard input, output and error of our programs; see standard_streams.c. */
#ifndef SPILE_STANDARD_STREAMS_H
#define SPILE_STANDARD_STREAMS_H

/**
 * Open the descriptors 0 to 2 that are closed. Call this before anything else. Standard input is then empty, and writes
 * to standard output and standard error fail.
 */
void standard_streams_open(void);

/**
 * Keep standard output for the messages of a protocol: whatever else is printed goes to standard error from now on.
 *
 * @return A descriptor of standard output, or -1.
 */
int standard_output_take(void);

/**
 * Write what standard output still buffers, and report if it could not be written. Call this before the end.
 *
 * @param status The exit status so far.
 * @return The status; EXIT_FAILURE if it was success but output is lost; 128 + SIGPIPE if the output has no reader.
 */
int standard_output_finish(int status);

#endif
