#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Run made-code.c in all forms, and at unusual places.
#
#     sh made-code.sh PROGRAM

cp "$1" /made-code
# Begin with the forms that would block a careless reader.
/made-code fifo 1 & /made-code big 2 & /made-code directory 3 & /made-code link 4 & /made-code foreign 5 &
/made-code hard 6 &
sleep 1
"$1" plain 11 & /made-code private 12 & /made-code late 13 & /made-code reused 14 & /made-code far 15 &
/made-code memory 16 & /made-code fork 17 & /made-code again 18 & /made-code garbage 19 &
su -s /bin/sh nobody -c '/made-code private 20' &
mkdir -p /elsewhere/tmp
cp /made-code /elsewhere
chroot /elsewhere /made-code plain 21 &
# As in a container: it has its own processes and files.
unshare -m -p -f sh -c 'mount -t tmpfs none /tmp; /made-code private 22; :' &
wait
rm -rf /made-code /elsewhere /tmp/elsewhere.map /tmp/hard.map
