// SPDX-License-Identifier: GPL-2.0-or-later
/* Output that goes on until all is written, and names of output files; see files.h. Without GLib (memory.h). */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/memory.h"

bool write_all(int fd, const char *data, size_t length)
{
	while (length) {
		ssize_t written = write(fd, data, length);

		if (written < 0 && errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};

			poll(&ready, 1, -1);
		} else if (written < 0 && errno != EINTR) {
			return false;
		} else if (written > 0) {
			data += written;
			length -= written;
		}
	}
	return true;
}

struct error *file_name_of_format(const char *format, char **ret)
{
	char name[4096];
	time_t now = time(NULL);
	struct tm broken_down;

	if (!localtime_r(&now, &broken_down) || !strftime(name, sizeof(name), format, &broken_down))
		return error_new(ERROR_OTHER, _("bad name for the output file: '%s'"), format);
	*ret = text_copy(name, sizeof(name));
	return NULL;
}
