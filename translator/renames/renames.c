// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names that the kernel has changed: functions, members of structures, tracepoints and their arguments. A script that
 * uses an old name works on a kernel that only has the new one, with a warning. --no-renames makes it an error.
 *
 * The old names are those that scripts use. The suite debuginfo checks that each kernel has one of the names of each
 * row. A new name may only stand for an old one if a probe or a value means the same; other successors are for hints.
 */
#include "translator/renames/renames.h"

#include <glib.h>
#include <string.h>

#include "common/base/i18n.h"

static const struct function_rename functions[] = {
	/* clang-format off */
	{"__alloc_pages", "__alloc_pages_noprof", "6.10", true},
	{"__alloc_pages_nodemask", "__alloc_pages __alloc_pages_noprof", "5.13", true},
	{"__blk_mq_run_hw_queue", "blk_mq_run_hw_queue", "6.3", false},
	{"__do_page_fault", "handle_mm_fault exc_page_fault", "5.8", false},
	{"__folio_alloc", "__folio_alloc_noprof", "6.10", true},
	{"__generic_file_aio_write", "__generic_file_write_iter", "3.16", true},
	{"__get_free_pages", "get_free_pages_noprof", "6.10", true},
	{"__kmalloc", "__kmalloc_noprof", "6.10", true},
	{"__kmalloc_node", "__kmalloc_node_noprof", "6.10", true},
	{"__kmalloc_node_track_caller", "__kmalloc_node_track_caller_noprof", "6.10", true},
	{"__kmalloc_track_caller", "__kmalloc_node_track_caller __kmalloc_node_track_caller_noprof", "6.1", false},
	{"__lock_page", "__folio_lock", "5.16", true},
	{"__send_signal", "__send_signal_locked", "5.19", true},
	{"__vmalloc", "__vmalloc_noprof", "6.10", true},
	{"__vmalloc_node_range", "__vmalloc_node_range_noprof", "6.10", true},
	{"_do_fork", "kernel_clone", "5.10", true},
	{"account_page_dirtied", "folio_account_dirtied", "5.16", true},
	{"activate_page", "folio_activate", NULL, true},
	{"add_to_page_cache_locked", "__filemap_add_folio", "5.16", false},
	{"add_to_page_cache_lru", "filemap_add_folio __filemap_add_folio", "5.16", false},
	{"alloc_pages", "alloc_pages_noprof", "6.10", true},
	{"alloc_pages_exact", "alloc_pages_exact_noprof", "6.10", true},
	{"blk_account_io_completion", "blk_account_io_done", "4.20", false},
	{"blk_mq_make_request", "blk_mq_submit_bio", "5.9", true},
	{"blk_start_request", "blk_mq_start_request", "5.0", true},
	{"del_timer", "timer_delete", "6.2", true},
	{"del_timer_sync", "timer_delete_sync", "6.2", true},
	{"dev_queue_xmit", "__dev_queue_xmit", NULL, true},
	{"do_execve", "do_execveat_common bprm_execve", NULL, false},
	{"do_fork", "_do_fork kernel_clone", "4.2", true},
	{"do_generic_file_read", "generic_file_buffered_read filemap_read", NULL, true},
	{"do_page_fault", "handle_mm_fault exc_page_fault", "5.8", false},
	{"do_sync_read", "new_sync_read", "4.1", true},
	{"do_sync_write", "new_sync_write", "4.1", true},
	{"do_sys_open", "do_sys_openat2", "5.6", true},
	{"ext4_readpages", "ext4_readahead", "5.8", true},
	{"folio_alloc", "folio_alloc_noprof", "6.10", true},
	{"free_hot_cold_page", "free_unref_page free_frozen_pages", "4.15", true},
	{"free_unref_page", "free_frozen_pages", NULL, true},
	{"futex_wait_queue", "futex_do_wait", NULL, true},
	{"futex_wait_queue_me", "futex_wait_queue futex_do_wait", "5.16", true},
	{"generic_file_aio_read", "generic_file_read_iter", "3.16", true},
	{"generic_file_aio_write", "generic_file_write_iter", "3.16", true},
	{"generic_file_buffered_read", "filemap_read", "5.12", true},
	{"generic_make_request", "submit_bio_noacct", "5.9", true},
	{"get_zeroed_page", "get_zeroed_page_noprof", "6.10", true},
	{"isolate_lru_page", "folio_isolate_lru", NULL, true},
	{"isolate_lru_pages", "isolate_lru_folios", NULL, true},
	{"kfree_skb", "kfree_skb_reason sk_skb_reason_drop", "5.17", true},
	{"kfree_skb_reason", "sk_skb_reason_drop", "6.11", true},
	{"kmalloc_large", "__kmalloc_large_noprof", "6.11", true},
	{"kmalloc_node_trace", "__kmalloc_cache_node_noprof", "6.11", true},
	{"kmalloc_trace", "kmalloc_trace_noprof __kmalloc_cache_noprof", "6.10", true},
	{"kmem_cache_alloc", "kmem_cache_alloc_noprof", "6.10", true},
	{"kmem_cache_alloc_bulk", "kmem_cache_alloc_bulk_noprof", "6.10", true},
	{"kmem_cache_alloc_lru", "kmem_cache_alloc_lru_noprof", "6.10", true},
	{"kmem_cache_alloc_node", "kmem_cache_alloc_node_noprof", "6.10", true},
	{"kmem_cache_alloc_trace", "kmalloc_trace kmalloc_trace_noprof __kmalloc_cache_noprof", "6.1", true},
	{"kmemdup", "kmemdup_noprof", "6.10", true},
	{"krealloc", "krealloc_noprof krealloc_node_align_noprof", "6.10", true},
	{"kvmalloc_node", "kvmalloc_node_noprof __kvmalloc_node_noprof", "6.10", true},
	{"lru_cache_add", "folio_add_lru", NULL, true},
	{"mark_page_accessed", "folio_mark_accessed", "5.16", true},
	{"mempool_alloc", "mempool_alloc_noprof", "6.10", true},
	{"pcpu_alloc", "pcpu_alloc_noprof", "6.10", true},
	{"putback_lru_page", "folio_putback_lru", NULL, true},
	{"rwsem_down_read_failed", "rwsem_down_read_slowpath", "5.3", true},
	{"rwsem_down_write_failed", "rwsem_down_write_slowpath", "5.3", true},
	{"scheduler_tick", "sched_tick", "6.10", true},
	{"send_signal", "send_signal_locked", "5.19", true},
	{"shrink_page_list", "shrink_folio_list", "6.0", true},
	{"shrink_zone", "shrink_node", "4.8", false},
	{"signal_wake_up", "signal_wake_up_state", NULL, false},
	{"sock_aio_read", "sock_read_iter", "3.16", true},
	{"sock_aio_write", "sock_write_iter", "3.16", true},
	{"swap_readpage", "swap_read_folio", NULL, true},
	{"tick_sched_timer", "tick_nohz_handler", "6.8", true},
	{"vfs_fstat", "vfs_fstatat vfs_statx", NULL, false},
	{"vfs_stat", "vfs_statx", NULL, false},
	{"vmalloc", "vmalloc_noprof", "6.10", true},
	{"vmalloc_user", "vmalloc_user_noprof", "6.10", true},
	{"vzalloc", "vzalloc_noprof", "6.10", true},
	/* clang-format on */
};

static const char operation_changed[] = N_("its lowest eight bits are the operation, the others are flags");
static const char list_changed[] = N_("it is a hash list, whose entries are linked in one direction");

/*
 * Several rows of one member are tried in order. The names of struct sock and some of struct inet_sock are macros in
 * the kernel's C.
 */
static const struct member_rename members[] = {
	/* clang-format off */
	{"bio", "bi_disk", "bi_bdev->bd_disk", "5.12"},
	{"bio", "bi_idx", "bi_iter.bi_idx", "3.14"},
	{"bio", "bi_rw", "bi_opf", "4.8", operation_changed},
	{"bio", "bi_sector", "bi_iter.bi_sector", "3.14"},
	{"bio", "bi_size", "bi_iter.bi_size", "3.14"},
	{"block_device", "bd_inode", "bd_mapping->host", "6.10"},
	{"dentry", "d_child", "d_sib", "6.8", list_changed},
	{"dentry", "d_count", "d_lockref.count", "3.12"},
	{"dentry", "d_subdirs", "d_children", "6.8", list_changed},
	{"file", "f_dentry", "f_path.dentry", NULL},
	{"file", "f_vfsmnt", "f_path.mnt", NULL},
	{"file_lock", "fl_file", "c.flc_file", "6.9"},
	{"file_lock", "fl_flags", "c.flc_flags", "6.9"},
	{"file_lock", "fl_owner", "c.flc_owner", "6.9"},
	{"file_lock", "fl_pid", "c.flc_pid", "6.9"},
	{"file_lock", "fl_type", "c.flc_type", "6.9"},
	{"inet_sock", "daddr", "sk.__sk_common.skc_daddr", NULL},
	{"inet_sock", "dport", "sk.__sk_common.skc_dport", NULL},
	{"inet_sock", "inet_daddr", "sk.__sk_common.skc_daddr", NULL},
	{"inet_sock", "inet_dport", "sk.__sk_common.skc_dport", NULL},
	{"inet_sock", "inet_num", "sk.__sk_common.skc_num", NULL},
	{"inet_sock", "inet_rcv_saddr", "sk.__sk_common.skc_rcv_saddr", NULL},
	{"inet_sock", "num", "sk.__sk_common.skc_num", NULL},
	{"inet_sock", "rcv_saddr", "sk.__sk_common.skc_rcv_saddr", NULL},
	{"inet_sock", "saddr", "inet_saddr", NULL},
	{"inet_sock", "sport", "inet_sport", NULL},
	{"inode", "i_atime", "__i_atime", "6.7"},
	{"inode", "i_atime.tv_nsec", "i_atime_nsec", "6.11"},
	{"inode", "i_atime.tv_sec", "i_atime_sec", "6.11"},
	{"inode", "i_ctime", "__i_ctime", "6.6"},
	{"inode", "i_ctime.tv_nsec", "i_ctime_nsec", "6.11"},
	{"inode", "i_ctime.tv_sec", "i_ctime_sec", "6.11"},
	{"inode", "i_mtime", "__i_mtime", "6.7"},
	{"inode", "i_mtime.tv_nsec", "i_mtime_nsec", "6.11"},
	{"inode", "i_mtime.tv_sec", "i_mtime_sec", "6.11"},
	{"iov_iter", "iov", "__iov", "6.4"},
	{"kmem_cache", "objsize", "object_size", "3.6"},
	{"mm_struct", "mmap_sem", "mmap_lock", "5.8"},
	{"page", "_count", "_refcount", "4.7"},
	{"renamedata", "new_dir", "new_parent->d_inode", NULL},
	{"renamedata", "new_mnt_idmap", "mnt_idmap", NULL},
	{"renamedata", "new_mnt_userns", "new_mnt_idmap", "6.3"},
	{"renamedata", "new_mnt_userns", "mnt_idmap", NULL},
	{"renamedata", "old_dir", "old_parent->d_inode", NULL},
	{"renamedata", "old_mnt_idmap", "mnt_idmap", NULL},
	{"renamedata", "old_mnt_userns", "old_mnt_idmap", "6.3"},
	{"renamedata", "old_mnt_userns", "mnt_idmap", NULL},
	{"request", "rq_disk", "q->disk", "5.17"},
	{"sock", "sk_bound_dev_if", "__sk_common.skc_bound_dev_if", NULL},
	{"sock", "sk_daddr", "__sk_common.skc_daddr", NULL},
	{"sock", "sk_dport", "__sk_common.skc_dport", NULL},
	{"sock", "sk_family", "__sk_common.skc_family", NULL},
	{"sock", "sk_num", "__sk_common.skc_num", NULL},
	{"sock", "sk_prot", "__sk_common.skc_prot", NULL},
	{"sock", "sk_rcv_saddr", "__sk_common.skc_rcv_saddr", NULL},
	{"sock", "sk_refcnt", "__sk_common.skc_refcnt", NULL},
	{"sock", "sk_state", "__sk_common.skc_state", NULL},
	{"task_struct", "cpu", "thread_info.cpu", "5.16"},
	{"task_struct", "real_start_time", "start_boottime", "5.5"},
	{"task_struct", "state", "__state", "5.14"},
	{"wait_queue_head", "task_list", "head", "4.13"},
	/* clang-format on */
};

static const struct tracepoint_rename tracepoints[] = {
	{"kmalloc_node", "kmalloc", "6.1"},
	{"kmem_cache_alloc_node", "kmem_cache_alloc", "6.1"},
	{"mm_page_free_direct", "mm_page_free", "3.3"},
	{"mm_pagevec_free", "mm_page_free_batched", "3.3"},
};

static const struct argument_rename arguments[] = {
	{"block_rq_insert block_rq_issue block_rq_merge block_rq_requeue", "q", "rq", "q", "5.11"},
	{"block_bio_backmerge block_bio_frontmerge block_bio_queue block_getrq block_split", "q", "bio",
	 "bi_bdev->bd_disk->queue", "5.11"},
};

const struct function_rename *function_rename(const char *old)
{
	for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
		if (!strcmp(functions[i].old, old))
			return &functions[i];
	return NULL;
}

/* Is the name the first component of the path? */
static bool begins_with(const char *path, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(path, name, length) && (!path[length] || path[length] == '.');
}

const struct member_rename *member_rename(const char *type, const char *old, const struct member_rename *previous)
{
	for (size_t i = previous ? (size_t)(previous - members) + 1 : 0; i < G_N_ELEMENTS(members); i++)
		if (!strcmp(members[i].type, type) && begins_with(members[i].old, old))
			return &members[i];
	return NULL;
}

const struct tracepoint_rename *tracepoint_rename(const char *old)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tracepoints); i++)
		if (!strcmp(tracepoints[i].old, old))
			return &tracepoints[i];
	return NULL;
}

static bool is_in_list(const char *list, const char *name)
{
	g_auto(GStrv) names = g_strsplit(list, " ", -1);

	return g_strv_contains((const char *const *)names, name);
}

const struct argument_rename *argument_rename(const char *tracepoint, const char *old)
{
	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++)
		if (!strcmp(arguments[i].old, old) && is_in_list(arguments[i].tracepoints, tracepoint))
			return &arguments[i];
	return NULL;
}
