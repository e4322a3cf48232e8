/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about files, for detecting later whether they changed; see file_facts.c. All functions accept NULL. */
#ifndef SPILE_COMMON_FILE_FACTS_H
#define SPILE_COMMON_FILE_FACTS_H

#include <stdbool.h>

struct file_facts;

struct file_facts *file_facts_new(void);
void file_facts_free(struct file_facts *facts);

/** Note the identity and state of the file at a path, or that there is none. Call before reading it. */
void file_facts_note(struct file_facts *facts, const char *path);

/** Note the files that match a pattern (glob(3) with braces), and their states. */
void file_facts_note_glob(struct file_facts *facts, const char *pattern);

/** Note the result of a search for a program in PATH. */
void file_facts_note_program(struct file_facts *facts, const char *name);

/** Note that the result depends on something that cannot be noted. */
void file_facts_give_up(struct file_facts *facts);

/** Return all facts as a text, valid until more is noted. NULL: they are incomplete, or a file changed just now. */
const char *file_facts_text(const struct file_facts *facts);

/** Are all facts of such a text still true? */
bool file_facts_hold(const char *text);

#endif
