// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Questions to a kernel's headers. Each function is compiled, by itself as it were: if it can be, facts.awk defines
 * HAS_NAME for fact_NAME(). So what a distribution has backported counts as what it is, whatever its kernel calls
 * itself. The answers are kept with the runtime's object in the cache.
 *
 * A question is one about a single thing, and nothing here runs.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
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

/* A function that may be there for the kernel alone: EXPORTS_NAME is for modules. */
#define EXPORTED(name)

EXPORTED(ftrace_free_filter)

/* ---- functions and arguments ---- */

/* Callbacks of ftrace: struct ftrace_regs instead of struct pt_regs since 5.11. */
void fact_ftrace_regs(struct ftrace_ops *ops, void (*callback)(unsigned long function, unsigned long caller,
							       struct ftrace_ops *ops, struct ftrace_regs *regs))
{
	ops->func = callback;
}

/* In place of hrtimer_init() and a store to .function since 6.13. */
void fact_hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
}

/* The root was given in two parts until 5.12. */
struct file *fact_open_in_path(const struct path *root)
{
	return file_open_root(root, "file", O_RDONLY, 0);
}

/* It had the length, too, until 6.19 or so. */
int fact_trace_puts_of_length(const char *text)
{
	return __trace_puts(0, text, 1);
}

/* uprobe_register() gives back what it takes to unregister, and waiting is apart, since 6.12. */
void fact_uprobe_handle(struct uprobe *uprobe, struct uprobe_consumer *consumer)
{
	uprobe_unregister_nosync(uprobe, consumer);
}

/* Callbacks of uprobes have a word of their own since 6.13. */
void fact_uprobe_data(struct uprobe_consumer *consumer,
		      int (*callback)(struct uprobe_consumer *self, struct pt_regs *regs, __u64 *data))
{
	consumer->handler = callback;
}

/* A filter of many addresses at once since 5.18. */
int fact_ftrace_filter_addresses(struct ftrace_ops *ops, unsigned long *addresses)
{
	return ftrace_set_filter_ips(ops, addresses, 1, 0, 1);
}

/* Since 5.11, when an instance no longer told by itself. */
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

/* printk() itself before 5.15. */
void *fact_printk_function(void)
{
	return &_printk;
}

/* Callbacks of relay are not changed by it since 5.11. */
struct rchan *fact_relay_constant_callbacks(const struct rchan_callbacks *callbacks)
{
	return relay_open(NULL, NULL, 1, 1, callbacks, NULL);
}

/* The kernel's queues of work are called by what they are since 6.18; those of the old names warn of that later. */
struct workqueue_struct *fact_named_work_queues(bool is_bound)
{
	return is_bound ? system_percpu_wq : system_dfl_wq;
}

/* Access to another process's memory was on behalf of a task until 5.11. */
int fact_remote_access_of_task(struct task_struct *task, struct mm_struct *memory)
{
	return __access_remote_vm(task, memory, 0, NULL, 0, 0);
}

/* Pages of files come in folios since 5.16. */
bool fact_folios(struct address_space *mapping)
{
	return folio_test_uptodate(__filemap_get_folio(mapping, 0, 0, 0));
}

/* ---- structures ---- */

/* The calls that return probes wait for are in a list of the task's since 5.11, in a table of the kernel's before. */
struct llist_node *fact_task_kretprobes(const struct task_struct *task)
{
	return task->kretprobe_instances.first;
}

/* Not to be changed by assignment since 5.14. */
unsigned int fact_task_private_state(const struct task_struct *task)
{
	return task->__state;
}

/* Since 5.16; in struct task_struct itself before. */
unsigned int fact_thread_info_cpu(const struct task_struct *task)
{
	return task->thread_info.cpu;
}

/* An event goes when its task executes another file: since 5.13. */
void fact_perf_remove_on_exec(struct perf_event_attr *attributes)
{
	attributes->remove_on_exec = 1;
}

/* A module's memory was one area with parts until 6.4, which gave each part its own. */
unsigned int fact_module_areas(const struct module *module)
{
	return module->mem[MOD_RODATA].size;
}

/* Pages of a kind: counters of processors of their own since 6.2. */
s64 fact_memory_percpu_counters(const struct mm_struct *memory)
{
	return memory->rss_stat[0].count;
}

/* inode.i_mtime is not for all eyes since 6.7. */
struct timespec64 fact_inode_get_mtime(const struct inode *inode)
{
	return inode_get_mtime(inode);
}

/* What a mapped file is called, where it is not the one that was opened: apart since 6.8. */
const struct path *fact_file_user_path(struct file *file)
{
	return file_user_path(file);
}

/* A task had a context of events for hardware and one for software until 6.2, which has one for all. */
struct perf_event_context *fact_perf_one_context(struct task_struct *task)
{
	return task->perf_event_ctxp;
}

/* The mappings of a process's memory are a tree since 6.1, a list before. */
void fact_vma_iterator(struct mm_struct *memory)
{
	VMA_ITERATOR(areas, memory, 0);

	vma_next(&areas);
}

/* Registers of floating point: a structure that may be exchanged since 5.16 ... */
void *fact_fpu_state(struct task_struct *task)
{
	return task->thread.fpu.fpstate;
}

/* ... which 6.16 took out of struct thread_struct. */
void *fact_task_fpu(struct task_struct *task)
{
	return x86_task_fpu(task)->fpstate;
}

/* The list of an inode's names is within a union that had a name until 7.2 or so. */
void *fact_dentry_union(struct dentry *entry)
{
	return &entry->d_u.d_alias;
}

/* Whether a process may be looked at is its memory's until 7.x, then its own. */
int fact_memory_dumpable(struct mm_struct *memory)
{
	return get_dumpable(memory);
}

/* ... which it keeps with what it had when it last executed a file. */
bool fact_task_exec_state(const struct task_struct *task)
{
	return task->exec_state->dumpable == TASK_DUMPABLE_OWNER;
}

/* An irq_work that runs in the interrupt itself on PREEMPT_RT, too: by a macro since 5.12. */
int fact_irq_work_hard(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(NULL);

	return work.func != NULL;
}
