#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of the suite containers: guest.sh FUNCTION. The images and files are in /t.

. /t/tools.sh
export PATH=/usr/bin:/bin:/sbin:/usr/sbin

# Images are unpacked into a directory, because the guest's kernel may lack overlayfs. The guest's root is a ramfs, from
# which pivot_root(2) is impossible.
prepare() {
	mkdir -p /etc/containers /var/lib/containers /run/containers /var/tmp &&
		mount -t cgroup2 none /sys/fs/cgroup || return
	cat >/etc/containers/containers.conf <<-END
		[engine]
		cgroup_manager = "cgroupfs"
		events_logger = "file"
		no_pivot_root = true
	END
	cat >/etc/containers/storage.conf <<-END
		[storage]
		driver = "vfs"
		runroot = "/run/containers"
		graphroot = "/var/lib/containers"
	END
	echo '{"default": [{"type": "insecureAcceptAnything"}]}' >/etc/containers/policy.json
	podman --version
}

run() {
	podman run --rm --network=host --read-only --cap-drop ALL --cap-add SYS_MODULE \
		-v /sys/kernel/debug:/sys/kernel/debug oci:/t/plain >/t/out 2>&1
	status=$?
	cat /t/out
	[ $status -eq 0 ] && grep -x 'the container begins' /t/out && grep '^opens\["' /t/out
}

run_without() {
	! podman run --rm --network=host -v /sys/kernel/debug:/sys/kernel/debug oci:/t/plain >/t/out 2>&1 &&
		cat /t/out && grep 'the capability CAP_SYS_MODULE is missing' /t/out
}

# Podman 4.3 ignores defaultMode and does not decode the data of a secret. It makes the pod's cgroup with a filter that
# forbids all devices, if it does so without systemd. A new cgroup of this name has no filter.
play() {
	id=$(podman pull -q oci:/t/metrics) && podman tag "$id" localhost/opens:latest &&
		podman kube play --start=false --network=host /t/pod.yaml || return
	for file in /var/lib/containers/volumes/spile-exporter-secrets/_data/*; do
		base64 -d "$file" >/t/decoded && cat /t/decoded >"$file" && chmod 0400 "$file" || return
	done
	for group in /sys/fs/cgroup/libpod_parent/*/; do
		[ "${group%/conmon/}" != "$group" ] || { rmdir "$group" && mkdir "$group"; } || return
	done
	podman pod start spile-exporter-pod-0 && wait_for 60 podman_logs 'listening on 0.0.0.0:9900'
}
podman_logs() {
	podman logs spile-exporter-pod-0-exporter 2>&1 | tee /t/logs | grep "$1"
}

scrape() {
	prometheus --config.file=/t/prometheus.yml --storage.tsdb.path=/t/tsdb --web.listen-address=127.0.0.1:9090 \
		>/t/prometheus.log 2>&1 &
	wait_for 120 has_samples || { tail -n 20 /t/prometheus.log /t/logs; false; }
}
has_samples() {
	query='http://127.0.0.1:9090/api/v1/query?query=stap_opens_opens'
	wget -q -O - "$query" >/t/answer && grep '"execname":"[^"]*"' /t/answer && grep '"job":"opens"' /t/answer
}

refused() {
	wget --no-check-certificate -O /dev/null https://127.0.0.1:9900/opens >/t/out 2>&1
	cat /t/out
	grep ' 401 ' /t/out
}

end() {
	killall prometheus
	podman pod stop spile-exporter-pod-0 && ! grep '^stap_' /proc/modules
}

"$1"
