# SPDX-License-Identifier: GPL-2.0-or-later
#
# Probed programs behave as without probes. Tests cover files in chroots, containers and overlays, deleted, replaced and
# set-uid files; seccomp, strace and gdb; instructions of every kind; faults and signals at the probed place; modules,
# loaders, libraries and programs that start and end during a session.
#
#     SPILE_TESTS=PATTERN  run only some tests: homes, observers and so on as below
#     SPILE_LOADS=N        the number of modules loaded and unloaded while a program runs (6; with SPILE_FULL 250)
#     SPILE_KILLS=N        the number of loaders that are killed (6)

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
loads=${SPILE_LOADS:-${SPILE_FULL:+250}}
loads=${loads:-6}
kills=${SPILE_KILLS:-6}
resident=$work/resident
library=$work/libtraced.so
libc=$(gcc -print-file-name=libc.so.6)
gcc -g -O2 -Wall -o "$resident" "$tests/programs/resident.c" &&
	gcc -g -O2 -static -o "$resident-static" "$tests/programs/resident.c" 2>/dev/null &&
	gcc -g -O2 -fexceptions -pthread -o "$work/exceptions" "$tests/programs/exceptions.c" &&
	gcc -O1 -no-pie -o "$work/instructions" "$tests/programs/instructions.c" &&
	gcc -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$library" "$tests/programs/traced-library.c" || exit 1
# Another file, for programs in an overlay and programs that are replaced.
mkdir "$work/merged" && cp "$resident" "$work/merged/resident" || exit 1

# build NAME SCRIPT [OPTION...]: compile $work/NAME.ko. For a stapusr, the overload check cannot be disabled.
build() {
	local overload=$no_overload
	[[ $* != *--privilege=stapusr* ]] || overload=-DSTP_OVERLOAD_THRESHOLD=500000000
	(cd "$work" && "$STAP" -r "$release" -p4 -m "$1" $overload -e "$2" "${@:3}" 2>&1) >"$work/log" || {
		cat "$work/log"
		return 1
	}
}

# in_guest COMMAND [OPTION-OF-STAP-VM...]: run it in the guest in $work, with the following shell functions.
in_guest() {
	"$STAP_VM" exec --socket "$work/$release" --file "$STAPRUN:/bin/staprun" \
		--file "$SPILE_BUILDDIR/stap-tables:/bin/stap-tables" "${@:2}" -- sh -c "
		# while_probed MODULE COMMAND...: run the command when the probes are armed, and then end the script
		while_probed() {
			local module=\$1 script try
			shift
			rm -f over
			# Remove the output of the previous script, because a background job opens its output late.
			: >script.out
			/bin/staprun -R -v -c 'sh -c \"while [ ! -e over ]; do sleep 0.1; done\"' \$module.ko \
				>script.out 2>&1 & script=\$!
			for try in \$(seq 600); do
				! grep -q 'armed' script.out || break
				[ -d /proc/\$script ] || break
				sleep 0.1
			done
			\"\$@\"
			touch over
			wait \$script || echo \"staprun ended with \$?\"
			grep -v '^staprun: ' script.out
		}
		# until_there FILE: wait until it exists
		until_there() {
			local try
			for try in \$(seq 300); do [ -e \$1 ] && return; sleep 0.1; done
			echo \"\$1 is not there\"
		}
		cd $work
		$1"
}

# wants TEXT: is this the output in $work/out?
wants() {
	printf '%s\n' "$1" >"$work/wanted"
	diff -u --label wanted --label got "$work/wanted" "$work/out"
}

# ---- places of files -------------------------------------------------------------------------------------------------

# A script that prints the calls at each place, by their number.
lives() {
	echo "global calls, returns, begun, ended
		probe process(\"$1\").function(\"place\").call { calls[\$tag]++ }
		probe process(\"$1\").function(\"place\").return { returns[@entry(\$tag)] += \$return - @entry(\$tag) }
		probe process(\"$1\").begin { begun++ }
		probe process(\"$1\").end { ended++ }
		probe end {
			foreach (tag+ in calls) printf(\"%d: %d %d\n\", tag, calls[tag], returns[tag])
			printf(\"%d begun, %d ended\n\", begun, ended)
		}"
}

homes() {
	build spile_homes "$(lives "$resident")" &&
		in_guest "
		all() {
			$resident calls 1
			mkdir root && mount --bind / root && ln $resident /bin/other
			chroot root /bin/other calls 2
			umount root
			unshare -m sh -c 'mkdir -p /elsewhere && mount -t tmpfs none /elsewhere && touch /elsewhere/p &&
				mount --bind $resident /elsewhere/p && /elsewhere/p calls 3'
			unshare -p -f --mount-proc $resident calls 4
			unshare -U -r $resident calls 5
			# Not hit: an unnamed copy, and a copy with another name.
			$resident memfd 6
			cp $resident copy
			./copy calls 7
			# A second name, which is removed while the program runs.
			ln $resident hard
			./hard calls 8 go8 & until_there go8.ready
			rm hard
			touch go8
			wait \$!
			chmod 4755 $resident
			su -s /bin/sh nobody -c '$resident calls 9'
			chmod 0755 $resident
			# Replaced while the script runs: running programs are still probed; the new file is another
			# one.
			$resident calls 10 go10 & until_there go10.ready
			mv copy $resident
			$resident calls 11
			touch go10
			wait \$!
		}
		chmod 755 . ..
		cp -p $resident original
		while_probed spile_homes all
		rm $resident && mv original $resident
		rm go8* go10* /bin/other && rmdir root" --file "$work/spile_homes.ko:$work/spile_homes.ko" \
			>"$work/out" 2>&1
	wants '1: 50 calls, user 0 as 0
2: 50 calls, user 0 as 0
3: 50 calls, user 0 as 0
4: 50 calls, user 0 as 0
5: 50 calls, user 0 as 0
6: 50 calls, user 0 as 0
7: 50 calls, user 0 as 0
8: 100 calls, user 0 as 0
9: 50 calls, user 65534 as 0
11: 50 calls, user 0 as 0
10: 100 calls, user 0 as 0
1: 50 50
2: 50 50
3: 50 50
4: 50 50
5: 50 50
8: 100 100
9: 50 50
10: 100 100
9 begun, 9 ended'
}

# A file that is deleted or replaced before the script begins: processes that run the old file are not probed.
replaced_before() {
	build spile_replaced "$(lives "$resident")" &&
		in_guest "
		cp -p $resident original
		$resident calls 1 go1 & until_there go1.ready
		cp $resident copy && mv copy $resident
		while_probed spile_replaced $resident calls 2
		touch go1
		wait \$!
		# Another build of the program is refused.
		printf x >>$resident
		cp $resident-static $resident
		while_probed spile_replaced true 2>&1 |
			sed 's/ that stap has read.*; hint/ ...; hint/; s#in /.*/#in .../#'
		rm $resident
		while_probed spile_replaced true 2>&1 |
			sed 's#in /.*/#in .../#; s#(\"[^ ]*/#(\".../#; s#program /.*/#program .../#'
		mv original $resident
		rm go1*" --file "$work/spile_replaced.ko:$work/spile_replaced.ko" >"$work/out" 2>&1
	wants '2: 50 calls, user 0 as 0
2: 50 50
1 begun, 1 ended
1: 100 calls, user 0 as 0
WARNING: probes in .../resident are not armed: the file is not the one ...; hint: run stap again
0 begun, 0 ended
WARNING: probes in .../resident are not armed: there is no such file [-2]
WARNING: probe process(".../resident").begin is not armed: there is no program .../resident [-2]
WARNING: probe process(".../resident").end is not armed: there is no program .../resident [-2]
0 begun, 0 ended'
}

# A machine whose files are in a directory of this one: its links, and the names in the module, are paths on that
# machine.
sysroot() {
	local tree=$work/machine
	rm -rf "$tree" && mkdir -p "$tree/opt/real" "$tree/usr/bin" "$tree/usr/lib" &&
		cp "$resident" "$tree/opt/real/resident" && cp "$library" "$tree/usr/lib" &&
		ln -s /opt/real/resident "$tree/usr/bin/elsewhere" &&
		build spile_sysroot "$(lives elsewhere)
			probe process(\"elsewhere\").library(\"%{sysroot}/usr/l*/libtraced.so\")
				.function(\"library_*\").call { names[ppfunc()]++ }
			probe process(\"/usr/bin/elsewhere\").begin { names[pp()]++ }
			probe end { foreach (name+ in names limit 2) println(name) }
			global names" --sysroot="$tree" --sysenv=PATH=/nowhere:/usr/bin \
			-r "$(build_tree "$release")" &&
		objcopy --remove-section=.modinfo "$work/spile_sysroot.ko" "$work/without" && # the options are there
		! grep -q "$tree" "$work/without" && in_guest "
		all() {
			/opt/real/resident calls 1
			/opt/real/resident library 2 /usr/lib/libtraced.so
		}
		mkdir -p /opt/real /usr/lib && cp $resident /opt/real && cp $library /usr/lib
		while_probed spile_sysroot all
		rm /opt/real/resident /usr/lib/libtraced.so" --file "$work/spile_sysroot.ko:$work/spile_sysroot.ko" \
			>"$work/out" 2>&1
	wants '1: 50 calls, user 0 as 0
2: 40300
1: 50 50
2 begun, 2 ended
library_add
process("/opt/real/resident").begin'
}

overlay() {
	build spile_overlay "$(lives "$work/merged/resident")" &&
		in_guest "
		mkdir lower && cp -p $resident lower && mkdir -p layers merged && mount -t tmpfs none layers &&
			mkdir layers/upper layers/work &&
			mount -t overlay overlay -o lowerdir=lower,upperdir=layers/upper,workdir=layers/work merged
		all() {
			merged/resident calls 1
			lower/resident calls 2
			# In another container of the same image.
			unshare -m sh -c 'mkdir -p /own && mount -t tmpfs none /own && mkdir /own/u /own/w /own/m &&
				mount -t overlay -o lowerdir=$work/lower,upperdir=/own/u,workdir=/own/w o /own/m &&
				/own/m/resident calls 3'
			merged/resident calls 4 go4 & until_there go4.ready
			# Copied up in the overlay: another file from now on.
			chmod 700 merged/resident
			merged/resident calls 5
			touch go4
			wait \$!
		}
		while_probed spile_overlay all
		# From the start, the file is that of the upper layer.
		while_probed spile_overlay merged/resident calls 6
		rm go4*
		umount merged layers && rm -r lower" --file "$work/spile_overlay.ko:$work/spile_overlay.ko" \
			>"$work/out" 2>&1
	wants '1: 50 calls, user 0 as 0
2: 50 calls, user 0 as 0
3: 50 calls, user 0 as 0
5: 50 calls, user 0 as 0
4: 100 calls, user 0 as 0
1: 50 50
2: 50 50
3: 50 50
4: 100 100
4 begun, 4 ended
6: 50 calls, user 0 as 0
6: 50 50
1 begun, 1 ended'
}

# build_forms: build programs/stacks.c as all kinds of files, in $work/forms. Tests check names and stacks in the last
# of many rounds, because tables of files that no option names are made while the programs run.
build_forms() {
	local forms=$work/forms source=$tests/programs/stacks.c options="-O2 -fomit-frame-pointer"
	mkdir -p "$forms" && cd "$forms" || return
	gcc $options -pthread -o pie "$source" && gcc $options -pthread -no-pie -o fixed "$source" &&
		gcc $options -pthread -static -o static "$source" &&
		gcc $options -pthread -static-pie -o static-pie "$source" &&
		musl-gcc $options -o musl "$source" && musl-gcc $options -static -o musl-static "$source" &&
		musl-gcc $options -static-pie -o musl-static-pie "$source" &&
		gcc $options -pthread -rdynamic -o stripped "$source" && strip stripped || return
	# Cut off the section headers at the end of the file, and clear their offset and count at 40, 58 and 60.
	head -c $(($(od -An -t u8 -j 40 -N 8 stripped))) stripped >sectionless &&
		head -c 8 /dev/zero | dd of=sectionless bs=1 seek=40 conv=notrunc status=none &&
		head -c 6 /dev/zero | dd of=sectionless bs=1 seek=58 conv=notrunc status=none &&
		chmod +x sectionless || return
	# Make MiniDebugInfo as distributions do.
	objcopy --only-keep-debug pie mini && strip --strip-debug mini && xz -f mini && strip -o mini-debuginfo pie &&
		objcopy --add-section .gnu_debugdata=mini.xz mini-debuginfo || return
	head -c 6000 pie >cut
	printf '#!%s 300\n' "$forms/pie" >script
	printf '#!%s\n' "$forms/script" >script-of-script
	printf '#!/nowhere/interpreter\n' >script-of-none
	chmod +x script*
}

# says TEXT OPTION...: does pass 2 of stap print this message?
says() {
	"$STAP" -r "$release" -p2 "${@:2}" 2>&1 | grep -F "$1" >/dev/null || echo "stap ${*:2}: not '$1'"
}

# Print " -" for each frame of glibc's qsort() below the comparison function, as counted by glibc's own backtrace().
glibc_sort() {
	gcc -o "$work/depth" -x c - <<-END
		#include <execinfo.h>
		#include <stdio.h>
		#include <stdlib.h>
		static void *frames[64];
		static int outside, inside;
		static int compare(const void *a, const void *b)
		{
			if (!inside)
				inside = backtrace(frames, 64);
			return *(const int *)a - *(const int *)b;
		}
		int main(void)
		{
			int values[] = {3, 1, 2};

			outside = backtrace(frames, 64);
			qsort(values, 3, sizeof(values[0]), compare);
			for (int i = outside + 1; i < inside; i++)
				printf(" -");
		}
	END
	"$work/depth"
}

# The same for musl, which has no backtrace(): trinkle() calls sift() or jumps there, depending on its compiler.
musl_sort() {
	objdump -d --no-show-raw-insn "$work/forms/musl-static" |
		awk '/<trinkle>:$/ { on = 1 } /^$/ { on = 0 } on && /<sift>$/ { print /call/ ? " - - -" : " - -" }'
}

forms() {
	local forms=$work/forms name
	(build_forms) || return
	build spile_forms "global n, shapes
		probe process(\"$forms/{pie,fixed,static,static-pie,musl,musl-static,musl-static-pie}\")
				.function(\"at_sort\").call,
			process(\"$forms/{stripped,sectionless,mini-debuginfo}\").function(\"at_sort\").call {
			n[last(umodname(uaddr()))]++
		}
		function last:string (path:string) {
			for (word = tokenize(path, \"/\"); word != \"\"; word = tokenize(\"\", \"/\"))
				found = word
			return found
		}
		function shape:string () {
			for (i = 1; ustack(i); i++) {
				name = usymname(ustack(i))
				text .= name =~ \"^at_\" ? \" \" . substr(name, 3, 9) : \" -\"
				if (name == \"at_main\") break
			}
			return text
		}
		probe kernel.function(\"__do_sys_getpgid\") {
			if (\$pid == 3) try { shapes[last(umodname(ustack(1)))] = shape() } catch { }
		}
		probe process(\"$forms/script-of-script\").begin { n[\"scripts\"]++ }
		probe end {
			foreach (name+ in n) printf(\"%s %d\n\", name, n[name])
			foreach (name+ in shapes) printf(\"%s:%s\n\", name, shapes[name])
		}" &&
		in_guest "
		all() {
			local form
			for form in pie fixed static static-pie musl musl-static musl-static-pie stripped sectionless \
				mini-debuginfo; do
				forms/\$form 300
			done
			forms/script-of-script
			/lib64/ld-linux-x86-64.so.2 forms/loaded 300
			$resident nameless 300 forms/static
			mkdir -p root/tmp && cp forms/static root/inside && chroot root /inside 300
			cp forms/static deleted && ./deleted 300 & sleep 0.3; rm deleted; wait \$!
			cp forms/static set-uid && chmod 4755 set-uid && su -s /bin/sh nobody -c './set-uid 300'
			mkdir lower && cp forms/static lower/above && mkdir -p layers && mount -t tmpfs none layers &&
				mkdir layers/upper layers/work layers/merged && mount -t overlay overlay \
				-o lowerdir=lower,upperdir=layers/upper,workdir=layers/work layers/merged
			layers/merged/above 300
			umount layers/merged layers
		}
		chmod 755 . ..
		cp forms/pie forms/loaded
		while_probed spile_forms all
		rm -r root set-uid lower layers" --file "$work/spile_forms.ko:$work/spile_forms.ko" \
			$(cd "$work" && for name in forms/{pie,fixed,*static*,musl,stripped,sectionless} \
				forms/{mini-debuginfo,script*}; do echo "--file $work/$name:$work/$name"; done) \
			>"$work/out" 2>&1
	sed -i -E 's/^(\/?memfd:resident) ?\(deleted\)/memfd/; s/ \(deleted\)//' "$work/out"
	wants "$(printf '%s 300\n' fixed mini-debuginfo musl musl-static musl-static-pie)
pie 600
scripts 2
$(printf '%s 300\n' sectionless static static-pie stripped)
$({
		printf "%s: end compare$(glibc_sort) sort main\n" above deleted fixed inside loaded memfd \
			mini-debuginfo pie sectionless set-uid static static-pie stripped
		printf "%s: end compare$(musl_sort) sort main\n" musl musl-static musl-static-pie
	} | sort -t : -k 1,1)" || return
	says 'the file is truncated' -e "probe process(\"$forms/cut\").function(\"*\") { }"
	says 'the file is truncated' -d "$forms/cut" -e 'probe begin { print_ubacktrace() }'
	says 'is a script whose interpreter /nowhere/interpreter does not exist' \
		-e "probe process(\"$forms/script-of-none\").begin { }"
}

# ---- restricted programs ---------------------------------------------------------------------------------------------

restricted() {
	build spile_restricted "$(lives "$resident")" &&
		in_guest "
		all() {
			for what in strict filter faults signals traced; do
				$resident \$what 1
				echo \"\$what \$?\"
			done
		}
		all >without
		while_probed spile_restricted all >all-of-it
		# The tracer sets a breakpoint at the probe, and a warning says so.
		grep -c '^WARNING: resident .* has a breakpoint' all-of-it
		grep -v '^WARNING: resident .* has a breakpoint' all-of-it >with
		grep -v '^5: ' with | sed '/^1: [0-9]* [0-9]*$/d; /begun/d' | diff without - && echo the same
		sed -n '/begun/p' with" --file "$work/spile_restricted.ko:$work/spile_restricted.ko" >"$work/out" 2>&1
	wants '1
the same
6 begun, 6 ended'
}

# ---- probed instructions ---------------------------------------------------------------------------------------------

# Exceptions pass functions whose returns are probed, in the program and in the C library, and one that a signal handler
# throws. Functions that an exception leaves do not return; their callers that catch it do.
exceptions() {
	build spile_exceptions "global n
		probe process(\"$work/exceptions\").function(\"*\").return { n[ppfunc()]++ }
		probe process(\"$libc\").function(\"qsort\").return { n[\"outside\"]++ }
		probe process(\"$libc\").function(\"qsort_r\").return { n[\"inside\"]++ }
		probe process(\"$libc\").function(\"qsort_r\") { n[\"begun\"]++ }
		probe end {
			printf(\"%d begun, %d and %d returned, %d leaf\n\", n[\"begun\"], n[\"inside\"],
				n[\"outside\"], n[\"leaf\"])
		}" &&
		in_guest "
		$work/exceptions >without || echo \$?
		while_probed spile_exceptions $work/exceptions >with
		diff without with | grep '^[-+][^-+]'" --file "$work/spile_exceptions.ko:$work/spile_exceptions.ko" \
			--file "$work/exceptions" >"$work/out" 2>&1
	wants '+3 begun, 1 and 1 returned, 0 leaf'
}

# Each instruction is hit once in each of four rounds. One with a rep prefix is hit for each repetition, and once more
# on QEMU 10, which single-steps the final check of the counter.
instructions() {
	local name repeated=13
	[[ $(qemu-system-x86_64 --version) =~ version\ ([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge 10 ] && repeated=16
	for name in pushf:'single-step flag' syscall:'system call' exchange:exchange lock:prefix segment:prefix \
		data16_jump:'16 bits' vpxor:kind; do
		"$STAP" -r "$release" -p2 -e "probe process(\"$work/instructions\").function(\"r_${name%:*}\") {}" \
			2>&1 | grep -q "the first instruction of 'r_${name%:*}' cannot be probed: .*${name#*:}" || {
			echo "r_$name"
			return 1
		}
	done
	build spile_instructions "global n, all, odd
		probe process(\"$work/instructions\").function(\"[ir]_*\").call { n[ppfunc()]++ }
		probe end {
			foreach (f+ in n) {
				all++
				if (n[f] != 4) printf(\"%s %d\n\", f, n[f])
			}
			println(all)
		}" && in_guest "
		$work/instructions >without || echo \$?
		while_probed spile_instructions $work/instructions >with
		diff without with" --file "$work/spile_instructions.ko:$work/spile_instructions.ko" >"$work/out" 2>&1
	grep '^[-+]' "$work/out" | grep -v '^---\|^+++' >"$work/differences"
	printf '+%s\n' "i_rep_movs $repeated" "i_rep_nothing $repeated" "i_rep_stos $repeated" \
		"i_repe_cmps $repeated" "i_repne_scas $repeated" 140 | diff - "$work/differences"
}

# random_code SEED: print functions of random bytes, with more prefixes than by chance. They are never run.
random_code() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		count = split("102 242 243 72 73 65 15 15 15 196 197 98 100 144 156 199 255 247", often)
		print ".text\n.globl main\nmain: sub $8, %rsp\n1: call pause@PLT\n jmp 1b"
		for (i = 0; i < 4000; i++) {
			printf(".globl x_%d\n.type x_%d, @function\nx_%d: .byte ", i, i, i)
			for (j = 0; j < 15; j++) {
				byte = j < 3 && rand() < 0.4 ? often[int(rand() * count) + 1] : int(rand() * 256)
				printf("%d, ", byte)
			}
			printf("144\n.size x_%d, . - x_%d\n", i, i)
		}
		print ".section .note.GNU-stack"
	}'
}

# Rename functions whose bytes are not an instruction to y_NUMBER. The decoder of kernel 6.1 lacks the instructions that
# were first encoded with EVEX and later with VEX as well, which objdump marks with {vex}.
keep_instructions() {
	gcc -c -o "$1.o" "$1" && objdump -d --no-show-raw-insn "$1.o" |
		awk '/^[0-9a-f]+ <x_/ { name = substr($2, 2, length($2) - 3); getline
			if (/\(bad\)|\{vex\}/) print "s/\\<" name "\\>/y" substr(name, 2) "/g" }' >"$1.sed" &&
		sed -i -f "$1.sed" "$1"
}

# The kernel must accept every instruction that pass 2 does not refuse.
random_instructions() {
	random_code "${SPILE_FULL:+$RANDOM}15" >"$work/random.s" && keep_instructions "$work/random.s" &&
		gcc -o "$work/random" "$work/random.s" &&
		build spile_random "probe process(\"$work/random\").function(\"x_*\").call { println(ppfunc()) }
			probe end { println(\"end\") }" &&
		in_guest "
		$work/random & pid=\$!
		while_probed spile_random sed -n 's/.*armed: instructions of programs: /armed /p' script.out
		kill \$pid" --file "$work/spile_random.ko:$work/spile_random.ko" --file "$work/random" >"$work/out" 2>&1
	sed -n 's/^armed \([0-9]*\).*/\1/p' "$work/out" >"$work/armed"
	[ "$(sed '/^armed/d' "$work/out")" = end ] && [ "$(cat "$work/armed")" -gt 2000 ] || {
		head -n 40 "$work/out"
		return 1
	}
}

# ---- observers -------------------------------------------------------------------------------------------------------

# The directory of gdb's Python, without which gdb does not start, for the guest.
pack_python() {
	local library
	library=$(ldd /usr/bin/gdb | sed -n 's/^\tlibpython\(3\.[0-9]*\).*/python\1/p')
	[ -z "$library" ] || (cd /usr/lib && tar cf "$work/python.tar" "$library"/{*.py,__pycache__} \
		"$library"/{encodings,collections,json,re,importlib}) 2>/dev/null
	[ -e "$work/python.tar" ] || tar cf "$work/python.tar" -T /dev/null
}

# strace and gdb on a probed program: from its start and attached later, with their own breakpoints at the probe and
# after it, and single-stepping. gdb does not see its breakpoint at a probe, because the kernel takes all breakpoints
# there for its own.
observers() {
	pack_python
	build spile_observers "$(lives "$resident")" &&
		in_guest "
		gdb_does() { gdb -nx -batch \"\$@\" 2>gdb.err | grep -a '^seen\|calls, user'; }
		all() {
			strace -f -o strace.out $resident calls 1
			grep -c '^[0-9]* *write(1' strace.out
			strace -f -o strace.out sh -c '$resident calls 2; $resident calls 3'
			$resident calls 4 go4 & program=\$!
			until_there go4.ready
			strace -p \$program -o strace.out 2>strace.err & observer=\$!
			sleep 1
			kill \$observer
			wait \$observer 2>wait.err
			touch go4
			wait \$program
			$resident calls 5 go5 & program=\$!
			until_there go5.ready
			gdb_does -p \$program -ex 'break place' -ex stepi -ex stepi -ex detach -ex 'echo seen\n'
			touch go5
			wait \$program
			gdb_does -ex 'break place' -ex run -ex 'echo seen\n' --args $resident calls 6
			gdb_does -ex 'break *(char *)place+4' -ex run -ex 'ignore 1 30' -ex continue -ex 'delete' \
				-ex 'echo seen\n' -ex continue --args $resident calls 7
			gdb_does -ex 'break call_often' -ex run -ex 'stepi 60' -ex 'delete' -ex 'echo seen\n' \
				-ex continue --args $resident calls 8
			rm go4* go5*
		}
		mkdir -p /usr/lib && tar xf python.tar -C /usr/lib
		while_probed spile_observers all" --file "$work/spile_observers.ko:$work/spile_observers.ko" \
			--file "$work/python.tar" --file /usr/bin/gdb:/bin/gdb >"$work/out" 2>&1
	sed -i -E 's/^WARNING: (gdb).* (has a breakpoint) .*where a probe is,.*/\1 \2/' "$work/out"
	wants '1: 50 calls, user 0 as 0
1
2: 50 calls, user 0 as 0
3: 50 calls, user 0 as 0
4: 100 calls, user 0 as 0
seen
5: 100 calls, user 0 as 0
6: 50 calls, user 0 as 0
seen
seen
7: 50 calls, user 0 as 0
seen
8: 50 calls, user 0 as 0
gdb has a breakpoint
gdb has a breakpoint
1: 50 50
2: 50 50
3: 50 50
4: 100 100
5: 100 100
6: 50 50
7: 50 50
8: 50 50
8 begun, 8 ended'
}

# gdb's breakpoint at the place of a probe, set and deleted before, while and after the probe is armed. The cases are
# numbered, with the hits that the script sees. The kernel takes each hit there for the probe's. If the breakpoint is
# deleted after the probe is disarmed (5), the program ends, as the warning says.
breakpoints() {
	pack_python
	build spile_breakpoints "$(lives "$resident")" &&
		in_guest "
		# gdb_does COMMAND...: run gdb commands on the waiting program; breakpoints are inserted at once
		gdb_does() {
			local options
			for command; do options=\"\$options -ex '\$command'\"; done
			eval gdb -nx -batch -p \$program -ex '\"set breakpoint always-inserted on\"' \$options \
				>gdb.out 2>gdb.err
		}
		begin() {
			rm -f go*
			$resident calls \$1 go & program=\$!
			until_there go.ready
		}
		end() {
			touch go
			wait \$program 2>wait.err || echo \"the program ended with \$?\"
		}
		while_armed() { while_probed spile_breakpoints \"\$@\"; }
		mkdir -p /usr/lib && tar xf python.tar -C /usr/lib
		# Set it now, and delete it when gdb.go exists.
		set_breakpoint() {
			rm -f gdb.*
			gdb_does 'break place' 'shell touch gdb.ready' \
				'shell while [ ! -e gdb.go ]; do sleep 0.1; done' 'delete' & debugger=\$!
			until_there gdb.ready
		}
		delete_breakpoint() {
			touch gdb.go
			wait \$debugger
		}
		# Set and deleted while the probe is armed.
		both() { begin 1; gdb_does 'break place' 'delete'; end; }
		while_armed both
		# Set before the probe is armed, and deleted after it was disarmed.
		begin 2
		set_breakpoint
		while_armed true
		delete_breakpoint
		end
		# Set before the probe is armed, and deleted while it is.
		begin 3
		set_breakpoint
		during() { delete_breakpoint; $resident calls 4; end; }
		while_armed during
		# Set while the probe is armed, and deleted after it was disarmed.
		after() { begin 5; set_breakpoint; }
		while_armed after
		delete_breakpoint
		end
		rm -f go* gdb.*" --file "$work/spile_breakpoints.ko:$work/spile_breakpoints.ko" \
			--file "$work/python.tar" --file /usr/bin/gdb:/bin/gdb >"$work/out" 2>&1
	sed -i -E 's/process [0-9]+/process N/g; s/0x[0-9a-f]+/ADDRESS/
		s/, and does not see hits there; hint: delete it before this script ends, .*/ .../
		s/: hits there are no longer seen/ .../' "$work/out"
	wants '1: 100 calls, user 0 as 0
WARNING: gdb (process N) has a breakpoint at ADDRESS of process N, where a probe is ...
1: 100 100
1 begun, 1 ended
1 begun, 0 ended
2: 100 calls, user 0 as 0
4: 50 calls, user 0 as 0
3: 100 calls, user 0 as 0
WARNING: gdb (process N) has taken out the breakpoint of a probe at ADDRESS of process N ...
4: 50 50
2 begun, 2 ended
WARNING: gdb (process N) has a breakpoint at ADDRESS of process N, where a probe is ...
5: 50 50
1 begun, 0 ended
the program ended with 133'
}

# ---- modules, loaders and programs that start and end ----------------------------------------------------------------

# busy: print a script with all kinds of probes of a running program.
busy() {
	echo "global n, stacks
		probe process(\"$resident\").function(\"*\").call { n[ppfunc()] <<< 1 }
		probe process(\"$resident\").function(\"place\").return { n[\"return\"] <<< @entry(\$tag) }
		probe process(\"$resident\").statement(\"call_often@*:*\") { stacks[ucallers(3)]++ }
		probe process(\"$library\").function(\"library_*\").return { n[\"library\"] <<< \$return }
		probe process(\"$resident\").begin, process(\"$resident\").end, process(\"$resident\").syscall {
			n[pp()] <<< 1
		}
		probe timer.profile { stacks[ubacktrace()]++ }
		probe end { println(@count(n[\"place\"]) > 0) }"
}

# Programs continue while modules are loaded and unloaded. Nothing is left in them or in the kernel.
loads() {
	build spile_busy "$(busy)" -w -DMAXSKIPPED=10000000 -DMAXERRORS=10000000 &&
		in_guest "
		# Print the kB of used pages. Per-CPU lists hold tens of MB of free pages, which MemFree does not count.
		pages() {
			awk '\$1 == \"managed\" { used += \$2 } \$1 ~ /^(nr_free_pages|count:)\$/ { used -= \$2 }
				END { print 4 * used }' /proc/zoneinfo
		}
		# memory KIND: print the least kB in use over some seconds, as memory is freed late. KIND is pages, or a
		# name in meminfo.
		memory() {
			local try now least
			for try in 1 2 3 4 5 6; do
				sleep 0.5
				echo 3 >/proc/sys/vm/drop_caches
				case \$1 in
				pages) now=\$(pages) ;;
				*) now=\$(sed -n \"s/^\$1: *\\([0-9]*\\) kB/\\1/p\" /proc/meminfo) ;;
				esac
				[ \${least:-\$now} -lt \$now ] || least=\$now
			done
			echo \$least
		}
		# more_memory KIND BEFORE LIMIT: print a message if more is in use. Retry, as a busy host frees later.
		more_memory() {
			local now try
			for try in 1 2 3 4 5 6; do
				now=\$(memory \$1)
				[ \$((now - \$2)) -ge \$3 ] || return 0
			done
			echo \"after $loads loads, \$1: \$2 kB before, \$now now\"
		}
		load_often() {
			local i
			for i in \$(seq \$1); do
				/bin/staprun -R -w -c 'usleep 20000' spile_busy.ko >script.out\$2 2>&1 &&
					grep -qx '[01]' script.out\$2 || {
					cat script.out\$2
					return 1
				}
			done
		}
		# load_meanwhile NUMBER: print the output of the programs. Parallel loaders share the kernel's waits.
		load_meanwhile() {
			local first second lane lanes=
			rm -f go1
			$resident endless 1 go1 & first=\$!
			while [ ! -e go1 ]; do
				$resident library 2 $library
				$resident faults 3
				$resident signals 4
			done >others & second=\$!
			for lane in 1 2 3 4; do
				load_often \$(((\$1 + lane - 1) / 4)) \$lane & lanes=\"\$lanes \$!\"
			done
			wait \$lanes
			touch go1
			wait \$first \$second
			sort -u others
		}
		load_meanwhile 4 >first
		all=\$(memory pages)
		slab=\$(memory SUnreclaim)
		percpu=\$(memory Percpu)
		load_meanwhile $loads
		more_memory pages \$all \$((4096 + 4 * $loads))
		more_memory SUnreclaim \$slab \$((4096 + $loads))
		more_memory Percpu \$percpu \$((1024 + $loads / 8))
		grep '^spile' /proc/modules
		rm go1 others first" --file "$work/spile_busy.ko:$work/spile_busy.ko" >"$work/out" 2>&1
	wants '1: 0 wrong, as large as before
2: 40300
3: 50 calls, user 0 as 0
4: 0 too many, all handled
divides: signal 8, code 1, there, address of the instruction
reads: signal 11, code 1, there, address of the operand
undefined: signal 4, code 2, there, address of the instruction'
}

# Kill the loader, the reader, stap-tables and the program at any moment.
kills() {
	build spile_busy "$(busy)" -w -DMAXSKIPPED=10000000 -DMAXERRORS=10000000 &&
		in_guest "
		$resident endless 1 go1 & first=\$!
		for i in \$(seq $kills); do
			/bin/staprun -R -w -c 'sleep 1' spile_busy.ko >/dev/null 2>&1 & script=\$!
			$resident endless 2 never >/dev/null & victim=\$!
			usleep \$(((i * 7919 % 97) * 10000))
			case \$((i % 4)) in
			0) kill -9 \$script ;;
			1) kill -9 \$(pidof staprun | cut -d ' ' -f 1) ;;
			2) kill -9 \$victim ;;
			3) kill -9 \$(pidof stap-tables) ;;
			esac 2>/dev/null
			wait \$script 2>/dev/null
			kill -9 \$victim 2>/dev/null
			wait \$victim 2>/dev/null
		done
		for i in \$(seq 300); do pidof staprun >/dev/null || break; sleep 0.1; done
		/bin/staprun -d '*'
		touch go1
		wait \$first
		$resident peek 3
		grep '^spile' /proc/modules
		rm go1" --file "$work/spile_busy.ko:$work/spile_busy.ko" >"$work/out" 2>&1
	wants '1: 0 wrong, as large as before
3: untouched
3: 50 calls, user 0 as 0'
}

# Kill stap itself: while it translates, and later, when the script then ends in the normal way.
driver() {
	local moment stap script="probe begin { println(\"begun\") }
		probe process(\"$resident\").function(\"place\") { } probe end { println(\"over\") }"
	in_guest "$resident endless 1 go9" >"$work/program.out" 2>&1 &
	local program=$!
	: >"$work/out.begun"
	for moment in 0.02 0.1 0.4 begun; do
		"$STAP" --remote=unix:"$work/$release" -r "$release" -e "$script // $moment" \
			>"$work/out.$moment" 2>&1 & stap=$!
		if [ $moment = begun ]; then
			for _ in $(seq 600); do ! grep -q begun "$work/out.begun" || break; sleep 0.1; done
		else
			sleep $moment
		fi
		kill -KILL $stap
		wait $stap 2>/dev/null
	done
	for _ in $(seq 300); do ! grep -q over "$work/out.begun" || break; sleep 0.1; done
	cp "$work/out.begun" "$work/out"
	in_guest "for try in \$(seq 300); do pidof staprun >/dev/null || break; sleep 0.1; done
		touch go9; grep '^stap_' /proc/modules" >>"$work/out" 2>&1
	wait $program
	cat "$work/program.out" >>"$work/out"
	wants 'begun
over
1: 0 wrong, as large as before'
}

# ---- users without privileges ----------------------------------------------------------------------------------------

# A member of stapusr tries to see processes of others, but gets only their own, without those that have more rights.
# The timer runs in all processes.
attack() {
	echo "global calls, returns, begun, ended, syscalls, own, foreign, leaks
		function leak(what) { leaks[what]++ }
		probe process(\"$resident\").function(\"place\").call {
			calls[\$tag]++
			if (uid() != 1000 || euid() != 1000) leak(\"call\")
			own += (ucallers(0) != \"\") + (user_long_error(@uregister(7)) != 0) +
				(user_uint8_error(0x7fffffffefe0) >= 0)
		}
		probe process(\"$resident\").function(\"place\").return {
			returns[@entry(\$tag)] += \$return - @entry(\$tag)
		}
		probe process(\"$resident\").begin { begun++ if (uid() != 1000 || euid() != 1000) leak(\"begin\") }
		probe process(\"$resident\").end { ended++ }
		probe process.begin, process.end, process.thread.begin {
			if (uid() != 1000 || euid() != 1000) leak(\"process\")
		}
		probe process.syscall { if (uid() != 1000 || \$syscall < 0) leak(\"call\") }
		probe process(\"$resident\").syscall.return { syscalls += \$return >= 0 }
		probe timer.ms(3) {
			if (is_myproc()) next
			foreign++
			try { if (sprint_ubacktrace() != \"?\") leak(\"sprint_ubacktrace\") } catch { }
			try { if (user_string(0x7fffffffefe0) != \"?\") leak(\"user_string\") } catch { }
			try { if (user_long_error(0x7fffffffefe0) != -1) leak(\"user_long\") } catch { }
			try { if (ucallers(1) != \"?\") leak(\"ucallers\") } catch { }
			try { if (@uregister(7) != -1) leak(\"@uregister\") } catch { }
			try { printf(\"%#.16M\", 0x7fffffffefe0) leak(\"%m\") } catch { }
		}
		probe end {
			foreach (tag+ in calls) printf(\"%d: %d %d\n\", tag, calls[tag], returns[tag])
			printf(\"%d %d, %d, %d, %s\n\", begun, ended, own, syscalls > 10,
				foreign > 10 ? \"looked at others\" : \"none\")
			foreach (what in leaks) printf(\"%s: %d\n\", what, leaks[what])
		}"
}

unprivileged_users() {
	build spile_users "$(attack)" --privilege=stapusr &&
		in_guest "
		printf 'root:x:0:0:root:/:/bin/sh\nme:x:1000:1000:me:/:/bin/sh\nother:x:1001:1001::/:/bin/sh\n' \
			>/etc/passwd
		printf 'root:x:0:\nme:x:1000:\nother:x:1001:\nstapusr:x:803:me\n' >/etc/group
		# Without randomization, the stack's end is the same in all processes, and readable.
		echo 0 >/proc/sys/kernel/randomize_va_space
		installed=/lib/modules/\$(uname -r)/systemtap
		mkdir -p \$installed && cp spile_users.ko \$installed
		chmod 755 \$installed && chmod 644 \$installed/*
		cp /bin/staprun run && chmod 4755 run && mkdir -p mine && chown me mine && cp -p $resident original
		su other -c '$resident calls 2 mine/go' & other=\$!
		until_there mine/../mine || exit
		echo 'while [ ! -e over ]; do sleep 0.1; done' >mine/until-over
		: >script.out
		su me -c 'cd mine && ../run -v -w -c \"sh until-over\" spile_users' >script.out 2>&1 & script=\$!
		for try in \$(seq 900); do ! grep -q armed script.out || break; sleep 0.1; done
		su me -c '$resident calls 1'
		su me -c '$resident peek 3'
		su other -c '$resident peek 4'
		$resident peek 5
		su me -c '$resident hidden 6'
		chmod 4755 $resident; su me -c '$resident calls 7'
		chown root:other $resident; chmod 2755 $resident; su me -c '$resident calls 8'
		chmod 711 $resident; su me -c '$resident calls 9'
		chmod 755 $resident; su me -c '$resident calls 10'
		su me -c 'unshare -U -r $resident calls 11'
		touch mine/over mine/go
		wait \$script || echo \"staprun ended with \$?\"
		wait \$other
		grep -v '^staprun: ' script.out
		echo 2 >/proc/sys/kernel/randomize_va_space
		rm -r mine run && rm $resident && mv original $resident" \
			--file "$work/spile_users.ko:$work/spile_users.ko" >"$work/out" 2>&1
	wants '1: 50 calls, user 1000 as 1000
3: changed
3: 50 calls, user 1000 as 1000
4: untouched
4: 50 calls, user 1001 as 1001
5: untouched
5: 50 calls, user 0 as 0
6: 50 calls, user 1000 as 1000
7: 50 calls, user 1000 as 0
8: 50 calls, user 1000 as 1000
9: 50 calls, user 1000 as 1000
10: 50 calls, user 1000 as 1000
11: 50 calls, user 0 as 0
2: 100 calls, user 1001 as 1001
1: 50 50
3: 50 50
10: 50 50
4 4, 450, 1, looked at others'
}

# A member of stapusr runs an installed script that is not restricted, and forges the tables of its stacks
# (programs/hostile-tables.c). They are used only for processes that the user may ptrace(), and stap-tables hears of no
# others.
forged_tables() {
	build spile_forged 'global stacks, names, places
		probe kernel.trace("sys_enter") {
			if (execname() != "victim") next
			who = sprintf("%d%s", uid(), cmdline_arg(1) == "hidden" ? " hidden" : "")
			stacks[who] |= isinstr(ubacktrace(), "5eadbeef")
			names[who] |= usymname(uaddr()) == "forged"
			places[who] = uaddr()
		}
		probe end {
			foreach (who+ in places)
				printf("%s: %d %d %d\n", who, stacks[who], names[who],
					usymname(places[who]) == "forged")
		}' &&
		gcc -O2 -Wall -static -I"$SPILE_SRCDIR" -o "$work/stap-tables" "$tests/programs/hostile-tables.c" &&
		in_guest "
		printf 'root:x:0:0:root:/:/bin/sh\nme:x:1000:1000:me:/:/bin/sh\nother:x:1001:1001::/:/bin/sh\n' \
			>/etc/passwd
		printf 'root:x:0:\nme:x:1000:\nother:x:1001:\nstapusr:x:803:me\n' >/etc/group
		installed=/lib/modules/\$(uname -r)/systemtap
		mkdir -p \$installed suid/mine && cp spile_forged.ko \$installed
		chmod 755 \$installed && chmod 644 \$installed/*
		cp /bin/staprun suid/run && chmod 4755 suid/run && cp stap-tables suid && chown me suid/mine
		mkdir -m 700 secret
		for who in root other me; do
			mkdir -p of_\$who && cp $resident of_\$who/victim && chown \$who of_\$who
		done
		mv of_root secret
		secret/of_root/victim calls 1 suid/mine/over & root=\$!
		su other -c 'of_other/victim calls 2 suid/mine/over' & other=\$!
		su me -c 'of_me/victim calls 3 suid/mine/over' & me=\$!
		su me -c 'of_me/victim hidden 4 suid/mine/over' & hidden=\$!
		cat >suid/mine/until <<-'END'
			for try in \$(seq 600); do ! grep -q opened.*of_me hostile.log || break; sleep 0.1; done
			sleep 1
		END
		su me -c 'cd suid/mine && ../run -w -c \"sh until\" spile_forged'
		touch suid/mine/over
		wait \$root \$other \$me \$hidden
		grep -E 'trusted|of_' suid/mine/hostile.log | sed \"s:/.*/of_:of_:\" | sort -u
		rm -r suid secret of_*" \
			--file "$work/spile_forged.ko:$work/spile_forged.ko" \
			--file "$work/stap-tables:$work/stap-tables" >"$work/out" 2>"$work/err"
	sed -i '/calls, user/d' "$work/out"
	cat "$work/err"
	wants '0: 0 0 0
1000: 1 1 1
1000 hidden: 0 0 0
1001: 0 0 0
asked of_me/victim
opened of_me/victim
trusted: Operation not permitted'
}

# ---- all of it -------------------------------------------------------------------------------------------------------

parts=(homes forms replaced_before sysroot overlay restricted exceptions instructions random_instructions observers
	breakpoints loads kills driver unprivileged_users forged_tables)
choose_parts "${parts[@]}"
# Those with debuggers, or with programs that run until something happens, take most of the time.
slow=" observers breakpoints random_instructions loads kills driver "
for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	start_guest "$release" --modules overlay --file "$resident" --file "$resident-static" \
		--file "$library" --file "$work/instructions" \
		--file /usr/bin/strace:/bin/strace || continue
	for what in "${parts[@]}"; do
		[[ $slow == *" $what "* ]] && share=20 || share=5
		[[ $what == ${SPILE_TESTS:-*} ]] && is_part "harmless/$what" $share || continue
		check "$release: ${what//_/ }" $what
		check_guest_log "$release" "after $what"
	done
	stop_guest "$release"
done
