/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of the table of system calls. syscall_table.h explains them. Included several times. */
/* clang-format off */

/* ---- files by name ----------------------------------------------------------------------------------------------- */

CALL(open, A_STRING(filename), A_FLAGS_INT(open, flags), A_CREATE_MODE(mode))
CALL(openat, A_DIRFD(dfd), A_STRING(filename), A_FLAGS_INT(open, flags), A_CREATE_MODE(mode))
CALL(openat2, A_DIRFD(dfd), A_STRING(filename), A_STRUCT(open_how, how_uaddr, how_str), A_ULONG(size))
CALL(creat, A_STRING(pathname), A_MODE(mode))
CALL(access, A_STRING(pathname), A_FLAGS(access, mode))
CALL(faccessat, A_DIRFD(dirfd), A_STRING(pathname), A_FLAGS(access, mode))
CALL(faccessat2, A_DIRFD(dirfd), A_STRING(pathname), A_FLAGS(access, mode), A_FLAGS(at_access, flags))
CALL(chmod, A_STRING(path), A_MODE(mode))
CALL(fchmod, A_INT(fildes), A_MODE(mode))
CALL(fchmodat, A_DIRFD(dirfd), A_STRING(pathname), A_MODE(mode))
CALL(fchmodat2, A_DIRFD(dirfd), A_STRING(pathname), A_MODE(mode), A_FLAGS(at, flags))
CALL_AS(chown, chown, chown32, A_STRING(path), A_INT(owner), A_INT(group))
CALL_AS(lchown, lchown, lchown32, A_STRING(path), A_INT(owner), A_INT(group))
CALL_AS(fchown, fchown, fchown32, A_INT(fd), A_INT(owner), A_INT(group))
CALL(fchownat, A_DIRFD(dirfd), A_STRING(pathname), A_INT(owner), A_INT(group), A_FLAGS_INT(at, flags))
CALL_AS(stat, stat, stat64, A_STRING_U(filename), A_ADDRESS(buf_uaddr))
CALL_32(stat, stat, A_STRING_U(filename), A_ADDRESS(buf_uaddr))
CALL_32(stat, oldstat, A_STRING_U(filename), A_ADDRESS(buf_uaddr))
CALL_AS(lstat, lstat, lstat64, A_STRING(path), A_ADDRESS(buf_uaddr))
CALL_32(lstat, lstat, A_STRING(path), A_ADDRESS(buf_uaddr))
CALL_32(lstat, oldlstat, A_STRING(path), A_ADDRESS(buf_uaddr))
CALL_AS(fstat, fstat, fstat64, A_INT(filedes), A_ADDRESS(buf_uaddr))
CALL_32(fstat, fstat, A_INT(filedes), A_ADDRESS(buf_uaddr))
CALL_32(fstat, oldfstat, A_INT(filedes), A_ADDRESS(buf_uaddr))
CALL_AS(fstatat, newfstatat, fstatat64, A_DIRFD(dirfd), A_STRING(path), A_ADDRESS(buf_uaddr), A_FLAGS(at, flags))
CALL(statx, A_DIRFD(dfd), A_STRING_U(filename), A_FLAGS(at, flags), A_VALUE_LONG(statx, mask), A_ADDRESS(buf_uaddr))
CALL(statfs, A_STRING(path), A_ADDRESS(buf_uaddr))
CALL_32(statfs64, statfs64, A_STRING(path), A_ULONG(sz), A_ADDRESS(buf_uaddr))
CALL(fstatfs, A_INT(fd), A_ADDRESS(buf_uaddr))
CALL_32(fstatfs64, fstatfs64, A_INT(fd), A_ULONG(sz), A_ADDRESS(buf_uaddr))
CALL(ustat, A_UINT(dev), A_ADDRESS(ubuf_uaddr))
CALL(link, A_STRING(oldpath), A_STRING(newpath))
CALL(linkat, A_DIRFD(olddirfd), A_STRING(oldpath), A_DIRFD(newdirfd), A_STRING(newpath), A_FLAGS_INT(at, flags))
CALL(symlink, A_STRING(oldpath), A_STRING(newpath))
CALL(symlinkat, A_STRING_S(oldname), A_DIRFD(newdfd), A_STRING_S(newname))
CALL(readlink, A_STRING(path), A_ADDRESS(buf_uaddr), A_INT(bufsiz))
CALL(readlinkat, A_DIRFD(dfd), A_STRING(path), A_ADDRESS(buf_uaddr), A_INT(bufsiz))
CALL(unlink, A_STRING_U(pathname))
CALL(unlinkat, A_DIRFD(dfd), A_STRING_S(pathname), A_FLAGS(at, flag))
CALL(rename, A_STRING(oldpath), A_STRING(newpath))
CALL(renameat, A_DIRFD(olddfd), A_STRING_S(oldname), A_DIRFD(newdfd), A_STRING_S(newname))
CALL(renameat2, A_DIRFD(olddfd), A_STRING_S(oldname), A_DIRFD(newdfd), A_STRING_S(newname), A_FLAGS(rename, flags))
CALL(utime, A_STRING_U(filename), A_OTHER_ONLY(UTIMBUF, buf_uaddr), A_PART(FIRST_LONG, 1, actime),
	A_PART(SECOND_LONG, 1, modtime))
CALL(utimes, A_STRING_U(filename), A_STRUCT(timevals, tvp_uaddr, tvp_uaddr_str))
CALL(utimensat, A_DIRFD(dfd), A_STRING_U(filename), A_OTHER(TIMES, tsp_uaddr, tsp_str), A_FLAGS_INT(at, flags))
CALL_32(utimensat, utimensat_time64, A_DIRFD(dfd), A_STRING_U(filename),
	ITEM(SYSCALL_TIMES, 1, "tsp_uaddr", "tsp_str", NULL), A_FLAGS_INT(at, flags))
CALL(futimesat, A_DIRFD(dirfd), A_STRING_U(filename), A_STRUCT(timevals, tvp_uaddr, tvp_str))
CALL(mknod, A_STRING(pathname), A_OTHER(NODE_MODE, mode, mode_str), A_UINT(dev))
CALL(mknodat, A_DIRFD(dirfd), A_STRING(pathname), A_OTHER(NODE_MODE, mode, mode_str), A_UINT(dev))
CALL(mkdir, A_STRING_U(pathname), A_MODE(mode))
CALL(mkdirat, A_DIRFD(dirfd), A_STRING(pathname), A_MODE(mode))
CALL(rmdir, A_STRING(pathname))
CALL(chdir, A_STRING(path))
CALL(fchdir, A_INT(fd))
CALL(chroot, A_STRING(path))
CALL(fchroot, A_INT(fd), A_HEX(flags))
CALL(getcwd, A_ADDRESS(buf_uaddr), A_INT(size))
ROW(umask, umask, umask, umask, OCTAL, A_MODE(mask))
CALL(truncate, A_STRING_U(path), A_LONG(length))
CALL_32(truncate, truncate64, A_STRING_U(path), A_PAIR(length))
CALL(ftruncate, A_INT(fd), A_LONG(length))
CALL_32(ftruncate, ftruncate64, A_INT(fd), A_PAIR(length))
CALL(name_to_handle_at, A_DIRFD(dfd), A_STRING(pathname), A_ADDRESS(handle_uaddr), A_ADDRESS(mnt_id_uaddr),
	A_FLAGS_INT(at, flags))
CALL(open_by_handle_at, A_DIRFD(mount_dfd), A_ADDRESS(handle_uaddr), A_FLAGS_INT(open, flags))
CALL(pivot_root, A_STRING_T(new_root), A_STRING_T(old_root))
CALL(acct, A_STRING(filename))
CALL(swapon, A_STRING_U(path), A_OTHER(SWAP_FLAGS, swapflags, swapflags_str))
CALL(swapoff, A_STRING_U(path))
CALL(uselib, A_STRING_U(library))
CALL(getdents, A_INT(fd), A_ADDRESS(dirp_uaddr), A_UINT(count))
ROW(getdents, getdents, getdents64, getdents64, LONG, A_INT(fd), A_ADDRESS(dirp_uaddr), A_UINT(count))
CALL_32(readdir, readdir, A_INT(fd), A_ADDRESS(dirent), A_UINT(count))
CALL(file_getattr, A_DIRFD(dfd), A_STRING_S(filename), A_ADDRESS(ufattr), A_ULONG(usize), A_FLAGS_ONLY(at, at_flags))
CALL(file_setattr, A_DIRFD(dfd), A_STRING_S(filename), A_ADDRESS(ufattr), A_ULONG(usize), A_FLAGS_ONLY(at, at_flags))

/* ---- extended attributes ----------------------------------------------------------------------------------------- */

CALL(setxattr, A_STRING_U(path), A_STRING_US(name), ITEM(SYSCALL_BYTES, 3, "value_uaddr", "value_str", NULL),
	A_ULONG(size), A_FLAGS(xattr, flags))
CALL(lsetxattr, A_STRING_U(path), A_STRING_US(name), ITEM(SYSCALL_BYTES, 3, "value_uaddr", "value_str", NULL),
	A_ULONG(size), A_FLAGS(xattr, flags))
CALL(fsetxattr, A_INT(filedes), A_STRING_US(name), ITEM(SYSCALL_BYTES, 3, "value_uaddr", "value_str", NULL),
	A_ULONG(size), A_FLAGS(xattr, flags))
CALL(getxattr, A_STRING(path), A_STRING_T(name), A_ADDRESS(value_uaddr), A_ULONG(size))
CALL(lgetxattr, A_STRING(path), A_STRING_T(name), A_ADDRESS(value_uaddr), A_ULONG(size))
CALL(fgetxattr, A_INT(filedes), A_STRING_T(name), A_ADDRESS(value_uaddr), A_ULONG(size))
CALL(listxattr, A_STRING_U(path), A_ADDRESS(list_uaddr), A_ULONG(size))
CALL(llistxattr, A_STRING_U(path), A_ADDRESS(list_uaddr), A_ULONG(size))
CALL(flistxattr, A_INT(filedes), A_ADDRESS(list_uaddr), A_ULONG(size))
CALL(removexattr, A_STRING(path), A_STRING_T(name))
CALL(lremovexattr, A_STRING_U(path), A_STRING_US(name))
CALL(fremovexattr, A_INT(filedes), A_STRING_US(name))
CALL(setxattrat, A_DIRFD(dfd), A_STRING_U(path), A_FLAGS(at, at_flags), A_STRING_US(name),
	A_STRUCT(xattr_args, args_uaddr, args_str), A_ULONG(size))
CALL(getxattrat, A_DIRFD(dfd), A_STRING_U(path), A_FLAGS(at, at_flags), A_STRING_US(name),
	A_STRUCT(xattr_args, args_uaddr, args_str), A_ULONG(size))
CALL(listxattrat, A_DIRFD(dfd), A_STRING_U(path), A_FLAGS(at, at_flags), A_ADDRESS(list_uaddr), A_ULONG(size))
CALL(removexattrat, A_DIRFD(dfd), A_STRING_U(path), A_FLAGS(at, at_flags), A_STRING_US(name))

/* ---- open files -------------------------------------------------------------------------------------------------- */

CALL(close, A_INT(fd))
CALL(close_range, A_UINT(fd), A_UINT(max_fd), A_FLAGS(close_range, flags))
CALL(read, A_INT(fd), A_ADDRESS(buf_uaddr), A_ULONG(count))
CALL(write, A_INT(fd), A_DATA(2, buf_uaddr, buf_str), A_ULONG(count))
CALL(lseek, A_INT(fildes), A_LONG(offset), A_VALUE(seek, whence))
CALL_32(llseek, _llseek, A_INT(fd), A_HEX_LONG(offset_high), A_HEX_LONG(offset_low), A_ADDRESS(result_uaddr),
	A_VALUE(seek, whence))
CALL_AS(pread, pread64, none, A_INT(fd), A_ADDRESS(buf_uaddr), A_ULONG(count), A_LONG(offset))
CALL_32(pread, pread64, A_INT(fd), A_ADDRESS(buf_uaddr), A_ULONG(count), A_PAIR(offset))
CALL_AS(pwrite, pwrite64, none, A_INT(fd), A_DATA(2, buf_uaddr, buf_str), A_ULONG(count), A_LONG(offset))
CALL_32(pwrite, pwrite64, A_INT(fd), A_DATA(2, buf_uaddr, buf_str), A_ULONG(count), A_PAIR(offset))
CALL(readv, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count))
CALL(writev, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count))
CALL_64(preadv, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_HEX_LONG(offset))
CALL_32(preadv, preadv, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_PAIR_UNSIGNED(offset))
CALL_64(pwritev, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_HEX_LONG(offset))
CALL_32(pwritev, pwritev, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_PAIR_UNSIGNED(offset))
CALL_64(preadv2, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_HEX_LONG(offset), A_SKIP, A_FLAGS(rwf, flags))
CALL_32(preadv2, preadv2, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_PAIR_UNSIGNED(offset),
	A_FLAGS(rwf, flags))
CALL_64(pwritev2, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_HEX_LONG(offset), A_SKIP, A_FLAGS(rwf, flags))
CALL_32(pwritev2, pwritev2, A_INT(fd), A_ADDRESS(vector_uaddr), A_INT(count), A_PAIR_UNSIGNED(offset),
	A_FLAGS(rwf, flags))
CALL(dup, A_INT(oldfd))
CALL(dup2, A_INT(oldfd), A_INT(newfd), A_NOTHING(flags))
CALL(dup3, A_INT(oldfd), A_INT(newfd), A_FLAGS(open_flags, flags))
CALL(fsync, A_INT(fd))
CALL(fdatasync, A_INT(fd))
CALL(syncfs, A_INT(fd))
ROW(sync, sync, sync, sync, LONG)
CALL_64(sync_file_range, A_INT(fd), A_LONG(offset), A_LONG(nbytes), A_FLAGS(sync_file_range, flags))
CALL_32(sync_file_range, sync_file_range, A_INT(fd), A_PAIR(offset), A_PAIR(nbytes), A_FLAGS(sync_file_range, flags))
CALL_32(sync_file_range, arm_sync_file_range, A_INT(fd), A_FLAGS(sync_file_range, flags), A_PAIR(offset),
	A_PAIR(nbytes))
CALL_64(fallocate, A_INT(fd), A_FLAGS(fallocate, mode), A_HEX_LONG(offset), A_ULONG(len))
CALL_32(fallocate, fallocate, A_INT(fd), A_FLAGS(fallocate, mode), A_PAIR_UNSIGNED(offset), A_PAIR_UNSIGNED(len))
CALL_64(fadvise64, A_INT(fd), A_LONG(offset), A_LONG(len), A_VALUE(fadvise, advice))
CALL_32(fadvise64, fadvise64, A_INT(fd), A_PAIR(offset), A_LONG(len), A_VALUE(fadvise, advice))
CALL_32(fadvise64, arm_fadvise64_64, A_INT(fd), A_VALUE(fadvise, advice), A_PAIR(offset), A_PAIR(len))
CALL_32(fadvise64_64, fadvise64_64, A_INT(fd), A_PAIR(offset), A_PAIR(len), A_VALUE(fadvise, advice))
CALL_64(readahead, A_INT(fd), A_LONG(offset), A_ULONG(count))
CALL_32(readahead, readahead, A_INT(fd), A_PAIR(offset), A_ULONG(count))
CALL(flock, A_INT(fd), A_FLAGS_ONLY(flock, operation))
CALL(fcntl, A_INT(fd), A_OTHER(FCNTL, cmd, cmd_str), A_UNSHOWN(arg))
CALL_32(fcntl, fcntl64, A_INT(fd), A_OTHER(FCNTL, cmd, cmd_str), A_UNSHOWN(arg))
CALL(ioctl, A_INT(fd), A_INT(request), A_ADDRESS(argp))
CALL(copy_file_range, A_INT(fd_in), A_ADDRESS(off_in), A_INT(fd_out), A_ADDRESS(off_out), A_ULONG(len), A_HEX(flags))
CALL(sendfile, A_INT(out_fd), A_INT(in_fd), A_ADDRESS(offset_uaddr), A_ULONG(count))
CALL_32(sendfile, sendfile64, A_INT(out_fd), A_INT(in_fd), A_ADDRESS(offset_uaddr), A_ULONG(count))
CALL(splice, A_INT(fd_in), A_ADDRESS(off_in), A_INT(fd_out), A_ADDRESS(off_out), A_ULONG(len), A_FLAGS(splice, flags))
CALL(tee, A_INT(fdin), A_INT(fdout), A_ULONG(len), A_HEX(flags))
CALL(vmsplice, A_INT(fd), A_ADDRESS(iov), A_ULONG(nr_segs), A_FLAGS(splice, flags))
ROW(pipe, pipe, pipe, pipe, LONG, ITEM(SYSCALL_PIPE, 0, "fildes_uaddr", NULL, NULL), A_PIPE_PARTS(0))
ROW(pipe, pipe2, pipe2, pipe2, LONG, ITEM(SYSCALL_PIPE, 0, "fildes_uaddr", NULL, NULL),
	A_FLAGS_AS(pipe, flags, flag_str), A_PIPE_PARTS(0))
CALL(cachestat, A_INT(fd), A_STRUCT(cachestat_range, range_uaddr, range_str), A_ADDRESS(stat_uaddr), A_HEX(flags))

/* ---- waiting for files ------------------------------------------------------------------------------------------- */

CALL(poll, A_ADDRESS(ufds_uaddr), A_UINT(nfds), A_INT(timeout))
CALL(ppoll, A_ADDRESS(fds_uaddr), A_UINT(nfds), A_STRUCT(timespec, tsp, tsp_str), A_ADDRESS(sigmask),
	A_LONG(sigsetsize))
CALL_32(ppoll, ppoll_time64, A_ADDRESS(fds_uaddr), A_UINT(nfds), A_STRUCT(timespec64, tsp, tsp_str), A_ADDRESS(sigmask),
	A_LONG(sigsetsize))
CALL_AS(select, select, _newselect, A_INT(n), A_ADDRESS(readfds_uaddr), A_ADDRESS(writefds_uaddr),
	A_ADDRESS(exceptfds_uaddr), A_STRUCT(timeval, timeout_uaddr, timeout_str))
CALL_32(select, select, A_ADDRESS(args_uaddr))
CALL(pselect6, A_INT(nfds), A_ADDRESS(readfds), A_ADDRESS(writefds), A_ADDRESS(exceptfds),
	A_STRUCT(timespec, timeout, timeout_str), A_ADDRESS(sigmask))
CALL_32(pselect6, pselect6_time64, A_INT(nfds), A_ADDRESS(readfds), A_ADDRESS(writefds), A_ADDRESS(exceptfds),
	A_STRUCT(timespec64, timeout, timeout_str), A_ADDRESS(sigmask))
ROW(epoll_create, epoll_create, epoll_create, epoll_create, LONG, A_INT(size))
ROW(epoll_create, epoll_create1, epoll_create1, epoll_create1, LONG, A_FLAGS_ONLY(epoll, flags))
CALL(epoll_ctl, A_INT(epfd), A_VALUE(epoll_ctl, op), A_INT(fd), A_ADDRESS(event_uaddr))
CALL_64(epoll_ctl_old, A_INT(epfd), A_VALUE(epoll_ctl, op), A_INT(fd), A_ADDRESS(event_uaddr))
CALL(epoll_wait, A_INT(epfd), A_ADDRESS(events_uaddr), A_INT(maxevents), A_INT(timeout))
CALL_64(epoll_wait_old, A_INT(epfd), A_ADDRESS(events_uaddr), A_INT(maxevents), A_INT(timeout))
CALL(epoll_pwait, A_INT(epfd), A_ADDRESS(events_uaddr), A_INT(maxevents), A_INT(timeout), A_ADDRESS(sigmask_uaddr),
	A_LONG(sigsetsize))
CALL(epoll_pwait2, A_INT(epfd), A_ADDRESS(events_uaddr), A_INT(maxevents),
	A_STRUCT(timespec64, timeout_uaddr, timeout_str), A_ADDRESS(sigmask_uaddr), A_LONG(sigsetsize))
ROW(eventfd, eventfd, eventfd, eventfd, LONG, A_UINT(count))
ROW(eventfd, eventfd2, eventfd2, eventfd2, LONG, A_UINT(count), A_FLAGS(eventfd, flags))
ROW(signalfd, signalfd, signalfd, signalfd, LONG, A_INT(ufd), A_ADDRESS(user_mask_uaddr), A_ULONG(sizemask))
ROW(signalfd, signalfd4, signalfd4, signalfd4, LONG, A_INT(ufd), A_ADDRESS(user_mask_uaddr), A_ULONG(sizemask),
	A_FLAGS_ONLY(signalfd, flags))
ROW(inotify_init, inotify_init, inotify_init, inotify_init, LONG)
ROW(inotify_init, inotify_init1, inotify_init1, inotify_init1, LONG, A_FLAGS_ONLY(inotify_init, flags))
CALL(inotify_add_watch, A_INT(fd), A_STRING_U(path), A_FLAGS(inotify, mask))
CALL(inotify_rm_watch, A_INT(fd), A_INT(wd))
CALL(fanotify_init, A_FLAGS(fanotify_init, flags), A_FLAGS_INT(open, event_f_flags))
CALL_64(fanotify_mark, A_INT(fanotify_fd), A_FLAGS(fanotify_mark, flags), A_FLAGS_LONG(fanotify, mask), A_DIRFD(dirfd),
	A_STRING(pathname))
CALL_32(fanotify_mark, fanotify_mark, A_INT(fanotify_fd), A_FLAGS(fanotify_mark, flags),
	ITEM(SYSCALL_FLAGS_LONG, SYSCALL_SET_fanotify, "mask", "mask_str", NULL), A_SKIP, A_DIRFD(dirfd),
	A_STRING(pathname))
CALL(userfaultfd, A_FLAGS(userfaultfd, flags))

/* ---- sockets ----------------------------------------------------------------------------------------------------- */

CALL(socket, A_VALUE(family, family), A_OTHER(SOCKTYPE, type, type_str), A_OTHER(PROTOCOL, protocol, protocol_str))
CALL(socketpair, A_VALUE(family, family), A_OTHER(SOCKTYPE, type, type_str), A_OTHER(PROTOCOL, protocol, protocol_str),
	A_ADDRESS(sv_uaddr))
CALL(bind, A_INT(sockfd), A_SOCKADDR(2, my_addr_uaddr), A_INT(addrlen), A_SOCKADDR_PARTS(1))
CALL(connect, A_INT(sockfd), A_SOCKADDR(2, serv_addr_uaddr), A_UINT(addrlen), A_SOCKADDR_PARTS(1))
CALL(listen, A_INT(sockfd), A_INT(backlog))
CALL(accept, A_INT(sockfd), A_ADDRESS(addr_uaddr), A_ADDRESS(addrlen_uaddr))
CALL(accept4, A_INT(sockfd), A_ADDRESS(addr_uaddr), A_ADDRESS(addrlen_uaddr), A_FLAGS(sock_flags, flags))
CALL(getsockname, A_INT(s), A_ADDRESS(name_uaddr), A_ADDRESS(namelen_uaddr))
CALL(getpeername, A_INT(s), A_ADDRESS(name_uaddr), A_ADDRESS(namelen_uaddr))
CALL(sendto, A_INT(s), A_DATA(2, buf_uaddr, buf), A_ULONG(len), A_FLAGS(message, flags),
	ITEM(SYSCALL_SOCKADDR, 5, "to_uaddr", "to_str", NULL), A_UINT(tolen))
CALL(recvfrom, A_INT(s), A_ADDRESS(buf_uaddr), A_ULONG(len), A_FLAGS(message, flags), A_ADDRESS(addr_uaddr),
	A_ADDRESS(addrlen_uaddr))
CALL_ARM32(send, A_INT(s), A_DATA(2, buf_uaddr, buf), A_ULONG(len), A_FLAGS(message, flags))
CALL_ARM32(recv, A_INT(s), A_ADDRESS(buf_uaddr), A_ULONG(len), A_FLAGS(message, flags))
CALL(sendmsg, A_INT(s), A_ADDRESS(msg_uaddr), A_FLAGS(message, flags))
CALL(recvmsg, A_INT(s), A_ADDRESS(msg_uaddr), A_FLAGS(message, flags))
CALL(sendmmsg, A_INT(s), A_ADDRESS(mmsg_uaddr), A_UINT(vlen), A_FLAGS(message, flags))
CALL(recvmmsg, A_INT(s), A_ADDRESS(mmsg_uaddr), A_UINT(vlen), A_FLAGS(message, flags),
	A_STRUCT(timespec, timeout_uaddr, timeout_str))
CALL_32(recvmmsg, recvmmsg_time64, A_INT(s), A_ADDRESS(mmsg_uaddr), A_UINT(vlen), A_FLAGS(message, flags),
	A_STRUCT(timespec64, timeout_uaddr, timeout_str))
CALL(getsockopt, A_INT(fd), A_VALUE_LONG(socket_level, level), A_OTHER(OPTION, optname, optname_str),
	A_ADDRESS(optval_uaddr), A_ADDRESS(optlen_uaddr))
CALL(setsockopt, A_INT(fd), A_VALUE_LONG(socket_level, level), A_OTHER(OPTION, optname, optname_str),
	A_ADDRESS(optval_uaddr), A_INT(optlen))
CALL(shutdown, A_INT(s), A_VALUE(shutdown, how))
CALL_32(socketcall, socketcall, A_VALUE(socketcall, call), A_ADDRESS(args_uaddr))

/* ---- memory ------------------------------------------------------------------------------------------------------ */

ROW(mmap2, mmap2, mmap, mmap2, ADDRESS, A_ADDRESS(start), A_ULONG(length), A_FLAGS_LONG(protection, prot),
	A_FLAGS_LONG(mmap, flags), A_INT(fd), A_ULONG(pgoffset))
ROW(mmap2, mmap2, none, mmap, ADDRESS, A_ADDRESS(args_uaddr))
CALL(munmap, A_ADDRESS(start), A_ULONG(length))
CALL(mprotect, A_ADDRESS(addr), A_ULONG(len), A_FLAGS_LONG(protection, prot))
CALL(pkey_mprotect, A_ADDRESS(addr), A_ULONG(len), A_FLAGS_LONG(protection, prot), A_INT(pkey))
CALL(pkey_alloc, A_ULONG(flags), A_FLAGS(pkey, init_val))
CALL(pkey_free, A_INT(pkey))
ROW(mremap, mremap, mremap, mremap, ADDRESS, A_ADDRESS(old_address), A_LONG(old_size), A_LONG(new_size),
	A_FLAGS(mremap, flags), A_ADDRESS(new_address))
CALL(madvise, A_ADDRESS(start), A_ULONG(length), A_VALUE(madvise, advice))
CALL(process_madvise, A_INT(pidfd), A_ADDRESS(vec_uaddr), A_ULONG(vlen), A_VALUE(madvise, advice), A_HEX(flags))
CALL(mincore, A_ADDRESS(start), A_ULONG(length), A_ADDRESS(vec_uaddr))
CALL(msync, A_ADDRESS(start), A_ULONG(length), A_FLAGS(msync, flags))
CALL(mlock, A_ADDRESS(addr), A_ULONG(len))
CALL(mlock2, A_ADDRESS(addr), A_ULONG(len), A_FLAGS(mlock2, flags))
CALL(munlock, A_ADDRESS(addr), A_LONG(len))
CALL(mlockall, A_FLAGS(mlockall, flags))
ROW(munlockall, munlockall, munlockall, munlockall, LONG)
CALL(mseal, A_ADDRESS(start), A_ULONG(length), A_HEX_LONG(flags))
CALL(remap_file_pages, A_ADDRESS(start), A_HEX_LONG(size), A_FLAGS_LONG(protection, prot), A_HEX_LONG(pgoff),
	A_FLAGS_LONG(mmap, flags))
CALL(brk, A_ADDRESS(brk))
CALL(memfd_create, A_STRING(uname), A_FLAGS(memfd, flags))
CALL(memfd_secret, A_FLAGS(memfd, flags))
CALL(get_mempolicy, A_ADDRESS(policy_uaddr), A_ADDRESS(nmask_uaddr), A_ULONG(maxnode), A_ADDRESS(addr),
	A_FLAGS_LONG(mempolicy_flags, flags))
CALL(set_mempolicy, A_POLICY(mempolicy, mode), A_ADDRESS(nmask_uaddr), A_ULONG(maxnode))
CALL(set_mempolicy_home_node, A_ADDRESS(start), A_ULONG(len), A_ULONG(home_node), A_HEX_LONG(flags))
CALL(mbind, A_ADDRESS(start), A_ULONG(len), A_POLICY(mempolicy, mode), A_ADDRESS(nmask_uaddr), A_ULONG(maxnode),
	A_FLAGS(mempolicy_flags, flags))
CALL(migrate_pages, A_INT(pid), A_ULONG(maxnode), A_ADDRESS(old_nodes), A_ADDRESS(new_nodes))
CALL(move_pages, A_INT(pid), A_ULONG(nr_pages), A_ADDRESS(pages), A_ADDRESS(nodes), A_ADDRESS(status),
	A_FLAGS_INT(mempolicy_flags, flags))
CALL(process_vm_readv, A_INT(pid), A_ADDRESS(local_iov_uaddr), A_ULONG(liovcnt), A_ADDRESS(remote_iov_uaddr),
	A_ULONG(riovcnt), A_ULONG(flags))
CALL(process_vm_writev, A_INT(pid), A_ADDRESS(local_iov_uaddr), A_ULONG(liovcnt), A_ADDRESS(remote_iov_uaddr),
	A_ULONG(riovcnt), A_ULONG(flags))
CALL(process_mrelease, A_INT(pidfd), A_HEX(flags))
CALL(membarrier, A_VALUE(membarrier, cmd), A_INT(flags))
CALL(map_shadow_stack, A_ADDRESS(addr), A_ULONG(size), A_FLAGS(shadow_stack, flags))
ROW(modify_ldt, modify_ldt, modify_ldt, modify_ldt, INT, A_INT(func), A_ADDRESS(ptr_uaddr), A_ULONG(bytecount))

/* ---- processes --------------------------------------------------------------------------------------------------- */

ROW(fork, fork, fork, fork, LONG)
ROW(vfork, vfork, vfork, vfork, LONG)
CALL_64(clone, A_OTHER_ONLY(CLONE_FLAGS, clone_flags), A_ADDRESS(stack_start), A_ADDRESS(parent_tid_uaddr),
	A_ADDRESS(child_tid_uaddr))
CALL_32(clone, clone, A_OTHER_ONLY(CLONE_FLAGS, clone_flags), A_ADDRESS(stack_start), A_ADDRESS(parent_tid_uaddr),
	A_SKIP, A_ADDRESS(child_tid_uaddr))
CALL(clone3, A_STRUCT(clone_args, uargs_uaddr, uargs_str), A_ULONG(size))
CALL(execve, A_STRING_ONLY(filename), ITEM(SYSCALL_STRINGS, 0, NULL, "args", NULL),
	ITEM(SYSCALL_STRINGS, 0, NULL, "env_str", NULL))
CALL(execveat, A_DIRFD(dirfd), A_STRING_ONLY(filename), ITEM(SYSCALL_STRINGS, 0, NULL, "args", NULL),
	ITEM(SYSCALL_STRINGS, 0, NULL, "env_str", NULL), A_FLAGS(at, flags))
CALL(exit, A_INT(status))
CALL(exit_group, A_INT(status))
CALL(wait4, A_INT(pid), A_ADDRESS(status_uaddr), A_FLAGS(wait, options), A_ADDRESS(rusage_uaddr),
	A_PART_TEXT(STATUS, 1, status_str))
CALL_32(waitpid, waitpid, A_INT(pid), A_ADDRESS(status_uaddr), A_FLAGS(wait, options))
CALL(waitid, A_VALUE(waitid, which), A_INT(pid), A_ADDRESS(infop_uaddr), A_FLAGS(wait, options),
	A_ADDRESS(rusage_uaddr))
CALL(ptrace, A_OTHER_ONLY(PTRACE, request), A_UNSHOWN(pid), A_UNSHOWN(addr), A_UNSHOWN(data),
	A_PART(EVENT, 3, geteventmsg_data), A_PART(THREAD_BASE, 2, arch_prctl_addr))
CALL(prctl, A_OTHER_ONLY(PRCTL, option), A_UNSHOWN(arg2), A_UNSHOWN(arg3), A_UNSHOWN(arg4), A_UNSHOWN(arg5))
CALL(arch_prctl, A_VALUE_DECIMAL(arch_prctl, code), A_ULONG(addr))
CALL(personality, A_HEX(persona))
CALL(pidfd_open, A_INT(pid), A_FLAGS(pidfd, flags))
CALL(pidfd_getfd, A_INT(pidfd), A_INT(fd), A_HEX(flags))
CALL(pidfd_send_signal, A_INT(pidfd), A_SIGNAL(sig, sig_name), A_OTHER(SIGINFO, uinfo_uaddr, siginfo_str),
	A_FLAGS(pidfd_signal, flags))
CALL(set_tid_address, A_ADDRESS(tidptr_uaddr))
CALL(set_robust_list, A_ADDRESS(list_head_uaddr), A_ULONG(len))
CALL(get_robust_list, A_INT(pid), A_ADDRESS(list_head_uaddr), A_ADDRESS(len_uaddr))
CALL(rseq, A_ADDRESS(rseq_uaddr), A_UINT(rseq_len), A_FLAGS_ONLY(rseq, flags), A_HEX(sig))
ROW(rseq_slice_yield, rseq_slice_yield, rseq_slice_yield, rseq_slice_yield, LONG)
CALL(set_thread_area, A_OTHER(USER_DESC, u_info_uaddr, u_info_str))
CALL(get_thread_area, A_OTHER(USER_DESC, u_info_uaddr, u_info_str))
CALL(unshare, A_OTHER(CLONE_FLAGS, unshare_flags, unshare_flags_str))
CALL(setns, A_INT(fd), A_OTHER(CLONE_FLAGS, nstype, nstype_str))
CALL(kcmp, A_INT(pid1), A_INT(pid2), A_VALUE(kcmp, type), A_ULONG(idx1), A_ULONG(idx2))
ROW(restart_syscall, restart_syscall, restart_syscall, restart_syscall, LONG)

/* ---- ids, limits ------------------------------------------------------------------------------------------------- */

ROW(getpid, getpid, getpid, getpid, LONG)
ROW(gettid, gettid, gettid, gettid, LONG)
ROW(getppid, getppid, getppid, getppid, LONG)
ROW(getpgrp, getpgrp, getpgrp, getpgrp, LONG)
CALL(getpgid, A_INT(pid))
CALL(setpgid, A_INT(pid), A_INT(pgid))
CALL(getsid, A_INT(pid))
ROW(setsid, setsid, setsid, setsid, LONG)
ROW(getuid, getuid, getuid, getuid32, LONG)
ROW(geteuid, geteuid, geteuid, geteuid32, LONG)
ROW(getgid, getgid, getgid, getgid32, LONG)
ROW(getegid, getegid, getegid, getegid32, LONG)
ROW(getuid, getuid, none, getuid, LONG)
ROW(geteuid, geteuid, none, geteuid, LONG)
ROW(getgid, getgid, none, getgid, LONG)
ROW(getegid, getegid, none, getegid, LONG)
CALL_AS(getresuid, getresuid, getresuid32, A_ADDRESS(ruid_uaddr), A_ADDRESS(euid_uaddr), A_ADDRESS(suid_uaddr))
CALL_32(getresuid, getresuid, A_ADDRESS(ruid_uaddr), A_ADDRESS(euid_uaddr), A_ADDRESS(suid_uaddr))
CALL_AS(getresgid, getresgid, getresgid32, A_ADDRESS(rgid_uaddr), A_ADDRESS(egid_uaddr), A_ADDRESS(sgid_uaddr))
CALL_32(getresgid, getresgid, A_ADDRESS(rgid_uaddr), A_ADDRESS(egid_uaddr), A_ADDRESS(sgid_uaddr))
CALL_AS(getgroups, getgroups, getgroups32, A_INT(size), A_ADDRESS(list_uaddr))
CALL_32(getgroups, getgroups, A_INT(size), A_ADDRESS(list_uaddr))
CALL_AS(setgroups, setgroups, setgroups32, A_INT(size), A_ADDRESS(list_uaddr))
CALL_32(setgroups, setgroups, A_INT(size), A_ADDRESS(list_uaddr))
CALL_AS(setuid, setuid, setuid32, A_INT(uid))
CALL_32(setuid, setuid, A_INT(uid))
CALL_AS(setgid, setgid, setgid32, A_INT(gid))
CALL_32(setgid, setgid, A_INT(gid))
CALL_AS(setreuid, setreuid, setreuid32, A_INT(ruid), A_INT(euid))
CALL_AS(setregid, setregid, setregid32, A_INT(rgid), A_INT(egid))
CALL_AS(setresuid, setresuid, setresuid32, A_INT(ruid), A_INT(euid), A_INT(suid))
CALL_AS(setresgid, setresgid, setresgid32, A_INT(rgid), A_INT(egid), A_INT(sgid))
CALL_AS(setfsuid, setfsuid, setfsuid32, A_INT(fsuid))
CALL_32(setfsuid, setfsuid, A_INT(fsuid))
CALL_AS(setfsgid, setfsgid, setfsgid32, A_INT(fsgid))
CALL_32(setfsgid, setfsgid, A_INT(fsgid))
CALL_32(chown16, chown, A_STRING(path), A_INT(owner), A_INT(group))
CALL_32(lchown16, lchown, A_STRING(path), A_INT(owner), A_INT(group))
CALL_32(fchown16, fchown, A_INT(fd), A_INT(owner), A_INT(group))
CALL_32(setreuid16, setreuid, A_INT(ruid), A_INT(euid))
CALL_32(setregid16, setregid, A_INT(rgid), A_INT(egid))
CALL_32(setresuid16, setresuid, A_INT(ruid), A_INT(euid), A_INT(suid))
CALL_32(setresgid16, setresgid, A_INT(rgid), A_INT(egid), A_INT(sgid))
CALL(capget, A_ADDRESS(header_uaddr), A_ADDRESS(data_uaddr))
CALL(capset, A_ADDRESS(header_uaddr), A_ADDRESS(data_uaddr))
CALL_AS(getrlimit, getrlimit, ugetrlimit, A_VALUE_ONLY(rlimit, resource), A_ADDRESS(rlim_uaddr))
CALL_32(getrlimit, getrlimit, A_VALUE_ONLY(rlimit, resource), A_ADDRESS(rlim_uaddr))
CALL(setrlimit, A_VALUE(rlimit, resource), A_STRUCT(rlimit, rlim_uaddr, rlim_str))
CALL(prlimit64, A_INT(pid), A_VALUE(rlimit, resource), A_STRUCT(rlimit64, new_rlim_uaddr, new_rlim_str),
	A_ADDRESS(old_rlim_uaddr))
CALL(getrusage, A_VALUE(rusage, who), A_ADDRESS(usage_uaddr))
CALL(getpriority, A_VALUE_ONLY(priority, which), A_INT(who))
CALL(setpriority, A_VALUE(priority, which), A_INT(who), A_INT(prio))
CALL_32(nice, nice, A_INT(inc))
CALL(times, A_STRUCT(tms, buf_uaddr, buf_str))
CALL(ioprio_get, A_VALUE_DECIMAL(ioprio_who, which), A_INT(who))
CALL(ioprio_set, A_VALUE_DECIMAL(ioprio_who, which), A_INT(who), A_OTHER(IO_PRIORITY, ioprio, ioprio_str))

/* ---- scheduling -------------------------------------------------------------------------------------------------- */

ROW(sched_yield, sched_yield, sched_yield, sched_yield, LONG)
CALL(sched_setscheduler, A_INT(pid), A_POLICY(scheduler, policy), A_ADDRESS(p_uaddr))
CALL(sched_getscheduler, A_INT(pid))
CALL(sched_setparam, A_INT(pid), A_ADDRESS(p_uaddr))
CALL(sched_getparam, A_INT(pid), A_ADDRESS(p_uaddr))
CALL(sched_setattr, A_INT(pid), A_STRUCT(sched_attr, sched_attr_uaddr, sched_attr_str), A_UINT(flags))
CALL(sched_getattr, A_INT(pid), A_STRUCT(sched_attr, sched_attr_uaddr, sched_attr_str), A_UINT(size), A_UINT(flags))
CALL(sched_setaffinity, A_INT(pid), A_UINT(len), A_ADDRESS(mask_uaddr))
CALL(sched_getaffinity, A_INT(pid), A_UINT(len), A_ADDRESS(mask_uaddr))
CALL(sched_get_priority_max, A_POLICY(scheduler, policy))
CALL(sched_get_priority_min, A_POLICY(scheduler, policy))
CALL(sched_rr_get_interval, A_INT(pid), A_ADDRESS(tp_uaddr))
CALL_32(sched_rr_get_interval, sched_rr_get_interval_time64, A_INT(pid), A_ADDRESS(tp_uaddr))
CALL(getcpu, A_ADDRESS(cpu_uaddr), A_ADDRESS(node_uaddr), A_ADDRESS(tcache_uaddr))

/* ---- signals ----------------------------------------------------------------------------------------------------- */

CALL(kill, A_INT(pid), A_SIGNAL(sig, sig_name))
CALL(tkill, A_INT(pid), A_SIGNAL(sig, sig_str))
CALL(tgkill, A_INT(tgid), A_INT(pid), A_SIGNAL(sig, sig_str))
CALL(rt_sigaction, A_SIGNAL(sig, sig_str), A_OTHER(SIGACTION, act_uaddr, act_str), A_ADDRESS(oact_uaddr),
	A_INT(sigsetsize))
CALL_32(sigaction, sigaction, A_SIGNAL(sig, sig_str), ITEM(SYSCALL_SIGACTION, 1, "act_uaddr", "act_str", NULL),
	A_ADDRESS(oact_uaddr))
CALL(rt_sigprocmask, A_VALUE_LONG(sigprocmask, how), A_OTHER(SIGNALS, set_uaddr, set_str), A_ADDRESS(oldset_uaddr),
	A_UINT(sigsetsize))
CALL(rt_sigpending, A_ADDRESS(set_uaddr), A_ULONG(sigsetsize))
CALL(rt_sigsuspend, A_OTHER(SIGNALS, set_uaddr, set_str), A_ULONG(sigsetsize))
CALL(rt_sigtimedwait, A_OTHER(SIGNALS, uthese_uaddr, uthese_str), A_OTHER(SIGINFO, uinfo_uaddr, uinfo_str),
	A_STRUCT(timespec, uts_uaddr, uts_str), A_LONG(sigsetsize))
CALL_32(rt_sigtimedwait, rt_sigtimedwait_time64, A_OTHER(SIGNALS, uthese_uaddr, uthese_str),
	A_OTHER(SIGINFO, uinfo_uaddr, uinfo_str), A_STRUCT(timespec64, uts_uaddr, uts_str), A_LONG(sigsetsize))
CALL(rt_sigqueueinfo, A_INT(pid), A_SIGNAL(sig, sig_name), A_OTHER(SIGINFO, uinfo_uaddr, siginfo_str))
CALL(rt_tgsigqueueinfo, A_INT(tgid), A_INT(tid), A_SIGNAL(sig, sig_str), A_OTHER(SIGINFO, uinfo_uaddr, uinfo_str))
ROW(rt_sigreturn, rt_sigreturn, rt_sigreturn, rt_sigreturn, LONG)
ROW(sigreturn, sigreturn, none, sigreturn, LONG)
CALL(sigaltstack, A_OTHER(SIGSTACK, uss_uaddr, uss_str), A_ADDRESS(uoss_uaddr))
ROW(pause, pause, pause, pause, LONG)
CALL_32(signal, signal, A_SIGNAL(sig, sig_str),
	ITEM(SYSCALL_VALUE_LONG, SYSCALL_SET_handler, "handler", "handler_str", NULL))
CALL_32(sigprocmask, sigprocmask, A_VALUE(sigprocmask, how), A_ADDRESS(set_uaddr), A_ADDRESS(oldset_uaddr))
CALL_32(sigpending, sigpending, A_ADDRESS(set))
CALL_32(sigsuspend, sigsuspend, A_SKIP, A_SKIP, ITEM(SYSCALL_SIGNALS, 1, "mask", "mask_str", NULL))
ROW(sgetmask, sgetmask, none, sgetmask, LONG)
CALL_32(ssetmask, ssetmask, ITEM(SYSCALL_SIGNALS, 1, "newmask", "newmask_str", NULL))

/* ---- time -------------------------------------------------------------------------------------------------------- */

CALL(time, A_ADDRESS(t_uaddr))
CALL_32(stime, stime, A_ADDRESS(t_uaddr))
CALL(gettimeofday, A_ADDRESS(tv_uaddr), A_ADDRESS(tz_uaddr))
CALL(settimeofday, A_STRUCT(timeval, tv_uaddr, tv_str), A_STRUCT(timezone, tz_uaddr, tz_str))
CALL(adjtimex, A_OTHER(TIMEX, buf_uaddr, buf_str))
CALL(nanosleep, A_STRUCT(timespec, req_uaddr, req_str), A_ADDRESS(rem_uaddr))
CALL(alarm, A_UINT(seconds))
CALL(getitimer, A_VALUE_ONLY(itimer, which), A_ADDRESS(value_uaddr))
CALL(setitimer, A_VALUE(itimer, which), A_STRUCT(itimerval, value_uaddr, value_str), A_ADDRESS(ovalue_uaddr))
CALL(clock_gettime, A_VALUE(clock, clk_id), A_ADDRESS(tp_uaddr))
CALL_32(clock_gettime, clock_gettime64, A_VALUE(clock, clk_id), A_ADDRESS(tp_uaddr))
CALL(clock_getres, A_VALUE(clock, clk_id), A_ADDRESS(res_uaddr))
CALL_32(clock_getres, clock_getres_time64, A_VALUE(clock, clk_id), A_ADDRESS(res_uaddr))
CALL(clock_settime, A_VALUE(clock, clk_id), A_STRUCT(timespec, tp_uaddr, tp_uaddr_str))
CALL_32(clock_settime, clock_settime64, A_VALUE(clock, clk_id), A_STRUCT(timespec64, tp_uaddr, tp_uaddr_str))
CALL(clock_adjtime, A_VALUE(clock, clk_id), A_OTHER(TIMEX, tx_uaddr, tx_uaddr_str))
CALL_32(clock_adjtime, clock_adjtime64, A_VALUE(clock, clk_id),
	ITEM(SYSCALL_TIMEX, 1, "tx_uaddr", "tx_uaddr_str", NULL))
CALL(clock_nanosleep, A_VALUE(clock, clk_id), A_VALUE(timer, flags), A_STRUCT(timespec, req_uaddr, req_str),
	A_ADDRESS(rem_uaddr))
CALL_32(clock_nanosleep, clock_nanosleep_time64, A_VALUE(clock, clk_id), A_VALUE(timer, flags),
	A_STRUCT(timespec64, req_uaddr, req_str), A_ADDRESS(rem_uaddr))
CALL(timer_create, A_VALUE(clock, clockid), A_ADDRESS(evp_uaddr), A_ADDRESS(timerid_uaddr))
CALL(timer_delete, A_INT(timerid))
CALL(timer_getoverrun, A_INT(timerid))
CALL(timer_gettime, A_INT(timerid), A_ADDRESS(value_uaddr))
CALL_32(timer_gettime, timer_gettime64, A_INT(timerid), A_ADDRESS(value_uaddr))
CALL_64(timer_settime, A_INT(timerid), A_INT(flags), A_STRUCT(itimerspec64, value_uaddr, value_str),
	A_ADDRESS(ovalue_uaddr))
CALL_32(timer_settime, timer_settime, A_INT(timerid), A_INT(flags), A_STRUCT(itimerval, value_uaddr, value_str),
	A_ADDRESS(ovalue_uaddr))
CALL_32(timer_settime, timer_settime64, A_INT(timerid), A_INT(flags), A_STRUCT(itimerspec64, value_uaddr, value_str),
	A_ADDRESS(ovalue_uaddr))
CALL(timerfd_create, A_VALUE(clock, clockid), A_FLAGS(timerfd, flags))
CALL(timerfd_gettime, A_INT(fd), A_ADDRESS(value_uaddr))
CALL_32(timerfd_gettime, timerfd_gettime64, A_INT(fd), A_ADDRESS(value_uaddr))
CALL_64(timerfd_settime, A_INT(fd), A_FLAGS(timerfd, flags), A_STRUCT(itimerspec64, value_uaddr, value_str),
	A_ADDRESS(ovalue_uaddr))
CALL_32(timerfd_settime, timerfd_settime, A_INT(fd), A_FLAGS(timerfd, flags),
	A_STRUCT(itimerval, value_uaddr, value_str), A_ADDRESS(ovalue_uaddr))
CALL_32(timerfd_settime, timerfd_settime64, A_INT(fd), A_FLAGS(timerfd, flags),
	A_STRUCT(itimerspec64, value_uaddr, value_str), A_ADDRESS(ovalue_uaddr))

/* ---- communication between processes ----------------------------------------------------------------------------- */

CALL(msgget, A_VALUE_DECIMAL(ipc_key, key), A_OTHER(IPC_FLAGS, msgflg, msgflg_str))
CALL(msgsnd, A_INT(msqid), A_ADDRESS(msgp_uaddr), A_ULONG(msgsz), A_FLAGS(message_queue, msgflg))
CALL(msgrcv, A_INT(msqid), A_ADDRESS(msgp_uaddr), A_ULONG(msgsz), A_LONG(msgtyp), A_FLAGS(message_queue, msgflg))
CALL(msgctl, A_INT(msqid), A_FLAGS(msgctl, cmd), A_ADDRESS(buf_uaddr))
CALL(semget, A_VALUE_DECIMAL(ipc_key, key), A_INT(nsems), A_OTHER(IPC_FLAGS, semflg, semflg_str))
CALL(semop, A_INT(semid), A_ADDRESS(sops_uaddr), A_UINT(nsops))
CALL(semtimedop, A_INT(semid), A_ADDRESS(sops_uaddr), A_UINT(nsops), A_STRUCT(timespec, timeout_uaddr, timeout_str))
CALL_32(semtimedop, semtimedop_time64, A_INT(semid), A_ADDRESS(sops_uaddr), A_UINT(nsops),
	A_STRUCT(timespec64, timeout_uaddr, timeout_str))
CALL(semctl, A_INT(semid), A_INT(semnum), A_FLAGS_AS(semctl, cmd, cmdstr), A_HEX_LONG(arg))
CALL(shmget, A_INT(key), A_ULONG(size), A_OTHER(IPC_FLAGS_LONG, shmflg, shmflg_str))
ROW(shmat, shmat, shmat, shmat, LONG, A_INT(shmid), A_ADDRESS(shmaddr_uaddr), A_FLAGS_INT(shmat, shmflg))
CALL(shmdt, A_ADDRESS(shmaddr_uaddr))
CALL(shmctl, A_INT(shmid), A_FLAGS(shmctl, cmd), A_ADDRESS(buf_uaddr))
CALL_32(ipc, ipc, A_VALUE(ipc_call, call), A_LONG(first), A_LONG(second), A_LONG(third), A_ADDRESS(ptr_uaddr),
	A_LONG(fifth))
CALL(mq_open, ITEM(SYSCALL_STRING, 0, "name_uaddr", "filename", "filename_unquoted"), A_FLAGS_INT(open, oflag),
	A_CREATE_MODE(mode), ITEM(SYSCALL_CREATE_MODE, 1, "u_attr_uaddr", NULL, NULL))
CALL(mq_unlink, A_STRING_U(u_name))
CALL(mq_timedsend, A_INT(mqdes), A_ADDRESS(msg_ptr_uaddr), A_ULONG(msg_len), A_UINT(msg_prio),
	A_ADDRESS(abs_timeout_uaddr))
CALL_32(mq_timedsend, mq_timedsend_time64, A_INT(mqdes), A_ADDRESS(msg_ptr_uaddr), A_ULONG(msg_len), A_UINT(msg_prio),
	A_ADDRESS(abs_timeout_uaddr))
CALL(mq_timedreceive, A_INT(mqdes), A_ADDRESS(msg_ptr_uaddr), A_ULONG(msg_len), A_ADDRESS(msg_prio_uaddr),
	A_ADDRESS(abs_timeout_uaddr))
CALL_32(mq_timedreceive, mq_timedreceive_time64, A_INT(mqdes), A_ADDRESS(msg_ptr_uaddr), A_ULONG(msg_len),
	A_ADDRESS(msg_prio_uaddr), A_ADDRESS(abs_timeout_uaddr))
CALL(mq_notify, A_INT(mqdes), A_ADDRESS(notification_uaddr))
CALL(mq_getsetattr, A_INT(mqdes), A_ADDRESS(u_mqstat_uaddr), A_ADDRESS(u_omqstat_uaddr))
CALL(futex, A_ADDRESS(futex_uaddr), A_OTHER_ONLY(FUTEX, op), A_UNSHOWN(val), A_UNSHOWN(utime_uaddr),
	A_UNSHOWN(uaddr2_uaddr), A_UNSHOWN(val3))
CALL_32(futex, futex_time64, A_ADDRESS(futex_uaddr), ITEM(SYSCALL_FUTEX, 1, "op", NULL, NULL), A_UNSHOWN(val),
	A_UNSHOWN(utime_uaddr), A_UNSHOWN(uaddr2_uaddr), A_UNSHOWN(val3))
CALL(futex_waitv, A_ADDRESS(waiters_uaddr), A_UINT(nr_futexes), A_HEX(flags),
	A_STRUCT(timespec64, timeout_uaddr, timeout_str), A_VALUE(clock, clockid))
CALL(futex_wait, A_ADDRESS(futex_uaddr), A_ULONG(val), A_HEX_LONG(mask), A_FLAGS(futex2, flags),
	A_STRUCT(timespec64, timeout_uaddr, timeout_str), A_VALUE(clock, clockid))
CALL(futex_wake, A_ADDRESS(futex_uaddr), A_HEX_LONG(mask), A_INT(nr), A_FLAGS(futex2, flags))
CALL(futex_requeue, A_ADDRESS(waiters_uaddr), A_FLAGS(futex2, flags), A_INT(nr_wake), A_INT(nr_requeue))

/* ---- the machine ------------------------------------------------------------------------------------------------- */

CALL(mount, A_STRING(source), A_STRING(target), A_STRING(filesystemtype), A_FLAGS_LONG(mount, mountflags),
	ITEM(SYSCALL_MOUNT_DATA, 0, NULL, "data", "data_unquoted"))
CALL_AS(umount, umount2, umount2, A_STRING(target), A_FLAGS(umount, flags))
CALL_32(umount, umount, A_STRING(target))
CALL(open_tree, A_DIRFD(dfd), A_STRING(filename), A_FLAGS(open_tree, flags))
CALL(open_tree_attr, A_DIRFD(dfd), A_STRING(filename), A_FLAGS(open_tree, flags),
	A_STRUCT(mount_attr, uattr_uaddr, uattr_str), A_ULONG(usize))
CALL(move_mount, A_DIRFD(from_dfd), A_STRING(from_pathname), A_DIRFD(to_dfd), A_STRING(to_pathname),
	A_FLAGS(move_mount, flags))
CALL(fsopen, A_STRING(fs_name), A_FLAGS(fsopen, flags))
CALL(fsconfig, A_INT(fs_fd), A_VALUE(fsconfig, cmd), A_STRING(key), A_ADDRESS(value_uaddr), A_INT(aux))
CALL(fsmount, A_INT(fs_fd), A_FLAGS(fsmount, flags), A_FLAGS(mount_attr, attr_flags))
CALL(fspick, A_DIRFD(dfd), A_STRING(path), A_FLAGS(fspick, flags))
CALL(mount_setattr, A_DIRFD(dfd), A_STRING(path), A_FLAGS(open_tree, flags),
	A_STRUCT(mount_attr, uattr_uaddr, uattr_str), A_ULONG(usize))
CALL(statmount, A_STRUCT(mnt_id_req, req_uaddr, req_str), A_ADDRESS(buf_uaddr), A_ULONG(bufsize),
	A_FLAGS(statmount, flags))
CALL(listmount, A_STRUCT(mnt_id_req, req_uaddr, req_str), A_ADDRESS(mnt_ids_uaddr), A_ULONG(nr_mnt_ids),
	A_FLAGS(listmount, flags))
CALL(listns, A_STRUCT(ns_id_req, req_uaddr, req_str), A_ADDRESS(ns_ids_uaddr), A_ULONG(nr_ns_ids), A_HEX(flags))
CALL(sethostname, ITEM(SYSCALL_STRING, 0, "hostname_uaddr", "name_str", "name_str_unquoted"), A_INT(len))
CALL(setdomainname, A_STRING_US(domainname), A_INT(len))
CALL(uname, A_ADDRESS(name_uaddr))
CALL_32(uname, olduname, A_ADDRESS(name_uaddr))
CALL_32(uname, oldolduname, A_ADDRESS(name_uaddr))
CALL(sysinfo, A_STRUCT(sysinfo, info_uaddr, info_str))
CALL(syslog, A_INT(type), A_ADDRESS(bufp_uaddr), A_INT(len))
CALL(sysfs, A_OTHER_ONLY(SYSFS, option), A_UNSHOWN(arg1), A_UNSHOWN(arg2))
CALL_AS(sysctl, _sysctl, _sysctl, A_ADDRESS(args))
CALL(quotactl, A_OTHER(QUOTACTL, cmd, cmd_str),
	ITEM(SYSCALL_UNSHOWN, 1, "special", "special_str", "special_str_unquoted"), A_UNSHOWN(id),
	A_UNSHOWN(addr_uaddr))
CALL(quotactl_fd, A_UINT(fd), A_HEX(cmd), A_INT(id), A_ADDRESS(addr_uaddr))
ROW(vhangup, vhangup, vhangup, vhangup, LONG)
CALL(reboot, A_VALUE(reboot_magic, magic), A_VALUE(reboot_magic2, magic2), A_VALUE(reboot, flag), A_ADDRESS(arg_uaddr))
CALL(kexec_load, A_ADDRESS(entry), A_ULONG(nr_segments), A_ADDRESS(segments_uaddr), A_FLAGS_LONG(kexec, flags))
CALL(kexec_file_load, A_INT(kernel_fd), A_INT(initrd_fd), A_ULONG(cmdline_len),
	ITEM(SYSCALL_STRING_N, 2, NULL, "cmdline", "cmdline_unquoted"), A_FLAGS_LONG(kexec_file, flags))
CALL(init_module, A_ADDRESS(umod_uaddr), A_ULONG(len), A_STRING(uargs))
CALL(finit_module, A_INT(fd), A_STRING(uargs), A_FLAGS(finit_module, flags))
CALL(delete_module, A_STRING(name_user), A_FLAGS(delete_module, flags))
CALL(iopl, A_UINT(level))
CALL(ioperm, A_HEX_LONG(from), A_HEX_LONG(num), A_HEX(turn_on))
CALL(lookup_dcookie, A_HEX_LONG(cookie), A_ADDRESS(buffer_uaddr), A_HEX_LONG(len))
CALL(getrandom, A_STRING(buf), A_ULONG(count), A_FLAGS(getrandom, flags))
CALL(perf_event_open, A_ADDRESS(attr_uaddr), A_INT(pid), A_INT(cpu), A_INT(group_fd), A_FLAGS_LONG(perf, flags))
CALL(bpf, A_VALUE_LONG(bpf, cmd), A_ADDRESS(attr_uaddr), A_UINT(size))
CALL(seccomp, A_VALUE(seccomp, op), A_FLAGS(seccomp_flags, flags), A_ADDRESS(uargs_uaddr))
CALL(add_key, ITEM(SYSCALL_STRING, 0, "type_uaddr", NULL, NULL),
	ITEM(SYSCALL_STRING, 0, "description_uaddr", NULL, NULL),
	ITEM(SYSCALL_STRING_N, 3, "payload_uaddr", NULL, NULL), A_ULONG(plen), A_INT(ringid))
CALL(request_key, A_STRING_US(type), A_STRING_US(description), A_ADDRESS(callout_info_uaddr), A_INT(destringid))
CALL(keyctl, A_OTHER_ONLY(KEYCTL, option), A_UNSHOWN(arg2), A_UNSHOWN(arg3), A_UNSHOWN(arg4), A_UNSHOWN(arg5))
CALL(io_setup, A_UINT(maxevents), A_ADDRESS(ctxp_uaddr))
CALL(io_destroy, A_ULONG(ctx))
CALL(io_submit, A_ULONG(ctx_id), A_LONG(nr), A_ADDRESS(iocbpp_uaddr))
CALL(io_cancel, A_ULONG(ctx_id), A_ADDRESS(iocb_uaddr), A_ADDRESS(result_uaddr))
CALL(io_getevents, A_ULONG(ctx_id), A_LONG(min_nr), A_LONG(nr), A_ADDRESS(events_uaddr),
	A_STRUCT(timespec, timeout_uaddr, timestr))
CALL(io_pgetevents, A_ULONG(ctx_id), A_LONG(min_nr), A_LONG(nr), A_ADDRESS(events_uaddr),
	A_STRUCT(timespec, timeout_uaddr, timestr), A_ADDRESS(usig_uaddr))
CALL_32(io_pgetevents, io_pgetevents_time64, A_ULONG(ctx_id), A_LONG(min_nr), A_LONG(nr), A_ADDRESS(events_uaddr),
	A_STRUCT(timespec64, timeout_uaddr, timestr), A_ADDRESS(usig_uaddr))
CALL(io_uring_setup, A_UINT(entries), A_STRUCT(io_uring_params, params_uaddr, params_str))
CALL(io_uring_enter, A_INT(fd), A_UINT(to_submit), A_UINT(min_complete), A_FLAGS(io_uring_enter, flags),
	A_ADDRESS(argp_uaddr), A_ULONG(argsz))
CALL(io_uring_register, A_INT(fd), A_FLAGS(io_uring_register, opcode), A_ADDRESS(arg_uaddr), A_UINT(nr_args))
CALL(landlock_create_ruleset, A_STRUCT(landlock_ruleset_attr, attr_uaddr, attr_str), A_ULONG(size),
	A_FLAGS(landlock, flags))
CALL(landlock_add_rule, A_INT(ruleset_fd), A_VALUE(landlock_rule, rule_type), A_ADDRESS(rule_attr_uaddr),
	A_FLAGS(landlock_add_rule, flags))
CALL(landlock_restrict_self, A_INT(ruleset_fd), A_FLAGS(landlock_restrict_self, flags))
CALL(lsm_get_self_attr, A_VALUE_ONLY(lsm_attr, attr), A_ADDRESS(ctx), A_ADDRESS(size), A_FLAGS_ONLY(lsm_flags, flags))
CALL(lsm_set_self_attr, A_VALUE_ONLY(lsm_attr, attr), A_ADDRESS(ctx), A_UINT(size), A_HEX(flags))
CALL(lsm_list_modules, A_ADDRESS(ids_uaddr), A_ADDRESS(size_uaddr), A_HEX(flags))
CALL_32(bdflush, bdflush, A_INT(func), ITEM(SYSCALL_HEX_LONG, 0, "data", "data_str", NULL))
CALL_ARM32(pciconfig_iobase, A_LONG(which), A_ULONG(bus), A_ULONG(devfn))
CALL_ARM32(pciconfig_read, A_ULONG(bus), A_ULONG(dfn), A_ULONG(off), A_ULONG(len), A_ADDRESS(buf_uaddr))
CALL_ARM32(pciconfig_write, A_ULONG(bus), A_ULONG(dfn), A_ULONG(off), A_ULONG(len), A_ADDRESS(buf_uaddr))
CALL_32(vm86old, vm86old, A_ADDRESS(v86_uaddr))
CALL_32(vm86, vm86, A_ULONG(cmd), A_ADDRESS(arg))

/* ---- numbers of system calls that no longer exist, or were only reserved ----------------------------------------- */

ROW(ni_syscall, create_module, create_module, create_module, LONG)
ROW(ni_syscall, get_kernel_syms, get_kernel_syms, get_kernel_syms, LONG)
ROW(ni_syscall, query_module, query_module, query_module, LONG)
ROW(ni_syscall, nfsservctl, nfsservctl, nfsservctl, LONG)
ROW(ni_syscall, getpmsg, getpmsg, getpmsg, LONG)
ROW(ni_syscall, putpmsg, putpmsg, putpmsg, LONG)
ROW(ni_syscall, afs_syscall, afs_syscall, afs_syscall, LONG)
ROW(ni_syscall, tuxcall, tuxcall, none, LONG)
ROW(ni_syscall, security, security, none, LONG)
ROW(ni_syscall, vserver, vserver, vserver, LONG)
ROW(ni_syscall, break, none, break, LONG)
ROW(ni_syscall, stty, none, stty, LONG)
ROW(ni_syscall, gtty, none, gtty, LONG)
ROW(ni_syscall, ftime, none, ftime, LONG)
ROW(ni_syscall, prof, none, prof, LONG)
ROW(ni_syscall, lock, none, lock, LONG)
ROW(ni_syscall, mpx, none, mpx, LONG)
ROW(ni_syscall, ulimit, none, ulimit, LONG)
ROW(ni_syscall, profil, none, profil, LONG)
ROW(ni_syscall, idle, none, idle, LONG)
/* clang-format on */
