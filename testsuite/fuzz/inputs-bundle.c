// SPDX-License-Identifier: GPL-2.0-or-later
/* Bundles. Whatever is in the file, reading all of it ends with data of the size in its index, or with an error. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bundle/reader.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"
#include "testsuite/unit/bundle_bytes.h"

static void append_pair(GString *index, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append_pair(GString *index, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append_vprintf(index, format, args);
	va_end(args);
	g_string_append_c(index, '\0');
}

/* Append a blob whose base is any earlier one or none, or a random number. */
static void make_blob(GRand *random, GByteArray *file, GString *index, guint number)
{
	char data[64] = "contents", base[64] = "contents of the base";
	int base_number = (int)fuzz_below(random, 0, number + 1) - 1;
	gsize offset = file->len,
	      stored = append_frame(file, data, sizeof(data), base_number < 0 ? NULL : base, sizeof(base));

	if (!fuzz_below(random, 0, 8))
		append_pair(index, "blob=%lld,%lld,%lld,%lld", (long long)fuzz_number(random),
			    (long long)fuzz_number(random), (long long)fuzz_number(random),
			    (long long)fuzz_number(random));
	else
		append_pair(index, "blob=%zu,%zu,%zu,%d", offset, stored, sizeof(data), base_number);
}

static void make_module(GRand *random, GString *index, guint blobs)
{
	append_pair(index, "module=6.%u.0", fuzz_below(random, 0, 20));
	append_pair(index, "module-build-id=%08x", fuzz_below(random, 0, 1 << 30));
	append_pair(index, "module-machine=x86_64");
	append_pair(index, "module-blob=%u", fuzz_below(random, 0, blobs + 1));
	append_pair(index, "module-note=a note");
}

static void make(GRand *random, GByteArray *out)
{
	guint blobs = fuzz_below(random, 0, 5), modules = fuzz_below(random, 0, 4);
	g_autoptr(GString) index = g_string_new(NULL);
	gsize size;

	fuzz_append(out, "program", 7);
	append_pair(index, "script=x.stp");
	for (guint i = 0; i < blobs; i++)
		make_blob(random, out, index, i);
	for (guint i = 0; i < modules; i++)
		make_module(random, index, blobs);
	append_pair(index, "option=-g");
	size = index->len;
	/* Damage after compression is mostly noticed by zstd's checksum, so damage the index before it, too. */
	if (fuzz_below(random, 0, 2))
		fuzz_damage(random, index->str, &size);
	append_index(out, index->str, size);
}

static void feed(GRand *random, const guint8 *bytes, gsize size)
{
	int fd = fuzz_file(bytes, size);
	struct bundle bundle;
	struct error *error = bundle_open(fd, "bundle", &bundle);

	for (unsigned int i = 0; !error && i < bundle.module_count; i++)
		if (bundle.modules[i].blob >= bundle.blob_count)
			fuzz_wrong("a module without a blob");
	for (unsigned int i = 0; !error && i < bundle.blob_count; i++) {
		char *data = NULL;
		size_t length = 0;
		struct error *failed = bundle_extract(&bundle, i, &data, &length);

		if (!failed && length != bundle.blobs[i].size)
			fuzz_wrong("a blob of another size than the index says");
		if (!failed)
			free(data);
		error_free(failed);
	}
	if (!error)
		bundle_close(&bundle);
	error_free(error);
	close(fd);
}

const struct input_kind input_bundle = {"bundle", make, feed};
