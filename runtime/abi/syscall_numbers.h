/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of system calls, N(number, name) each: for x86-64 (SYSCALL_NUMBERS_64), for 32-bit programs there
 * (SYSCALL_NUMBERS_32), for arm64 (SYSCALL_NUMBERS_ARM64), and for 32-bit programs there (SYSCALL_NUMBERS_ARM32).
 * Numbers never change; new ones are added at the end. They are from the generated unistd_64.h and unistd_32.h of Linux
 * 7.3, from asm-generic/unistd.h, and from arm64's unistd32.h. A unit test compares them with those of the installed
 * kernels.
 */
#ifndef SPILE_RUNTIME_SYSCALL_NUMBERS_H
#define SPILE_RUNTIME_SYSCALL_NUMBERS_H

/* clang-format off */
#define SYSCALL_NUMBERS_64(N) \
	N(0, read) N(1, write) N(2, open) N(3, close) N(4, stat) N(5, fstat) N(6, lstat) N(7, poll) \
	N(8, lseek) N(9, mmap) N(10, mprotect) N(11, munmap) N(12, brk) N(13, rt_sigaction) \
	N(14, rt_sigprocmask) N(15, rt_sigreturn) N(16, ioctl) N(17, pread64) N(18, pwrite64) N(19, readv) \
	N(20, writev) N(21, access) N(22, pipe) N(23, select) N(24, sched_yield) N(25, mremap) N(26, msync) \
	N(27, mincore) N(28, madvise) N(29, shmget) N(30, shmat) N(31, shmctl) N(32, dup) N(33, dup2) \
	N(34, pause) N(35, nanosleep) N(36, getitimer) N(37, alarm) N(38, setitimer) N(39, getpid) \
	N(40, sendfile) N(41, socket) N(42, connect) N(43, accept) N(44, sendto) N(45, recvfrom) \
	N(46, sendmsg) N(47, recvmsg) N(48, shutdown) N(49, bind) N(50, listen) N(51, getsockname) \
	N(52, getpeername) N(53, socketpair) N(54, setsockopt) N(55, getsockopt) N(56, clone) N(57, fork) \
	N(58, vfork) N(59, execve) N(60, exit) N(61, wait4) N(62, kill) N(63, uname) N(64, semget) \
	N(65, semop) N(66, semctl) N(67, shmdt) N(68, msgget) N(69, msgsnd) N(70, msgrcv) N(71, msgctl) \
	N(72, fcntl) N(73, flock) N(74, fsync) N(75, fdatasync) N(76, truncate) N(77, ftruncate) \
	N(78, getdents) N(79, getcwd) N(80, chdir) N(81, fchdir) N(82, rename) N(83, mkdir) N(84, rmdir) \
	N(85, creat) N(86, link) N(87, unlink) N(88, symlink) N(89, readlink) N(90, chmod) N(91, fchmod) \
	N(92, chown) N(93, fchown) N(94, lchown) N(95, umask) N(96, gettimeofday) N(97, getrlimit) \
	N(98, getrusage) N(99, sysinfo) N(100, times) N(101, ptrace) N(102, getuid) N(103, syslog) \
	N(104, getgid) N(105, setuid) N(106, setgid) N(107, geteuid) N(108, getegid) N(109, setpgid) \
	N(110, getppid) N(111, getpgrp) N(112, setsid) N(113, setreuid) N(114, setregid) N(115, getgroups) \
	N(116, setgroups) N(117, setresuid) N(118, getresuid) N(119, setresgid) N(120, getresgid) \
	N(121, getpgid) N(122, setfsuid) N(123, setfsgid) N(124, getsid) N(125, capget) N(126, capset) \
	N(127, rt_sigpending) N(128, rt_sigtimedwait) N(129, rt_sigqueueinfo) N(130, rt_sigsuspend) \
	N(131, sigaltstack) N(132, utime) N(133, mknod) N(134, uselib) N(135, personality) N(136, ustat) \
	N(137, statfs) N(138, fstatfs) N(139, sysfs) N(140, getpriority) N(141, setpriority) \
	N(142, sched_setparam) N(143, sched_getparam) N(144, sched_setscheduler) N(145, sched_getscheduler) \
	N(146, sched_get_priority_max) N(147, sched_get_priority_min) N(148, sched_rr_get_interval) \
	N(149, mlock) N(150, munlock) N(151, mlockall) N(152, munlockall) N(153, vhangup) N(154, modify_ldt) \
	N(155, pivot_root) N(156, _sysctl) N(157, prctl) N(158, arch_prctl) N(159, adjtimex) \
	N(160, setrlimit) N(161, chroot) N(162, sync) N(163, acct) N(164, settimeofday) N(165, mount) \
	N(166, umount2) N(167, swapon) N(168, swapoff) N(169, reboot) N(170, sethostname) \
	N(171, setdomainname) N(172, iopl) N(173, ioperm) N(174, create_module) N(175, init_module) \
	N(176, delete_module) N(177, get_kernel_syms) N(178, query_module) N(179, quotactl) \
	N(180, nfsservctl) N(181, getpmsg) N(182, putpmsg) N(183, afs_syscall) N(184, tuxcall) \
	N(185, security) N(186, gettid) N(187, readahead) N(188, setxattr) N(189, lsetxattr) \
	N(190, fsetxattr) N(191, getxattr) N(192, lgetxattr) N(193, fgetxattr) N(194, listxattr) \
	N(195, llistxattr) N(196, flistxattr) N(197, removexattr) N(198, lremovexattr) N(199, fremovexattr) \
	N(200, tkill) N(201, time) N(202, futex) N(203, sched_setaffinity) N(204, sched_getaffinity) \
	N(205, set_thread_area) N(206, io_setup) N(207, io_destroy) N(208, io_getevents) N(209, io_submit) \
	N(210, io_cancel) N(211, get_thread_area) N(212, lookup_dcookie) N(213, epoll_create) \
	N(214, epoll_ctl_old) N(215, epoll_wait_old) N(216, remap_file_pages) N(217, getdents64) \
	N(218, set_tid_address) N(219, restart_syscall) N(220, semtimedop) N(221, fadvise64) \
	N(222, timer_create) N(223, timer_settime) N(224, timer_gettime) N(225, timer_getoverrun) \
	N(226, timer_delete) N(227, clock_settime) N(228, clock_gettime) N(229, clock_getres) \
	N(230, clock_nanosleep) N(231, exit_group) N(232, epoll_wait) N(233, epoll_ctl) N(234, tgkill) \
	N(235, utimes) N(236, vserver) N(237, mbind) N(238, set_mempolicy) N(239, get_mempolicy) \
	N(240, mq_open) N(241, mq_unlink) N(242, mq_timedsend) N(243, mq_timedreceive) N(244, mq_notify) \
	N(245, mq_getsetattr) N(246, kexec_load) N(247, waitid) N(248, add_key) N(249, request_key) \
	N(250, keyctl) N(251, ioprio_set) N(252, ioprio_get) N(253, inotify_init) N(254, inotify_add_watch) \
	N(255, inotify_rm_watch) N(256, migrate_pages) N(257, openat) N(258, mkdirat) N(259, mknodat) \
	N(260, fchownat) N(261, futimesat) N(262, newfstatat) N(263, unlinkat) N(264, renameat) \
	N(265, linkat) N(266, symlinkat) N(267, readlinkat) N(268, fchmodat) N(269, faccessat) \
	N(270, pselect6) N(271, ppoll) N(272, unshare) N(273, set_robust_list) N(274, get_robust_list) \
	N(275, splice) N(276, tee) N(277, sync_file_range) N(278, vmsplice) N(279, move_pages) \
	N(280, utimensat) N(281, epoll_pwait) N(282, signalfd) N(283, timerfd_create) N(284, eventfd) \
	N(285, fallocate) N(286, timerfd_settime) N(287, timerfd_gettime) N(288, accept4) N(289, signalfd4) \
	N(290, eventfd2) N(291, epoll_create1) N(292, dup3) N(293, pipe2) N(294, inotify_init1) \
	N(295, preadv) N(296, pwritev) N(297, rt_tgsigqueueinfo) N(298, perf_event_open) N(299, recvmmsg) \
	N(300, fanotify_init) N(301, fanotify_mark) N(302, prlimit64) N(303, name_to_handle_at) \
	N(304, open_by_handle_at) N(305, clock_adjtime) N(306, syncfs) N(307, sendmmsg) N(308, setns) \
	N(309, getcpu) N(310, process_vm_readv) N(311, process_vm_writev) N(312, kcmp) N(313, finit_module) \
	N(314, sched_setattr) N(315, sched_getattr) N(316, renameat2) N(317, seccomp) N(318, getrandom) \
	N(319, memfd_create) N(320, kexec_file_load) N(321, bpf) N(322, execveat) N(323, userfaultfd) \
	N(324, membarrier) N(325, mlock2) N(326, copy_file_range) N(327, preadv2) N(328, pwritev2) \
	N(329, pkey_mprotect) N(330, pkey_alloc) N(331, pkey_free) N(332, statx) N(333, io_pgetevents) \
	N(334, rseq) N(335, uretprobe) N(424, pidfd_send_signal) N(425, io_uring_setup) \
	N(426, io_uring_enter) N(427, io_uring_register) N(428, open_tree) N(429, move_mount) N(430, fsopen) \
	N(431, fsconfig) N(432, fsmount) N(433, fspick) N(434, pidfd_open) N(435, clone3) N(436, close_range) \
	N(437, openat2) N(438, pidfd_getfd) N(439, faccessat2) N(440, process_madvise) N(441, epoll_pwait2) \
	N(442, mount_setattr) N(443, quotactl_fd) N(444, landlock_create_ruleset) N(445, landlock_add_rule) \
	N(446, landlock_restrict_self) N(447, memfd_secret) N(448, process_mrelease) N(449, futex_waitv) \
	N(450, set_mempolicy_home_node) N(451, cachestat) N(452, fchmodat2) N(453, map_shadow_stack) \
	N(454, futex_wake) N(455, futex_wait) N(456, futex_requeue) N(457, statmount) N(458, listmount) \
	N(459, lsm_get_self_attr) N(460, lsm_set_self_attr) N(461, lsm_list_modules) N(462, mseal) \
	N(463, setxattrat) N(464, getxattrat) N(465, listxattrat) N(466, removexattrat) \
	N(467, open_tree_attr) N(468, file_getattr) N(469, file_setattr) N(470, listns) \
	N(471, rseq_slice_yield) N(472, fchroot)

#define SYSCALL_NUMBERS_32(N) \
	N(0, restart_syscall) N(1, exit) N(2, fork) N(3, read) N(4, write) N(5, open) N(6, close) \
	N(7, waitpid) N(8, creat) N(9, link) N(10, unlink) N(11, execve) N(12, chdir) N(13, time) \
	N(14, mknod) N(15, chmod) N(16, lchown) N(17, break) N(18, oldstat) N(19, lseek) N(20, getpid) \
	N(21, mount) N(22, umount) N(23, setuid) N(24, getuid) N(25, stime) N(26, ptrace) N(27, alarm) \
	N(28, oldfstat) N(29, pause) N(30, utime) N(31, stty) N(32, gtty) N(33, access) N(34, nice) \
	N(35, ftime) N(36, sync) N(37, kill) N(38, rename) N(39, mkdir) N(40, rmdir) N(41, dup) N(42, pipe) \
	N(43, times) N(44, prof) N(45, brk) N(46, setgid) N(47, getgid) N(48, signal) N(49, geteuid) \
	N(50, getegid) N(51, acct) N(52, umount2) N(53, lock) N(54, ioctl) N(55, fcntl) N(56, mpx) \
	N(57, setpgid) N(58, ulimit) N(59, oldolduname) N(60, umask) N(61, chroot) N(62, ustat) N(63, dup2) \
	N(64, getppid) N(65, getpgrp) N(66, setsid) N(67, sigaction) N(68, sgetmask) N(69, ssetmask) \
	N(70, setreuid) N(71, setregid) N(72, sigsuspend) N(73, sigpending) N(74, sethostname) \
	N(75, setrlimit) N(76, getrlimit) N(77, getrusage) N(78, gettimeofday) N(79, settimeofday) \
	N(80, getgroups) N(81, setgroups) N(82, select) N(83, symlink) N(84, oldlstat) N(85, readlink) \
	N(86, uselib) N(87, swapon) N(88, reboot) N(89, readdir) N(90, mmap) N(91, munmap) N(92, truncate) \
	N(93, ftruncate) N(94, fchmod) N(95, fchown) N(96, getpriority) N(97, setpriority) N(98, profil) \
	N(99, statfs) N(100, fstatfs) N(101, ioperm) N(102, socketcall) N(103, syslog) N(104, setitimer) \
	N(105, getitimer) N(106, stat) N(107, lstat) N(108, fstat) N(109, olduname) N(110, iopl) \
	N(111, vhangup) N(112, idle) N(113, vm86old) N(114, wait4) N(115, swapoff) N(116, sysinfo) \
	N(117, ipc) N(118, fsync) N(119, sigreturn) N(120, clone) N(121, setdomainname) N(122, uname) \
	N(123, modify_ldt) N(124, adjtimex) N(125, mprotect) N(126, sigprocmask) N(127, create_module) \
	N(128, init_module) N(129, delete_module) N(130, get_kernel_syms) N(131, quotactl) N(132, getpgid) \
	N(133, fchdir) N(134, bdflush) N(135, sysfs) N(136, personality) N(137, afs_syscall) N(138, setfsuid) \
	N(139, setfsgid) N(140, _llseek) N(141, getdents) N(142, _newselect) N(143, flock) N(144, msync) \
	N(145, readv) N(146, writev) N(147, getsid) N(148, fdatasync) N(149, _sysctl) N(150, mlock) \
	N(151, munlock) N(152, mlockall) N(153, munlockall) N(154, sched_setparam) N(155, sched_getparam) \
	N(156, sched_setscheduler) N(157, sched_getscheduler) N(158, sched_yield) \
	N(159, sched_get_priority_max) N(160, sched_get_priority_min) N(161, sched_rr_get_interval) \
	N(162, nanosleep) N(163, mremap) N(164, setresuid) N(165, getresuid) N(166, vm86) \
	N(167, query_module) N(168, poll) N(169, nfsservctl) N(170, setresgid) N(171, getresgid) \
	N(172, prctl) N(173, rt_sigreturn) N(174, rt_sigaction) N(175, rt_sigprocmask) N(176, rt_sigpending) \
	N(177, rt_sigtimedwait) N(178, rt_sigqueueinfo) N(179, rt_sigsuspend) N(180, pread64) \
	N(181, pwrite64) N(182, chown) N(183, getcwd) N(184, capget) N(185, capset) N(186, sigaltstack) \
	N(187, sendfile) N(188, getpmsg) N(189, putpmsg) N(190, vfork) N(191, ugetrlimit) N(192, mmap2) \
	N(193, truncate64) N(194, ftruncate64) N(195, stat64) N(196, lstat64) N(197, fstat64) \
	N(198, lchown32) N(199, getuid32) N(200, getgid32) N(201, geteuid32) N(202, getegid32) \
	N(203, setreuid32) N(204, setregid32) N(205, getgroups32) N(206, setgroups32) N(207, fchown32) \
	N(208, setresuid32) N(209, getresuid32) N(210, setresgid32) N(211, getresgid32) N(212, chown32) \
	N(213, setuid32) N(214, setgid32) N(215, setfsuid32) N(216, setfsgid32) N(217, pivot_root) \
	N(218, mincore) N(219, madvise) N(220, getdents64) N(221, fcntl64) N(224, gettid) N(225, readahead) \
	N(226, setxattr) N(227, lsetxattr) N(228, fsetxattr) N(229, getxattr) N(230, lgetxattr) \
	N(231, fgetxattr) N(232, listxattr) N(233, llistxattr) N(234, flistxattr) N(235, removexattr) \
	N(236, lremovexattr) N(237, fremovexattr) N(238, tkill) N(239, sendfile64) N(240, futex) \
	N(241, sched_setaffinity) N(242, sched_getaffinity) N(243, set_thread_area) N(244, get_thread_area) \
	N(245, io_setup) N(246, io_destroy) N(247, io_getevents) N(248, io_submit) N(249, io_cancel) \
	N(250, fadvise64) N(252, exit_group) N(253, lookup_dcookie) N(254, epoll_create) N(255, epoll_ctl) \
	N(256, epoll_wait) N(257, remap_file_pages) N(258, set_tid_address) N(259, timer_create) \
	N(260, timer_settime) N(261, timer_gettime) N(262, timer_getoverrun) N(263, timer_delete) \
	N(264, clock_settime) N(265, clock_gettime) N(266, clock_getres) N(267, clock_nanosleep) \
	N(268, statfs64) N(269, fstatfs64) N(270, tgkill) N(271, utimes) N(272, fadvise64_64) N(273, vserver) \
	N(274, mbind) N(275, get_mempolicy) N(276, set_mempolicy) N(277, mq_open) N(278, mq_unlink) \
	N(279, mq_timedsend) N(280, mq_timedreceive) N(281, mq_notify) N(282, mq_getsetattr) \
	N(283, kexec_load) N(284, waitid) N(286, add_key) N(287, request_key) N(288, keyctl) \
	N(289, ioprio_set) N(290, ioprio_get) N(291, inotify_init) N(292, inotify_add_watch) \
	N(293, inotify_rm_watch) N(294, migrate_pages) N(295, openat) N(296, mkdirat) N(297, mknodat) \
	N(298, fchownat) N(299, futimesat) N(300, fstatat64) N(301, unlinkat) N(302, renameat) N(303, linkat) \
	N(304, symlinkat) N(305, readlinkat) N(306, fchmodat) N(307, faccessat) N(308, pselect6) \
	N(309, ppoll) N(310, unshare) N(311, set_robust_list) N(312, get_robust_list) N(313, splice) \
	N(314, sync_file_range) N(315, tee) N(316, vmsplice) N(317, move_pages) N(318, getcpu) \
	N(319, epoll_pwait) N(320, utimensat) N(321, signalfd) N(322, timerfd_create) N(323, eventfd) \
	N(324, fallocate) N(325, timerfd_settime) N(326, timerfd_gettime) N(327, signalfd4) N(328, eventfd2) \
	N(329, epoll_create1) N(330, dup3) N(331, pipe2) N(332, inotify_init1) N(333, preadv) N(334, pwritev) \
	N(335, rt_tgsigqueueinfo) N(336, perf_event_open) N(337, recvmmsg) N(338, fanotify_init) \
	N(339, fanotify_mark) N(340, prlimit64) N(341, name_to_handle_at) N(342, open_by_handle_at) \
	N(343, clock_adjtime) N(344, syncfs) N(345, sendmmsg) N(346, setns) N(347, process_vm_readv) \
	N(348, process_vm_writev) N(349, kcmp) N(350, finit_module) N(351, sched_setattr) \
	N(352, sched_getattr) N(353, renameat2) N(354, seccomp) N(355, getrandom) N(356, memfd_create) \
	N(357, bpf) N(358, execveat) N(359, socket) N(360, socketpair) N(361, bind) N(362, connect) \
	N(363, listen) N(364, accept4) N(365, getsockopt) N(366, setsockopt) N(367, getsockname) \
	N(368, getpeername) N(369, sendto) N(370, sendmsg) N(371, recvfrom) N(372, recvmsg) N(373, shutdown) \
	N(374, userfaultfd) N(375, membarrier) N(376, mlock2) N(377, copy_file_range) N(378, preadv2) \
	N(379, pwritev2) N(380, pkey_mprotect) N(381, pkey_alloc) N(382, pkey_free) N(383, statx) \
	N(384, arch_prctl) N(385, io_pgetevents) N(386, rseq) N(393, semget) N(394, semctl) N(395, shmget) \
	N(396, shmctl) N(397, shmat) N(398, shmdt) N(399, msgget) N(400, msgsnd) N(401, msgrcv) \
	N(402, msgctl) N(403, clock_gettime64) N(404, clock_settime64) N(405, clock_adjtime64) \
	N(406, clock_getres_time64) N(407, clock_nanosleep_time64) N(408, timer_gettime64) \
	N(409, timer_settime64) N(410, timerfd_gettime64) N(411, timerfd_settime64) N(412, utimensat_time64) \
	N(413, pselect6_time64) N(414, ppoll_time64) N(416, io_pgetevents_time64) N(417, recvmmsg_time64) \
	N(418, mq_timedsend_time64) N(419, mq_timedreceive_time64) N(420, semtimedop_time64) \
	N(421, rt_sigtimedwait_time64) N(422, futex_time64) N(423, sched_rr_get_interval_time64) \
	N(424, pidfd_send_signal) N(425, io_uring_setup) N(426, io_uring_enter) N(427, io_uring_register) \
	N(428, open_tree) N(429, move_mount) N(430, fsopen) N(431, fsconfig) N(432, fsmount) N(433, fspick) \
	N(434, pidfd_open) N(435, clone3) N(436, close_range) N(437, openat2) N(438, pidfd_getfd) \
	N(439, faccessat2) N(440, process_madvise) N(441, epoll_pwait2) N(442, mount_setattr) \
	N(443, quotactl_fd) N(444, landlock_create_ruleset) N(445, landlock_add_rule) \
	N(446, landlock_restrict_self) N(447, memfd_secret) N(448, process_mrelease) N(449, futex_waitv) \
	N(450, set_mempolicy_home_node) N(451, cachestat) N(452, fchmodat2) N(453, map_shadow_stack) \
	N(454, futex_wake) N(455, futex_wait) N(456, futex_requeue) N(457, statmount) N(458, listmount) \
	N(459, lsm_get_self_attr) N(460, lsm_set_self_attr) N(461, lsm_list_modules) N(462, mseal) \
	N(463, setxattrat) N(464, getxattrat) N(465, listxattrat) N(466, removexattrat) \
	N(467, open_tree_attr) N(468, file_getattr) N(469, file_setattr) N(470, listns) \
	N(471, rseq_slice_yield) N(472, fchroot)

#define SYSCALL_NUMBERS_ARM64(N) \
	N(0, io_setup) N(1, io_destroy) N(2, io_submit) N(3, io_cancel) N(4, io_getevents) N(5, setxattr) \
	N(6, lsetxattr) N(7, fsetxattr) N(8, getxattr) N(9, lgetxattr) N(10, fgetxattr) N(11, listxattr) \
	N(12, llistxattr) N(13, flistxattr) N(14, removexattr) N(15, lremovexattr) N(16, fremovexattr) \
	N(17, getcwd) N(18, lookup_dcookie) N(19, eventfd2) N(20, epoll_create1) N(21, epoll_ctl) \
	N(22, epoll_pwait) N(23, dup) N(24, dup3) N(25, fcntl) N(26, inotify_init1) N(27, inotify_add_watch) \
	N(28, inotify_rm_watch) N(29, ioctl) N(30, ioprio_set) N(31, ioprio_get) N(32, flock) N(33, mknodat) \
	N(34, mkdirat) N(35, unlinkat) N(36, symlinkat) N(37, linkat) N(38, renameat) N(39, umount2) \
	N(40, mount) N(41, pivot_root) N(42, nfsservctl) N(43, statfs) N(44, fstatfs) N(45, truncate) \
	N(46, ftruncate) N(47, fallocate) N(48, faccessat) N(49, chdir) N(50, fchdir) N(51, chroot) \
	N(52, fchmod) N(53, fchmodat) N(54, fchownat) N(55, fchown) N(56, openat) N(57, close) N(58, vhangup) \
	N(59, pipe2) N(60, quotactl) N(61, getdents64) N(62, lseek) N(63, read) N(64, write) N(65, readv) \
	N(66, writev) N(67, pread64) N(68, pwrite64) N(69, preadv) N(70, pwritev) N(71, sendfile) \
	N(72, pselect6) N(73, ppoll) N(74, signalfd4) N(75, vmsplice) N(76, splice) N(77, tee) \
	N(78, readlinkat) N(79, newfstatat) N(80, fstat) N(81, sync) N(82, fsync) N(83, fdatasync) \
	N(84, sync_file_range) N(85, timerfd_create) N(86, timerfd_settime) N(87, timerfd_gettime) \
	N(88, utimensat) N(89, acct) N(90, capget) N(91, capset) N(92, personality) N(93, exit) \
	N(94, exit_group) N(95, waitid) N(96, set_tid_address) N(97, unshare) N(98, futex) \
	N(99, set_robust_list) N(100, get_robust_list) N(101, nanosleep) N(102, getitimer) N(103, setitimer) \
	N(104, kexec_load) N(105, init_module) N(106, delete_module) N(107, timer_create) \
	N(108, timer_gettime) N(109, timer_getoverrun) N(110, timer_settime) N(111, timer_delete) \
	N(112, clock_settime) N(113, clock_gettime) N(114, clock_getres) N(115, clock_nanosleep) \
	N(116, syslog) N(117, ptrace) N(118, sched_setparam) N(119, sched_setscheduler) \
	N(120, sched_getscheduler) N(121, sched_getparam) N(122, sched_setaffinity) N(123, sched_getaffinity) \
	N(124, sched_yield) N(125, sched_get_priority_max) N(126, sched_get_priority_min) \
	N(127, sched_rr_get_interval) N(128, restart_syscall) N(129, kill) N(130, tkill) N(131, tgkill) \
	N(132, sigaltstack) N(133, rt_sigsuspend) N(134, rt_sigaction) N(135, rt_sigprocmask) \
	N(136, rt_sigpending) N(137, rt_sigtimedwait) N(138, rt_sigqueueinfo) N(139, rt_sigreturn) \
	N(140, setpriority) N(141, getpriority) N(142, reboot) N(143, setregid) N(144, setgid) \
	N(145, setreuid) N(146, setuid) N(147, setresuid) N(148, getresuid) N(149, setresgid) \
	N(150, getresgid) N(151, setfsuid) N(152, setfsgid) N(153, times) N(154, setpgid) N(155, getpgid) \
	N(156, getsid) N(157, setsid) N(158, getgroups) N(159, setgroups) N(160, uname) N(161, sethostname) \
	N(162, setdomainname) N(163, getrlimit) N(164, setrlimit) N(165, getrusage) N(166, umask) \
	N(167, prctl) N(168, getcpu) N(169, gettimeofday) N(170, settimeofday) N(171, adjtimex) \
	N(172, getpid) N(173, getppid) N(174, getuid) N(175, geteuid) N(176, getgid) N(177, getegid) \
	N(178, gettid) N(179, sysinfo) N(180, mq_open) N(181, mq_unlink) N(182, mq_timedsend) \
	N(183, mq_timedreceive) N(184, mq_notify) N(185, mq_getsetattr) N(186, msgget) N(187, msgctl) \
	N(188, msgrcv) N(189, msgsnd) N(190, semget) N(191, semctl) N(192, semtimedop) N(193, semop) \
	N(194, shmget) N(195, shmctl) N(196, shmat) N(197, shmdt) N(198, socket) N(199, socketpair) \
	N(200, bind) N(201, listen) N(202, accept) N(203, connect) N(204, getsockname) N(205, getpeername) \
	N(206, sendto) N(207, recvfrom) N(208, setsockopt) N(209, getsockopt) N(210, shutdown) \
	N(211, sendmsg) N(212, recvmsg) N(213, readahead) N(214, brk) N(215, munmap) N(216, mremap) \
	N(217, add_key) N(218, request_key) N(219, keyctl) N(220, clone) N(221, execve) N(222, mmap) \
	N(223, fadvise64) N(224, swapon) N(225, swapoff) N(226, mprotect) N(227, msync) N(228, mlock) \
	N(229, munlock) N(230, mlockall) N(231, munlockall) N(232, mincore) N(233, madvise) \
	N(234, remap_file_pages) N(235, mbind) N(236, get_mempolicy) N(237, set_mempolicy) \
	N(238, migrate_pages) N(239, move_pages) N(240, rt_tgsigqueueinfo) N(241, perf_event_open) \
	N(242, accept4) N(243, recvmmsg) N(260, wait4) N(261, prlimit64) N(262, fanotify_init) \
	N(263, fanotify_mark) N(264, name_to_handle_at) N(265, open_by_handle_at) N(266, clock_adjtime) \
	N(267, syncfs) N(268, setns) N(269, sendmmsg) N(270, process_vm_readv) N(271, process_vm_writev) \
	N(272, kcmp) N(273, finit_module) N(274, sched_setattr) N(275, sched_getattr) N(276, renameat2) \
	N(277, seccomp) N(278, getrandom) N(279, memfd_create) N(280, bpf) N(281, execveat) \
	N(282, userfaultfd) N(283, membarrier) N(284, mlock2) N(285, copy_file_range) N(286, preadv2) \
	N(287, pwritev2) N(288, pkey_mprotect) N(289, pkey_alloc) N(290, pkey_free) N(291, statx) \
	N(292, io_pgetevents) N(293, rseq) N(294, kexec_file_load) N(424, pidfd_send_signal) \
	N(425, io_uring_setup) N(426, io_uring_enter) N(427, io_uring_register) N(428, open_tree) \
	N(429, move_mount) N(430, fsopen) N(431, fsconfig) N(432, fsmount) N(433, fspick) N(434, pidfd_open) \
	N(435, clone3) N(436, close_range) N(437, openat2) N(438, pidfd_getfd) N(439, faccessat2) \
	N(440, process_madvise) N(441, epoll_pwait2) N(442, mount_setattr) N(443, quotactl_fd) \
	N(444, landlock_create_ruleset) N(445, landlock_add_rule) N(446, landlock_restrict_self) \
	N(447, memfd_secret) N(448, process_mrelease) N(449, futex_waitv) N(450, set_mempolicy_home_node) \
	N(451, cachestat) N(452, fchmodat2) N(453, map_shadow_stack) N(454, futex_wake) N(455, futex_wait) \
	N(456, futex_requeue) N(457, statmount) N(458, listmount) N(459, lsm_get_self_attr) \
	N(460, lsm_set_self_attr) N(461, lsm_list_modules) N(462, mseal) N(463, setxattrat) \
	N(464, getxattrat) N(465, listxattrat) N(466, removexattrat) N(467, open_tree_attr) \
	N(468, file_getattr) N(469, file_setattr) N(470, listns) N(471, rseq_slice_yield) N(472, fchroot)

/* Calls of x86-64 that arm64 lacks. */
#define SYSCALL_MISSING_ARM64(N) \
	N(-1, open) N(-1, stat) N(-1, lstat) N(-1, poll) N(-1, access) N(-1, pipe) N(-1, select) N(-1, dup2) \
	N(-1, pause) N(-1, alarm) N(-1, fork) N(-1, vfork) N(-1, getdents) N(-1, rename) N(-1, mkdir) \
	N(-1, rmdir) N(-1, creat) N(-1, link) N(-1, unlink) N(-1, symlink) N(-1, readlink) N(-1, chmod) \
	N(-1, chown) N(-1, lchown) N(-1, getpgrp) N(-1, utime) N(-1, mknod) N(-1, uselib) N(-1, ustat) \
	N(-1, sysfs) N(-1, modify_ldt) N(-1, _sysctl) N(-1, arch_prctl) N(-1, iopl) N(-1, ioperm) \
	N(-1, create_module) N(-1, get_kernel_syms) N(-1, query_module) N(-1, getpmsg) N(-1, putpmsg) \
	N(-1, afs_syscall) N(-1, tuxcall) N(-1, security) N(-1, time) N(-1, set_thread_area) \
	N(-1, get_thread_area) N(-1, epoll_create) N(-1, epoll_ctl_old) N(-1, epoll_wait_old) \
	N(-1, epoll_wait) N(-1, utimes) N(-1, vserver) N(-1, inotify_init) N(-1, futimesat) N(-1, signalfd) \
	N(-1, eventfd) N(-1, uretprobe)

/* Calls of other machines that i386 lacks, at least as calls of their own. */
#define SYSCALL_MISSING_32(N) \
	N(-1, accept) N(-1, arm_fadvise64_64) N(-1, arm_sync_file_range) N(-1, kexec_file_load) \
	N(-1, pciconfig_iobase) N(-1, pciconfig_read) N(-1, pciconfig_write) N(-1, recv) \
	N(-1, semop) N(-1, semtimedop) N(-1, send)

/* 32-bit programs on arm64. */
#define SYSCALL_NUMBERS_ARM32(N) \
	N(0, restart_syscall) N(1, exit) N(2, fork) N(3, read) N(4, write) N(5, open) N(6, close) N(8, creat) \
	N(9, link) N(10, unlink) N(11, execve) N(12, chdir) N(14, mknod) N(15, chmod) N(16, lchown) \
	N(19, lseek) N(20, getpid) N(21, mount) N(23, setuid) N(24, getuid) N(26, ptrace) N(29, pause) \
	N(33, access) N(34, nice) N(36, sync) N(37, kill) N(38, rename) N(39, mkdir) N(40, rmdir) N(41, dup) \
	N(42, pipe) N(43, times) N(45, brk) N(46, setgid) N(47, getgid) N(49, geteuid) N(50, getegid) \
	N(51, acct) N(52, umount2) N(54, ioctl) N(55, fcntl) N(57, setpgid) N(60, umask) N(61, chroot) \
	N(62, ustat) N(63, dup2) N(64, getppid) N(65, getpgrp) N(66, setsid) N(67, sigaction) N(70, setreuid) \
	N(71, setregid) N(72, sigsuspend) N(73, sigpending) N(74, sethostname) N(75, setrlimit) \
	N(77, getrusage) N(78, gettimeofday) N(79, settimeofday) N(80, getgroups) N(81, setgroups) \
	N(83, symlink) N(85, readlink) N(86, uselib) N(87, swapon) N(88, reboot) N(91, munmap) \
	N(92, truncate) N(93, ftruncate) N(94, fchmod) N(95, fchown) N(96, getpriority) N(97, setpriority) \
	N(99, statfs) N(100, fstatfs) N(103, syslog) N(104, setitimer) N(105, getitimer) N(106, stat) \
	N(107, lstat) N(108, fstat) N(111, vhangup) N(114, wait4) N(115, swapoff) N(116, sysinfo) \
	N(118, fsync) N(119, sigreturn) N(120, clone) N(121, setdomainname) N(122, uname) N(124, adjtimex) \
	N(125, mprotect) N(126, sigprocmask) N(128, init_module) N(129, delete_module) N(131, quotactl) \
	N(132, getpgid) N(133, fchdir) N(134, bdflush) N(135, sysfs) N(136, personality) N(138, setfsuid) \
	N(139, setfsgid) N(140, _llseek) N(141, getdents) N(142, _newselect) N(143, flock) N(144, msync) \
	N(145, readv) N(146, writev) N(147, getsid) N(148, fdatasync) N(149, _sysctl) N(150, mlock) \
	N(151, munlock) N(152, mlockall) N(153, munlockall) N(154, sched_setparam) N(155, sched_getparam) \
	N(156, sched_setscheduler) N(157, sched_getscheduler) N(158, sched_yield) \
	N(159, sched_get_priority_max) N(160, sched_get_priority_min) N(161, sched_rr_get_interval) \
	N(162, nanosleep) N(163, mremap) N(164, setresuid) N(165, getresuid) N(168, poll) N(169, nfsservctl) \
	N(170, setresgid) N(171, getresgid) N(172, prctl) N(173, rt_sigreturn) N(174, rt_sigaction) \
	N(175, rt_sigprocmask) N(176, rt_sigpending) N(177, rt_sigtimedwait) N(178, rt_sigqueueinfo) \
	N(179, rt_sigsuspend) N(180, pread64) N(181, pwrite64) N(182, chown) N(183, getcwd) N(184, capget) \
	N(185, capset) N(186, sigaltstack) N(187, sendfile) N(190, vfork) N(191, ugetrlimit) N(192, mmap2) \
	N(193, truncate64) N(194, ftruncate64) N(195, stat64) N(196, lstat64) N(197, fstat64) \
	N(198, lchown32) N(199, getuid32) N(200, getgid32) N(201, geteuid32) N(202, getegid32) \
	N(203, setreuid32) N(204, setregid32) N(205, getgroups32) N(206, setgroups32) N(207, fchown32) \
	N(208, setresuid32) N(209, getresuid32) N(210, setresgid32) N(211, getresgid32) N(212, chown32) \
	N(213, setuid32) N(214, setgid32) N(215, setfsuid32) N(216, setfsgid32) N(217, getdents64) \
	N(218, pivot_root) N(219, mincore) N(220, madvise) N(221, fcntl64) N(224, gettid) N(225, readahead) \
	N(226, setxattr) N(227, lsetxattr) N(228, fsetxattr) N(229, getxattr) N(230, lgetxattr) \
	N(231, fgetxattr) N(232, listxattr) N(233, llistxattr) N(234, flistxattr) N(235, removexattr) \
	N(236, lremovexattr) N(237, fremovexattr) N(238, tkill) N(239, sendfile64) N(240, futex) \
	N(241, sched_setaffinity) N(242, sched_getaffinity) N(243, io_setup) N(244, io_destroy) \
	N(245, io_getevents) N(246, io_submit) N(247, io_cancel) N(248, exit_group) N(249, lookup_dcookie) \
	N(250, epoll_create) N(251, epoll_ctl) N(252, epoll_wait) N(253, remap_file_pages) \
	N(256, set_tid_address) N(257, timer_create) N(258, timer_settime) N(259, timer_gettime) \
	N(260, timer_getoverrun) N(261, timer_delete) N(262, clock_settime) N(263, clock_gettime) \
	N(264, clock_getres) N(265, clock_nanosleep) N(266, statfs64) N(267, fstatfs64) N(268, tgkill) \
	N(269, utimes) N(270, arm_fadvise64_64) N(271, pciconfig_iobase) N(272, pciconfig_read) \
	N(273, pciconfig_write) N(274, mq_open) N(275, mq_unlink) N(276, mq_timedsend) \
	N(277, mq_timedreceive) N(278, mq_notify) N(279, mq_getsetattr) N(280, waitid) N(281, socket) \
	N(282, bind) N(283, connect) N(284, listen) N(285, accept) N(286, getsockname) N(287, getpeername) \
	N(288, socketpair) N(289, send) N(290, sendto) N(291, recv) N(292, recvfrom) N(293, shutdown) \
	N(294, setsockopt) N(295, getsockopt) N(296, sendmsg) N(297, recvmsg) N(298, semop) N(299, semget) \
	N(300, semctl) N(301, msgsnd) N(302, msgrcv) N(303, msgget) N(304, msgctl) N(305, shmat) \
	N(306, shmdt) N(307, shmget) N(308, shmctl) N(309, add_key) N(310, request_key) N(311, keyctl) \
	N(312, semtimedop) N(313, vserver) N(314, ioprio_set) N(315, ioprio_get) N(316, inotify_init) \
	N(317, inotify_add_watch) N(318, inotify_rm_watch) N(319, mbind) N(320, get_mempolicy) \
	N(321, set_mempolicy) N(322, openat) N(323, mkdirat) N(324, mknodat) N(325, fchownat) \
	N(326, futimesat) N(327, fstatat64) N(328, unlinkat) N(329, renameat) N(330, linkat) \
	N(331, symlinkat) N(332, readlinkat) N(333, fchmodat) N(334, faccessat) N(335, pselect6) \
	N(336, ppoll) N(337, unshare) N(338, set_robust_list) N(339, get_robust_list) N(340, splice) \
	N(341, arm_sync_file_range) N(342, tee) N(343, vmsplice) N(344, move_pages) N(345, getcpu) \
	N(346, epoll_pwait) N(347, kexec_load) N(348, utimensat) N(349, signalfd) N(350, timerfd_create) \
	N(351, eventfd) N(352, fallocate) N(353, timerfd_settime) N(354, timerfd_gettime) N(355, signalfd4) \
	N(356, eventfd2) N(357, epoll_create1) N(358, dup3) N(359, pipe2) N(360, inotify_init1) \
	N(361, preadv) N(362, pwritev) N(363, rt_tgsigqueueinfo) N(364, perf_event_open) N(365, recvmmsg) \
	N(366, accept4) N(367, fanotify_init) N(368, fanotify_mark) N(369, prlimit64) \
	N(370, name_to_handle_at) N(371, open_by_handle_at) N(372, clock_adjtime) N(373, syncfs) \
	N(374, sendmmsg) N(375, setns) N(376, process_vm_readv) N(377, process_vm_writev) N(378, kcmp) \
	N(379, finit_module) N(380, sched_setattr) N(381, sched_getattr) N(382, renameat2) N(383, seccomp) \
	N(384, getrandom) N(385, memfd_create) N(386, bpf) N(387, execveat) N(388, userfaultfd) \
	N(389, membarrier) N(390, mlock2) N(391, copy_file_range) N(392, preadv2) N(393, pwritev2) \
	N(394, pkey_mprotect) N(395, pkey_alloc) N(396, pkey_free) N(397, statx) N(398, rseq) \
	N(399, io_pgetevents) N(400, migrate_pages) N(401, kexec_file_load) N(403, clock_gettime64) \
	N(404, clock_settime64) N(405, clock_adjtime64) N(406, clock_getres_time64) \
	N(407, clock_nanosleep_time64) N(408, timer_gettime64) N(409, timer_settime64) \
	N(410, timerfd_gettime64) N(411, timerfd_settime64) N(412, utimensat_time64) N(413, pselect6_time64) \
	N(414, ppoll_time64) N(416, io_pgetevents_time64) N(417, recvmmsg_time64) N(418, mq_timedsend_time64) \
	N(419, mq_timedreceive_time64) N(420, semtimedop_time64) N(421, rt_sigtimedwait_time64) \
	N(422, futex_time64) N(423, sched_rr_get_interval_time64) N(424, pidfd_send_signal) \
	N(425, io_uring_setup) N(426, io_uring_enter) N(427, io_uring_register) N(428, open_tree) \
	N(429, move_mount) N(430, fsopen) N(431, fsconfig) N(432, fsmount) N(433, fspick) N(434, pidfd_open) \
	N(435, clone3) N(436, close_range) N(437, openat2) N(438, pidfd_getfd) N(439, faccessat2) \
	N(440, process_madvise) N(441, epoll_pwait2) N(442, mount_setattr) N(443, quotactl_fd) \
	N(444, landlock_create_ruleset) N(445, landlock_add_rule) N(446, landlock_restrict_self) \
	N(448, process_mrelease) N(449, futex_waitv) N(450, set_mempolicy_home_node) N(451, cachestat) \
	N(452, fchmodat2) N(453, map_shadow_stack) N(454, futex_wake) N(455, futex_wait) \
	N(456, futex_requeue) N(457, statmount) N(458, listmount) N(459, lsm_get_self_attr) \
	N(460, lsm_set_self_attr) N(461, lsm_list_modules) N(462, mseal) N(463, setxattrat) \
	N(464, getxattrat) N(465, listxattrat) N(466, removexattrat) N(467, open_tree_attr) \
	N(468, file_getattr) N(469, file_setattr) N(470, listns) N(471, rseq_slice_yield) N(472, fchroot)

/* Calls of i386 that 32-bit programs on arm64 lack. */
#define SYSCALL_MISSING_ARM32(N) \
	N(-1, waitpid) N(-1, time) N(-1, break) N(-1, oldstat) N(-1, umount) N(-1, stime) N(-1, alarm) \
	N(-1, oldfstat) N(-1, utime) N(-1, stty) N(-1, gtty) N(-1, ftime) N(-1, prof) N(-1, signal) \
	N(-1, lock) N(-1, mpx) N(-1, ulimit) N(-1, oldolduname) N(-1, sgetmask) N(-1, ssetmask) \
	N(-1, getrlimit) N(-1, select) N(-1, oldlstat) N(-1, readdir) N(-1, mmap) N(-1, profil) N(-1, ioperm) \
	N(-1, socketcall) N(-1, olduname) N(-1, iopl) N(-1, idle) N(-1, vm86old) N(-1, ipc) N(-1, modify_ldt) \
	N(-1, create_module) N(-1, get_kernel_syms) N(-1, afs_syscall) N(-1, vm86) N(-1, query_module) \
	N(-1, getpmsg) N(-1, putpmsg) N(-1, set_thread_area) N(-1, get_thread_area) N(-1, fadvise64) \
	N(-1, fadvise64_64) N(-1, sync_file_range) N(-1, arch_prctl) N(-1, memfd_secret)

/* F(name, function): calls of 64-bit programs that the kernel's function of another name implements. */
#define SYSCALL_FUNCTION_NAMES(F) \
	F(fstat, newfstat) F(lstat, newlstat) F(sendfile, sendfile64) F(stat, newstat) F(umount2, umount) \
	F(uname, newuname)
/* clang-format on */

/* The lists of the kernel that this is compiled for. */
#if defined(__KERNEL__) && defined(__aarch64__)
#define SYSCALL_NUMBERS_OWN_64 SYSCALL_NUMBERS_ARM64
#define SYSCALL_NUMBERS_OWN_32 SYSCALL_NUMBERS_ARM32
#define SYSCALL_NUMBERS_FOREIGN_64 SYSCALL_MISSING_ARM64
#define SYSCALL_NUMBERS_FOREIGN_32 SYSCALL_MISSING_ARM32
enum { SYSCALL_64_uprobe = -1 };
#else
#define SYSCALL_NUMBERS_OWN_64 SYSCALL_NUMBERS_64
#define SYSCALL_NUMBERS_OWN_32 SYSCALL_NUMBERS_32
#define SYSCALL_NUMBERS_FOREIGN_64(N)
#define SYSCALL_NUMBERS_FOREIGN_32 SYSCALL_MISSING_32
/* Used by the kernel's uprobe trampoline. */
enum { SYSCALL_64_uprobe = 336 };
#endif

/* SYSCALL_64_read etc.; -1 for calls that only another machine has. "none" is for rows without a number in a table. */
#define SYSCALL_64_NUMBER(number, name) SYSCALL_64_##name = number,
#define SYSCALL_32_NUMBER(number, name) SYSCALL_32_##name = number,
#define SYSCALL_64_NO_NUMBER(number, name) SYSCALL_64_##name = -1,
#define SYSCALL_32_NO_NUMBER(number, name) SYSCALL_32_##name = -1,
enum {
	SYSCALL_64_none = -1,
	SYSCALL_NUMBERS_OWN_64(SYSCALL_64_NUMBER) SYSCALL_NUMBERS_FOREIGN_64(SYSCALL_64_NO_NUMBER)
};
enum {
	SYSCALL_32_none = -1,
	SYSCALL_NUMBERS_OWN_32(SYSCALL_32_NUMBER) SYSCALL_NUMBERS_FOREIGN_32(SYSCALL_32_NO_NUMBER)
};
/* For the translator, which knows all machines. */
#define SYSCALL_ARM64_NUMBER(number, name) SYSCALL_ARM64_##name = number,
enum {
	SYSCALL_ARM64_none = -1,
	SYSCALL_NUMBERS_ARM64(SYSCALL_ARM64_NUMBER) SYSCALL_MISSING_ARM64(SYSCALL_ARM64_NUMBER)
};
#define SYSCALL_ARM32_NUMBER(number, name) SYSCALL_ARM32_##name = number,
enum {
	SYSCALL_ARM32_none = -1,
	SYSCALL_NUMBERS_ARM32(SYSCALL_ARM32_NUMBER) SYSCALL_MISSING_ARM32(SYSCALL_ARM32_NUMBER)
};
#undef SYSCALL_ARM64_NUMBER
#undef SYSCALL_ARM32_NUMBER
#undef SYSCALL_64_NUMBER
#undef SYSCALL_32_NUMBER
#undef SYSCALL_64_NO_NUMBER
#undef SYSCALL_32_NO_NUMBER

/* The size of tables by number, above all existing numbers. */
enum { SYSCALL_NUMBER_LIMIT = 512 };

/** Return whether a number is used only by the kernel's uprobe trampolines, not by the program. */
static inline _Bool syscall_is_trampoline(_Bool is_32_bit, long number)
{
	return !is_32_bit && (number == SYSCALL_64_uretprobe || number == SYSCALL_64_uprobe);
}

#endif
