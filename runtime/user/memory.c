// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory and registers of the current process, and strings in the encodings that programs and the kernel use.
 *
 * A page that is not present normally counts as unreadable, because a handler cannot wait for the disk. After a hit in
 * a program, however, the handler sleeps until the page is there, or is restarted (context.c). At a system call, a page
 * in the page cache is read even if the process has not mapped it yet, as after fork().
 */
#include <linux/compat.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "runtime/arch/registers.h"
#include "runtime/arch/user_address.h"
#include "runtime/core/context.h"
#include "runtime/core/handler_sleep.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/user/cached_page.h"
#include "runtime/user/memory.h"

#ifdef STP_USER_SPACE

static noinline bool page_in(unsigned long address, unsigned int flags)
{
	if (user_page_in(address, flags))
		return true;
	if (address < TASK_SIZE_MAX && !(flags & FAULT_FLAG_WRITE))
		context_restart(address);
	return false;
}

#else

static bool page_in(unsigned long address, unsigned int flags)
{
	return false;
}

#endif

#ifdef STP_SYSCALLS

/* Return whether every page of the mapping is as in the file, because the process has not written to any. */
static bool is_of_file(const struct vm_area_struct *area)
{
	return area->vm_file && !area->anon_vma && (area->vm_flags & VM_READ) &&
	       !(area->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP | VM_HUGETLB | VM_UFFD_MISSING));
}

/* Copy part of a single page. */
static bool copy_cached(const struct vm_area_struct *area, void *to, unsigned long from, unsigned int size)
{
	pgoff_t index = area->vm_pgoff + ((from - area->vm_start) >> PAGE_SHIFT);

	return cached_page_read(area->vm_file->f_mapping, index, to, offset_in_page(from), size);
}

/*
 * Read file pages that are in the page cache but not mapped. The mmap lock is only tried. Dropping a page reference may
 * free the page, so this needs a task that holds no kernel locks, as at the entry and the exit of a system call.
 */
static noinline bool read_cached(char *to, unsigned long from, unsigned int size)
{
	struct mm_struct *memory = current->mm;
	const struct vm_area_struct *area;
	unsigned int part;

	if (!context_is_of_syscall() || !memory || from >= TASK_SIZE_MAX || !mmap_read_trylock(memory))
		return false;
	area = find_vma(memory, from);
	if (area && (area->vm_start > from || area->vm_end - from < size || !is_of_file(area)))
		area = NULL;
	for (; area && size; to += part, from += part, size -= part) {
		part = min_t(unsigned int, size, PAGE_SIZE - offset_in_page(from));
		if (!copy_cached(area, to, from, part))
			area = NULL;
	}
	mmap_read_unlock(memory);
	return area;
}

#else

static bool read_cached(char *to, unsigned long from, unsigned int size)
{
	return false;
}

#endif

/* Read in the pages of a value, which may cross a page boundary. */
static bool page_in_all(unsigned long address, unsigned int size, unsigned int flags)
{
	unsigned long last = address + size - 1;

	return page_in(address, flags) && (last >> PAGE_SHIFT == address >> PAGE_SHIFT || page_in(last, flags));
}

bool read_user(void *to, unsigned long from, unsigned int size)
{
	const void __user *place = (const void __user *)user_pointer(from);

	if (unlikely(session_is_restricted) && !is_own_task(context_task()))
		return false;
	/* copy_from_user_nofault() checks whether there is a process. */
	return likely(!copy_from_user_nofault(to, place, size)) || read_cached(to, user_address(from), size) ||
	       (page_in_all(user_address(from), size, 0) && !copy_from_user_nofault(to, place, size));
}

stp_ulong stp_load_user(unsigned long address, unsigned int size, int *fault)
{
	u64 value = 0;

	/* Little-endian: the low bytes come first. */
	if (!read_user(&value, address, min_t(unsigned int, size, sizeof(value)))) {
		*fault = 1;
		return 0;
	}
	return value;
}

int stp_write_user(unsigned long address, unsigned int size, stp_long value)
{
	void __user *place = (void __user *)user_pointer(address);

	size = min_t(unsigned int, size, sizeof(value));
	/* A page that must be copied before it is written (copy-on-write) is handled like one that is not present. */
	return !copy_to_user_nofault(place, &value, size) ||
	       (page_in_all(user_address(address), size, FAULT_FLAG_WRITE) &&
		!copy_to_user_nofault(place, &value, size));
}

void stp_store_user(struct stp_context *c, unsigned long address, unsigned int size, stp_long value)
{
	if (!stp_write_user(address, size, value))
		stp_error(c, "user write fault at 0x%016lx", address);
}

unsigned long stp_user_register(struct stp_context *c, unsigned int word)
{
	struct task_struct *task = context_task();
	struct stp_context of_user = {.regs = (const unsigned long *)task_pt_regs(task)};

	return stp_may_see_process(c) && task->mm ? stp_register(&of_user, word) : 0;
}

stp_long stp_user_long_size(void)
{
	struct task_struct *task = context_task();

	return task->mm && !runs_64bit_code(task_pt_regs(task)) ? sizeof(u32) : sizeof(u64);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/*
 * strncpy_from_user_nofault() is not exported. Read pieces that do not cross a page, because the next page may be
 * missing.
 */
int stp_copy_user_string(char *to, unsigned long from, unsigned int size)
{
	enum { PIECE = 64 };
	unsigned int used = 0;

	while (used + 1 < size) {
		unsigned int piece = min_t(unsigned int, size - 1 - used, PIECE - (from + used) % PIECE);

		if (!read_user(to + used, from + used, piece)) {
			to[0] = '\0';
			return 0;
		}
		if (strnlen(to + used, piece) < piece)
			return 1;
		used += piece;
	}
	to[used] = '\0';
	return 1;
}

static u32 load_text(unsigned long address, unsigned int size, int of_user, int *fault)
{
	return of_user ? stp_load_user(address, size, fault) : stp_load(address, size, fault);
}

/* ---- UTF-16 and UTF-32 ------------------------------------------------------------------------------------------- */

/* Write the UTF-8 encoding of a character (RFC 3629). Return its length, or 0 if there is no such character. */
static unsigned int utf8_form(char *to, u32 character)
{
	if (character >= 0x110000 || (character & ~0x7ffu) == 0xd800)
		return 0;
	if (character < 0x80) {
		to[0] = character;
		return 1;
	}
	if (character < 0x800) {
		to[0] = 0xc0 | character >> 6;
		to[1] = 0x80 | (character & 0x3f);
		return 2;
	}
	if (character < 0x10000) {
		to[0] = 0xe0 | character >> 12;
		to[1] = 0x80 | (character >> 6 & 0x3f);
		to[2] = 0x80 | (character & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | character >> 18;
	to[1] = 0x80 | (character >> 12 & 0x3f);
	to[2] = 0x80 | (character >> 6 & 0x3f);
	to[3] = 0x80 | (character & 0x3f);
	return 4;
}

/* Read the next character, which may be a surrogate pair (RFC 2781, section 2.2). */
static u32 wide_character(unsigned long *from, unsigned int size, int of_user, int *fault)
{
	u32 character = load_text(*from, size, of_user, fault), low;

	*from += size;
	if (size != sizeof(u16) || (character & ~0x3ffu) != 0xd800)
		return character;
	low = load_text(*from, size, of_user, fault);
	if ((low & ~0x3ffu) != 0xdc00)
		return character; /* unpaired, which utf8_form() rejects */
	*from += size;
	return 0x10000 + ((character & 0x3ff) << 10) + (low & 0x3ff);
}

void stp_copy_wide_string(struct stp_context *c, char *to, unsigned long from, unsigned int size, int of_user)
{
	unsigned long start = from;
	unsigned int used = 0;

	for (;;) {
		int fault = 0;
		u32 character = wide_character(&from, size, of_user, &fault);
		char form[4];
		unsigned int length = utf8_form(form, character);

		if (fault || !length) {
			to[0] = '\0';
			if (fault)
				stp_error(c, "%s string copy fault at 0x%lx [man error::fault]",
					  of_user ? "user" : "kernel", start);
			else
				stp_error(c, "invalid UTF-%u character U+%X at 0x%lx", 8 * size, character, start);
			return;
		}
		/* Omit a character that does not fit completely. */
		if (!character || used + length >= stp_script.string_size)
			break;
		memcpy(to + used, form, length);
		used += length;
	}
	to[used] = '\0';
}
