/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data of a page. */
#ifndef SPILE_REPORT_PAGE_DATA_H
#define SPILE_REPORT_PAGE_DATA_H

#include "report/formats.h"

/** Append the data as JSON that can be put into an element of HTML. */
void write_page_data(const struct report *report, FILE *out);

#endif
