# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's stack: wide and deep scripts of testsuite/fuzz/fuzz-stack.c print the right values in a guest, or are
# refused with a place. Every way of making a module refuses frames that are too large.
#
#     SPILE_STACK_SCRIPTS=N   the number of scripts (default: 12; 2 in a part, 200 with SPILE_FULL=1)
#     SPILE_STACK_SEED=N      another seed

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
copied_cache "$work/cache"
cd "$work" || exit 1
[ -n "$SPILE_FULL" ] && scripts=100 seed=$RANDOM || scripts=12 seed=14
[ -z "$SPILE_PART" ] || scripts=1
scripts=${SPILE_STACK_SCRIPTS:-$scripts} seed=${SPILE_STACK_SEED:-$seed}
fuzzer=$SPILE_BUILDDIR/testsuite/fuzz/fuzz-stack
limits="--no-global-var-display -DMAXACTION=1000000 -DSTP_NO_OVERLOAD"

refused() {
	"$STAP" -r "$release" -p4 -m refused "$@" >log 2>&1 && return 1
	was_refused log
}

# was_refused FILE: do the messages of stap in FILE refuse the script?
was_refused() {
	grep -qE "^semantic error: (the handler of probe|function|helper).* needs (a stack frame of )?[0-9]+ bytes" "$1"
}

# ---- refusals --------------------------------------------------------------------------------------------------------

# A frame that cannot be made small: calls of a function with many arguments.
parameters=$(seq -f 'a%g' -s, 1 800) arguments=$(yes p | head -n 800 | paste -sd,) sum=$(seq -f 'a%g' -s+ 1 800)
wide="function f($parameters) { return $sum } probe begin { p = pid() println(f($arguments) + f($arguments)) }"
# An "asm" reads the frame; the compiler would remove it otherwise.
use='__asm__ volatile("" : : "r"(b) : "memory");'
array="function f:long() %{ char b[5000]; b[0] = 1; $use STAP_RETVALUE = b[0]; %} probe begin { println(f()) }"
dynamic="function f:long(n:long) %{ char b[STAP_ARG_n]; b[0] = 1; $use STAP_RETVALUE = b[0]; %}
	probe begin { println(f(pid())) }"
helper="%{ static noinline int helper(int n) { char b[5000]; b[n] = 1; $use return b[n / 2]; } %}
	function f:long(n:long) %{ STAP_RETVALUE = helper(STAP_ARG_n); %} probe begin { println(f(pid())) }"
expression="probe begin { println(%{ ({ char b[5000]; b[0] = 1; $use b[0]; }) %}) }"
statement="probe begin { %{ char b[5000]; b[0] = 1; $use %} }"
# Each frame is allowed, but not their sum.
chain="%{ $(for i in 5 4 3 2; do
	[ $i = 5 ] && next='n' || next="h$((i + 1))(n)"
	echo "static noinline long h$i(long n) { char b[3500]; b[0] = n; $use return b[0] + $next; }"
done) %}
function f:long(n:long) %{ STAP_RETVALUE = h2(STAP_ARG_n); %} probe begin { println(f(pid())) }"

refuses_all() {
	local name names=(array helper expression statement)
	# The wide expression takes the compiler seconds.
	if [ -n "$SPILE_PART" ]; then
		names=("${names[turn % 4]}")
	else
		refused "$@" -e "$wide" || return
	fi
	for name in "${names[@]}" chain; do
		echo "$name"
		refused -g "$@" -e "${!name}" || return
	done
	# The compiler's own warning about such arrays is not an error, but a frame of unknown size is.
	"$STAP" -r "$release" -g -p4 -m refused "$@" -e "$dynamic" >log 2>&1 && return 1
	grep -q '^semantic error: .* has a stack frame whose size is known only at run time' log
}

# Check the message for the user; the sizes depend on the compiler.
cat >user.stp <<'EOF'
%{
static noinline int helper(int n)
{
	char b[5000];

	b[n] = 1;
	__asm__ volatile("" : : "r"(b) : "memory");
	return b[n / 2];
}
%}
function large:long(n:long) %{
	char b[6000];

	b[0] = helper(STAP_ARG_n);
	__asm__ volatile("" : : "r"(b) : "memory");
	STAP_RETVALUE = b[0];
%}
function named:long() { return large(pid()) + large(tid()) }
probe begin { println(named()) exit() }
EOF
cat >user.err <<'EOF'
semantic error: helper() needs a stack frame of N bytes; the kernel's stack allows N
        at: user.stp:2:1
    2 | static noinline int helper(int n)
      | ^
hint: keep large data of C code in static variables, not on the stack
semantic error: function large needs a stack frame of N bytes; the kernel's stack allows N
        at: user.stp:11:10
   11 | function large:long(n:long) %{
      |          ^~~~~
hint: keep large data of C code in static variables, not on the stack
Pass 4: failed with N errors.  [man error::pass4]
EOF
says_where() {
	"$STAP" -g -r "$release" -p4 -m refused "$@" user.stp >log 2>&1
	sed -E 's/(of|allows|with) [0-9]+/\1 N/g' log | diff user.err -
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	check "$release: a too large frame is refused" refused -e "$wide"
	check "$release: too large frames are refused with the recorded commands" refuses_all
	check_some 5 "$release: too large frames are refused without the optimizer" refuses_all -u
	check "$release: the message has the place and a hint" says_where
	check_some 5 "$release: too large frames are refused with a compiler that does not report calls" \
		refused --disable-cache -B STACK_USAGE=-fstack-usage -e "$wide"
	check_some 5 "$release: a too large frame is refused again" refused -e "$wide"
done

# ---- in a guest ------------------------------------------------------------------------------------------------------

# translate N: make the module of a script, or record why it was refused. Half of the scripts use -u.
translate() {
	local options=$limits
	[ $(($1 % 2)) -eq 0 ] || options+=" -u"
	"$STAP" -w -r "$release" $options -p4 -m "wide_$1" "scripts/wide_$1.stp" >"scripts/wide_$1.log" 2>&1
}

output_of() {
	awk -v begin="== $1" -v end="== $(($1 + 1))" '$0 == begin { on = 1; next } $0 == end { exit } on' outputs
}

# Does each script print the right values, or was it refused with the right message?
judge() {
	local number failed=0
	for number in $(seq 0 $((scripts - 1))); do
		if [ -e "wide_$number.ko" ]; then
			output_of "$number" | diff "scripts/wide_$number.out" - && continue
		else
			# The first scripts must work.
			[ "$number" -ge 8 ] && was_refused "scripts/wide_$number.log" && continue
			cat "scripts/wide_$number.log"
		fi
		echo "script $number of seed $seed differs"
		failed=1
	done
	return $failed
}

run_all() {
	local number files=()
	for number in $(seq 0 $((scripts - 1))); do
		[ ! -e "wide_$number.ko" ] || files+=(--file "$work/wide_$number.ko:/tmp/wide_$number.ko")
	done
	"$STAP_VM" exec --socket "$work/$release" --file "$STAPRUN:/bin/staprun" "${files[@]}" -- sh -c "
		for i in \$(seq 0 $((scripts - 1))); do
			echo \"== \$i\"
			[ ! -e /tmp/wide_\$i.ko ] || timeout 900 /bin/staprun /tmp/wide_\$i.ko 2>&1
		done
		echo \"== $scripts\"" >outputs 2>err || return
	judge
}

export STAP release seed limits work
export -f translate
for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	rm -rf scripts wide_*.ko && mkdir scripts && "$fuzzer" scripts "$scripts" "$seed" || exit 1
	start_guest $release --smp 2 || continue
	seq 0 $((scripts - 1)) | xargs -P "$(nproc)" -I{} bash -c 'translate {}'
	check "$release: $scripts wide and deep scripts of seed $seed print the right values" run_all
	check_guest_log $release "after them"
	stop_guest $release
done
