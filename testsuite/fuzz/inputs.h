/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of input that fuzz-inputs.c makes, damages and feeds. */
#ifndef SPILE_TEST_INPUTS_H
#define SPILE_TEST_INPUTS_H

#include <glib.h>
#include <stdbool.h>

struct input_kind {
	const char *name;
	/** Make an input, mostly a valid one. */
	void (*make)(GRand *random, GByteArray *out);
	/** Feed the input to the program; call abort() on a wrong result. @p random depends only on the bytes. */
	void (*feed)(GRand *random, const guint8 *bytes, gsize size);
};

/*
 * Kinds for staprun (inputs-staprun.c, -reader.c, -globals.c), stap-vm (inputs-vm.c, -hub.c), the cache, the server,
 * stap-report, the exporter, the filter of JSON lines in stap
 * (inputs-frames.c), and bundles (inputs-bundle.c).
 */
extern const struct input_kind input_module, input_records, input_reader, input_monitor, input_globals, input_client,
	input_hub, input_archive, input_monitor_of_qemu, input_snapshot, input_entry, input_directory, input_request,
	input_answer, input_recording, input_lines, input_prometheus, input_header, input_frames, input_bundle;

/** Return a random number in [@p least, @p end). */
guint fuzz_below(GRand *random, guint least, guint end);
void fuzz_append(GByteArray *out, const void *bytes, gsize size);
/** Return a descriptor of an unnamed file with these bytes, at offset 0. */
int fuzz_file(const void *bytes, gsize size);
/** Return everything that was written to such a file and empty it; free the result with g_free(). */
char *fuzz_take(int file, gsize *size);
/** Abort the process to report a wrong result. */
void fuzz_wrong(const char *what) __attribute__((noreturn));
/** Write the bytes to a named file. */
void fuzz_put(const char *path, const void *bytes, gsize size);
/** Return the directory for this process's files. */
const char *fuzz_directory(void);

/* Inputs that are conversations: pieces for several receivers. */
struct fuzz_piece {
	guint whom;
	const guint8 *bytes;
	gsize size;
};

void fuzz_add_piece(GByteArray *out, guint whom, const void *bytes, gsize size);
/** Remove the first piece and return it; false if there is none left. */
bool fuzz_next_piece(const guint8 **bytes, gsize *size, struct fuzz_piece *piece);

#endif
