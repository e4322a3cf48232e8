# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/guest/aliases-nfs.stp and aliases-nfs-file.stp: this machine mounts a directory from itself, with NFS
# version 3 and then version 4, and uses it. The NFS daemons are not needed: this script writes to the kernel's files
# what they would, and remote-calls.c answers the remaining requests.

share() {
	local later=$(($(date +%s) + 100000))
	ifconfig lo 127.0.0.1 up
	mkdir -p /srv /mnt /var/lib/nfs/v4recovery
	mount -t tmpfs tmpfs /srv
	mount -t nfsd nfsd /proc/fs/nfsd
	/tmp/remote-calls
	# Write who 127.0.0.1 is; its rights (any port, as root, with the root of version 4); and where a handle leads.
	echo "nfsd 127.0.0.1 $later loop" >/proc/net/rpc/auth.unix.ip/channel
	echo "loop /srv $later 9234 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
	echo "loop 1 \\x00000000 $later /srv" >/proc/net/rpc/nfsd.fh/channel
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo "tcp 2049" >/proc/fs/nfsd/portlist
	echo 2 >/proc/fs/nfsd/threads
}

# mount_by TYPE OPTIONS DIRECTORY
mount_by() {
	mount -i -t "$1" -o "$2,addr=127.0.0.1,proto=tcp,port=2049,sec=sys" "127.0.0.1:$3" /mnt
}

# use TYPE OPTIONS DIRECTORY: use the directory. The cache is dropped before the file is read.
use() {
	mount_by "$@"
	echo "some text" >/mnt/one
	mv /mnt/one /mnt/two
	umount /mnt
	mount_by "$@"
	cat /mnt/two >/dev/null
	rm /mnt/two
	mkdir /mnt/directory
	rmdir /mnt/directory
	umount /mnt
}

# The same with a file of several pages, if "file" is the script's argument.
if [ "$1" = file ]; then
	use() {
		mount_by "$@"
		/tmp/kernel-events file /mnt/file
		rm /mnt/file
		umount /mnt
	}
fi

share
use nfs vers=3,mountaddr=127.0.0.1,mountvers=3,mountport=20048,mountproto=tcp,nolock /srv
# Wait for the end of the grace period, in which clients may only reclaim their state.
sleep 10
use nfs4 vers=4.1,clientaddr=127.0.0.1 /
echo 0 >/proc/fs/nfsd/threads
umount /proc/fs/nfsd
