// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses in the current process. The load address depends on the kind of object.
 *
 * - Executables: each is relocated as a whole, and the kernel keeps the start of its code for each process. The
 *   build-id in memory shows whether it is this executable.
 * - Libraries: the start of each file mapping with code is a candidate, which the build-id confirms.
 */
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/sched.h>

#include "runtime/arch/registers.h"
#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"

/*
 * Compare the build-id in memory. The file would not do: it may have been replaced since, or have another name where
 * the script runs.
 */
static bool runs_build(const char *build_id, unsigned long address)
{
	size_t left = strlen(build_id) / 2;
	int fault = 0;

	while (left) {
		unsigned int size = min_t(size_t, left, sizeof(u64));
		u64 found = stp_load_user(address, size, &fault), wanted = 0;

		if (fault || hex2bin((u8 *)&wanted, build_id, size) || found != wanted)
			return false;
		build_id += 2 * size;
		address += size;
		left -= size;
	}
	return true;
}

static bool is_at(const struct stp_target *target, unsigned long base)
{
	return runs_build(target->build_id, target->id_address + base);
}

#ifdef STP_USER_SPACE

/*
 * Return the lowest executable file mapping at or after an address. Return 0 if there is none or the lock is held. Do
 * not wait for the lock, because the holder may be the current task.
 */
static unsigned long next_code(struct mm_struct *memory, unsigned long from)
{
	const struct vm_area_struct *area;
	unsigned long found = 0;
	COMPAT_AREAS(areas, memory, from);

	if (!in_task() || irqs_disabled() || !mmap_read_trylock(memory))
		return 0;
	compat_for_each_area(areas, area) {
		if (area->vm_start >= from && area->vm_file && (area->vm_flags & VM_EXEC)) {
			found = area->vm_start;
			break;
		}
	}
	mmap_read_unlock(memory);
	return found;
}

/*
 * Find the load bias of a library. Its first executable mapping starts with its first code; for other mappings, the
 * build-id does not match.
 */
static bool find_library(const struct stp_target *target, struct mm_struct *memory, unsigned long *base)
{
	unsigned long first = target->first_code & PAGE_MASK, place = 0;

	while ((place = next_code(memory, place))) {
		*base = place - first;
		if (is_at(target, *base))
			return true;
		place += PAGE_SIZE;
	}
	return false;
}

#else

static bool find_library(const struct stp_target *target, struct mm_struct *memory, unsigned long *base)
{
	return false;
}

#endif

/* Return the load bias of a program or library in the current process. */
static unsigned long process_base(struct stp_context *c, const struct stp_target *target)
{
	struct task_struct *task = context_task();
	/* A kernel thread may have borrowed an mm. */
	struct mm_struct *memory = task->flags & PF_KTHREAD ? NULL : task->mm;
	unsigned long base = 0;

	if (memory && target->kind == STP_TARGET_LIBRARY && find_library(target, memory, &base))
		return base;
	if (memory && target->kind == STP_TARGET_EXECUTABLE) {
		base = READ_ONCE(memory->start_code) - target->first_code;
		if (is_at(target, base))
			return base;
	}
	stp_error(c, "process %d (%s) does not run %s, or its build-id %s is not in memory", task->tgid, task->comm,
		  target->name, target->build_id);
	return 0;
}

stp_long stp_process_address(struct stp_context *c, unsigned int target, unsigned long offset)
{
	return offset + process_base(c, &stp_script.targets[target]);
}

stp_long stp_thread_pointer(struct stp_context *c, unsigned int target)
{
	process_base(c, &stp_script.targets[target]);
	return c->error ? 0 : stp_own_thread_pointer();
}

stp_long stp_own_thread_pointer(void)
{
	return own_thread_pointer();
}
