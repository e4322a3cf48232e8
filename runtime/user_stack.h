/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of user-space stacks share: user_map.c, user_table.c, user_stack.c, user_symbol.c. */
#ifndef SPILE_RUNTIME_USER_STACK_H
#define SPILE_RUNTIME_USER_STACK_H

#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "object_table.h"

struct file;
struct kthread_work;
struct mm_struct;

/* ---- user_map.c: which file is mapped where ---------------------------------------------------------------------- */

/* A file is known by these: it may be deleted or replaced, and has many names. */
struct user_file_id {
	dev_t device;
	unsigned long inode;
	u32 generation;
	s64 changed, changed_ns;
};

/* What is known of its table. */
enum user_file_state {
	USER_FILE_IDLE, /* nobody needed it */
	USER_FILE_WANTED, /* stap-tables is to be asked */
	USER_FILE_ASKED,
	USER_FILE_ANSWERED, /* it has one, or there is none */
};

/*
 * A file that some process has mapped to execute it; it stays until the script is unloaded. The first, STP_OBJECT_VDSO,
 * is the code that the kernel gives to each process.
 */
struct user_file {
	struct hlist_node in_bucket;
	struct user_file_id id;
	unsigned int number;
	atomic_t state; /* enum user_file_state */
	const struct stp_object_table *table; /* NULL: not yet, or none; set once, smp_load_acquire() */
	bool owns_table;
	struct pid *maker; /* NULL, or whose code it names that is made while it runs: a file of perf's, which grows */
	/* Of such a one: */
	kuid_t owner;
	unsigned long asked_at, patience; /* in jiffies; how long it is not asked for again */
	struct user_file *before; /* what the process had made that this one is a copy of; NULL: it is none */
	char short_name[sizeof("/tmp/perf-2147483647.map")];
	/* Its path, or that of its names; NULL: not found yet, by what is to be given back then: user_file_name(). */
	const char *name;
	struct file *unnamed;
};

struct user_range {
	unsigned long start, end;
	u64 offset; /* in the file */
	struct user_file *file;
};

/* What a process has mapped to be executed, out of files, sorted by address. It is replaced and never changed. */
struct user_map {
	struct rcu_head rcu;
	refcount_t users;
	unsigned int count;
	u64 number; /* no other map has or had it; 0 is none's */
	bool is_asked; /* stap-tables has been asked for all in it: nobody's promise, but a saving */
	struct user_range ranges[];
};

/** Under RCU; NULL: not known. From any context. @p is_walked: its map is wanted after its end, too. */
const struct user_map *user_map_of(const struct mm_struct *mm, bool is_walked);
const struct user_range *user_range_at(const struct user_map *map, unsigned long address);
/** How far the object is moved in the process, by the table of its file. False: the table is not of what is there. */
bool user_range_bias(const struct user_range *range, const struct stp_object_table *table, unsigned long *bias);
/**
 * Where an address is in all processes whose stacks were walked, those that ended as well; false: nowhere, or at
 * different places. Under RCU.
 */
bool user_range_anywhere(unsigned long address, struct user_range *ret);
/**
 * What names the code that a process makes while it runs, a file of perf's (/tmp/perf-PID.map) that may be there; NULL:
 * it is not known. Under RCU; from any context.
 */
struct user_file *user_made_code(const struct mm_struct *mm);
/** The same in all processes whose stacks were walked: that which names an address, or NULL. */
struct user_file *user_made_anywhere(unsigned long address);
/** The file with this number, or NULL. */
struct user_file *user_file(unsigned int number);
unsigned int user_file_count(void);
/** The file of a path, made known if need be; NULL: there is no memory. May sleep. */
struct user_file *user_file_of(struct file *file);
/** Its path, or "(unknown)", which on PREEMPT_RT it is for a moment. Any context. */
const char *user_file_name(const struct user_file *file);
/** Finds the paths that are not known yet. May sleep. */
void user_files_name(void);
/**
 * A new reference to a file that a process has mapped, or to one of perf's, which is opened as its process would; NULL:
 * there is none any more. May sleep.
 */
struct file *user_file_open(const struct user_file *file);

int user_map_create(void);
int user_map_start(void);
void user_map_stop(void);
void user_map_destroy(void);

/* ---- user_reserve.c: memory for handlers on PREEMPT_RT ----------------------------------------------------------- */

/** May memory be allocated with these flags? Where one does not sleep, which is in handlers, PREEMPT_RT has none. */
static inline bool user_may_allocate(gfp_t flags)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) || gfpflags_allow_blocking(flags);
}

/**
 * Zeroed memory that kfree() frees; NULL: there is none. Where none may be allocated it comes from reserves, if it is
 * not more than a map of 510 ranges.
 */
void *user_room(size_t size, gfp_t flags);
/** Gives back what was not needed, under the same circumstances. */
void user_room_free(void *room, size_t size, gfp_t flags);
/** On PREEMPT_RT: a thread of high priority is to do what a handler may not. From handlers. */
void user_keeper_does(struct kthread_work *work);
int user_reserve_create(void);
/** After the last handler. What is left to be done is done. */
void user_reserve_destroy(void);

/* ---- user_table.c: tables of files ------------------------------------------------------------------------------- */

/**
 * The table of the file of a range, which is of the current process or not; NULL: it is not there, and asked for if it
 * can come. Any context.
 */
const struct stp_object_table *user_table(const struct user_range *range, bool is_current);
/** The table of such a file, or of one before it, that names an address; *file is the one then. NULL: none does. */
const struct stp_object_table *user_made_names(struct user_file **file, unsigned long address);
/** The same of the current process; they are asked for, and again from time to time, while none does. */
const struct stp_object_table *user_made_table(struct user_file **file, unsigned long address);
void user_table_start(void);
int user_table_create(struct dentry *folder);
void user_table_destroy(void);

/* ---- user_stack.c ------------------------------------------------------------------------------------------------ */

enum { USER_FRAMES = 64 };

struct user_frames {
	unsigned int count;
	unsigned long addresses[USER_FRAMES]; /* innermost first */
	u64 guessed; /* bit i: frame i was found by the frame pointer */
};

/** Those of the hit; walked once. */
const struct user_frames *user_frames(struct stp_context *c);
/** From given registers of the current process. */
const struct user_frames *user_frames_from(struct stp_context *c, unsigned long pc, unsigned long sp, unsigned long fp);

#endif
