// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dumps of crashed machines, read with libkdumpfile. It knows the formats of kdump, makedumpfile and QEMU, and
 * translates addresses of the kernel by the page tables in the dump.
 *
 * No debuginfo of the kernel is needed. The log of a module is a page that begins with STP_LOG_MAGIC
 * (runtime/abi/crash_log.h) and has the addresses of the buffers.
 */
#include "staprun/crash_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"

struct crash_dump {
	const char *path;
	int fd;
	kdump_ctx_t *context;
	kdump_num_t page_size, page_count;
	kdump_bmp_t *pages; /* those that the dump has; NULL: not known */
	bool translates; /* addresses of the kernel */
};

static struct error *dump_error(const struct crash_dump *dump)
{
	return error_new(ERROR_OTHER, _("cannot read %s: %s"), dump->path, kdump_get_err(dump->context));
}

/* Is it the format of "makedumpfile -F" and of QEMU, which can be written to a pipe? */
static bool is_flattened(const struct crash_dump *dump)
{
	static const char signature[] = "makedumpfile";
	char bytes[sizeof(signature)];

	return pread(dump->fd, bytes, sizeof(bytes), 0) == sizeof(bytes) && !memcmp(bytes, signature, sizeof(bytes));
}

static struct error *open_file(struct crash_dump *dump)
{
	kdump_attr_t attribute;

	dump->fd = open(dump->path, O_RDONLY | O_CLOEXEC);
	if (dump->fd < 0)
		return error_errno(_("cannot read %s"), dump->path);
	/* Reading from a mapping of a file that is too short would end this process. */
	if (kdump_set_number_attr(dump->context, KDUMP_ATTR_FILE_MMAP_POLICY, KDUMP_MMAP_NEVER) != KDUMP_OK)
		return dump_error(dump);
	if (kdump_open_fd(dump->context, dump->fd) != KDUMP_OK)
		return error_with_hint(error_new(ERROR_OTHER, _("%s is not a dump of a kernel: %s"), dump->path,
						 kdump_get_err(dump->context)),
				       is_flattened(dump)
					       ? _("it is flattened; convert it with: makedumpfile -R NEW <DUMP")
					       : _("name the file that kdump, makedumpfile(8) or QEMU wrote"));
	if (kdump_get_number_attr(dump->context, KDUMP_ATTR_PAGE_SIZE, &dump->page_size) != KDUMP_OK ||
	    kdump_get_number_attr(dump->context, "max_pfn", &dump->page_count) != KDUMP_OK)
		return dump_error(dump);
	if (kdump_get_attr(dump->context, "memory.pagemap", &attribute) == KDUMP_OK && attribute.type == KDUMP_BITMAP)
		dump->pages = attribute.val.bitmap;
	return NULL;
}

/* Prepare for the translation of addresses. QEMU's compressed dumps do not name the machine. */
static struct error *prepare_translation(struct crash_dump *dump, const char *machine)
{
	const char *name;

	if (dump->translates)
		return NULL;
	if (kdump_get_string_attr(dump->context, KDUMP_ATTR_ARCH_NAME, &name) != KDUMP_OK)
		kdump_set_string_attr(dump->context, KDUMP_ATTR_ARCH_NAME, machine);
	dump->translates = kdump_set_string_attr(dump->context, KDUMP_ATTR_OSTYPE, "linux") == KDUMP_OK;
	return dump->translates ? NULL : dump_error(dump);
}

struct error *crash_dump_open(const char *path, struct crash_dump **ret)
{
	struct crash_dump *dump = memory_new(1, sizeof(*dump));
	struct error *error;

	dump->path = path;
	dump->fd = -1;
	dump->context = kdump_new();
	error = dump->context ? open_file(dump) : error_new(ERROR_OTHER, "kdump_new: %s", strerror(ENOMEM));
	if (error)
		crash_dump_close(dump);
	*ret = error ? NULL : dump;
	return error;
}

void crash_dump_close(struct crash_dump *dump)
{
	if (dump->context)
		kdump_free(dump->context);
	if (dump->fd >= 0)
		close(dump->fd);
	free(dump);
}

struct error *crash_dump_read(struct crash_dump *dump, uint64_t address, void *bytes, size_t size)
{
	size_t got = size;

	if (kdump_read(dump->context, KDUMP_KVADDR, address, bytes, &got) == KDUMP_OK)
		return NULL;
	return error_new(ERROR_OTHER, _("cannot read %zu bytes at 0x%llx of the dumped memory: %s"), size,
			 (unsigned long long)address, kdump_get_err(dump->context));
}

/* Go to the next page that the dump has. Return false after the last page. */
static bool next_page(const struct crash_dump *dump, uint64_t *page)
{
	kdump_addr_t next = *page;

	if (dump->pages && kdump_bmp_find_set(dump->pages, &next) != KDUMP_OK)
		return false;
	*page = next;
	return next < dump->page_count;
}

/* Does a page begin as a log does? */
static bool has_magic(const struct crash_dump *dump, uint64_t page)
{
	unsigned char bytes[sizeof(STP_LOG_MAGIC) - 1];
	size_t got = sizeof(bytes);

	return kdump_read(dump->context, KDUMP_MACHPHYSADDR, page * dump->page_size, bytes, &got) == KDUMP_OK &&
	       !memcmp(bytes, STP_LOG_MAGIC, sizeof(bytes));
}

/*
 * Read the log at the beginning of a page. Set *is_copy if the log itself is elsewhere. For example, the memory of a
 * running staplog has copies.
 */
static struct error *read_log(struct crash_dump *dump, uint64_t page, struct stp_log *log, bool *is_copy)
{
	size_t got = sizeof(*log);
	struct stp_log same;
	struct error *error;

	if (kdump_read(dump->context, KDUMP_MACHPHYSADDR, page * dump->page_size, log, &got) != KDUMP_OK)
		return dump_error(dump);
	log->module[sizeof(log->module) - 1] = log->machine[sizeof(log->machine) - 1] = '\0';
	error = prepare_translation(dump, log->machine);
	error = error ?: crash_dump_read(dump, log->self, &same, sizeof(same));
	if (error)
		return error_with_hint(error, _("the dump is cut off, or lacks the kernel's VMCOREINFO, for which "
						"QEMU needs -device vmcoreinfo"));
	*is_copy = memcmp(&same, log, sizeof(same));
	return NULL;
}

struct error *crash_dump_find_logs(struct crash_dump *dump, struct stp_log **ret, unsigned int *count)
{
	struct error *error = NULL;

	*ret = NULL;
	*count = 0;
	for (uint64_t page = 0; !error && next_page(dump, &page); page++) {
		struct stp_log log;
		bool is_copy = false;

		if (!has_magic(dump, page))
			continue;
		error = read_log(dump, page, &log, &is_copy);
		if (error || is_copy)
			continue;
		*ret = memory_resize(*ret, *count + 1, sizeof(**ret));
		(*ret)[(*count)++] = log;
	}
	return error;
}
