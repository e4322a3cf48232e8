/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences between kernels. The rest of the runtime sees one shape; each entry says what made it necessary.
 */
#ifndef SPILE_RUNTIME_COMPAT_H
#define SPILE_RUNTIME_COMPAT_H

#include <linux/version.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uprobes.h>

#ifdef CONFIG_FUNCTION_TRACER
/*
 * On x86 struct ftrace_regs wraps a struct pt_regs (arch/x86/include/asm/ftrace.h); without FTRACE_OPS_FL_SAVE_REGS
 * only the calling convention's registers in it are set, and ftrace_get_regs() hides it. Those are what entry probes
 * read, so the wrapper is opened here.
 */
static inline struct pt_regs *compat_ftrace_regs(struct ftrace_regs *fregs)
{
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#ifdef arch_ftrace_regs /* 6.13; stable 6.12 has it too */
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
#else
	return ftrace_get_regs(fregs);
#endif
}
#endif

/* hrtimer_init() and a store to .function became hrtimer_setup() in 6.13, and the former went away in 6.15. */
static inline void compat_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	/* _HARD: on PREEMPT_RT other modes run in a thread, whose state would not be that of the interrupted task. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer->function = function;
#endif
}

/* A module's memory was one area with parts until 6.4, which gave each part its own. */
static inline const char *compat_module_read_only(const struct module *module, size_t *size)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	*size = module->mem[MOD_RODATA].size;
	return module->mem[MOD_RODATA].base;
#else
	*size = module->core_layout.ro_size - module->core_layout.text_size;
	return module->core_layout.base + module->core_layout.text_size;
#endif
}

/* Pages of a kind (MM_FILEPAGES ...), each a 64-bit number: counters of processors of their own since 6.2. */
static inline const s64 *compat_memory_counter(const struct mm_struct *memory, unsigned int kind)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	return &memory->rss_stat[kind].count;
#else
	return (const s64 *)&memory->rss_stat.count[kind].counter;
#endif
}

/* Where the address of the processors' parts of such a counter stands; NULL if it has none. */
static inline const s32 __percpu *const *compat_memory_counter_parts(const struct mm_struct *memory, unsigned int kind)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && defined(CONFIG_SMP)
	return (const s32 __percpu *const *)&memory->rss_stat[kind].counters;
#else
	return NULL;
#endif
}

/*
 * The head of struct mount, which is private to the kernel (fs/mount.h); the same in all kernels from 3.13 to 6.12 at
 * least.
 */
struct compat_mount {
	void *hash[2];
	struct compat_mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

static inline const struct compat_mount *compat_mount_of(const struct vfsmount *mount)
{
	return container_of(mount, struct compat_mount, mnt);
}

struct compat_module_sizes {
	unsigned int code, constants, variables;
};

static inline struct compat_module_sizes compat_module_sizes(const struct module *module)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	return (struct compat_module_sizes){
		module->mem[MOD_TEXT].size,
		module->mem[MOD_RODATA].size + module->mem[MOD_RO_AFTER_INIT].size,
		module->mem[MOD_DATA].size,
	};
#else
	return (struct compat_module_sizes){
		module->core_layout.text_size,
		module->core_layout.ro_after_init_size - module->core_layout.text_size,
		module->core_layout.size - module->core_layout.ro_after_init_size,
	};
#endif
}

/*
 * The calls of the current task that return probes wait for the end of, innermost first. Where the configuration says
 * so, rethook keeps them since 5.18, together with those of others; else it is kprobes alone.
 */
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
static inline struct llist_node *compat_watched_calls(void)
{
	return READ_ONCE(current->rethooks.first);
}

#define compat_watched_call(entry) container_of(entry, struct kretprobe_instance, node.llist)

/* Where the call's return address is, or was before the kernel put its own there. */
static inline unsigned long compat_call_place(const struct kretprobe_instance *instance)
{
	return instance->node.frame;
}
#else
static inline struct llist_node *compat_watched_calls(void)
{
	return READ_ONCE(current->kretprobe_instances.first);
}

#define compat_watched_call(entry) container_of(entry, struct kretprobe_instance, llist)

static inline unsigned long compat_call_place(const struct kretprobe_instance *instance)
{
	return (unsigned long)instance->fp;
}
#endif

/* inode.i_mtime is not for all eyes since 6.7. */
static inline struct timespec64 compat_inode_mtime(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/* What a mapped file is called, where it is not the one that was opened (overlayfs): with it until 6.8. */
static inline const struct path *compat_user_path(struct file *file)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 8, 0)
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

#ifdef CONFIG_PERF_EVENTS
/* A task had a context of events for hardware and one for software until 6.2, which has one for all. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
enum { COMPAT_PERF_CONTEXTS = 1 };
#else
enum { COMPAT_PERF_CONTEXTS = perf_nr_task_contexts };
#endif

static inline struct perf_event_context *compat_perf_context(struct task_struct *task, unsigned int index)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	return rcu_dereference(task->perf_event_ctxp);
#else
	return rcu_dereference(task->perf_event_ctxp[index]);
#endif
}
#endif

/* The mappings of a process's memory that end behind an address, or all, under its lock; a list until 6.1. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define COMPAT_AREAS(name, memory, from) VMA_ITERATOR(name, memory, from)
#define compat_for_each_area(areas, area) for_each_vma(areas, area)
#else
#define COMPAT_AREAS(name, memory, from) struct vm_area_struct *name = (memory)->mmap
#define compat_for_each_area(areas, area) for (area = (areas); area; area = area->vm_next)
#endif

#ifdef CONFIG_UPROBES
/*
 * What uprobe_register() gives back is needed to unregister since 6.12, which also waits for all at once, not for each,
 * until no callback runs any more. uprobe_register() took no reference counter until then, and callbacks had one
 * argument less until 6.13.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
typedef struct uprobe *compat_uprobe;

static inline int compat_uprobe_register(struct inode *inode, loff_t offset, loff_t counter,
					 struct uprobe_consumer *consumer, compat_uprobe *ret)
{
	*ret = uprobe_register(inode, offset, counter, consumer);
	return PTR_ERR_OR_ZERO(*ret);
}

/* Callbacks may run until compat_uprobes_wait() returns. */
static inline void compat_uprobe_unregister(struct inode *inode, loff_t offset, struct uprobe_consumer *consumer,
					    compat_uprobe uprobe)
{
	uprobe_unregister_nosync(uprobe, consumer);
}

static inline void compat_uprobes_wait(void)
{
	uprobe_unregister_sync();
}

#define COMPAT_UPROBE_FILTER(name) bool name(struct uprobe_consumer *self, struct mm_struct *memory)
#else
typedef struct {
} compat_uprobe;

static inline int compat_uprobe_register(struct inode *inode, loff_t offset, loff_t counter,
					 struct uprobe_consumer *consumer, compat_uprobe *ret)
{
	return uprobe_register_refctr(inode, offset, counter, consumer);
}

static inline void compat_uprobe_unregister(struct inode *inode, loff_t offset, struct uprobe_consumer *consumer,
					    compat_uprobe uprobe)
{
	uprobe_unregister(inode, offset, consumer);
}

static inline void compat_uprobes_wait(void)
{
}

#define COMPAT_UPROBE_FILTER(name)                                                                                     \
	bool name(struct uprobe_consumer *self, enum uprobe_filter_ctx why, struct mm_struct *memory)
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define COMPAT_UPROBE_HIT(name) int name(struct uprobe_consumer *self, struct pt_regs *regs, __u64 *data)
#define COMPAT_UPROBE_RETURN(name)                                                                                     \
	int name(struct uprobe_consumer *self, unsigned long function, struct pt_regs *regs, __u64 *data)
#else
#define COMPAT_UPROBE_HIT(name) int name(struct uprobe_consumer *self, struct pt_regs *regs)
#define COMPAT_UPROBE_RETURN(name) int name(struct uprobe_consumer *self, unsigned long function, struct pt_regs *regs)
#endif
#endif

/* Is the breakpoint of @p probe replaced by a jump or a call (no exception on a hit)? Both flags are long-standing. */
static inline bool compat_kprobe_is_direct(const struct kprobe *probe)
{
	return probe->flags & (KPROBE_FLAG_OPTIMIZED | KPROBE_FLAG_FTRACE);
}

/*
 * Where the kernel keeps the current task's registers of floating point while they are not in the processor: 5.16 made
 * it a structure that may be exchanged, 6.16 took it out of struct thread_struct.
 */
static inline const union fpregs_state *compat_saved_vectors(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
	return &x86_task_fpu(current)->fpstate->regs;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 16, 0)
	return &current->thread.fpu.fpstate->regs;
#else
	return &current->thread.fpu.state;
#endif
}

#endif
