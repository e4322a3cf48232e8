# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-clang-kernel`: a kernel built by clang and lld, with type information in modules, that loads only signed
# modules. The kernel is built if it is not in the cache, which takes about ten minutes.

. "$(dirname "$0")/../lib.sh"

for program in clang ld.lld llvm-ar pahole; do
	command -v $program >/dev/null || {
		skip "a kernel built by clang" "no $program; apt-get install clang lld llvm dwarves"
		exit 0
	}
done
cat "$SPILE_SRCDIR/vm/debug-kernel.config" "$tests"/configurations/{unchecked,clang}.config >"$work/config"
kernel=$("$STAP_VM" build-debug-kernel --config "$work/config" 2>"$work/build.log") || {
	fail "the kernel is built" "$work/build.log"
	exit 0
}
ok "the kernel is built"
tree=$("$STAP_VM" path "$kernel")
private_cache "$work/cache"
cd "$work" || exit 1
# Equal modules would contain different build times otherwise.
export SOURCE_DATE_EPOCH=1000000000

configured() {
	[ "$(grep -cxE 'CONFIG_(CC_IS_CLANG|LD_IS_LLD|MODULE_SIG_FORCE|DEBUG_INFO_BTF_MODULES)=y' "$tree/.config")" \
		-eq 4 ]
}
check "the kernel has the required configuration" configured

script='probe kernel.function("vfs_read") { printf("%s %d\n", execname(), $count > 0); exit() }'

# compile NAME [OPTION...]: compile a script to NAME.ko without a cached module. Remove the signature, which differs
# each time.
compile() {
	local name=$1
	shift
	find cache/kbuild -name 'module-*.ko' -delete 2>/dev/null
	"$STAP" -vv -r "$tree" -p4 -m module "$@" -e "$script" >log 2>&1 && strip --strip-debug module.ko -o "$name.ko"
}

check "the first script compiles the runtime" compile first
check "without the cache, kbuild compiles everything" compile plain --disable-cache
check "the second script is compiled by the recorded commands" compile replayed
grep -qE 'Compiling the runtime|running kbuild' log && fail "only the recorded commands are run" log ||
	ok "only the recorded commands are run"
check "recorded commands and kbuild make the same module" same_module plain.ko replayed.ko
check "first and second script make the same module" same_module plain.ko first.ko

is_signed() {
	modinfo module.ko | grep -q '^sig_hashalgo: *sha256'
}
check "the module is signed" is_signed

start_guest "$kernel" --file "$work/replayed.ko:/tmp/module.ko" --file "$STAPRUN:/bin/staprun" || exit 0
unsigned() {
	"$STAP_VM" exec --socket "$work/$kernel" -- staprun /tmp/module.ko 2>err
	[ $? -eq 1 ] && grep -q 'cannot load module' err && grep -q -- '--sign-module' err
}
check "the kernel refuses the unsigned module, and staprun gives a hint" unsigned
check_guest_log "$kernel" "after the refusal"

# run NAME PATTERN OPTION...: run a script whose output must have a line that matches.
run() {
	local name=$1 pattern=$2
	shift 2
	if timeout 300 "$STAP" -r "$tree" --remote=unix:"$work/$kernel" "$@" >out 2>err && [ ! -s err ] &&
		grep -qE "$pattern" out; then
		ok "$name"
	else
		fail "$name" err out
	fi
	check_guest_log "$kernel" "after: $name"
}
run "function entries" '^[a-z]+ 1$' -e "$script"
run "returns" '^[0-9]+$' -c 'ls /' \
	-e 'probe kernel.function("vfs_getattr").return { if ($return == 0) n++ } global n probe end { println(n) }'
run "maps, statistics, tracepoints, timers" '^ok$' -c 'ls -lR /proc/self' -e 'global n, s
	probe kernel.trace("sched_switch") { n[execname()]++ } probe timer.ms(5) { s <<< cpu() }
	probe kernel.function("vfs_*") { n[ppfunc()]++ }
	probe end { println(n["vfs_getattr"] > 0 && @count(s) > 0 ? "ok" : "no") }'
run "stacks" ' : vfs_read\+0x' -e 'probe kernel.function("vfs_read") { print_backtrace() exit() }'
run "structures" '^\{\.' -c 'ls /' -e 'probe kernel.function("vfs_open") { println($path$) exit() }'
stop_guest "$kernel"
