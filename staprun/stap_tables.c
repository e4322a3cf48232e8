// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-tables: makes tables of programs and libraries (runtime/object_table.h) for a script that runs. staprun starts
 * it (tables.c) with a socket, which brings the module's file "objects" (runtime/protocol.h).
 *
 * A question is answered in any case, and one after the other. The file is opened through the module, which knows what
 * is mapped; if no process has it any more, by its path, and it is then compared. Tables are kept in the user's cache.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/capability.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/protocol.h"
#include "staprun/child.h"
#include "translator/debuginfo/unwind/unwind.h"
#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"
#include "translator/util/cache.h"

/* Root's, too, which an exec has given back. That a file may be read is asked of its owner and mode alone then. */
static bool drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};

	return !syscall(SYS_capset, &header, none) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* -1: it is another one by now, or cannot be read. */
static int open_by_path(const struct stp_object_question *question)
{
	int fd = open(question->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	/* The kernel's encoding of the number of a device is that of stat(2). */
	if (fd >= 0 && !fstat(fd, &status) && status.st_ino == question->inode && status.st_dev == question->device &&
	    S_ISREG(status.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_object(int objects, const struct stp_object_question *question)
{
	int fd = ioctl(objects, STP_OBJECT_OPEN, (unsigned long)question->number);

	return fd >= 0 ? fd : open_by_path(question);
}

/* The end of what the ELF file at an address says to have. */
static size_t image_size(const unsigned char *image)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)(image + header->e_phoff);
	size_t end = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;

	for (unsigned int i = 0; i < header->e_phnum; i++)
		end = MAX(end, segments[i].p_offset + segments[i].p_filesz);
	return end;
}

/* The same for all processes: our own. */
static int open_vdso(void)
{
	const unsigned char *image = (const unsigned char *)getauxval(AT_SYSINFO_EHDR);
	int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	if (fd >= 0 && write(fd, image, image_size(image)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

/* As the process itself sees the path, or as we do. */
static GByteArray *names_of_process(const struct stp_object_question *question)
{
	g_autofree char *inside = g_strdup_printf("/proc/%u/root%s", question->process, question->path);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(inside, &text, NULL, NULL) && !g_file_get_contents(question->path, &text, NULL, NULL))
		return NULL;
	return object_table_of_names(text);
}

static GByteArray *table_of_object(int objects, const struct stp_object_question *question)
{
	bool is_vdso = question->number == STP_OBJECT_VDSO;
	_cleanup_close_ int fd = is_vdso ? open_vdso() : open_object(objects, question);
	g_autofree char *kept = NULL;
	GByteArray *table = NULL;

	/* That there is none is an answer as well: the frames are shown as addresses. */
	if (fd >= 0)
		error_free(object_table_get(fd, is_vdso ? "[vdso]" : question->path, question->with_lines,
					    cache_folder(), &table, &kept));
	return table;
}

static GByteArray *make_table(int objects, const struct stp_object_question *question)
{
	if (question->process)
		return names_of_process(question);

	return table_of_object(objects, question);
}

/* False: the script has ended. */
static bool answer_question(int objects)
{
	struct stp_object_question question;
	struct stp_object_answer answer = {0};
	g_autoptr(GByteArray) message = g_byte_array_new();
	g_autoptr(GByteArray) table = NULL;
	ssize_t size = read(objects, &question, sizeof(question));

	if (size != sizeof(question))
		return !size || errno == EINTR;
	question.path[sizeof(question.path) - 1] = '\0';
	table = make_table(objects, &question);
	answer.number = question.number;
	g_byte_array_append(message, (const guint8 *)&answer, sizeof(answer));
	if (table)
		g_byte_array_append(message, table->data, table->len);
	/* What the module has no room for it is told to do without. */
	return write(objects, message->data, message->len) >= 0 || write(objects, &answer, sizeof(answer)) >= 0;
}

static void answer_questions(int socket, int objects)
{
	struct pollfd from[] = {
		{.fd = objects, .events = POLLIN},
		{.fd = socket, .events = POLLIN},
	};

	while (poll(from, 2, -1) >= 0 || errno == EINTR) {
		if (from[1].revents)
			return;
		if (from[0].revents && !answer_question(objects))
			return;
	}
}

int main(int argc, char **argv)
{
	int socket = argc == 2 ? atoi(argv[1]) : -1, objects;

	i18n_init();
	if (socket <= STDERR_FILENO || !drop_capabilities()) {
		fprintf(stderr, _("%s is started by staprun.\n"), "stap-tables");
		return EXIT_FAILURE;
	}
	if (child_receive(socket, &objects) && objects >= 0)
		answer_questions(socket, objects);
	return EXIT_SUCCESS;
}
