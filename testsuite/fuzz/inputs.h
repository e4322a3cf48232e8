/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of input that fuzz-inputs.c makes, damages and feeds. */
#ifndef SPILE_TEST_INPUTS_H
#define SPILE_TEST_INPUTS_H

#include <glib.h>
#include <stdbool.h>

struct input_kind {
	const char *name;
	/** An input as it should be, often enough. */
	void (*make)(GRand *random, GByteArray *out);
	/** It is read. What must not be ends in abort(). @p random is the same for the same bytes. */
	void (*feed)(GRand *random, const guint8 *bytes, gsize size);
};

/* Of staprun (inputs-staprun.c, -reader.c), stap-vm (inputs-vm.c, -hub.c), the cache, the server (inputs-....c). */
extern const struct input_kind input_module, input_records, input_reader, input_monitor, input_client, input_hub,
	input_archive, input_monitor_of_qemu, input_snapshot, input_entry, input_folder, input_request, input_answer;

/** A number in [@p least, @p end). */
guint fuzz_below(GRand *random, guint least, guint end);
void fuzz_append(GByteArray *out, const void *bytes, gsize size);
/** An open file without a name that holds these bytes, and is read from its start. */
int fuzz_file(const void *bytes, gsize size);
/** All that was written to such a file; free with g_free(). The file is empty then. */
char *fuzz_take(int file, gsize *size);
/** Ends the process, and so says that something is as it must not be. */
void fuzz_wrong(const char *what) __attribute__((noreturn));
/** Make a file of them that has a name. */
void fuzz_put(const char *path, const void *bytes, gsize size);
/** A folder for the files of this process. */
const char *fuzz_folder(void);

/* Inputs that are conversations: pieces for one or another. */
struct fuzz_piece {
	guint whom;
	const guint8 *bytes;
	gsize size;
};

void fuzz_add_piece(GByteArray *out, guint whom, const void *bytes, gsize size);
/** The piece at the front, which is taken off; false: there is none. */
bool fuzz_next_piece(const guint8 **bytes, gsize *size, struct fuzz_piece *piece);

#endif
