/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations shared by the files of user-space stacks: user/stacks/map.c, user/stacks/tables.c, user/stacks/walk.c,
 * user/stacks/symbols.c.
 */
#ifndef SPILE_RUNTIME_USER_STACK_H
#define SPILE_RUNTIME_USER_STACK_H

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "runtime/abi/object_table.h"

struct file;
struct kthread_work;
struct mm_struct;

/* ---- user/stacks/map.c: which file is mapped where --------------------------------------------------------------- */

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
	/* NULL: not yet, or none. Read with smp_load_acquire(). Once set, it changes only for perf maps. */
	const struct stp_object_table *table;
	bool owns_table;
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

struct user_range {
	unsigned long start, end;
	u64 offset; /* in the file */
	struct user_file *file;
};

/*
 * The file mappings of a process that are executable, sorted by address. It is replaced, never changed, except
 * is_asked.
 */
struct user_map {
	struct rcu_head rcu;
	refcount_t users;
	unsigned int count;
	u64 number; /* unique among all maps, never 0 */
	bool is_asked; /* all its files have been requested from stap-tables; a hint that saves work */
	struct user_range ranges[];
};

/**
 * Return the map of a process, or NULL if it is not known. Any context, under RCU. If @p is_walked, keep the map after
 * the process has ended.
 */
const struct user_map *user_map_of(const struct mm_struct *mm, bool is_walked);
const struct user_range *user_range_at(const struct user_map *map, unsigned long address);
/** Compute the load bias of the range by the table of its file. Return false if the table has no segment there. */
bool user_range_bias(const struct user_range *range, const struct stp_object_table *table, unsigned long *bias);
/**
 * Find the range that contains an address in all processes whose stacks were walked, including those that have ended.
 * Return false if there is none, or if they differ. Under RCU.
 */
bool user_range_anywhere(unsigned long address, struct user_range *ret);
/**
 * Return the perf map (/tmp/perf-PID.map, which may not exist) of a process that has JIT code, or NULL. Any context,
 * under RCU.
 */
struct user_file *user_made_code(const struct mm_struct *mm);
/** Return the perf map that names an address, of any process whose stack was walked, or NULL. */
struct user_file *user_made_anywhere(unsigned long address);
/** Return the file with this number, or NULL. */
struct user_file *user_file(unsigned int number);
unsigned int user_file_count(void);
/** Return the entry of an open file; add one if it is new. Return NULL without memory. May sleep. */
struct user_file *user_file_of(struct file *file);
/** Return the path, or "(unknown)" until it is found, which on PREEMPT_RT takes some time. Any context. */
const char *user_file_name(const struct user_file *file);
/** Find the paths that are not known yet. May sleep. */
void user_files_name(void);
/**
 * Return a new reference to a file that a process maps, or to a perf map, which is opened with the process's
 * credentials. Return NULL if it no longer exists. May sleep.
 */
struct file *user_file_open(const struct user_file *file);

int user_map_create(void);
int user_map_start(void);
void user_map_stop(void);
void user_map_destroy(void);

/* ---- user/stacks/rt_pool.c: memory for handlers on PREEMPT_RT ---------------------------------------------------- */

/**
 * Return whether memory may be allocated with these flags. PREEMPT_RT cannot allocate where it must not sleep, as in
 * handlers.
 */
static inline bool user_may_allocate(gfp_t flags)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || gfpflags_allow_blocking(flags);
}

/**
 * Return zeroed memory for kfree(), or NULL. Where nothing may be allocated it comes from the reserves, at most the
 * size of a map of 510 ranges.
 */
void *user_room(size_t size, gfp_t flags);
/** Free unused memory. @p flags must be those of the allocation. */
void user_room_free(void *room, size_t size, gfp_t flags);
/** On PREEMPT_RT: let a high-priority thread do work that a handler must not. Called by handlers. */
void user_keeper_does(struct kthread_work *work);
int user_reserve_create(void);
/** Finish the queued work and free the reserves. Called after the last handler. */
void user_reserve_destroy(void);

/* ---- user/stacks/tables.c: tables of files ----------------------------------------------------------------------- */

/**
 * Return the table of a range's file, or NULL. Request the table if it may become available. Any context.
 *
 * @param is_current Whether the range belongs to the current process.
 */
const struct stp_object_table *user_table(const struct user_range *range, bool is_current);
/**
 * Find the table, of *file or of the perf maps before it, that names an address. Set *file to its file. Return NULL if
 * none does.
 */
const struct stp_object_table *user_made_names(struct user_file **file, unsigned long address);
/** Do the same for the current process. If no table names the address, request the tables, repeatedly at intervals. */
const struct stp_object_table *user_made_table(struct user_file **file, unsigned long address);
void user_table_start(void);
int user_table_create(struct dentry *directory);
void user_table_destroy(void);

/* ---- user/stacks/walk.c ------------------------------------------------------------------------------------------ */

enum { USER_FRAMES = 64 };

struct user_frames {
	unsigned int count;
	unsigned long addresses[USER_FRAMES]; /* innermost first */
	u64 guessed; /* bit i: frame i was found by the frame pointer, not by a rule */
};

/** Return the user stack of this hit, which is walked once. */
const struct user_frames *user_frames(struct stp_context *c);
/** Walk the stack from the given registers of the current process. */
const struct user_frames *user_frames_from(struct stp_context *c, unsigned long pc, unsigned long sp, unsigned long fp);

#endif
