// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Questions to a kernel's headers. If the function fact_NAME() compiles, facts.awk defines HAS_NAME. The functions are
 * judged independently. Thus backported features are detected, whatever version the kernel has. The answers are cached
 * with the runtime's object.
 *
 * Each function tests a single thing; none of them is ever run.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kernfs.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/relay.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#if __has_include(<linux/sched/exec_state.h>)
#include <linux/sched/exec_state.h>
#endif
#include <linux/uprobes.h>
#include <linux/workqueue.h>

/* Functions that may not be exported: if one is, EXPORTS_NAME is defined. */
#define EXPORTED(name)

EXPORTED(ftrace_free_filter)

/* ---- functions and arguments ---- */

/* Callbacks of ftrace get a struct ftrace_regs since 5.11, before that a struct pt_regs. */
void fact_ftrace_regs(struct ftrace_ops *ops, void (*callback)(unsigned long function, unsigned long caller,
							       struct ftrace_ops *ops, struct ftrace_regs *regs))
{
	ops->func = callback;
}

/* Replaces hrtimer_init() and a store to .function since 6.13. */
void fact_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
}

/* Before 5.12, the root was passed as two arguments. */
struct file *fact_open_in_path(const struct path *root)
{
	return file_open_root(root, "file", O_RDONLY, 0);
}

/* The length argument was removed in about 6.19. */
int fact_trace_puts_of_length(const char *text)
{
	return __trace_puts(0, text, 1);
}

/* Since 6.12, uprobe_register() returns a handle, and waiting is a separate call. */
void fact_uprobe_handle(struct uprobe *uprobe, struct uprobe_consumer *consumer)
{
	uprobe_unregister_nosync(uprobe, consumer);
}

/* Callbacks of uprobes have a data argument since 6.13. */
void fact_uprobe_data(struct uprobe_consumer *consumer,
		      int (*callback)(struct uprobe_consumer *self, struct pt_regs *regs, __u64 *data))
{
	consumer->handler = callback;
}

/* A filter for many addresses in one call, since 5.18. */
int fact_ftrace_filter_addresses(struct ftrace_ops *ops, unsigned long *addresses)
{
	return ftrace_set_filter_ips(ops, addresses, 1, 0, 1);
}

/* Since 5.11; before, the instance pointed to its kretprobe. */
struct kretprobe *fact_get_kretprobe(struct kretprobe_instance *instance)
{
	return get_kretprobe(instance);
}

unsigned long fact_get_kretprobe_retaddr(struct kretprobe_instance *instance)
{
	return get_kretprobe_retaddr(instance);
}

/* PDE_DATA() before 5.17. */
void *fact_pde_data(const struct inode *inode)
{
	return pde_data(inode);
}

/* printk() before 5.15. */
void *fact_printk_function(void)
{
	return &_printk;
}

/* Since 5.11, relay does not modify the callbacks. */
struct rchan *fact_relay_constant_callbacks(const struct rchan_callbacks *callbacks)
{
	return relay_open(NULL, NULL, 1, 1, callbacks, NULL);
}

/* Work queues have new names since 6.18; the old ones print a warning in later kernels. */
struct workqueue_struct *fact_named_work_queues(bool is_bound)
{
	return is_bound ? system_percpu_wq : system_dfl_wq;
}

/* Until 5.11, the function also had an argument for the task on whose behalf it acts. */
int fact_remote_access_of_task(struct task_struct *task, struct mm_struct *memory)
{
	return __access_remote_vm(task, memory, 0, NULL, 0, 0);
}

/* The page cache uses folios since 5.16. */
bool fact_folios(struct address_space *mapping)
{
	return folio_test_uptodate(__filemap_get_folio(mapping, 0, 0, 0));
}

/* ---- structures ---- */

/* Since 5.11, kretprobe instances are in a list of the task; before, in a private table. */
struct llist_node *fact_task_kretprobes(const struct task_struct *task)
{
	return task->kretprobe_instances.first;
}

/* Renamed in 5.14, to prevent assignments. */
unsigned int fact_task_private_state(const struct task_struct *task)
{
	return task->__state;
}

/* Renamed in 6.15, because it needs RCU. */
const void *fact_kernfs_private_parent(const struct kernfs_node *node)
{
	return (__force const void *)node->__parent;
}

/* Since 5.16; before, in struct task_struct itself. */
unsigned int fact_thread_info_cpu(const struct task_struct *task)
{
	return task->thread_info.cpu;
}

/* Since 5.13, an event can be removed when its task calls exec. */
void fact_perf_remove_on_exec(struct perf_event_attr *attributes)
{
	attributes->remove_on_exec = 1;
}

/* Since 6.4, each part of a module's memory has its own area. */
unsigned int fact_module_areas(const struct module *module)
{
	return module->mem[MOD_RODATA].size;
}

/* Since 6.2, the counters of pages are per-CPU counters. */
s64 fact_memory_percpu_counters(const struct mm_struct *memory)
{
	return memory->rss_stat[0].count;
}

/* inode.i_mtime became private in 6.7. */
struct timespec64 fact_inode_get_mtime(const struct inode *inode)
{
	return inode_get_mtime(inode);
}

/* Since 6.8, the user-visible path of a mapped file is a separate function. */
const struct path *fact_file_user_path(struct file *file)
{
	return file_user_path(file);
}

/* Since 6.2, a task has one context for all events; before, one for hardware and one for software events. */
struct perf_event_context *fact_perf_one_context(struct task_struct *task)
{
	return task->perf_event_ctxp;
}

/* Since 6.1, the mappings of a process are in a tree; before, in a list. */
void fact_vma_iterator(struct mm_struct *memory)
{
	VMA_ITERATOR(areas, memory, 0);

	vma_next(&areas);
}

/* Since 5.16, FPU registers are in a separate structure ... */
void *fact_fpu_state(struct task_struct *task)
{
	return task->thread.fpu.fpstate;
}

/* ... which 6.16 moved out of struct thread_struct. */
void *fact_task_fpu(struct task_struct *task)
{
	return x86_task_fpu(task)->fpstate;
}

/* arm64: the saved vector registers are listed here since 5.18 and stable 6.1, and in a thread flag before. */
bool fact_vector_type(const struct task_struct *task)
{
	return task->thread.fp_type == FP_STATE_SVE;
}

/* On arm64: a thread has several vector lengths since 5.16. */
unsigned int fact_vector_lengths(struct task_struct *task)
{
	return thread_get_sve_vl(&task->thread);
}

/* The union with the list of an inode's aliases had a name until about 7.2. */
void *fact_dentry_union(struct dentry *entry)
{
	return &entry->d_u.d_alias;
}

/* Until 7.x, the mm says whether the process is dumpable, later the task ... */
int fact_memory_dumpable(struct mm_struct *memory)
{
	return get_dumpable(memory);
}

/* ... which keeps this with its state from the last exec. */
bool fact_task_exec_state(const struct task_struct *task)
{
	return task->exec_state->dumpable == TASK_DUMPABLE_OWNER;
}

/* Initializer of an irq_work that runs in hard interrupt context even on PREEMPT_RT: a macro since 5.12. */
int fact_irq_work_hard(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(NULL);

	return work.func != NULL;
}
