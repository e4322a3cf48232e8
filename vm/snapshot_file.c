// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A snapshot file. It begins with the guest's memory, with holes where it is zero, so that QEMU can map it directly.
 * The state of the devices as written by QEMU and a trailer with the lengths and checksums of both follow.
 *
 * As other entries of the cache (common/cache.c), it is read only if no other user can have written it. It appears
 * atomically, and its modification time is its last use. Unlike those, it is never read into memory, and it is large:
 * its directory has a separate limit on disk usage.
 *
 * The file has no name while it is written, so nothing is left if the writer is killed.
 */
#include "vm/snapshot_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/checksum.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "vm/cache.h"

enum { PAGE = 4096, WRITE_SECONDS = 10, LIMIT_MEGABYTES = 2048, BLOCK = 512 };

static const char magic[16] = "spile snapshot2";

struct trailer {
	char magic[16];
	uint64_t memory, devices; /* sizes */
	uint64_t memory_sum, devices_sum;
	uint64_t sum; /* of the fields above */
};

/* ---- what is in a file ----------------------------------------------------------------------------------------- */

static bool is_zero(const char *page)
{
	const uint64_t *words = (const uint64_t *)page;
	uint64_t all = 0;

	for (int i = 0; i < PAGE / 8; i++)
		all |= words[i];
	return !all;
}

/* A run of adjacent pages of a file that are not zero. Where the file system has holes makes no difference. */
struct run {
	const char *data;
	uint64_t offset;
	size_t length;
};

/* Find the next run after @p run, before @p end. Return false after the last one. */
static bool next_run(int fd, const char *mapped, uint64_t end, struct run *run)
{
	enum { LONGEST = 256 * PAGE };
	uint64_t offset = run->offset + run->length, hole = 0;

	for (; offset < end; offset += PAGE) {
		if (offset >= hole) {
			off_t data = lseek(fd, offset, SEEK_DATA);

			if (data < 0 || (uint64_t)data >= end)
				return false;
			hole = lseek(fd, data, SEEK_HOLE);
			offset = data & ~(uint64_t)(PAGE - 1);
		}
		if (!is_zero(mapped + offset))
			break;
	}
	if (offset >= end)
		return false;
	*run = (struct run){.data = mapped + offset, .offset = offset};
	while (run->length < LONGEST && offset + run->length < MIN(hole, end) && !is_zero(run->data + run->length))
		run->length += PAGE;
	return true;
}

static uint64_t add_run(uint64_t sum, const struct run *run)
{
	for (size_t done = 0; done < run->length; done += PAGE)
		sum = checksum(sum + run->offset + done, run->data + done, PAGE);
	return sum;
}

/* Map a file read-only from its start to @p end. */
static struct error *map(int fd, uint64_t end, char **mapped)
{
	*mapped = mmap(NULL, end, PROT_READ, MAP_SHARED, fd, 0);
	return *mapped == MAP_FAILED ? error_errno("mmap") : NULL;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static struct error *damaged(void)
{
	return error_new(ERROR_OTHER, _("the snapshot is damaged"));
}

static struct error *read_trailer(int fd, struct trailer *trailer)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < (off_t)sizeof(*trailer) ||
	    pread(fd, trailer, sizeof(*trailer), end - sizeof(*trailer)) != sizeof(*trailer) ||
	    memcmp(trailer->magic, magic, sizeof(magic)) ||
	    trailer->sum != checksum(0, trailer, offsetof(struct trailer, sum)) || trailer->memory > (uint64_t)end ||
	    trailer->memory + trailer->devices + sizeof(*trailer) != (uint64_t)end)
		return damaged();
	return NULL;
}

struct error *snapshot_file_open(const char *path, uint64_t memory, int *fd)
{
	struct trailer trailer;
	struct stat status;
	struct error *error;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*fd < 0 && errno == ENOENT)
		return error_new(ERROR_LOOKUP, _("the snapshot does not exist"));
	if (*fd < 0 || fstat(*fd, &status) < 0)
		return error_errno("%s", path);
	if (!S_ISREG(status.st_mode) || !cache_may_read(&status))
		return error_new(ERROR_OTHER, _("another user may have written the snapshot"));
	error = read_trailer(*fd, &trailer);
	if (!error && (trailer.memory != memory || lseek(*fd, memory, SEEK_SET) < 0))
		error = damaged();
	cache_touch(*fd);
	return error;
}

struct error *snapshot_file_check(int fd)
{
	struct trailer trailer;
	struct error *error = read_trailer(fd, &trailer);
	struct run run = {0};
	uint64_t sum = 0;
	size_t length = trailer.memory + trailer.devices;
	char *mapped;

	/* Map the file to keep the file offset: QEMU reads through the same open file. */
	if (!error)
		error = map(fd, length, &mapped);
	if (error)
		return error;
	while (next_run(fd, mapped, trailer.memory, &run))
		sum = add_run(sum, &run);
	if (sum != trailer.memory_sum || checksum(0, mapped + trailer.memory, trailer.devices) != trailer.devices_sum)
		error = damaged();
	munmap(mapped, length);
	if (!error && lseek(fd, trailer.memory, SEEK_SET) < 0)
		error = error_errno("lseek");
	return error;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct error *snapshot_file_create(const char *directory, int *fd)
{
	if (g_mkdir_with_parents(directory, 0700) < 0)
		return error_errno(_("cannot make %s"), directory);
	*fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return *fd < 0 ? error_errno(_("cannot write %s"), directory) : NULL;
}

static struct error *write_all(int fd, const char *data, size_t length, uint64_t offset)
{
	while (length) {
		ssize_t count = pwrite(fd, data, length, offset);

		if (count <= 0)
			return error_errno(_("cannot write the snapshot"));
		data += count;
		length -= count;
		offset += count;
	}
	return NULL;
}

/* Write the guest's memory. The guest is stopped during this, so give up if the disk is too slow. */
static struct error *write_memory(int fd, int memory, uint64_t size, uint64_t *sum)
{
	gint64 deadline = g_get_monotonic_time() + WRITE_SECONDS * G_USEC_PER_SEC;
	struct run run = {0};
	struct error *error;
	char *mapped;

	error = map(memory, size, &mapped);
	if (error)
		return error;
	while (!error && next_run(memory, mapped, size, &run)) {
		*sum = add_run(*sum, &run);
		error = write_all(fd, run.data, run.length, run.offset);
		if (!error && g_get_monotonic_time() > deadline)
			error = error_new(ERROR_OTHER, _("writing the snapshot takes too long"));
	}
	munmap(mapped, size);
	return error;
}

static struct error *write_devices(int fd, int devices, const struct trailer *trailer, uint64_t *sum)
{
	struct error *error;
	char *mapped;

	error = map(devices, trailer->devices, &mapped);
	if (error)
		return error;
	*sum = checksum(0, mapped, trailer->devices);
	error = write_all(fd, mapped, trailer->devices, trailer->memory);
	munmap(mapped, trailer->devices);
	return error;
}

struct error *snapshot_file_write(int fd, int memory, int devices)
{
	struct stat memory_status, devices_status;
	struct trailer trailer = {0};
	struct error *error;

	if (fstat(memory, &memory_status) < 0 || fstat(devices, &devices_status) < 0)
		return error_errno("fstat");
	memcpy(trailer.magic, magic, sizeof(magic));
	trailer.memory = memory_status.st_size;
	trailer.devices = devices_status.st_size;
	error = write_memory(fd, memory, trailer.memory, &trailer.memory_sum);
	if (!error)
		error = write_devices(fd, devices, &trailer, &trailer.devices_sum);
	trailer.sum = checksum(0, &trailer, offsetof(struct trailer, sum));
	if (!error)
		error = write_all(fd, (const char *)&trailer, sizeof(trailer), trailer.memory + trailer.devices);
	return error;
}

struct entry {
	char *path;
	struct timespec used;
	uint64_t size; /* on disk */
};

static void entry_clear(gpointer data)
{
	g_free(((struct entry *)data)->path);
}

static int compare_use(gconstpointer a, gconstpointer b)
{
	const struct timespec *left = &((const struct entry *)a)->used, *right = &((const struct entry *)b)->used;

	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return left->tv_nsec < right->tv_nsec ? -1 : left->tv_nsec > right->tv_nsec;
}

static void remove_oldest(const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	g_autoptr(GArray) entries = g_array_new(FALSE, FALSE, sizeof(struct entry));
	uint64_t total = 0;
	const char *name;

	g_array_set_clear_func(entries, entry_clear);
	while (dir && (name = g_dir_read_name(dir))) {
		struct entry entry = {.path = g_build_filename(directory, name, NULL)};
		struct stat status = {0};

		lstat(entry.path, &status);
		entry.used = status.st_mtim;
		entry.size = (uint64_t)status.st_blocks * BLOCK;
		total += entry.size;
		g_array_append_val(entries, entry);
	}
	g_array_sort(entries, compare_use);
	for (guint i = 0; i < entries->len && total > (uint64_t)LIMIT_MEGABYTES << 20; i++) {
		const struct entry *oldest = &g_array_index(entries, struct entry, i);

		if (!unlink(oldest->path))
			total -= oldest->size;
	}
}

struct error *snapshot_file_publish(int fd, const char *path)
{
	g_autofree char *nameless = g_strdup_printf("/proc/self/fd/%d", fd);
	g_autofree char *directory = g_path_get_dirname(path);

	/* Another process was faster; its snapshot is equivalent. */
	if (linkat(AT_FDCWD, nameless, AT_FDCWD, path, AT_SYMLINK_FOLLOW) < 0 && errno != EEXIST)
		return error_errno(_("cannot write %s"), path);
	remove_oldest(directory);
	return NULL;
}
