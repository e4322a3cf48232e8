// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The services that NFS needs besides the kernel, for testsuite/programs/nfs.sh: a port mapper that accepts everything,
 * and a server of the MOUNT protocol that returns the file handle of any path. Each has one TCP port, and serves one
 * connection after the other.
 *
 * Usage: remote-calls
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT_MAPPER 111
#define MOUNT_PORT 20048
#define MOUNT_PROGRAM 100005
#define PROCEDURE_MOUNT 1

static int listener(int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 16)) {
		perror("remote-calls");
		exit(1);
	}
	return fd;
}

/* Get the file handle of a path from the kernel's file filehandle: "\x01000600...". Return its length. */
static int file_handle(const char *path, unsigned char *handle)
{
	char text[512];
	int fd = open("/proc/fs/nfsd/filehandle", O_RDWR), length = 0;
	ssize_t count;

	snprintf(text, sizeof(text), "loop %s 64\n", path);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return 0;
	count = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[count > 0 ? count : 0] = '\0';
	for (const char *p = strncmp(text, "\\x", 2) ? text : text + 2; sscanf(p, "%2hhx", &handle[length]) == 1;
	     p += 2)
		length++;
	return length;
}

/* Answer one call: a record mark, then the words of the call. */
static int answer(int fd)
{
	uint32_t mark, call[128], reply[64] = {0}, *out = reply + 1;
	unsigned char handle[64];
	size_t length, at;
	char path[256] = "";

	if (recv(fd, &mark, sizeof(mark), MSG_WAITALL) != sizeof(mark))
		return 0;
	length = ntohl(mark) & 0x7fffffff;
	if (length > sizeof(call) || length < 40 || recv(fd, call, length, MSG_WAITALL) != (ssize_t)length)
		return 0;
	*out++ = call[0];
	*out++ = htonl(1);
	/* Accepted, no verifier, success. */
	for (int i = 0; i < 4; i++)
		*out++ = 0;
	/* Skip the credentials and the verifier. Each has a kind, a length, and that many bytes. */
	at = 6;
	at += 2 + ntohl(call[at + 1]) / 4;
	at += 2 + ntohl(call[at + 1]) / 4;
	if (ntohl(call[3]) != MOUNT_PROGRAM) {
		*out++ = htonl(1);
	} else if (ntohl(call[5]) == PROCEDURE_MOUNT) {
		int size;

		memcpy(path, call + at + 1, ntohl(call[at]) < sizeof(path) ? ntohl(call[at]) : 0);
		size = file_handle(path, handle);
		*out++ = htonl(size ? 0 : 2);
		*out++ = htonl(size);
		memcpy(out, handle, size);
		out += (size + 3) / 4;
		/* One authentication method: AUTH_SYS. */
		*out++ = htonl(1);
		*out++ = htonl(1);
	}
	reply[0] = htonl(0x80000000 | ((out - reply - 1) * sizeof(*out)));
	return write(fd, reply, (out - reply) * sizeof(*out)) > 0;
}

int main(void)
{
	struct pollfd sockets[64] = {{listener(PORT_MAPPER), POLLIN, 0}, {listener(MOUNT_PORT), POLLIN, 0}};
	int count = 2;

	if (fork())
		return 0;
	while (poll(sockets, count, -1) > 0) {
		for (int i = count - 1; i >= 2; i--)
			if (sockets[i].revents && !answer(sockets[i].fd)) {
				close(sockets[i].fd);
				sockets[i] = sockets[--count];
			}
		for (int i = 0; i < 2; i++)
			if (sockets[i].revents && count < 64)
				sockets[count++] = (struct pollfd){accept(sockets[i].fd, NULL, NULL), POLLIN, 0};
	}
	return 1;
}
