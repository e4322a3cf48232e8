/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences between kernels. The rest of the runtime sees one shape; each entry says what made it necessary. What the
 * kernel at hand is like, facts.h tells, which kbuild makes of facts.c: no version is compared here.
 */
#ifndef SPILE_RUNTIME_COMPAT_H
#define SPILE_RUNTIME_COMPAT_H

#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#if __has_include(<linux/sched/exec_state.h>)
#include <linux/sched/exec_state.h>
#endif

#include "facts.h" /* made in the folder where the runtime is compiled */

/* Headers that were parts of linux/kernel.h once, and what has moved to them. */
#if __has_include(<linux/hex.h>)
#include <linux/hex.h>
#endif
#if __has_include(<linux/instruction_pointer.h>)
#include <linux/instruction_pointer.h>
#endif
#if __has_include(<linux/panic.h>)
#include <linux/panic.h>
#endif
#if __has_include(<linux/trace_recursion.h>)
#include <linux/trace_recursion.h>
#endif

/* Kernels that set all local variables to zero (CONFIG_INIT_STACK_ALL_ZERO) leave those that are set anyway. */
#if __has_attribute(__uninitialized__)
#define COMPAT_UNINITIALIZED __attribute__((__uninitialized__))
#else
#define COMPAT_UNINITIALIZED
#endif

#ifdef CONFIG_FUNCTION_TRACER
/*
 * What ftrace gives its callbacks. Until 5.11 that was registers, and there were none unless they were asked for; and
 * ftrace itself kept a callback from being called again by what it calls, which one does for oneself since.
 */
#ifdef HAS_FTRACE_REGS
#define compat_ftrace_regs ftrace_regs
#define COMPAT_FTRACE_FLAGS 0

static __always_inline int compat_ftrace_trylock(unsigned long ip, unsigned long parent_ip)
{
	return ftrace_test_recursion_trylock(ip, parent_ip);
}

static __always_inline void compat_ftrace_unlock(int bit)
{
	ftrace_test_recursion_unlock(bit);
}
#else
#define compat_ftrace_regs pt_regs
#define COMPAT_FTRACE_FLAGS (FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED)

static __always_inline int compat_ftrace_trylock(unsigned long ip, unsigned long parent_ip)
{
	return 0;
}

static __always_inline void compat_ftrace_unlock(int bit)
{
}
#endif

/* Give back what a filter takes; where that is the kernel's own affair, an empty one takes nothing. */
static inline void compat_ftrace_free_filter(struct ftrace_ops *ops)
{
#ifdef EXPORTS_FTRACE_FREE_FILTER
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

/* All addresses that a callback is called for, in place of those that it was. */
#ifdef HAS_FTRACE_FILTER_ADDRESSES
enum { COMPAT_FILTER_IS_QUICK = true };

static inline int compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *addresses, unsigned int count)
{
	return ftrace_set_filter_ips(ops, addresses, count, 0, 1);
}
#else
/* Each changes the kernel's code if the callback is registered. */
enum { COMPAT_FILTER_IS_QUICK = false };

static inline int compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *addresses, unsigned int count)
{
	unsigned int i;
	int error = 0;

	for (i = 0; i < count && !error; i++)
		error = ftrace_set_filter_ip(ops, addresses[i], 0, !i);
	return error;
}
#endif

/*
 * On x86 struct ftrace_regs wraps a struct pt_regs (arch/x86/include/asm/ftrace.h); without FTRACE_OPS_FL_SAVE_REGS
 * only the calling convention's registers in it are set, and ftrace_get_regs() hides it. Those are what entry probes
 * read, so the wrapper is opened here.
 */
static inline struct pt_regs *compat_registers(struct compat_ftrace_regs *fregs)
{
#ifndef HAS_FTRACE_REGS
	return fregs;
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
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

/* In the interrupt itself also on PREEMPT_RT. */
#ifdef HAS_IRQ_WORK_HARD
#define COMPAT_IRQ_WORK_HARD(function) IRQ_WORK_INIT_HARD(function)
#else
#define COMPAT_IRQ_WORK_HARD(function)                                                                                 \
	{                                                                                                              \
		.flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (function)                                            \
	}
#endif

/* The text's length is what it has always written; it had to be told until 6.19 or so. */
static inline void compat_trace_puts(unsigned long ip, const char *text)
{
#ifdef CONFIG_TRACING
#ifdef HAS_TRACE_PUTS_OF_LENGTH
	__trace_puts(ip, text, strlen(text));
#else
	__trace_puts(ip, text);
#endif
#endif
}

/* A kernel without tracepoints declares these functions and does not have them. There is none to be found. */
#ifndef CONFIG_TRACEPOINTS
#include <linux/tracepoint.h>
static inline int compat_no_tracepoint(struct tracepoint *tracepoint, void *callback, void *data)
{
	return -EOPNOTSUPP;
}
#define tracepoint_probe_register compat_no_tracepoint
#define tracepoint_probe_unregister compat_no_tracepoint
#define for_each_kernel_tracepoint(look_at, data) ((void)(look_at), (void)(data))
#endif

/* The entry whose place in its inode's list of names this is. */
static inline const struct dentry *compat_dentry_of_alias(const struct hlist_node *node)
{
#ifdef HAS_DENTRY_UNION
	return hlist_entry(node, struct dentry, d_u.d_alias);
#else
	return hlist_entry(node, struct dentry, d_alias);
#endif
}

/*
 * May its user look at it, as far as it itself says? Under RCU. It is said of the memory (one that is ending has none
 * any more), and of the task in newer kernels.
 */
static inline bool compat_is_dumpable(const struct task_struct *task, struct mm_struct *memory)
{
#ifdef HAS_TASK_EXEC_STATE
	const struct task_exec_state *state = task ? rcu_dereference(task->exec_state) : NULL;

	return state && READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
#else
	return !memory || get_dumpable(memory) == SUID_DUMP_USER;
#endif
}

/* The function whose address the translator's are relative to: printk() was made a macro. */
static __always_inline unsigned long compat_anchor(void)
{
#ifdef HAS_PRINTK_FUNCTION
	return (unsigned long)_printk;
#else
	return (unsigned long)printk;
#endif
}

static inline void *compat_pde_data(const struct inode *inode)
{
#ifdef HAS_PDE_DATA
	return pde_data(inode);
#else
	return PDE_DATA(inode);
#endif
}

/* Where a task's state and processor are in struct task_struct. */
#ifdef HAS_TASK_PRIVATE_STATE
#define COMPAT_TASK_STATE __state
#else
#define COMPAT_TASK_STATE state
#endif
#ifdef HAS_THREAD_INFO_CPU
#define COMPAT_TASK_CPU thread_info.cpu
#else
#define COMPAT_TASK_CPU cpu
#endif

/* relay fills in the callbacks that are not there, or leaves them alone. */
#ifdef HAS_RELAY_CONSTANT_CALLBACKS
#define COMPAT_RELAY_CONST const
#else
#define COMPAT_RELAY_CONST
#endif

/* The kernel's own queues of work: done by the processor that asks for it, and by any. */
#ifdef HAS_NAMED_WORK_QUEUES
#define COMPAT_BOUND_WORK system_percpu_wq
#define COMPAT_UNBOUND_WORK system_dfl_wq
#else
#define COMPAT_BOUND_WORK system_wq
#define COMPAT_UNBOUND_WORK system_unbound_wq
#endif

/* Which argument of __access_remote_vm() the memory is; address, buffer, size and flags come behind it. */
#ifdef HAS_REMOTE_ACCESS_OF_TASK
enum { COMPAT_REMOTE_ACCESS_MEMORY = 1 };
#else
enum { COMPAT_REMOTE_ACCESS_MEMORY = 0 };
#endif

/*
 * What the page cache holds of files: folios, since 5.16; the first pages of compound ones, or single pages, before.
 * struct COMPAT_CACHED has a _refcount in both. compat_cached_page() is the page of an index in the file.
 */
#ifdef HAS_FOLIOS
#define COMPAT_CACHED folio
#define compat_cached_try_get folio_try_get
#define compat_cached_put folio_put
#define compat_cached_is_uptodate folio_test_uptodate
#define compat_cached_page folio_file_page
#else
#define COMPAT_CACHED page
#define compat_cached_try_get get_page_unless_zero
#define compat_cached_put put_page
#define compat_cached_is_uptodate PageUptodate
#define compat_cached_page find_subpage
#endif

/* With a reference; NULL: nothing is there. Nothing is waited for. */
static inline struct COMPAT_CACHED *compat_cached_get(struct address_space *mapping, pgoff_t index)
{
#ifdef HAS_FOLIOS
	struct folio *folio = __filemap_get_folio(mapping, index, 0, 0);

	return IS_ERR(folio) ? NULL : folio;
#else
	return pagecache_get_page(mapping, index, FGP_HEAD, 0);
#endif
}

/* hrtimer_init() and a store to .function became hrtimer_setup() in 6.13, and the former went away in 6.15. */
static inline void compat_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	/* _HARD: on PREEMPT_RT other modes run in a thread, whose state would not be that of the interrupted task. */
#ifdef HAS_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer->function = function;
#endif
}

/* A module's memory was one area with parts until 6.4, which gave each part its own. */
static inline const char *compat_module_read_only(const struct module *module, size_t *size)
{
#ifdef HAS_MODULE_AREAS
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
#ifdef HAS_MEMORY_PERCPU_COUNTERS
	return &memory->rss_stat[kind].count;
#else
	return (const s64 *)&memory->rss_stat.count[kind].counter;
#endif
}

/* Where the address of the processors' parts of such a counter stands; NULL if it has none. */
static inline const s32 __percpu *const *compat_memory_counter_parts(const struct mm_struct *memory, unsigned int kind)
{
#if defined(HAS_MEMORY_PERCPU_COUNTERS) && defined(CONFIG_SMP)
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
#ifdef HAS_MODULE_AREAS
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
#elif defined(HAS_TASK_KRETPROBES)
static inline struct llist_node *compat_watched_calls(void)
{
	return READ_ONCE(current->kretprobe_instances.first);
}

#define compat_watched_call(entry) container_of(entry, struct kretprobe_instance, llist)

static inline unsigned long compat_call_place(const struct kretprobe_instance *instance)
{
	return (unsigned long)instance->fp;
}
#else
/* They are in a table that only the kernel sees: none is found. */
#define COMPAT_HIDES_WATCHED_CALLS
static inline struct llist_node *compat_watched_calls(void)
{
	return NULL;
}

#define compat_watched_call(entry) ((void)(entry), (struct kretprobe_instance *)NULL)

static inline unsigned long compat_call_place(const struct kretprobe_instance *instance)
{
	return (unsigned long)instance->fp;
}
#endif

/* The return probe of a call; NULL: it has been unregistered since. */
static __always_inline struct kretprobe *compat_get_kretprobe(struct kretprobe_instance *instance)
{
#ifdef HAS_GET_KRETPROBE
	return get_kretprobe(instance);
#else
	return instance->rp;
#endif
}

static inline unsigned long compat_return_address(struct kretprobe_instance *instance)
{
#ifdef HAS_GET_KRETPROBE_RETADDR
	return get_kretprobe_retaddr(instance);
#else
	return (unsigned long)instance->ret_addr;
#endif
}

/* inode.i_mtime is not for all eyes since 6.7. */
static inline struct timespec64 compat_inode_mtime(const struct inode *inode)
{
#ifdef HAS_INODE_GET_MTIME
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/* What a mapped file is called, where it is not the one that was opened (overlayfs): with it until 6.8. */
static inline const struct path *compat_user_path(struct file *file)
{
#ifdef HAS_FILE_USER_PATH
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

/* A file by its path in a root, which was given in two parts until 5.12. */
static inline struct file *compat_open_in(const struct path *root, const char *path, int flags)
{
#ifdef HAS_OPEN_IN_PATH
	return file_open_root(root, path, flags, 0);
#else
	return file_open_root(root->dentry, root->mnt, path, flags, 0);
#endif
}

#ifdef CONFIG_PERF_EVENTS
/* A task had a context of events for hardware and one for software until 6.2, which has one for all. */
#ifdef HAS_PERF_ONE_CONTEXT
enum { COMPAT_PERF_CONTEXTS = 1 };
#else
enum { COMPAT_PERF_CONTEXTS = perf_nr_task_contexts };
#endif

/* Can an event be told to go when its task executes another file? Without that, none can follow a program. */
#ifdef HAS_PERF_REMOVE_ON_EXEC
enum { COMPAT_PERF_CAN_LEAVE = true };
#else
enum { COMPAT_PERF_CAN_LEAVE = false };
#endif

static inline void compat_perf_remove_on_exec(struct perf_event_attr *attributes, bool is_removed)
{
#ifdef HAS_PERF_REMOVE_ON_EXEC
	attributes->remove_on_exec = is_removed;
#endif
}

static inline struct perf_event_context *compat_perf_context(struct task_struct *task, unsigned int index)
{
#ifdef HAS_PERF_ONE_CONTEXT
	return rcu_dereference(task->perf_event_ctxp);
#else
	return rcu_dereference(task->perf_event_ctxp[index]);
#endif
}
#endif

/* The mappings of a process's memory that end behind an address, or all, under its lock; a list until 6.1. */
#ifdef HAS_VMA_ITERATOR
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
#ifdef HAS_UPROBE_HANDLE
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

#ifdef HAS_UPROBE_DATA
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
#ifdef HAS_TASK_FPU
	/* Behind it, which x86_task_fpu() says, too; but that is the kernel's own function in some configurations. */
	return &((const struct fpu *)(current + 1))->fpstate->regs;
#elif defined(HAS_FPU_STATE)
	return &current->thread.fpu.fpstate->regs;
#else
	return &current->thread.fpu.state;
#endif
}

#endif
