// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * TCP and UDP connections of one process with itself over the loopback device, with fixed ports: TCP from 7001 to 7000,
 * UDP from 7003 to 7002, over IPv4, or with the argument 6 over IPv6. For aliases-tcp.stp.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int family;

static void check(int worked, const char *what)
{
	if (worked)
		return;
	perror(what);
	exit(1);
}

static socklen_t address(struct sockaddr_storage *to, int port)
{
	struct sockaddr_in *four = (struct sockaddr_in *)to;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)to;

	memset(to, 0, sizeof(*to));
	to->ss_family = family;
	if (family == AF_INET6) {
		six->sin6_port = htons(port);
		six->sin6_addr = in6addr_loopback;
		return sizeof(*six);
	}
	four->sin_port = htons(port);
	four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(*four);
}

static int bound(int type, int port)
{
	struct sockaddr_storage here;
	socklen_t size = address(&here, port);
	int fd = socket(family, type, 0), one = 1;

	check(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	check(!bind(fd, (struct sockaddr *)&here, size), "bind");
	return fd;
}

static void join(int fd, int port)
{
	struct sockaddr_storage there;
	socklen_t size = address(&there, port);

	check(!connect(fd, (struct sockaddr *)&there, size), "connect");
}

static void part(int fd)
{
	struct sockaddr nowhere = {.sa_family = AF_UNSPEC};

	check(!connect(fd, &nowhere, sizeof(nowhere)), "disconnect");
}

static void speak(int from, int to, const char *text)
{
	char got[100];

	check(send(from, text, strlen(text), 0) == (ssize_t)strlen(text), "send");
	check(recv(to, got, sizeof(got), 0) == (ssize_t)strlen(text), "recv");
}

int main(int argc, char **argv)
{
	int server, client, accepted, one = 1;

	family = argc > 1 && !strcmp(argv[1], "6") ? AF_INET6 : AF_INET;
	server = bound(SOCK_STREAM, 7000);
	check(!listen(server, 1), "listen");
	client = bound(SOCK_STREAM, 7001);
	join(client, 7000);
	accepted = accept(server, NULL, NULL);
	check(accepted >= 0, "accept");
	check(!setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), "setsockopt");
	speak(client, accepted, "hello");
	part(client);
	server = bound(SOCK_DGRAM, 7002);
	client = bound(SOCK_DGRAM, 7003);
	join(client, 7002);
	speak(client, server, "a message");
	part(client);
	return 0;
}
