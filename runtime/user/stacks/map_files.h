/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that processes map executable. */
#ifndef SPILE_RUNTIME_USER_STACKS_MAP_FILES_H
#define SPILE_RUNTIME_USER_STACKS_MAP_FILES_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "runtime/abi/object_table.h"
#include "runtime/core/internal.h"

struct file;
struct inode;
struct pid;
struct vm_area_struct;

/* Identifies a file. A path would not: the file may be deleted or replaced, and may have several paths. */
struct user_file_id {
	dev_t device;
	unsigned long inode;
	u32 generation;
	s64 changed, changed_ns;
};

/* The state of the request for a file's table. */
enum user_file_state {
	USER_FILE_IDLE, /* not requested */
	USER_FILE_WANTED, /* to be requested from stap-tables */
	USER_FILE_ASKED,
	USER_FILE_ANSWERED, /* answered, with a table or without */
};

/*
 * A file that some process maps executable. It is kept until the script is unloaded. The first one, STP_OBJECT_VDSO, is
 * the vDSO.
 */
struct user_file {
	struct hlist_node in_bucket;
	struct user_file_id id;
	unsigned int number;
	atomic_t state; /* enum user_file_state */
	/*
	 * The tables, or NULL: not yet, or none. Read them with user_file_table(). Once set, they change only for perf
	 * maps. `table` is of the script's module, or from a stap-tables that may be trusted. `users_table` is from an
	 * ordinary user's stap-tables.
	 */
	const struct stp_object_table *table, *users_table;
	bool owns_table; /* `table` is not the module's */
	struct pid *maker; /* perf maps only, else NULL: the process whose JIT code it names; the file grows */
	/* Only for perf maps: */
	kuid_t owner;
	unsigned long asked_at, patience; /* jiffies; patience is the interval between requests */
	struct user_file *before; /* perf map of the process that this one was forked from, or NULL */
	char short_name[sizeof("/tmp/perf-2147483647.map")];
	/*
	 * The path, or NULL until user_files_name() finds it by `unnamed`, a reference that it then drops. See
	 * user_file_name().
	 */
	const char *name;
	struct file *unnamed;
};

/*
 * Protects files and maps for writers; readers use RCU. Only taken in task context, so interrupts stay enabled.
 */
extern raw_spinlock_t user_map_lock;

/** Return the file with this number, or NULL. */
struct user_file *user_file(unsigned int number);
unsigned int user_file_count(void);
/** Return the entry of an open file; add one if it is new. Return NULL without memory. May sleep. */
struct user_file *user_file_of(struct file *file);
/** Do the same with memory by @p flags. Without a flag that allows it, do not sleep. */
struct user_file *user_file_for(struct file *file, gfp_t flags);
/** Return a known table, or NULL. @p is_own says that a user's tables may be used, too. Any context. */
static inline const struct stp_object_table *user_file_table(const struct user_file *file, bool is_own)
{
	const struct stp_object_table *table = smp_load_acquire(&file->table);

	return table || !is_own ? table : smp_load_acquire(&file->users_table);
}

/** Return the path, or "(unknown)" until it is found, which on PREEMPT_RT takes some time. Any context. */
const char *user_file_name(const struct user_file *file);
/** Find the paths that are not known yet. May sleep. */
void user_files_name(void);
/** Return whether the inode is that of the file, and unchanged. */
bool user_file_is(const struct user_file *file, const struct inode *inode);

/** Return whether no file can be added. Needs the lock. */
bool user_files_are_full(void);
/** Add a file that was allocated by user_alloc(). Needs the lock. The caller has checked the limit. */
void add_user_file(struct user_file *made);
/** Free a file that was not added. @p flags must be those of its allocation. */
void free_user_file(struct user_file *file, gfp_t flags);

/** Return whether the area is the vDSO of a 64-bit process. Those of 32-bit processes are below 4 GB. */
bool is_vdso(const struct vm_area_struct *area);
/** Return whether the area is executable and has a file, or is the vDSO. */
bool is_known_code(const struct vm_area_struct *area);
/** Return the file of such an area, or NULL without memory. */
struct user_file *code_of_area(const struct vm_area_struct *area, gfp_t flags);

int user_files_create(void);
void user_files_destroy(void);

#endif
