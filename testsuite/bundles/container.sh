#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of the test of container images (testsuite/suites/bundles.sh): run the image in this directory,
# rootfs and config.json, with crun.

cd "$(dirname "$0")" || exit 1
mkdir -p /run
grep -q ' /sys/fs/cgroup ' /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup || exit 1
crun --cgroup-manager=disabled run --no-pivot test
status=$?
umount /sys/fs/cgroup
[ $status -eq 0 ] && ! grep '^stap_' /proc/modules
