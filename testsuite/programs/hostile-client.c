// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that violates the protocol of stap-vm (vm/link.h), for testsuite/suites/vm.sh.
 *
 *     hostile-client flood SOCKET      send 200 MB of input to a command that reads none; never read the answers
 *     hostile-client orders SOCKET     send a frame that only the hub may send to a guest
 *     hostile-client complain SOCKET   give up the guest ten thousand times before reading any answer
 *     hostile-client listen SOCKET     wait for a connection
 *
 * The first two succeed if the hub disconnects, the third if the hub sends the end of the console at most once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "vm/link.h"

/* Send a frame. Return false if the hub has disconnected. */
static int send_frame(int fd, enum frame_type type, const void *payload, size_t length)
{
	struct frame_header header = {.length = length, .type = type};

	return send(fd, &header, sizeof(header), MSG_NOSIGNAL) == sizeof(header) &&
	       (!length || send(fd, payload, length, MSG_NOSIGNAL) == (ssize_t)length);
}

static int flood(int fd)
{
	static const char command[] = "\2\0\0\0\0\0\0\0/\0sleep\0001000";
	static char bytes[1 << 20];

	if (!send_frame(fd, FRAME_EXEC, command, sizeof(command)))
		return 2;
	for (int i = 0; i < 200; i++)
		if (!send_frame(fd, FRAME_DATA, bytes, sizeof(bytes)))
			return 0;
	return 1;
}

static int give_orders(int fd)
{
	struct begin_header header = {.seconds = 1};
	char answer[65536];
	ssize_t count;

	if (!send_frame(fd, FRAME_BEGIN, &header, sizeof(header)))
		return 2;
	while ((count = read(fd, answer, sizeof(answer))) > 0)
		;
	return 0;
}

static int complain(int fd)
{
	static struct frame_header many[10000];
	struct frame_header order = {.type = FRAME_TIMEOUT};
	static char answer[1 << 20];
	size_t total = 0;
	ssize_t count;

	for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++)
		many[i] = order;
	for (size_t sent = 0; sent < sizeof(many); sent += count) {
		count = send(fd, (char *)many + sent, sizeof(many) - sent, MSG_NOSIGNAL);
		if (count < 0)
			return 2;
	}
	/* No client may send this frame, so the hub must disconnect. */
	if (!send_frame(fd, FRAME_BEGIN, NULL, 0))
		return 2;
	while ((count = read(fd, answer, sizeof(answer))) > 0)
		total += count;
	return total > sizeof(answer) / 2;
}

int main(int argc, char **argv)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (argc != 3 || fd < 0)
		return 2;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", argv[2]);
	if (!strcmp(argv[1], "listen")) {
		if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1))
			return 2;
		return accept(fd, NULL, NULL) < 0;
	}
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return 2;
	if (!strcmp(argv[1], "complain"))
		return complain(fd);
	return !strcmp(argv[1], "flood") ? flood(fd) : give_orders(fd);
}
