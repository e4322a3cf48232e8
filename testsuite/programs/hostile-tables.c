/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attack the kernel through the file "objects", as a user's own stap-tables could. It answers each question with a
 * forged table, whose only rule says that 0x5eadbeef called every function, and whose only symbol is "forged". It opens
 * each file of the module, and tries to become trusted. It runs in place of stap-tables and writes to the file
 * hostile.log.
 */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/abi/object_table.h"
#include "runtime/abi/protocol.h"

enum { PAGES = 1 << 15, MOST_FILES = 512 };

static const unsigned char expression[] = {5, 0, 0x0c, 0xef, 0xbe, 0xad, 0x5e}; /* DW_OP_const4u */

static struct {
	struct stp_object_answer answer;
	struct stp_object_table head;
	struct stp_object_segment segment;
	unsigned int pages[PAGES + 2];
	struct stp_unwind_row rows[PAGES];
	struct stp_unwind_rule rules[2];
	struct stp_unwind_extra extra;
	struct stp_object_symbol symbol;
	unsigned char expressions[sizeof(expression) + 1];
	char names[8];
} forged __attribute__((aligned(8)));

#define PLACE(member) (unsigned int)((char *)&forged.member - (char *)&forged.head)

static void forge(void)
{
	struct stp_object_table *head = &forged.head;

	*head = (struct stp_object_table){
		.magic = STP_OBJECT_MAGIC,
		.version = STP_OBJECT_VERSION,
		.size = (unsigned int)(sizeof(forged) - sizeof(forged.answer)),
		.extent = 0x7fffffff,
		.stack_register = 7,
		.return_register = 16,
		.segments = PLACE(segment),
		.segment_count = 1,
		.pages = PLACE(pages),
		.page_count = PAGES,
		.rows = PLACE(rows),
		.row_count = PAGES,
		.rules = PLACE(rules),
		.rule_count = 2,
		.extras = PLACE(extra),
		.extra_count = 1,
		.expressions = PLACE(expressions),
		.expressions_size = sizeof(forged.expressions),
		.symbols = PLACE(symbol),
		.symbol_count = 1,
		.names = PLACE(names),
		.names_size = sizeof(forged.names),
	};
	forged.segment.size = 1ull << 40;
	for (unsigned int i = 0; i < PAGES; i++) {
		forged.pages[i] = i;
		forged.rows[i].rule = 1;
	}
	forged.pages[PAGES] = PAGES;
	forged.rules[1] = (struct stp_unwind_rule){.frame = STP_FRAME_REGISTER, .cfa_register = 7, .extra_count = 1};
	forged.extra = (struct stp_unwind_extra){.number = 16, .kind = STP_REGISTER_IS_EXPRESSION};
	memcpy(forged.expressions, expression, sizeof(expression));
	forged.symbol = (struct stp_object_symbol){.size = 0x7fffffff};
	strcpy(forged.names, "forged");
	if (!stp_object_is_sound(head, head->size))
		abort();
}

static int receive(int socket)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
	int fd = -1;

	if (recvmsg(socket, &message, 0) == 1 && CMSG_FIRSTHDR(&message))
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

static void open_all(int objects, FILE *log)
{
	char link[64], path[4096];

	for (int i = 0; i < MOST_FILES; i++) {
		int fd = ioctl(objects, STP_OBJECT_OPEN, (unsigned long)i);
		ssize_t length;

		if (fd < 0)
			continue;
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		length = readlink(link, path, sizeof(path) - 1);
		fprintf(log, "opened %.*s\n", length > 0 ? (int)length : 0, path);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	int socket = atoi(argv[argc - 1]), objects = receive(socket);
	struct stp_object_question question;
	struct pollfd from[] = {{.fd = objects, .events = POLLIN}, {.fd = socket, .events = POLLIN}};
	FILE *log = fopen("hostile.log", "w");

	if (!log || objects < 0)
		return 1;
	setvbuf(log, NULL, _IOLBF, 0);
	forge();
	fprintf(log, "trusted: %s\n", ioctl(objects, STP_OBJECT_TRUST) ? strerror(errno) : "yes");
	while (poll(from, 2, 100) >= 0 && !from[1].revents) {
		while (read(objects, &question, sizeof(question)) == sizeof(question)) {
			fprintf(log, "asked %s\n", question.path);
			forged.answer.number = question.number;
			if (write(objects, &forged, sizeof(forged)) < 0)
				fprintf(log, "refused: %s\n", strerror(errno));
		}
		open_all(objects, log);
	}
	return 0;
}
