// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bulk mode: write the records of each CPU, with their headers, to a file of its own and without ordering them.
 * stap-merge puts them in order later.
 */
#include "staprun/bulk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/read_write.h"

struct bulk {
	FILE **files;
	unsigned int count;
	struct error *error;
};

static struct error *open_file(struct bulk *bulk, unsigned int cpu, const char *base)
{
	_cleanup_free_ char *name = text_format("%s%u", base, cpu);

	bulk->files[cpu] = fopen(name, "we");
	return bulk->files[cpu] ? NULL : error_errno(_("cannot write %s"), name);
}

struct error *bulk_open(const char *file_format, struct bulk **ret)
{
	struct bulk *bulk = memory_new(1, sizeof(*bulk));
	_cleanup_free_ char *format = file_format ? text_format("%s_", file_format) : NULL;
	_cleanup_free_ char *base = format ? NULL : text_format("stpd_cpu");
	struct error *error = format ? file_name_of_format(format, &base) : NULL;

	*ret = bulk;
	if (error)
		return error;
	bulk->count = sysconf(_SC_NPROCESSORS_CONF);
	bulk->files = memory_new(bulk->count, sizeof(*bulk->files));
	for (unsigned int cpu = 0; cpu < bulk->count && !error; cpu++)
		error = open_file(bulk, cpu, base);
	return error;
}

static void check(struct bulk *bulk, bool worked)
{
	if (!worked && !bulk->error)
		bulk->error = error_errno(_("cannot write the output"));
}

void bulk_record(struct bulk *bulk, unsigned int cpu, const struct stp_record *record, const char *payload)
{
	FILE *file = bulk->files[cpu % bulk->count];

	check(bulk, fwrite(record, sizeof(*record), 1, file) == 1);
	check(bulk, fwrite(payload, 1, record->length, file) == record->length);
}

struct error *bulk_close(struct bulk *bulk)
{
	struct error *error;

	for (unsigned int i = 0; i < bulk->count; i++)
		check(bulk, !bulk->files[i] || !fclose(bulk->files[i]));
	error = bulk->error;
	free(bulk->files);
	free(bulk);
	return error;
}
