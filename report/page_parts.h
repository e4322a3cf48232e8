/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of the page, which the build makes strings of (embed.awk). */
#ifndef SPILE_REPORT_PAGE_PARTS_H
#define SPILE_REPORT_PAGE_PARTS_H

extern const char page_html[], page_css[], page_script[];

#endif
