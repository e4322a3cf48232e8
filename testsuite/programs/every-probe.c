// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program for a script with a probe of every kind (testsuite/library-calls). It has a function and a mark, calls
 * through the linkage table, starts a thread and a child, makes system calls, sends packets, and reads and writes a
 * file, argv[1] times. The file is argv[2], one of the script's files in /proc; it may be missing.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mark-note.h"

__attribute__((noipa)) int called(const char *text, long number)
{
	asm volatile("" ::"r"(text), "r"(number));
	return 42;
}

static void *thread(void *unused)
{
	return unused;
}

static void use_file(const char *path)
{
	char text[256];
	int fd = open(path, O_RDWR);

	if (fd < 0)
		return;
	if (write(fd, "1", 1) < 0 || read(fd, text, sizeof(text)) < 0)
		perror(path);
	close(fd);
}

static void read_status(void)
{
	char text[64];
	int fd = open("/proc/self/status", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) < 0)
		perror("/proc/self/status");
	close(fd);
}

static void send_packet(int fd)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(0x7f000001)};

	/* Without a loopback device, no packets are sent. */
	sendto(fd, "x", 1, 0, (struct sockaddr *)&to, sizeof(to));
}

static void once(const char *path, int fd)
{
	pthread_t number;
	pid_t child;

	called("text", 1);
	asm volatile(MARK_NOTE("every", "mark", "0", ""));
	if (path)
		use_file(path);
	send_packet(fd);
	if (!pthread_create(&number, NULL, thread, NULL))
		pthread_join(number, NULL);
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	/* Run long enough for timers and profilers to interrupt both the program and the kernel. */
	for (volatile int i = 0; i < 300000; i++)
		;
	for (int i = 0; i < 100; i++)
		read_status();
	usleep(1000);
}

int main(int count, char **arguments)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), times = count > 1 ? atoi(arguments[1]) : 1;

	for (int i = 0; i < times; i++)
		once(count > 2 ? arguments[2] : NULL, fd);
	return 0;
}
