// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that sends over the loopback device (dlang.sh): a datagram, and three bytes over a TCP connection to a
 * socket on port 4321. Then it connects to that port when nothing listens.
 */
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* 127.0.0.1:4321, in network byte order */
static const struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = 0xe110, .sin_addr = {0x0100007f}};

static int start_device(void)
{
	struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, SIOCSIFFLAGS, &request);
	return fd;
}

static int connect_there(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	connect(fd, (const struct sockaddr *)&place, sizeof(place));
	return fd;
}

int main(void)
{
	int datagrams = start_device(), listener = socket(AF_INET, SOCK_STREAM, 0), client, server;
	char buffer[10];
	ssize_t count;

	bind(datagrams, (const struct sockaddr *)&place, sizeof(place));
	count = sendto(datagrams, "hello", 5, 0, (const struct sockaddr *)&place, sizeof(place));
	count += read(datagrams, buffer, sizeof(buffer));
	bind(listener, (const struct sockaddr *)&place, sizeof(place));
	listen(listener, 1);
	client = connect_there();
	server = accept(listener, NULL, NULL);
	count += write(client, "abc", 3);
	count += read(server, buffer, sizeof(buffer));
	close(client);
	close(server);
	close(listener);
	connect_there();
	return count != 16;
}
