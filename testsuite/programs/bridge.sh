# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/guest/event-netfilter-families.stp: a bridge of this machine (10.9.0.3) to which two network namespaces
# are connected (10.9.0.1, 10.9.0.2). They ping each other and the bridge, which then uses the Spanning Tree Protocol.

# machine PORT ADDRESS: start a process in a new network namespace and set $machine to its id. The other end of the port
# is called veth0.
machine() {
	ip link add "$1" type veth
	ip link set "$1" address "02:00:00:00:01:0$2"
	unshare -n sleep 1000 &
	machine=$!
	while [ "$(readlink /proc/$machine/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do :; done
	ip link set veth0 netns $machine
	nsenter -t $machine -n ip link set veth0 address "02:00:00:00:00:0$2"
	nsenter -t $machine -n ifconfig veth0 "10.9.0.$2" up
	brctl addif br0 "$1"
	ifconfig "$1" up
}

ifconfig lo 127.0.0.1 up
ping -6 -q -c 1 -s 4 ::1 >/dev/null
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
brctl addbr br0
echo 0 >/sys/class/net/br0/bridge/forward_delay
ip link set br0 address 02:00:00:00:00:03
machine va 1
first=$machine
machine vb 2
second=$machine
ifconfig br0 10.9.0.3 up
nsenter -t $first -n ping -q -c 1 -s 4 10.9.0.2 >/dev/null
nsenter -t $first -n ping -q -c 1 -s 4 10.9.0.3 >/dev/null
echo 1 >/sys/class/net/br0/bridge/stp_state
until grep -q 1 /proc/systemtap/*/heard || [ ! -d /proc/systemtap ]; do sleep 0.1; done
kill $first $second
ip link set br0 down
brctl delbr br0
