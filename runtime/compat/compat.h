/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences between kernels, hidden from the rest of the runtime. Each entry says what made it necessary. No versions
 * are compared: kbuild generates facts.h from facts.c, and it describes the kernel.
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
#include <linux/sched/clock.h>
#include <linux/sched/coredump.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "runtime/compat/has_include.h"

#if __has_include(<linux/sched/exec_state.h>)
#include <linux/sched/exec_state.h>
#endif

#include "facts.h" /* generated in the directory where the runtime is compiled */

/* Headers that were split off from linux/kernel.h. */
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

/* Exempts a variable that is initialized anyway from CONFIG_INIT_STACK_ALL_ZERO. */
#if __has_attribute(__uninitialized__)
#define COMPAT_UNINITIALIZED __attribute__((__uninitialized__))
#else
#define COMPAT_UNINITIALIZED
#endif

#ifdef CONFIG_FUNCTION_TRACER
/*
 * Since 5.11, ftrace callbacks get a struct ftrace_regs, and must prevent recursion themselves. Before, they got a
 * struct pt_regs, but only if requested, and ftrace prevented recursion.
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

/* Free the memory of a filter. If ftrace_free_filter() is not exported, set an empty filter, which uses no memory. */
static inline void compat_ftrace_free_filter(struct ftrace_ops *ops)
{
#ifdef EXPORTS_FTRACE_FREE_FILTER
	ftrace_free_filter(ops);
#else
	ftrace_set_filter(ops, NULL, 0, 1);
#endif
}

/* Replace the addresses of a filter. */
#ifdef HAS_FTRACE_FILTER_ADDRESSES
enum { COMPAT_FILTER_IS_QUICK = true };

static inline int compat_ftrace_filter(struct ftrace_ops *ops, unsigned long *addresses, unsigned int count)
{
	return ftrace_set_filter_ips(ops, addresses, count, 0, 1);
}
#else
/* slow: each call patches the kernel's code if the callback is registered */
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
#endif

/* Runs in hard interrupt context even on PREEMPT_RT. */
#ifdef HAS_IRQ_WORK_HARD
#define COMPAT_IRQ_WORK_HARD(function) IRQ_WORK_INIT_HARD(function)
#else
#define COMPAT_IRQ_WORK_HARD(function)                                                                                 \
	{                                                                                                              \
		.flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (function)                                            \
	}
#endif

/* The length argument was removed in about 6.19. It must be the length of the text. */
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

/* Without CONFIG_TRACEPOINTS, the kernel declares these functions but does not define them. */
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

/* Return the dentry that contains this node of its inode's alias list. */
static inline const struct dentry *compat_dentry_of_alias(const struct hlist_node *node)
{
#ifdef HAS_DENTRY_UNION
	return hlist_entry(node, struct dentry, d_u.d_alias);
#else
	return hlist_entry(node, struct dentry, d_alias);
#endif
}

/*
 * Return whether the process is dumpable. Under RCU. This is a property of the mm, which an exiting task no longer has;
 * in newer kernels, of the task.
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

/* Return the address that the translator's addresses are relative to. printk() became a macro for _printk() in 5.15. */
static __always_inline unsigned long compat_anchor(void)
{
#ifdef HAS_PRINTK_FUNCTION
	return (unsigned long)_printk;
#else
	return (unsigned long)printk;
#endif
}

/* Return the scheduler's clock of a CPU, in ns. Where all CPUs have the same, only that one is exported. */
static inline u64 compat_cpu_clock(int cpu)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	return sched_clock_cpu(cpu);
#else
	return sched_clock();
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

/* The names of a task's state and CPU in struct task_struct. */
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

/* The name of a directory's parent in struct kernfs_node. */
#ifdef HAS_KERNFS_PRIVATE_PARENT
#define COMPAT_KERNFS_PARENT __parent
#else
#define COMPAT_KERNFS_PARENT parent
#endif

/* Before 5.11, relay_open() filled in missing callbacks, so they could not be const. */
#ifdef HAS_RELAY_CONSTANT_CALLBACKS
#define COMPAT_RELAY_CONST const
#else
#define COMPAT_RELAY_CONST
#endif

/* Work queues of the kernel: bound to the current CPU, and unbound. */
#ifdef HAS_NAMED_WORK_QUEUES
#define COMPAT_BOUND_WORK system_percpu_wq
#define COMPAT_UNBOUND_WORK system_dfl_wq
#else
#define COMPAT_BOUND_WORK system_wq
#define COMPAT_UNBOUND_WORK system_unbound_wq
#endif

/* The position of the mm among the arguments of __access_remote_vm(). Address, buffer, size and flags follow it. */
#ifdef HAS_REMOTE_ACCESS_OF_TASK
enum { COMPAT_REMOTE_ACCESS_MEMORY = 1 };
#else
enum { COMPAT_REMOTE_ACCESS_MEMORY = 0 };
#endif

/*
 * The page cache contains folios since 5.16, before that compound or single pages. struct COMPAT_CACHED has a _refcount
 * in both cases. compat_cached_page() returns the page of a file index.
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

/* Return the cached page with a reference, or NULL. Does not wait. */
static inline struct COMPAT_CACHED *compat_cached_get(struct address_space *mapping, pgoff_t index)
{
#ifdef HAS_FOLIOS
	struct folio *folio = __filemap_get_folio(mapping, index, 0, 0);

	return IS_ERR(folio) ? NULL : folio;
#else
	return pagecache_get_page(mapping, index, FGP_HEAD, 0);
#endif
}

/* hrtimer_setup() replaced hrtimer_init() and a store to .function in 6.13; the latter was removed in 6.15. */
static inline void compat_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	/* _HARD: on PREEMPT_RT other modes run in a thread, not in the interrupted task. */
#ifdef HAS_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer->function = function;
#endif
}

/* Since 6.4, each part of a module's memory has its own area; before, there was one area for all. */
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

/* Return the 64-bit number of pages of a kind (MM_FILEPAGES etc.). Since 6.2 it is a per-CPU counter. */
static inline const s64 *compat_memory_counter(const struct mm_struct *memory, unsigned int kind)
{
#ifdef HAS_MEMORY_PERCPU_COUNTERS
	return &memory->rss_stat[kind].count;
#else
	return (const s64 *)&memory->rss_stat.count[kind].counter;
#endif
}

/* Return the address of the pointer to the per-CPU parts of the counter, or NULL. */
static inline const s32 __percpu *const *compat_memory_counter_parts(const struct mm_struct *memory, unsigned int kind)
{
#if defined(HAS_MEMORY_PERCPU_COUNTERS) && defined(CONFIG_SMP)
	return (const s32 __percpu *const *)&memory->rss_stat[kind].counters;
#else
	return NULL;
#endif
}

/* The start of struct mount, which is private to the kernel (fs/mount.h). It is the same from 3.13 to at least 6.12. */
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
 * The kretprobe instances of the current task, innermost first. With CONFIG_KRETPROBE_ON_RETHOOK (since 5.18) they are
 * in the list of rethook nodes, which also has other users.
 */
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
static inline struct llist_node *compat_watched_calls(void)
{
	return READ_ONCE(current->rethooks.first);
}

#define compat_watched_call(entry) container_of(entry, struct kretprobe_instance, node.llist)

/* Return the stack address of the call's return address, which the kernel has replaced. */
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
/* The calls are in a table that is private to the kernel, so report none. */
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

/* Return the kretprobe of a call, or NULL if it has been unregistered. */
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

/*
 * Return the return address of a call of the current task. While a kretprobe waits for the call to return, @p address
 * is its trampoline's, and the instance keeps the original one. If there are several instances, the first one saw the
 * original; it is last in the list.
 */
static inline unsigned long compat_original_return(unsigned long place, unsigned long address)
{
	struct llist_node *entry;

	for (entry = compat_watched_calls(); entry; entry = READ_ONCE(entry->next)) {
		struct kretprobe_instance *instance = compat_watched_call(entry);

		if (compat_call_place(instance) == place)
			address = compat_return_address(instance);
	}
	return address;
}

/* inode.i_mtime became private in 6.7. */
static inline struct timespec64 compat_inode_mtime(const struct inode *inode)
{
#ifdef HAS_INODE_GET_MTIME
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/* Return the user-visible path of a mapped file. On overlayfs it differs from that of the open file since 6.8. */
static inline const struct path *compat_user_path(struct file *file)
{
#ifdef HAS_FILE_USER_PATH
	return file_user_path(file);
#else
	return &file->f_path;
#endif
}

/* Open a file by its path in a root. Before 5.12, the root was passed as two arguments. */
static inline struct file *compat_open_in(const struct path *root, const char *path, int flags)
{
#ifdef HAS_OPEN_IN_PATH
	return file_open_root(root, path, flags, 0);
#else
	return file_open_root(root->dentry, root->mnt, path, flags, 0);
#endif
}

#ifdef CONFIG_PERF_EVENTS
/* Since 6.2, a task has one context for all events; before, one for hardware and one for software events. */
#ifdef HAS_PERF_ONE_CONTEXT
enum { COMPAT_PERF_CONTEXTS = 1 };
#else
enum { COMPAT_PERF_CONTEXTS = perf_nr_task_contexts };
#endif

/* Whether an event can be removed on exec (remove_on_exec). Events of programs need that. */
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

/* The caller is in an RCU read-side critical section; the kernel does not mark the pointer with __rcu. */
static inline struct perf_event_context *compat_perf_context(struct task_struct *task, unsigned int index)
{
#ifdef HAS_PERF_ONE_CONTEXT
	return rcu_dereference_raw(task->perf_event_ctxp);
#else
	return rcu_dereference_raw(task->perf_event_ctxp[index]);
#endif
}
#endif

/*
 * Iterate over the mappings that end after an address, under the mmap lock. Before 6.1, over all mappings, in a list.
 */
#ifdef HAS_VMA_ITERATOR
#define COMPAT_AREAS(name, memory, from) VMA_ITERATOR(name, memory, from)
#define compat_for_each_area(areas, area) for_each_vma(areas, area)
#else
#define COMPAT_AREAS(name, memory, from) struct vm_area_struct *name = (memory)->mmap
#define compat_for_each_area(areas, area) for (area = (areas); area; area = area->vm_next)
#endif

#ifdef CONFIG_UPROBES
/*
 * Since 6.12, uprobe_register() returns the handle for unregistration, takes a reference counter, and waiting for
 * callbacks is a separate call for all. Since 6.13, callbacks have another argument.
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

/* Return whether a jump or a call has replaced the breakpoint, so that a hit is not an exception. */
static inline bool compat_kprobe_is_direct(const struct kprobe *probe)
{
	return probe->flags & (KPROBE_FLAG_OPTIMIZED | KPROBE_FLAG_FTRACE);
}

#endif
