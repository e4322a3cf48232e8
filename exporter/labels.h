/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels and names of metrics from the bytes of scripts; see labels.c. */
#ifndef SPILE_EXPORTER_LABELS_H
#define SPILE_EXPORTER_LABELS_H

#include <glib.h>
#include <stdbool.h>

#include "exporter/limits.h"

/**
 * Append NAME="VALUE", after a comma if @p labels is not empty.
 *
 * @param[in] name A valid name of a label.
 * @param[in] bytes Any bytes. Those that are not printable UTF-8 become \xNN.
 * @return Whether the value was shortened. The mark of a shortened value contains a checksum of the bytes.
 */
bool label_append(GString *labels, const char *name, const char *bytes, size_t length,
		  const struct exporter_limits *limits);

/** Append text, in which every byte that is not allowed in the name of a metric becomes '_'. */
void metric_name_append(GString *name, const char *text);

bool is_metric_name(const char *text);
bool is_label_name(const char *text);

#endif
