/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of what stap-exporter keeps and sends for each script. The configuration sets some of them. */
#ifndef SPILE_EXPORTER_LIMITS_H
#define SPILE_EXPORTER_LIMITS_H

#include <stdint.h>

struct exporter_limits {
	int64_t series; /* samples of a script in one response */
	int64_t label_length; /* bytes of a label's value */
	int64_t response_size; /* bytes, about */
	int64_t output_rate; /* bytes per second that are read from stap */
};

enum {
	SMALLEST_LABEL_LENGTH = 16, /* space for the mark of a shortened value, and some text */
	LONGEST_STREAM_LINE = 8 << 20, /* bytes of a line from stap */
	DEEPEST_JSON = 32, /* nesting in a line; the schema needs 6 */
	MOST_KEYS = 32, /* keys of an array; the language allows 9 */
	MOST_BOUNDS = 512, /* bounds of a histogram that are exported */
	SMALLEST_OUTPUT_RATE = 64 << 10, /* as much as is read at once */
	MOST_OUTPUT_AT_END = 16 << 20, /* bytes that are read after stap has ended */
	MOST_HOSTS = 256, /* of a script, with --remote */
	MOST_LOG_LINES = 20, /* lines that a script may log per minute */
};

#endif
