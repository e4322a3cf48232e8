// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's own mechanisms with a handler that does as little as can be, for bench/hit: what a probe costs at the
 * least. insmod spile_bare.ko kind=ftrace|kprobe|kretprobe|tracepoint symbol=NAME [offset=N]; kind=uprobe|uretprobe
 * path=FILE offset=N; kind=none only occupies memory.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/percpu.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>
#include <linux/version.h>

static char *kind = "", *symbol = "", *path = "";
static unsigned int offset;
module_param(kind, charp, 0400);
module_param(symbol, charp, 0400);
module_param(path, charp, 0400);
module_param(offset, uint, 0400);

static DEFINE_PER_CPU(unsigned long, hits);

static void notrace ftrace_hit(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *regs)
{
	this_cpu_inc(hits);
}

static struct ftrace_ops ops = {.func = ftrace_hit};

static int kprobe_hit(struct kprobe *kprobe, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kprobe probe = {.pre_handler = kprobe_hit};

static int return_hit(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct kretprobe return_probe = {.handler = return_hit, .maxactive = 64};

static void tracepoint_hit(void *data)
{
	this_cpu_inc(hits);
}

static struct tracepoint *found;

static void look_at(struct tracepoint *tracepoint, void *name)
{
	if (!strcmp(tracepoint->name, name))
		found = tracepoint;
}

static int uprobe_hit(struct uprobe_consumer *consumer, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static int uprobe_return(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static struct uprobe_consumer consumer;
static struct path file;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
static void *uprobe;
#endif

static int arm_uprobe(void)
{
	int error = kern_path(path, LOOKUP_FOLLOW, &file);

	if (error)
		return error;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe = uprobe_register(d_inode(file.dentry), offset, 0, &consumer);
	return PTR_ERR_OR_ZERO(uprobe);
#else
	return uprobe_register(d_inode(file.dentry), offset, &consumer);
#endif
}

static void disarm_uprobe(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_nosync(uprobe, &consumer);
	uprobe_unregister_sync();
#else
	uprobe_unregister(d_inode(file.dentry), offset, &consumer);
#endif
	path_put(&file);
}

static int arm(void)
{
	int error;

	if (!strcmp(kind, "none"))
		return 0;
	if (!strcmp(kind, "ftrace")) {
		/* Register by address, because a system call has several names. register_kprobe() finds the address. */
		probe.symbol_name = symbol;
		error = register_kprobe(&probe);
		if (error)
			return error;
		unregister_kprobe(&probe);
		error = ftrace_set_filter_ip(&ops, (unsigned long)probe.addr, 0, 1);
		return error ?: register_ftrace_function(&ops);
	}
	if (!strcmp(kind, "kprobe")) {
		probe.symbol_name = symbol;
		probe.offset = offset;
		return register_kprobe(&probe);
	}
	if (!strcmp(kind, "kretprobe")) {
		return_probe.kp.symbol_name = symbol;
		return register_kretprobe(&return_probe);
	}
	if (!strcmp(kind, "tracepoint")) {
		for_each_kernel_tracepoint(look_at, symbol);
		return found ? tracepoint_probe_register(found, tracepoint_hit, NULL) : -ENOENT;
	}
	if (!strcmp(kind, "uprobe")) {
		consumer.handler = uprobe_hit;
		return arm_uprobe();
	}
	if (!strcmp(kind, "uretprobe")) {
		consumer.ret_handler = uprobe_return;
		return arm_uprobe();
	}
	return -EINVAL;
}

static int __init bare_init(void)
{
	return arm();
}

static void __exit bare_exit(void)
{
	if (!strcmp(kind, "ftrace"))
		unregister_ftrace_function(&ops);
	else if (!strcmp(kind, "kprobe"))
		unregister_kprobe(&probe);
	else if (!strcmp(kind, "kretprobe"))
		unregister_kretprobe(&return_probe);
	else if (!strcmp(kind, "tracepoint"))
		tracepoint_probe_unregister(found, tracepoint_hit, NULL);
	else if (consumer.handler || consumer.ret_handler)
		disarm_uprobe();
	tracepoint_synchronize_unregister();
}

module_init(bare_init);
module_exit(bare_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bare probes for bench/hit");
