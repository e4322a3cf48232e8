// SPDX-License-Identifier: GPL-2.0-or-later
/* A table of names of Solaris, and of types that programs have, and what the kernel of Linux has instead. */
#include "translator/dlang/solaris_names.h"

#include <glib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/diagnostic.h"

static const struct {
	const char *solaris, *linux_name;
} names[] = {
	{"ipcl_conn_cache", "tcp_prot.slab, the cache of TCP sockets: args[0] == `tcp_prot.slab"},
	{"ipcl_tcpconn_cache", "tcp_prot.slab, the cache of TCP sockets: args[0] == `tcp_prot.slab"},
	{"ipcl_udpconn_cache", "udp_prot.slab, the cache of UDP sockets: args[0] == `udp_prot.slab"},
	{"kmem_alloc", "__kmalloc"},
	{"kmem_zalloc", "__kmalloc"},
	{"kmem_free", "kfree"},
	{"tcp_time_wait_collector", "tw_timer_handler"},
	{"squeue_getprivate", "inet_csk_accept"},
	{"putnext", "__netif_receive_skb_core"},
	{"bdev_strategy", "submit_bio"},
	{"fop_read", "vfs_read"},
	{"fop_write", "vfs_write"},
	{"fop_open", "vfs_open"},
	{"pageout", "shrink_node"},
	{"lbolt", "jiffies"},
	{"kmem_flags", "slub_debug"},
	{"cpu_list", "__cpu_online_mask"},
	{"practive", "init_task"},
	{"kthread_t", "struct task_struct"},
	{"klwp_t", "struct task_struct"},
	{"proc_t", "struct task_struct"},
	{"cred_t", "struct cred"},
	{"vnode_t", "struct inode, or struct file"},
	{"struct vnode", "struct inode, or struct file"},
	{"vfs_t", "struct super_block"},
	{"file_t", "struct file"},
	{"buf_t", "struct request; args[0] of io probes is a bufinfo_t"},
	{"struct buf", "struct request; args[0] of io probes is a bufinfo_t"},
	{"mblk_t", "struct sk_buff"},
	{"struct msgb", "struct sk_buff"},
	{"conn_t", "struct sock"},
	{"tcp_t", "struct tcp_sock"},
	{"kmutex_t", "struct mutex"},
	{"cpu_t", "cpuinfo_t, of curcpu"},
	{"timestruc_t", "struct timespec64"},
	{"timespec_t", "struct timespec64"},
	{"struct timespec", "struct __kernel_timespec in memory of programs, struct timespec64 in that of the kernel"},
	{"struct timeval", "struct __kernel_old_timeval"},
};

bool d_hint_linux_name(struct diagnostics *diagnostics, const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		if (strcmp(names[i].solaris, name))
			continue;
		diagnose_hint(diagnostics, _("on Linux: %s"), names[i].linux_name);
		return true;
	}
	return false;
}
