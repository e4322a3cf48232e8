// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-tables: build unwind and symbol tables of programs and libraries (runtime/abi/object_table.h) for a running
 * script. staprun starts it (tables.c) with a socket, over which it receives the module's file "objects"
 * (runtime/abi/protocol.h).
 *
 * Requests are answered one after the other, and every one is answered. The program file is opened through the module,
 * which knows what is mapped. If no process maps it any longer, it is opened by path and compared. Tables are kept in
 * the user's cache. Most machines that run scripts use the cache for nothing else, so its limit is enforced here, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/user_directories.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "runtime/abi/protocol.h"
#include "staprun/child.h"
#include "translator/debuginfo/unwind/unwind.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Open the file by path. Return -1 if it cannot be opened or is a different file by now. */
static int open_by_path(const struct stp_object_question *question)
{
	int fd = open(question->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	/* The kernel encodes device numbers as stat(2) does. */
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

/* Return the file size that the headers of an ELF image imply. */
static size_t image_size(const unsigned char *image)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)(image + header->e_phoff);
	size_t end = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;

	for (unsigned int i = 0; i < header->e_phnum; i++)
		end = MAX(end, segments[i].p_offset + segments[i].p_filesz);
	return end;
}

/* Copy our own vDSO to a file; it is the same for all processes. */
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

/*
 * ---- names of JIT code ---------------------------------------------------------------------------------------------
 */

enum { LONGEST_NAMES = 32 << 20 };

/*
 * Open a file of JIT symbol names. If the process has ended, the module cannot open it, so try the path as seen by us.
 */
static int open_names(int objects, const struct stp_object_question *question)
{
	int fd = ioctl(objects, STP_OBJECT_OPEN, (unsigned long)question->number);

	return fd >= 0 ? fd : open(question->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
}

/*
 * Anyone can create a file with such a name, so require that the process's user or root owns it. A further link may be
 * to any file of theirs.
 */
static bool is_trusted(int fd, uint32_t owner)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_nlink == 1 &&
	       (status.st_uid == owner || !status.st_uid) && status.st_size <= LONGEST_NAMES;
}

/* Read the file as text; replace NUL bytes. It may still be growing; what is written so far counts. */
static char *read_names(int fd)
{
	GString *text = g_string_new(NULL);
	char block[16384];
	ssize_t size;

	while (text->len < LONGEST_NAMES && (size = read(fd, block, sizeof(block))) > 0)
		g_string_append_len(text, block, size);
	for (gsize i = 0; i < text->len; i++)
		if (!text->str[i])
			text->str[i] = '?';
	return g_string_free(text, FALSE);
}

static GByteArray *table_of_names(int objects, const struct stp_object_question *question)
{
	_cleanup_close_ int fd = open_names(objects, question);
	g_autofree char *text = fd >= 0 && is_trusted(fd, question->owner) ? read_names(fd) : NULL;

	return text ? object_table_of_names(text) : NULL;
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

/* Return the cache directory after enforcing its limit. NULL: no safe cache; tables are then built each time. */
static const char *prepare_cache(void)
{
	const char *directory = cache_directory();

	if (!user_path_is_safe(directory))
		return NULL;
	cache_clean(directory, false);
	return directory;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static GByteArray *table_of_object(int objects, const char *cache, const struct stp_object_question *question)
{
	bool is_vdso = question->number == STP_OBJECT_VDSO;
	_cleanup_close_ int fd = is_vdso ? open_vdso() : open_object(objects, question);
	g_autofree char *kept = NULL;
	GByteArray *table = NULL;

	/* No table is a valid answer, too: the frames are then shown as addresses. */
	if (fd >= 0)
		error_free(object_table_get(fd, is_vdso ? "[vdso]" : question->path, question->with_lines, cache,
					    &table, &kept));
	return table;
}

static GByteArray *make_table(int objects, const char *cache, const struct stp_object_question *question)
{
	return question->is_of_names ? table_of_names(objects, question) : table_of_object(objects, cache, question);
}

/* Answer one request. Return false when the script has ended. */
static bool answer_question(int objects, const char *cache)
{
	struct stp_object_question question;
	struct stp_object_answer answer = {0};
	g_autoptr(GByteArray) message = g_byte_array_new();
	g_autoptr(GByteArray) table = NULL;
	ssize_t size = read(objects, &question, sizeof(question));

	if (size != sizeof(question))
		return !size || errno == EINTR;
	question.path[sizeof(question.path) - 1] = '\0';
	table = make_table(objects, cache, &question);
	answer.number = question.number;
	g_byte_array_append(message, (const guint8 *)&answer, sizeof(answer));
	if (table)
		g_byte_array_append(message, table->data, table->len);
	/* If the table does not fit in the module, answer that there is no table. */
	return write(objects, message->data, message->len) >= 0 || write(objects, &answer, sizeof(answer)) >= 0;
}

static void answer_questions(int socket, int objects, const char *cache)
{
	struct pollfd from[] = {
		{.fd = objects, .events = POLLIN},
		{.fd = socket, .events = POLLIN},
	};

	while (poll(from, 2, -1) >= 0 || errno == EINTR) {
		if (from[1].revents)
			return;
		if (from[0].revents && !answer_question(objects, cache))
			return;
	}
}

int main(int argc, char **argv)
{
	int socket = argc == 2 ? atoi(argv[1]) : -1, objects;
	const char *cache;

	standard_streams_open();
	i18n_init(locale_directory());
	if (socket <= STDERR_FILENO || !child_drop_capabilities()) {
		fprintf(stderr, _("%s is started by staprun.\n"), "stap-tables");
		return EXIT_FAILURE;
	}
	/* Clean the cache while the module is being loaded. */
	cache = prepare_cache();
	if (child_receive(socket, &objects) && objects >= 0)
		answer_questions(socket, objects, cache);
	return EXIT_SUCCESS;
}
