# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel with PREEMPT_RT, where spinlocks sleep and interrupts are threads: the suite transport, and probes on
# functions that the runtime itself uses. The only debuginfo of this kernel is its own BTF. `make check-rt-kernel` tests
# more.

. "$(dirname "$0")/../lib.sh"

rt_kernel=6.12-rt
need_kernel $old_kernel && need_kernel $new_kernel || exit 0
"$STAP_VM" path $rt_kernel >"$work/kernel.path" 2>&1 || {
	echo "kernel $rt_kernel is not in the cache; fetch it with: $STAP_VM fetch --no-debuginfo $rt_kernel" |
		fail "kernel $rt_kernel"
	exit 0
}

is_preemptible() {
	"$STAP_VM" run -r $rt_kernel -- cat /proc/version | grep PREEMPT_RT
}
check "the kernel has PREEMPT_RT" is_preemptible
# The module fails to initialize without the modules that modules.softdep names.
check "--modules adds soft dependencies" \
	"$STAP_VM" run -r $rt_kernel --modules btrfs -- grep '^btrfs ' /proc/modules
# These suites report results under their own names. A part runs one of them.
if [ -z "$SPILE_PART" ] || [ $((turn % 2)) -eq 0 ]; then
	SPILE_TEST_KERNELS=$rt_kernel bash "$tests/suites/transport.sh"
fi
if [ -z "$SPILE_PART" ] || [ $((turn % 2)) -eq 1 ]; then
	tortures='@(own_functions|system_calls)'
	[ -z "$SPILE_PART" ] || tortures=system_calls
	SPILE_PART='' SPILE_TEST_KERNELS=$rt_kernel SPILE_TESTS=$tortures bash "$tests/suites/torture.sh"
fi
