/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file that stap-report writes. */
#ifndef SPILE_REPORT_OUTPUT_FILE_H
#define SPILE_REPORT_OUTPUT_FILE_H

#include <stddef.h>

#include "common/base/error.h"

/**
 * Write a file, and replace an existing one only when everything is on the disk. A reader sees the old file or the new
 * one. A terminal, a pipe or a device is written in place.
 */
struct error *output_file_write(const char *path, const char *data, size_t length);

#endif
