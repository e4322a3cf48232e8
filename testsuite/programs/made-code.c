// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Generate code at run time, and write the file that names it for perf, in each form that a process may leave in /tmp.
 * The arguments are the form, and a number. The generated code calls getpgid() with that number 100 times in four
 * seconds; on a busy host, making the tables of programs takes one or two of these.
 *
 *     plain     as compilers do
 *     private   only its owner may read the file
 *     late      the name is written after half of the calls
 *     reused    the place had other names before, one of which began elsewhere
 *     far       other names are many gigabytes away
 *     memory    the code is in a file without a name (memfd)
 *     fork      a child calls the code
 *     again     a child calls the code and generates some itself
 *     garbage   invalid lines with all bytes; the name contains control characters of terminals
 *     big       so much precedes the name that it is not read
 *     fifo link hard foreign directory    forms that no compiler makes
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

enum { CALLS = 100, PAUSE = 40000 };

typedef int made_function(int (*function)(int), int number);

#ifdef __aarch64__
/* stp x29,x30,[sp,#-16]!; mov x29,sp; mov x2,x0; mov w0,w1; blr x2; ldp x29,x30,[sp],#16; ret */
static const unsigned int code[] = {0xa9bf7bfd, 0x910003fd, 0xaa0003e2, 0x2a0103e0, 0xd63f0040, 0xa8c17bfd, 0xd65f03c0};
#else
/* push %rbp; mov %rsp,%rbp; mov %rdi,%rax; mov %esi,%edi; call *%rax; pop %rbp; ret */
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x89, 0xf7, 0xff, 0xd0, 0x5d, 0xc3};
#endif

static volatile int sink;
static char path[64];

NOINLINE int at_end(int number)
{
	sink = (int)syscall(SYS_getpgid, number);
	return sink + 1;
}

static void *make(const char *how)
{
	int fd = strcmp(how, "memory") ? -1 : memfd_create("code", 0);
	char *place;

	if (fd >= 0 && ftruncate(fd, 4096))
		perror("memfd");
	place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	memcpy(place, code, sizeof(code));
	__builtin___clear_cache(place, place + sizeof(code));
	mprotect(place, 4096, PROT_READ | PROT_EXEC);
	return place;
}

static void fill(FILE *file, const char *how, unsigned long at)
{
	const char *name = "made up code";

	if (!strcmp(how, "reused")) {
		fprintf(file, "%lx 100 older\n%lx 20 inner\n%lx 10 old\n", at - 16, at + 4, at);
	} else if (!strcmp(how, "far")) {
		fprintf(file, "10 10 low\nffffffff00000000 10 high\n%lx 8 near\n", at - 64);
	} else if (!strcmp(how, "garbage")) {
		for (int i = 0; i < 100000; i++)
			fputc(i * 7919 >> 3, file);
		fprintf(file, "\nzz\n-1 -1 -1\n%lx 0 none\n%lx ffffffffffffffff\n%lx\n", at, at, at);
		name = "made\x1b[31m up\x7f code";
	} else if (!strcmp(how, "big")) {
		if (ftruncate(fileno(file), 3l << 30))
			perror("truncate");
	}
	fprintf(file, "%lx %zx %s\n", at, sizeof(code), name);
}

static void write_perf_map(const char *how, const void *place)
{
	const char *target = path;
	FILE *file;

	if (!strcmp(how, "fifo")) {
		mkfifo(path, 0644);
		return;
	}
	if (!strcmp(how, "directory")) {
		mkdir(path, 0755);
		return;
	}
	if (!strcmp(how, "link")) {
		target = "/tmp/elsewhere.map";
		if (symlink(target, path))
			perror("symlink");
	}
	if (!strcmp(how, "hard"))
		target = "/tmp/hard.map";
	file = fopen(target, "a");
	fill(file, how, (unsigned long)place);
	fclose(file);
	if (target != path && !strcmp(how, "hard") && link(target, path))
		perror("link");
	if (!strcmp(how, "private"))
		chmod(path, 0600);
	if (!strcmp(how, "foreign") && chown(path, 1234, 1234))
		perror("chown");
}

static void call(made_function *function, int number, int calls)
{
	for (int i = 0; i < calls; i++) {
		sink = function(at_end, number) + 1;
		usleep(PAUSE);
	}
}

static void child(const char *how, made_function *function, int number)
{
	if (fork()) {
		wait(NULL);
		return;
	}
	if (!strcmp(how, "again")) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
		write_perf_map("plain", make("plain"));
	}
	call(function, number, CALLS);
	_exit(0);
}

int main(int count, char **arguments)
{
	const char *how = count > 2 ? arguments[1] : "plain";
	int number = count > 2 ? atoi(arguments[2]) : 1;
	void *place = make(how);

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	if (!strcmp(how, "late"))
		call((made_function *)place, number, CALLS / 2);
	write_perf_map(how, place);
	if (!strcmp(how, "fork") || !strcmp(how, "again"))
		child(how, (made_function *)place, number);
	else
		call((made_function *)place, number, CALLS);
	remove(path);
	return 0;
}
