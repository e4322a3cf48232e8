/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen of files, to know later whether all is as it was; see file_facts.c. All functions accept NULL. */
#ifndef SPILE_UTIL_FILE_FACTS_H
#define SPILE_UTIL_FILE_FACTS_H

#include <stdbool.h>

struct file_facts;

struct file_facts *file_facts_new(void);
void file_facts_free(struct file_facts *facts);

/** Note which file a path leads to, and which state it is in, or that there is none. Before it is read. */
void file_facts_note(struct file_facts *facts, const char *path);

/** Note which files match a pattern (glob(3) with braces), and which states they are in. */
void file_facts_note_glob(struct file_facts *facts, const char *pattern);

/** Note where a program is found through PATH. */
void file_facts_note_program(struct file_facts *facts, const char *name);

/** The outcome depends on what no file tells. */
void file_facts_give_up(struct file_facts *facts);

/** All that was noted; NULL if it does not tell enough. Borrowed until more is noted. */
const char *file_facts_text(const struct file_facts *facts);

/** Is all of such a text still so? */
bool file_facts_hold(const char *text);

#endif
