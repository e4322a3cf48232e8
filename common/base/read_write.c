// SPDX-License-Identifier: GPL-2.0-or-later
/* Complete reads and writes, and names of output files. */
#include "common/base/read_write.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/memory.h"

bool write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t written = write(fd, data, length);

		if (written < 0 && errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};

			poll(&ready, 1, -1);
		} else if (written < 0 && errno != EINTR) {
			return false;
		} else if (!written) {
			/* Some files of /proc accept 0 bytes without an error: do not repeat that forever. */
			errno = EIO;
			return false;
		} else if (written > 0) {
			data += written;
			length -= written;
		}
	}
	return true;
}

ssize_t read_up_to(int fd, void *bytes, size_t size)
{
	size_t used = 0;

	while (used < size) {
		ssize_t got = read(fd, (char *)bytes + used, size - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		used += got;
	}
	return used;
}

struct error *file_name_of_format(const char *format, char **ret)
{
	char name[4096];
	time_t now = time(NULL);
	struct tm broken_down;

	if (!localtime_r(&now, &broken_down) || !strftime(name, sizeof(name), format, &broken_down))
		return error_new(ERROR_OTHER, _("invalid name for the output file: '%s'"), format);
	*ret = text_copy(name, sizeof(name));
	return NULL;
}
