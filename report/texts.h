/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a recording, which are any bytes, on the screen and in JSON. */
#ifndef SPILE_REPORT_TEXTS_H
#define SPILE_REPORT_TEXTS_H

#include "common/base/json_text.h"
#include "report/recording.h"

/**
 * Copy a text to be shown: bytes that are not UTF-8 and characters that control a terminal become "\xNN" or "\uNNNN".
 * The caller frees it; @p length may be NULL.
 */
char *text_to_show(const struct text *text, size_t *length);

/** The same, but line breaks and tabs are kept. */
char *text_to_show_lines(const struct text *text);

/** Write a text as the schema does: if it is not UTF-8, as an object with "base64". NULL is null. */
void text_put(struct json_writer *json, const struct text *text);
/** Write a text to be shown: bytes that are not UTF-8 become "\xNN". NULL is null. */
void text_put_shown(struct json_writer *json, const struct text *text);

#endif
