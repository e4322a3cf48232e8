/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The log of a compile server; see log.c. */
#ifndef SPILE_SERVER_LOG_H
#define SPILE_SERVER_LOG_H

/** Write one line to standard error. The arguments may hold text from clients. */
void server_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Return the text as one line of printable characters, shortened to the longest line. Free with g_free(). */
char *log_line(const char *text);

#endif
