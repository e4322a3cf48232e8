/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text formats of Prometheus; see text_output.c. */
#ifndef SPILE_EXPORTER_TEXT_OUTPUT_H
#define SPILE_EXPORTER_TEXT_OUTPUT_H

#include "exporter/metrics.h"

enum text_format { TEXT_CLASSIC, TEXT_OPENMETRICS, TEXT_FORMAT_COUNT_ };

/** The Content-Type of each format. */
extern const char *const text_content_types[TEXT_FORMAT_COUNT_];

/** Return the set as text. */
GBytes *text_write(const struct metric_set *set, enum text_format format);

/** Choose the format that a client prefers by its Accept header, which may be NULL. */
enum text_format text_format_of(const char *accept);

#endif
