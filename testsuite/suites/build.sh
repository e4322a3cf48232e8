# SPDX-License-Identifier: GPL-2.0-or-later
#
# Pass 4: replayed commands of kbuild make the same module as kbuild; the cache is used exactly when it is valid.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
# In a part, `run` has compiled the runtime.
[ -n "$SPILE_PART" ] && copied_cache "$work/cache" || private_cache "$work/cache"
cd "$work" || exit 1
# Equal modules would contain different build times otherwise.
export SOURCE_DATE_EPOCH=1000000000
slab=$SPILE_SRCDIR/examples/memory/slab-any.stp

# compile RELEASE NAME [OPTION...]: compile the slab script to NAME.ko without a cached module; messages of -vv to log.
compile() {
	local release=$1 name=$2
	shift 2
	find cache/kbuild -name 'module-*.ko' -delete 2>/dev/null
	"$STAP" -vv -r "$release" -p4 -m module "$@" "$slab" >log 2>&1 && mv module.ko "$name.ko"
}

compiled() {
	grep -q '^Compiling the runtime' log
}

# change_entry FILE EXPRESSION: edit an entry of the cache with sed, and correct its checksum so that stap accepts it.
change_entry() {
	sed "1d; $2" "$1" >changed && { xxhsum -H3 <changed | grep -oE '[0-9a-f]{16}'; cat changed; } >"$1"
}

# The following tests use the objects of the old kernel.
releases=($old_kernel)
[ -n "$SPILE_PART" ] || releases+=($new_kernel)
for release in "${releases[@]}"; do
	rm -f plain.ko
	check "$release: the first script is compiled" compile $release first
	[ -n "$SPILE_PART" ] || check "$release: the first script compiles the runtime, and reports it" compiled
	check_some 24 "$release: without the cache, kbuild compiles everything" compile $release plain --disable-cache
	check "$release: the second script is compiled by the recorded commands" compile $release replayed
	grep -qE 'Compiling the runtime|running kbuild' log &&
		fail "$release: only the recorded commands are run" log ||
		ok "$release: only the recorded commands are run"
	[ ! -e plain.ko ] || check "$release: recorded commands and kbuild make the same module" \
		same_module plain.ko replayed.ko
	check "$release: first and second script make the same module" same_module replayed.ko first.ko
done

# modpost is run once for modules with the same imports, so a recipe in which modpost fails must work.
made() {
	"$STAP" -vv -g -r $old_kernel -p4 -m module -e "$@" >log 2>&1
}
without_modpost() {
	local recipe other='function any:long() %{ get_random_bytes(&STAP_RETVALUE, 8); %}'
	other+='probe begin { println(any()) exit() }'
	made 'probe begin { println(41) exit() }' || return
	for recipe in cache/kbuild/*/recipe; do
		change_entry "$recipe" 's/^Module\.symvers=.*/Module.symvers=false/' || return
	done
	made 'probe begin { println(42) exit() }' && ! grep -q 'running kbuild' log &&
		made "$other" && grep -q 'running kbuild' log
}
check "modpost is not run if the imports are known" without_modpost
# If modpost's output depends on the script, as with CONFIG_MODULE_SRCVERSION_ALL, it is run each time.
with_srcversion() {
	local recipe status add='; echo "/* srcversion */" | tee -a @DIRECTORY@/*.mod.c'
	rm -f cache/kbuild/*/imports-*
	for recipe in cache/kbuild/*/recipe; do
		cp "$recipe" "$recipe.kept" &&
			change_entry "$recipe" "/^Module\.symvers=/s%\$%$add >>$work/modpost-runs%" || return
	done
	made 'probe begin { println(43) exit() }' && made 'probe begin { println(44) exit() }' &&
		! grep -q 'running kbuild' log && [ "$(wc -l <modpost-runs)" -eq 2 ]
	status=$?
	for recipe in cache/kbuild/*/recipe; do mv "$recipe.kept" "$recipe"; done
	return $status
}
check_some 3 "modpost is run each time if its output depends on the script" with_srcversion

# Types from a kernel header are fast to compile, and cached in the same way as runtimes.
# types RELEASE: set $object to the inode of the compiled types.
types() {
	"$STAP" -r "$1" -p2 -e 'probe begin { println(@sizeof("struct list_head", "kernel<linux/list.h>")) }' \
		>log 2>&1 && grep -q 'println(16)' log && object=$(ls -it "$SPILE_CACHE"/kbuild/*/types-*.o) &&
		object=$(awk '{ print $1; exit }' <<<"$object")
}
# types_anew RELEASE: are the types compiled again?
types_anew() {
	local before=$object
	types "$1" && [ "$object" != "$before" ]
}
same_types() {
	local before=$object
	types "$1" && [ "$object" = "$before" ]
}

# For a build directory without a known build-id, objects of one build of the kernel are not used for another build.
headers=$(build_tree $old_kernel)
mkdir trees && cp -as "$headers" trees/own && ln -s "$(dirname "$headers")"/linux-headers-*-common trees/ || exit 1
other_symbols() {
	types "$work/trees/own" && same_types "$work/trees/own" &&
		cp --remove-destination "$headers/Module.symvers" trees/own/ &&
		printf '0x12345678\tother_symbol\tvmlinux\tEXPORT_SYMBOL\t\n' >>trees/own/Module.symvers &&
		types_anew "$work/trees/own" && same_types "$work/trees/own"
}
test="a build directory with other exported symbols is another kernel"
has_own_compiler $old_kernel "$test" || check_some 4 "$test" other_symbols

# If a script arrives late, as on a busy machine, the runtime that is compiled ahead is the one it needs.
late_script() {
	{ sleep 1; echo 'probe syscall.getppid { println(argstr) }'; } | SPILE_CACHE=$work/late-cache \
		"$STAP" -v -r "$1" -p4 -m module - >log 2>&1 &&
		[ "$(cd late-cache/kbuild/* && echo runtime*-fast.o)" = runtime-syscalls-fast.o ]
}
(private_cache "$work/late-cache")
check_some 24 "a script of system calls that arrives late compiles only one runtime" late_script $old_kernel

# Cached modules are used only for the same script, arguments, options and kernel.
cached() {
	"$STAP" -v -r "$@" -p4 -m module >log 2>&1 && grep -q '^Pass 4: using cached' log
}
not_cached() {
	"$STAP" -v -r "$@" -p4 -m module >log 2>&1 && grep -q '^Pass 4: compiled' log
}
hello='probe begin { println("hello ", $1) exit() }'
check "a new script is compiled" not_cached $old_kernel -e "$hello" 1
check "a known script is not compiled" cached $old_kernel -e "$hello" 1
if is_part "build/compiler flags" 12; then
	check "other compiler flags make another module" env KCFLAGS=-DSTP_OTHER=1 \
		bash -c "$(declare -f not_cached); not_cached $old_kernel -e '$hello' 1"
	check "the module with other compiler flags does not replace the first" cached $old_kernel -e "$hello" 1
fi
known() {
	"$STAP" -v -r "$@" -p4 -m module >log 2>&1 && grep -q '^Pass 3: using cached' log &&
		grep -q '^Pass 2: analyzed script: 1 probe, ' log && grep -q '^Pass 1: found user script and ' log
}
check "passes 1 to 3 of a known script are not run" known $old_kernel -e "$hello" 1
# The C text may be the same, but the script must be translated to find out.
not_known() {
	! known "$@" && grep -q '^Pass 3: translated' log
}
check "a script is translated again in another environment" env SYSTEMTAP_X=1 \
	bash -c "$(declare -f known not_known); not_known $old_kernel -e '$hello' 1"
# Files that have just changed could change again without a new date. So stap compares the content of such library
# files, and caches nothing about such programs. A date in the future makes a file stay so, however slow the machine is.
just_changed() {
	touch -d '1 hour' "$1"
}
# settle: wait until files have not just changed.
settle() {
	sleep 3.1
}
write_own() {
	mkdir -p own && echo "function own() { return $1 }" >own/own.stp && just_changed own/own.stp
}
# A library file may change without changing its size and date.
own_library() {
	local own=(-I own -e 'probe begin { println(own()) exit() }')
	write_own 1
	not_known $old_kernel "${own[@]}" && known $old_kernel "${own[@]}" && write_own 2 &&
		not_known $old_kernel "${own[@]}" && touch own/own.stp && settle && not_known $old_kernel "${own[@]}" &&
		known $old_kernel "${own[@]}" &&
		cp -p own/own.stp before && write_own 3 && touch -r before own/own.stp &&
		not_known $old_kernel "${own[@]}" && "$STAP" -r $old_kernel -p3 "${own[@]}" | grep -q "= 3LL;" &&
		cp own/own.stp own/more.stp && sed -i s/own/more/ own/more.stp && not_known $old_kernel "${own[@]}"
}
check "a script is translated again if its library has changed" own_library
cp "$STAP" stap-copy
check "another stap binary translates again" env STAP="$work/stap-copy" SPILE_DATADIR="$SPILE_SRCDIR" \
	bash -c "$(declare -f known not_known); not_known $old_kernel -e '$hello' 1"
check "a script that probes modules is translated again" not_known $old_kernel \
	-e 'probe module("xfs").function("xfs_file_open") { exit() }'
check "a script that probes modules is translated again each time" \
	not_known $old_kernel -e 'probe module("xfs").function("xfs_file_open") { exit() }'
# Types from kernel headers are compiled once, unless a header has changed.
kept_types() {
	types $old_kernel && same_types $old_kernel
}
check "types from the kernel's headers are compiled once" kept_types
changed_header() {
	local list
	for list in cache/kbuild/*/types-*.files; do
		change_entry "$list" 's/$//' || return
	done
	same_types $old_kernel || return
	for list in cache/kbuild/*/types-*.files; do
		change_entry "$list" '2s/\t[0-9]*/\t1/' || return
	done
	types_anew $old_kernel && same_types $old_kernel
}
check "types from the kernel's headers are compiled again if a header has changed" changed_header
# A script that probes programs is known as long as all files that were searched, found or not, are unchanged.
mkdir -p bin other debug
printf 'int probed(int x) { return x + VALUE; }\nint main(int c, char **v) { (void)v; return probed(c); }\n' >program.c
make_program() {
	gcc -g -O0 -DVALUE="$2" -Wl,--build-id -o "$1" program.c
}
in_program="probe process(\"$work/bin/traced\").function(\"probed\") { println(\$x) }"
make_program bin/traced 1 && make_program bin/second 2 && gcc -c -fPIC -g -DVALUE=1 -o library.o program.c &&
	gcc -shared -Wl,--build-id -o bin/libprobed.so library.o &&
	echo 'int probed(int); int main() { return probed(1); }' | gcc -xc -o bin/linked - -Lbin -lprobed \
		 "-Wl,--build-id,-rpath,$work/other:$work/bin" || exit 1
known_program() {
	not_known $old_kernel "$@" && known $old_kernel "$@"
}
fresh_program() {
	make_program bin/traced 1 && just_changed bin/traced &&
		not_known $old_kernel -e "$in_program" && not_known $old_kernel -e "$in_program"
}
check "nothing is cached about a program that was just made" fresh_program
make_program bin/traced 1
settle
check "a script that probes an older program is known" known_program -e "$in_program"
changed_program() {
	"$@" && settle && known_program -e "$in_program"
}
check "a script is translated again after the program has changed" changed_program make_program bin/traced 3
check "a script is translated again after the program was replaced" changed_program cp -p bin/second bin/traced
check "a script is translated again if a link points elsewhere" changed_program ln -sf second bin/traced
check "a script is translated again if a link points to another name of the file" \
	changed_program eval 'ln bin/second bin/third && ln -sf third bin/traced'
gone_program() {
	mv bin/third away && ! "$STAP" -r $old_kernel -p4 -m module -e "$in_program" >log 2>&1 && mv away bin/third &&
		settle
}
check "a removed program is not found" gone_program
new_match() {
	known_program -e "$1" && shift && "$@" && settle && ! known $old_kernel -e "$pattern" &&
		grep -q 'analyzed script: 2 probes' log
}
pattern="probe process(\"$work/bin/tr*d\").function(\"main\") { println(1) }"
check "a new file that a pattern matches is found" new_match "$pattern" make_program bin/tried 4
in_path() {
	known_program -e 'probe process("third").function("main") { println(1) }' && make_program other/third 5 &&
		settle && not_known $old_kernel -e 'probe process("third").function("main") { println(1) }'
}
check "a new program that comes first in PATH is found" env PATH="$work/other:$work/bin:$PATH" \
	bash -c "$(declare -f known not_known known_program make_program settle in_path)
		old_kernel=$old_kernel work=$work; in_path"
in_library="probe process(\"$work/bin/linked\").library(\"libprobed*\").function(\"probed\") { println(1) }"
new_library() {
	known_program -e "$in_library" && cp bin/libprobed.so other && settle && known_program -e "$in_library"
}
check "a new library in a directory that is searched first is found" new_library
debug_symbols() {
	objcopy --only-keep-debug bin/traced symbols && objcopy --strip-debug --add-gnu-debuglink=symbols bin/traced &&
		settle && known_program -e "probe process(\"$work/bin/traced\").function(\"probed\") { println(1) }" &&
		cp symbols bin/symbols && settle && known_program -e "$in_program"
}
rm bin/traced && cp bin/second bin/traced
check "new debug symbols are found" debug_symbols
other_directory() {
	local here='probe process("./traced").function("main") { println(1) }'
	(cd bin && known_program -e "$here") &&
		(cd other && cp ../bin/second traced && settle && not_known $old_kernel -e "$here")
}
check "relative paths refer to the current directory" other_directory
check "a script with -x is translated again" \
	not_known $old_kernel -x $$ -e 'probe process.function("main") ? { println(1) }
	probe begin { println(2) }'
check "a script with -x is translated again each time" \
	not_known $old_kernel -x $$ -e 'probe process.function("main") ? { println(1) }
	probe begin { println(2) }'
mkdir include
program_header() {
	local -x C_INCLUDE_PATH=$work/include
	echo "struct mine { $1 value; $1 after; };" >include/mine.h
	not_known $old_kernel -e 'probe begin { println(@offsetof("struct mine", "after", "<mine.h>")) exit() }' &&
		"$STAP" -r $old_kernel -p2 -e 'probe begin { println(@offsetof("struct mine", "after", "<mine.h>")) }' |
		grep -q "println($2)"
}
if is_part "build/headers for programs" 2; then
	check "a header for programs is read each time" program_header int 4
	check "a changed header for programs is used" program_header long 8
fi
warns() {
	"$STAP" -r $old_kernel -p4 -m module -e 'global never probe begin { println(never) exit() }' 2>&1 |
		grep -q "never"
}
check "a warning is printed" warns
check "a warning is printed again at the next run" warns
forgotten() {
	rm -f cache/kbuild/*/module-*.ko && not_known $old_kernel -e "$hello" 1 && known $old_kernel -e "$hello" 1
}
check "a module that was removed from the cache is compiled again" forgotten
with_header() {
	echo "#define ANSWER $1" >answer.h
	"$STAP" -g -r $old_kernel -p4 -m "answer$1" -e "%{
#include \"$work/answer.h\"
%} function answer:long() %{ STAP_RETURN(ANSWER); %} probe begin { println(answer()) exit() }" >log 2>&1
}
other_header() {
	with_header 4711 && with_header 4712 && ! cmp -s answer4711.ko answer4712.ko &&
		[ "$(objdump -d answer4712.ko | grep -c 0x1268)" -gt "$(objdump -d answer4711.ko | grep -c 0x1268)" ]
}
check "a header of the user's is read each time" other_header
check "another argument is another script" not_cached $old_kernel -e "$hello" 2
check "another text is another script" not_cached $old_kernel -e "${hello/hello/hullo}" 1
check "another limit is another script" not_cached $old_kernel -D MAXACTION=17 -e "$hello" 1
check "another option is another script" not_cached $old_kernel --suppress-handler-errors -e "$hello" 1
check_some 24 "another kernel is another script" not_cached $new_kernel -e "$hello" 1
cp -r "$SPILE_SRCDIR/tapset" mine
sed -i 's/stp_exit()/stp_exit(), stp_exit()/' mine/session.stp
other_tapset() {
	mkdir -p data && cp -r "$SPILE_SRCDIR/runtime" data/ && rm -rf data/tapset && cp -r mine data/tapset &&
		SPILE_DATADIR=$work/data not_cached $old_kernel -e "$hello" 1
}
check "another tapset is another script" other_tapset
rm -rf data mine
named() {
	"$STAP" -r $old_kernel -p4 -m one -e "$hello" 1 && "$STAP" -r $old_kernel -p4 -m two_2 -e "$hello" 1 &&
		[ "$(modinfo -F name ./one.ko) $(modinfo -F name ./two_2.ko)" = "one two_2" ]
}
check "a cached module gets the requested name" named
check_some 24 "--poison-cache compiles again" not_cached $old_kernel --poison-cache -e "$hello" 1
check "the module is in the cache" cached $old_kernel -e "$hello" 1
disabled() {
	find cache -newer log -type f >before
	"$STAP" --disable-cache -vv -r $old_kernel -p4 -m module -e "$hello" 1 >log 2>&1 && compiled || return
	find cache -type f -newer before | grep -v cache_ >after
	[ ! -s after ] || { cat after; return 1; }
}
check_some 24 "--disable-cache neither reads nor writes" disabled
# look_up DIRECTORY: run the fastest script that writes to the cache: it reads the functions of BTF.
look_up() {
	SYSTEMTAP_DIR=$1 SPILE_DEBUGINFO_SOURCES=btf "$STAP" -r $old_kernel -p2 \
		-e 'probe kernel.function("vfs_read") {}'
}
elsewhere() {
	look_up "$work/dir" && ls dir/cache/index-*
}
check "SYSTEMTAP_DIR is where the cache is" elsewhere
cleaned() {
	echo 0 >dir/cache/cache_mb_limit
	mkdir -p dir/cache/kbuild/own && echo data | tee dir/cache/kbuild/own/{module.ko,recipe,hits.o} &&
		SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache &&
		[ -z "$(find dir -name '*.ko' -o -name '*.o' -o -name recipe -o -name 'index-*')" ] &&
		look_up "$work/dir" && ls dir/cache/index-*
}
check "--clean-cache obeys the limit" cleaned
oldest_first() {
	rm -rf dir && mkdir -p dir/cache && echo 2 >dir/cache/cache_mb_limit
	head -c 1500000 /dev/zero >dir/cache/old && head -c 1500000 /dev/zero >dir/cache/used
	touch -d '2 days ago' dir/cache/old && touch -d yesterday dir/cache/used
	SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache && [ ! -e dir/cache/old ] && [ -e dir/cache/used ]
}
check "the least recently used entries are removed first" oldest_first
expensive_last() {
	rm -rf dir && mkdir -p dir/cache/kbuild && echo 2 >dir/cache/cache_mb_limit
	for name in runtime-fast.o module-1.ko script-2 index; do
		head -c 900000 /dev/zero >dir/cache/kbuild/$name || return
	done
	touch -d '6 days ago' dir/cache/kbuild/runtime-fast.o && touch -d '8 days ago' dir/cache/kbuild/index &&
		touch -d yesterday dir/cache/kbuild/module-1.ko && SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache &&
		[ "$(ls dir/cache/kbuild)" = $'runtime-fast.o\nscript-2' ]
}
check "entries that take long to make are removed a week later than modules" expensive_last
# The indexes of all modules of a Debian kernel are almost as large as the standard limit.
half_for_scripts() {
	rm -rf dir && mkdir -p dir/cache/kbuild && echo 2 >dir/cache/cache_mb_limit
	for name in index-1 index-2 index-3 kbuild/module-1.ko; do
		head -c 900000 /dev/zero >dir/cache/$name || return
	done
	touch -d '1 day ago' dir/cache/kbuild/module-1.ko && touch -d '2 days ago' dir/cache/index-3 &&
		touch -d '3 days ago' dir/cache/index-2 && SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache &&
		[ "$(cd dir/cache && echo index-* kbuild/*)" = "index-1 kbuild/module-1.ko" ]
}
check "entries that take long to make do not displace all modules" half_for_scripts

# Entries of other users are neither used nor removed. Root keeps no cache where others can rename entries.
somebody=65534
foreign_setting() {
	rm -rf dir && mkdir -p dir/cache && echo 0 >dir/cache/cache_mb_limit && echo data >dir/cache/data &&
		chown $somebody dir/cache/cache_mb_limit && SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache &&
		[ -e dir/cache/data ]
}
foreign_directory() {
	rm -rf dir && mkdir -p dir/cache/theirs && echo 0 >dir/cache/cache_mb_limit && echo data >dir/cache/data &&
		echo data >dir/cache/theirs/data && chown $somebody dir/cache/theirs &&
		SYSTEMTAP_DIR=$work/dir "$STAP" --clean-cache && [ -e dir/cache/theirs/data ] &&
		[ ! -e dir/cache/data ]
}
# root_has_none DIRECTORY CULPRIT: does root refuse to have a cache in DIRECTORY because others can change CULPRIT?
root_has_none() {
	look_up "$1" >log 2>&1 &&
		grep -q "^WARNING: root does not use SYSTEMTAP_DIR=$1: others can change $2$" log &&
		[ -z "$(find dir -type f)" ]
}
foreign_parent() {
	rm -rf dir linked && mkdir -p dir/inner/cache && chown $somebody dir/inner && ln -s dir/inner linked &&
		root_has_none "$work/dir/inner" "$work/dir/inner" && root_has_none "$work/linked" "$work/dir/inner" &&
		chown 0 dir/inner && chmod g+w dir && root_has_none "$work/dir/inner" "$work/dir"
}
if [ "$(id -u)" -eq 0 ]; then
	check "a limit that another user has set is ignored" foreign_setting
	check "the directory of another user is not removed" foreign_directory
	check "root has no cache where others can rename entries" foreign_parent
else
	skip "caches of root" "only root can give files to others"
fi

# Entries may be damaged, or belong to others.
entries() {
	find cache/kbuild -type f
}
check "there are entries" test "$(entries | wc -l)" -ge 6
damaged() {
	compile $old_kernel damaged && compiled && same_module plain.ko damaged.ko
}
if is_part "build/damaged entries" 8; then
	compile $old_kernel plain
	for entry in $(entries); do
		printf X | dd of="$entry" bs=1 seek=200 conv=notrunc 2>/dev/null
	done
	check "damaged entries are not used" damaged
	types $old_kernel
	for entry in $(entries); do : >"$entry"; done
	check "empty entries are not used" types_anew $old_kernel
	entries | xargs chmod g+w
	check "entries that others may write are not used" types_anew $old_kernel
	not_used() {
		compile $old_kernel other && compiled
	}
	compile $old_kernel other; find cache/kbuild -mindepth 1 -type d -exec chmod o+w {} +
	check "directories that others may write are not used" not_used
	chmod -R go-w cache/kbuild
fi
read_only_cache() {
	compile $old_kernel other && chmod -R a-w cache/kbuild && compile $old_kernel other && ! compiled
}
check_some 4 "a read-only cache is used" read_only_cache
chmod -R u+w cache/kbuild

# Each part of the cache key.
mkdir data
cp -r "$SPILE_SRCDIR"/{runtime,tapset} data/
echo '/* changed */' >>data/runtime/probes/timer.c
changed_runtime() {
	SPILE_DATADIR=$work/data compile $old_kernel other && compiled
}
check_some 24 "a changed runtime is compiled again" changed_runtime

# Modules are built of two units that include all files, so a missing #include would not be noticed.
check_some 24 "each file of the runtime compiles on its own" \
	"$SPILE_SRCDIR/testsuite/compile-runtime" "$(build_tree $new_kernel)" "$work/parts"

# nothing_to_report TOOL MISTAKE: check that an analyzer reports nothing about the runtime, but reports this line of C,
# which it reads with the first command.
nothing_to_report() {
	"$SPILE_SRCDIR/testsuite/analyze-runtime" "$1" parts/compile_commands.json || return
	mkdir -p mistake && printf '#include <linux/types.h>\n%s\n' "$2" >mistake/mistake.c
	cp "$SPILE_SRCDIR/.clangd" mistake
	jq --arg file "$work/mistake/mistake.c" '.[:1] | .[0].file = $file' parts/compile_commands.json \
		>mistake/compile_commands.json
	"$SPILE_SRCDIR/testsuite/analyze-runtime" "$1" mistake/compile_commands.json | grep 'mistake\.c:2:.* warning: '
}
# analyzed TOOL MISTAKE
analyzed() {
	[ -z "$SPILE_PART" ] || return
	[ -e parts/compile_commands.json ] || { skip "$1 reads the runtime" "it was not compiled"; return; }
	command -v "$1" >/dev/null || { skip "$1 reads the runtime" "$1 is not installed"; return; }
	check "$1 has nothing to report about the runtime" nothing_to_report "$1" "$2"
}
analyzed sparse 'int get(int __user *from); int get(int __user *from) { return *from; }'
analyzed clang 'int get(int condition); int get(int condition) { int *from = 0; return condition ? *from : 0; }'
analyzed clangd 'int get(int *from); int get(int *from) { return from; }'

# A kernel for which a part of the runtime does not compile is simulated by a runtime that uses what no kernel has.
# lacking DIRECTORY FILE: copy the runtime, and add a mistake to FILE that the compiler reports inside a kernel macro.
lacking() {
	rm -rf "$1"
	cp -r "$SPILE_SRCDIR/runtime" "$1"
	printf 'void of_no_kernel(struct module *m)\n{\n\tWRITE_ONCE(m->no_such_member, 1);\n}\n' >>"$1/$2"
}
without_part() {
	lacking partial probes/procfs.c
	lacking partial/all probes/perf_program.c
	mv partial/all/probes/perf_program.c partial/probes/ && rm -r partial/all
	"$STAP" -vv -r $old_kernel -p4 -m module -R partial "$@" >log 2>&1
}
# The message appears when the runtime is compiled, and again when it comes from the cache.
others_work() {
	without_part -e "probe begin, process.begin { println($1) }" && cat log &&
		grep -q '^Left out for kernel 6.1.*: files in /proc.*no_such_member' log &&
		grep -q '^Left out for kernel 6.1.*: perf events and watchpoints' log
}
part_is_refused() {
	! without_part -e 'probe procfs("x").read { $value = "x" } probe process.begin {}' &&
		cat log &&
		grep -q '^ERROR: files in /proc (procfs.\*) are not available on kernel 6.1' log &&
		grep -q "^hint: that part of the runtime does not compile for it: .*no_such_member" log
}
needed_is_missing() {
	lacking broken data/map.c
	! "$STAP" -v -r $old_kernel -p4 -m module -R broken -e "$hello" 1 >log 2>&1 && cat log &&
		grep -q '^ERROR: kbuild failed' log && ! grep -q '^Left out' log
}
if is_part "build/missing part" 4; then
	check "if a part of the runtime does not compile, the rest works" others_work 1
	check "the rest works with the cached object" others_work 2
	check "a script that needs the missing part is refused with the reason" part_is_refused
fi
check_some 4 "the first script for a kernel is refused, too, if it needs the missing part" \
	env SPILE_CACHE="$work/cache-of-parts" \
	bash -c "$(declare -f lacking without_part part_is_refused); mkdir -p $work/cache-of-parts &&
		ln -sfn '$SPILE_CACHE/kernels' $work/cache-of-parts/ && old_kernel=$old_kernel && part_is_refused"
check_some 12 "kbuild fails if a required part does not compile" needed_is_missing
# A host that lacks only the kernel's compiler.
without_compiler() {
	local compiler
	compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT=".*\(gcc-[0-9]*\).*/\1/p' "$(build_tree $old_kernel)/.config")
	mkdir without && ln -s $(find $(tr : ' ' <<<"$PATH") -maxdepth 1 -type f,l ! -name "*$compiler" 2>/dev/null |
		awk -F/ '!seen[$NF]++') without/ || return
	! PATH=$work/without "$STAP" --disable-cache -r $old_kernel -p4 -m other -e "$hello" 1 >log 2>&1 && cat log &&
		grep -q "^hint: it is the compiler of kernel .*: apt-get install $compiler, or.*stap-vm fetch 6" log
}
test="a missing compiler is named, with how to install it"
has_own_compiler $old_kernel "$test" || check_some 3 "$test" without_compiler
printf '#!/bin/sh\nexec /usr/bin/gcc "$@"\n' >bin/gcc
chmod +x bin/gcc
changed_compiler() {
	PATH=$work/bin:$PATH compile $old_kernel other && compiled
}
test="another compiler compiles again"
has_own_compiler $old_kernel "$test" || check_some 3 "$test" changed_compiler
# A build tree with another configuration, beside the other packages of the kernel.
changed_configuration() {
	local directory other_tree
	other_tree=$work/other/usr/src/$(basename "$(build_tree $old_kernel)")
	mkdir -p "$work/other/usr/src"
	ln -s "$("$STAP_VM" path $old_kernel)/usr/lib" "$work/other/usr/lib"
	for directory in "$(dirname "$(build_tree $old_kernel)")"/*; do
		case $directory in
		*-common | *-kbuild-*) ln -s "$directory" "$work/other/usr/src/" ;;
		*) cp -r "$directory" "$work/other/usr/src/" ;;
		esac
	done
	types_anew "$other_tree" && same_types "$other_tree" &&
		echo 'CONFIG_SPILE_TEST=y' >>"$other_tree/include/config/auto.conf" && types_anew "$other_tree"
}
test="another configuration compiles again"
has_own_compiler $old_kernel "$test" || check_some 4 "$test" changed_configuration
rm -rf other
without_cache() {
	local root
	root=$("$STAP_VM" path $old_kernel) || return
	SPILE_CACHE=/dev/null/none "$STAP" -r "$root/usr/src/linux-headers-$(basename "$root")" -p4 -m other \
		-e 'probe begin { exit() }'
}
check_some 24 "a script compiles without any cache, with a build tree by path" without_cache

# --prepare does everything that the first script would wait for.
prepared() {
	rm -rf cache/kbuild cache/index-*
	"$STAP" --prepare -r $old_kernel >log 2>&1 &&
		[ "$(cat log)" = "Kernel $(basename "$("$STAP_VM" path $old_kernel)") is prepared." ] &&
		[ -n "$(ls cache/index-*)" ] && touch -d '2001-01-01' cache/index-* && compile $old_kernel other &&
		! compiled
}
check_some 24 "after --prepare, the first script compiles no runtime" prepared
not_prepared() {
	! "$STAP" --prepare -r 9.9 >log 2>&1 && grep -q '^hint:.*linux-headers-9.9' log &&
		! "$STAP" --prepare -r $old_kernel --disable-cache >log 2>&1 && grep -q 'exclude each other' log
}
check "--prepare reports what is missing" not_prepared
by_name() {
	PATH=$(dirname "$STAP"):$PATH "$SPILE_SRCDIR/translator/stap-prep" $old_kernel \
		"$(basename "$("$STAP_VM" path $old_kernel)")" >log 2>&1 &&
		[ "$(wc -l <log)" -eq 2 ]
}
check_some 24 "stap-prep prepares several kernels" by_name

# The build that starts before passes 1 to 3 have ended is stopped if they fail.
given_up() {
	rm -rf cache/kbuild cache/index-*
	! "$STAP" -r $old_kernel -p4 -m other -e 'probe kernel.function("vfs_read") { println($nothing) }' >log 2>&1 &&
		grep -q nothing log && [ -z "$(ls "$TMPDIR")" ] && ! pgrep -f "make.*M=$TMPDIR" >/dev/null
}
check_some 3 "a script with an error does not wait for the compiler" given_up

# On a terminal, long operations print a progress line and remove it.
progress() {
	rm -rf cache/kbuild cache/index-*
	TERM=xterm script -qec "$STAP -r $old_kernel -p4 -m other $slab" /dev/null >log 2>&1 &&
		grep -q "compiling the runtime for kernel .*, once …" log && tail -c 20 log | grep -q 'other.ko' &&
		[ "$(grep -o ' …' log | wc -l)" -le "$(grep -o $'\r\033\[K' log | wc -l)" ]
}
check_some 24 "a terminal shows a progress line" progress
quiet() {
	rm -rf cache/kbuild cache/index-*
	"$STAP" -r $old_kernel -p4 -m other "$slab" >out 2>log && [ "$(cat out)" = other.ko ] &&
		[ ! -s log ]
}
check_some 24 "a file or a pipe gets no progress line" quiet

# -v prints one line per pass, in a pipe and on a terminal, even if runtime and debuginfo are new.
only_passes() {
	local numbers="using MEMORY, in TIME."
	tr -d '\r' <log | sed -E "s|^.*\x1b\[K||; s|using .*virt/.*, in .*usr/.*sys/.*real ms\.\$|$numbers|" |
		sed -E 's/[0-9]+ (library scripts|probes?|functions?|embeds?|globals?)/N \1/g; s/"[^"]*"/"FILE"/' >lines
	printf '%s\n' "Pass 1: parsed user script and N library scripts $numbers" \
		"Pass 2: analyzed script: $1 $numbers" "Pass 3: translated to C into \"FILE\" $numbers" \
		"Pass 4: compiled C into \"FILE\" $numbers" other.ko | diff - lines
}
one_verbose() {
	local with_slab="N probes, N functions, N embeds, N globals"
	rm -rf cache/kbuild cache/index-*
	"$STAP" -v -r $old_kernel -p4 -m other -e 'probe begin { println(1) }' >log 2>&1 &&
		only_passes "N probe, N functions, N embeds, N globals" || return
	rm -rf cache/kbuild cache/index-*
	"$STAP" -v -r $old_kernel -p4 -m other "$slab" >log 2>&1 && only_passes "$with_slab" || return
	rm -rf cache/kbuild cache/index-*
	TERM=xterm script -qec "$STAP -v -r $old_kernel -p4 -m other $slab" /dev/null >log 2>&1 &&
		only_passes "$with_slab"
}
check_some 24 "-v prints only the lines of the passes" one_verbose
more_verbose() {
	rm -rf cache/kbuild
	"$STAP" -vv -r $old_kernel -p4 -m other "$slab" >log 2>&1 &&
		grep -q '^Debuginfo of kernel: ' log && grep -q '^Compiling the runtime for kernel ' log
}
check_some 24 "-vv also names debuginfo and the compiled runtime" more_verbose

# Options of a script that initialize globals are passed to staprun: the module is the same, and so is its key.
start_with() {
	"$work/fake/stap" -v -r $old_kernel --remote=vm: options.stp "$@" >log 2>&1
}
with_options() {
	mkdir -p "$work/fake" && cp "$STAP" "$work/fake/stap" && ln -sf "$STAPRUN" "$work/fake/staprun" &&
		printf '#!/bin/sh\nprintf "<%%s>" "$@"\necho\n' >"$work/fake/stap-vm" &&
		chmod +x "$work/fake/stap-vm" || return
	echo 'global top = @option_number("top", 1, 0, 9, "n"), word = @option_string("word", "", "w")
		probe timer.ms(@option_number("every", 10, 1, 99, "e")) { println(top, word) exit() }' >options.stp
	local -x SPILE_DATADIR=$SPILE_SRCDIR SPILE_LIBEXEC=$SPILE_BUILDDIR
	start_with --top=2 && grep -q 'Pass 4: compiled' log && grep -qE '<[^>]*\.ko><top=2>$' log &&
		start_with --top=3 --word 'a b' && grep -q 'Pass 3: using cached' log &&
		grep -qE '<[^>]*\.ko><top=3><word=a b>$' log &&
		start_with --every=20 && grep -q 'Pass 4: compiled' log && grep -qE '<[^>]*\.ko>$' log &&
		"$STAP" -r $old_kernel -p4 -m other options.stp --top=4 >log 2>&1 &&
		strings -a other.ko | grep -qx 'global-value=4' || return
	# The module has no globals that are not used, so they are not set, even if it is in the cache.
	echo 'global unused = @option_number("top", 1, 0, 9, "n") probe timer.ms(10) { exit() }' >options.stp
	start_with -w --top=2 && grep -q 'Pass 4: compiled' log && grep -qE '<[^>]*\.ko>$' log &&
		start_with -w --top=3 && grep -q 'Pass 3: using cached' log && grep -qE '<[^>]*\.ko>$' log && cat log
}
check "options of a script do not compile it again" with_options

with_debug_sections() {
	"$STAP" --debug -r $old_kernel -p4 -m other -e "$hello" 1 && readelf -SW other.ko | grep -q '\.debug_info' &&
		readelf --debug-dump=decodedline other.ko 2>/dev/null | grep -q 'runtime/core/session.c' &&
		"$STAP" -r $old_kernel -p4 -m other -e "$hello" 1 && ! readelf -SW other.ko | grep -q '\.debug_info'
}
check_some 24 "only --debug keeps debug sections" with_debug_sections

signed_module() {
	mkdir -p mok && openssl req -new -x509 -newkey rsa:2048 -keyout mok/MOK.priv -outform DER -out mok/MOK.der \
		-nodes -days 30 \
		-subj /CN=spile-test >/dev/null 2>&1 &&
		"$STAP" --sign-module="$work/mok" -r $old_kernel -p4 -m other -e "$hello" 1 &&
		[ "$(modinfo -F signer ./other.ko)" = spile-test ] &&
		"$STAP" -r $old_kernel -p4 -m other -e "$hello" 1 &&
		[ -z "$(modinfo -F signer ./other.ko)" ]
}
check "only --sign-module signs" signed_module
no_key() {
	! "$STAP" --sign-module="$work/nowhere" -r $old_kernel -p4 -m other -e "$hello" 1 >log 2>&1 &&
		grep -q "no key .*$work/nowhere" log &&
		grep -q '^hint: .*openssl' log
}
check "--sign-module without a key tells how to make one" no_key

# Many at once with an empty cache, of equal and different scripts.
rm -rf cache/kbuild
many() {
	local i jobs=() job
	for ((i = 0; i < 20; i++)); do
		"$STAP" -r $new_kernel -p4 -m many$i -e "probe begin { println($((i % 10))) exit() }" >many$i.log 2>&1 &
		jobs+=($!)
	done
	for job in "${jobs[@]}"; do
		wait "$job" || { cat many*.log; return 1; }
	done
	[ "$(ls many*.ko | wc -l)" -eq 20 ]
}
check_some 24 "twenty stap at once with an empty cache" many
leftovers() {
	[ -z "$(find cache/kbuild -name '*.??????' -o -name '*.tmp')" ] && [ -z "$(ls "$TMPDIR")" ]
}
check "no temporary files are left after twenty stap" leftovers

# On network file systems without locks, work may be done twice, but results are right.
printf '#include <errno.h>\nint flock(int fd, int operation)\n{\n\terrno = ENOLCK;\n\treturn -1;\n}\n' >nolock.c
no_locks() {
	local first
	gcc -shared -fPIC -o nolock.so nolock.c && rm -rf cache/kbuild || return
	LD_PRELOAD=$work/nolock.so "$STAP" -r $new_kernel -p4 -m first -e "$hello" 1 >first.log 2>&1 &
	first=$!
	LD_PRELOAD=$work/nolock.so "$STAP" -r $new_kernel -p4 -m second -e "$hello" 2 >second.log 2>&1 && wait $first &&
		[ -s first.ko ] && [ -s second.ko ]
}
check_some 24 "two stap at once on a file system without locks" no_locks
leftovers && ok "no temporary files are left without locks" || fail "no temporary files are left without locks"

# After kill -9 at several moments, with an empty cache, the next stap works.
killed() {
	local after
	for after in 0.3 1.0 1.7 2.4; do
		is_part "killed after $after" 2 || continue
		rm -rf cache/kbuild
		timeout -s KILL $after "$STAP" -r $old_kernel -p4 -m killed "$slab" >/dev/null 2>&1
		compile $old_kernel after && compile $old_kernel again && same_module after.ko again.ko || return
	done
	rm -rf "${TMPDIR:?}"/stap*
}
check_some 24 "after a killed stap, the next one works" killed
