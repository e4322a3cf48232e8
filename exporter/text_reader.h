/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read what prometheus probes print; see text_reader.c. */
#ifndef SPILE_EXPORTER_TEXT_READER_H
#define SPILE_EXPORTER_TEXT_READER_H

#include "exporter/metrics.h"

/**
 * Read the classic text format.
 *
 * @param[in] text Any bytes. A last line without a line feed is dropped, because its number may be cut.
 * @param[in] script The name of the script, for the help of metrics without one.
 * @return A set; its `dropped` counts lines that are not of the format.
 */
struct metric_set *text_read(const char *text, size_t length, const char *script, const struct exporter_limits *limits);

#endif
