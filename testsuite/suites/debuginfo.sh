# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sources of debuginfo, and messages without it. Kernels are arranged as on machines with fewer and fewer packages; each
# is a root of unpacked packages, used with --sysroot.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
private_cache "$work/cache"
unset DEBUGINFOD_URLS SPILE_DEBUGINFO_SOURCES
cd "$work" || exit 1

server=
cleanup() {
	[ -z "$server" ] || kill "$server" 2>/dev/null
}

# list ROOT OPTION...: write the list of stap for the root's kernel, or its error, to out and err.
list() {
	local root=$1
	shift
	timeout 900 "$STAP" -vv --sysroot="$root" -r "$release" "$@" >out 2>err || cat err >>out
}

# says NAME PATTERN: check that the pattern matches a whole line of the last list.
says() {
	if grep -qxE -- "$2" out err; then
		ok "$release: $1"
	else
		cat out err | fail "$release: $1"
	fi
}

# choose_files: set the kernel's files, below its root. Packages of 7.x have all of them in the modules' directory.
choose_files() {
	vmlinux=$kernel/usr/lib/debug/boot/vmlinux-$release
	boot_image=boot/vmlinuz-$release symbols=$kernel/usr/lib/debug/boot/System.map-$release
	[ -e "$kernel/$boot_image" ] ||
		boot_image=lib/modules/$release/vmlinuz symbols=$kernel/usr/lib/debug/lib/modules/$release/System.map
}

is_before_7() { [[ $release == [1-6].* ]]; }

# bare_root DIRECTORY: make a root with boot image, headers and one module, without debug symbols.
bare_root() {
	mkdir -p "$1/boot" "$1/usr/src" "$1/lib/modules/$release/kernel/fs/xfs"
	ln "$kernel/$boot_image" "$1/$boot_image" 2>/dev/null || cp "$kernel/$boot_image" "$1/$boot_image"
	cp "$kernel/lib/modules/$release/kernel/fs/xfs/"xfs.ko* "$1/lib/modules/$release/kernel/fs/xfs/"
}

build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/ *Build ID: //p'
}

vfs_read='kernel.function\("vfs_read"\) \$file:struct file\* \$buf:char\* \$count:size_t \$pos:loff_t\*'
xfs_read='module\("xfs"\).function\("xfs_file_read_iter"\) \$iocb:struct kiocb\* \$to:struct iov_iter\*'

test_image() {
	bare_root image
	list image -L 'kernel.function("vfs_read")'
	says "a boot image has BTF and symbols" "$vfs_read"
	says "-vv names the source" "^Debuginfo of kernel: BTF \(image/${boot_image//+/\\+}\)"
	list image -L 'module("xfs").function("xfs_file_read_iter")'
	says "the BTF of a module" "$xfs_read"
	list image -L 'kernel.trace("xfs:xfs_file_fsync")'
	says "the tracepoints of a module" 'kernel.trace\("xfs:xfs_file_fsync"\) \$ip:struct xfs_inode\*'
	list image -l 'kernel.function("*")'
	says "the symbols of a boot image" 'kernel.function\("schedule"\)'
	# Compare the names of both. The image has no symbol sizes, and so lacks functions that only a size identifies.
	SPILE_DEBUGINFO_SOURCES=btf "$STAP" -r "$release" -l 'kernel.function("*")' 2>err | sort >with-symbols
	sort out >without
	check "$release: the image has 99% of the functions of vmlinux" \
		test "$(comm -12 with-symbols without | wc -l)" -gt $(($(wc -l <with-symbols) * 99 / 100))
	list image -l 'kernel.function("vfs_read@fs/read_write.c:1")'
	says "a query for missing lines is refused" "semantic error: source files and lines are not known: .*"
	says "the hint names the package with the lines" "hint: install linux-image-$pattern-dbg, or run: .*"
}

# A machine with an unreadable boot image: use the running kernel's BTF and symbols, which KASLR has relocated.
test_running() {
	mkdir -p running/boot running/lib/modules/"$release" running/sys/kernel/btf running/proc/sys/kernel
	echo "$release" >running/proc/sys/kernel/osrelease
	objcopy --dump-section .BTF=running/sys/kernel/btf/vmlinux --dump-section .notes=running/sys/kernel/notes \
		"$vmlinux" /dev/null 2>err
	awk '{ if ($1 ~ /^ffffffff8/) $1 = "ffffffff9" substr($1, 10); print }' \
		"$symbols" >running/proc/kallsyms
	rm -f "$SPILE_CACHE"/index-*
	list running -L 'kernel.function("vfs_read")'
	says "/sys/kernel/btf and /proc/kallsyms" "$vfs_read"
	timeout 900 "$STAP" --sysroot=running -r "$release" -p2 -e 'probe kernel.function("vfs_read") {}' >out 2>err
	local address
	address=$(sed -n 's/ T vfs_read$//p' "$symbols")
	says "addresses are those before KASLR" "kernel.function\(\"vfs_read\"\) /\* pc=0x$address \*/ \{"
	sed -i 's/^[0-9a-f]*/0000000000000000/' running/proc/kallsyms
	list running -l 'kernel.function("vfs_read")'
	says "hidden addresses give no symbols" \
		"semantic error: cannot use the debuginfo in running/proc/kallsyms: it has no symbols"
	echo 1.2.3 >running/proc/sys/kernel/osrelease
	list running -l 'kernel.function("vfs_read")'
	says "another running kernel is not used" "semantic error: no debuginfo of kernel $pattern was found"
}

test_debuginfod() {
	local module=$kernel/usr/lib/debug/lib/modules/$release/kernel/fs/xfs/xfs.ko id port=$((20000 + $$ % 20000))
	id=$(build_id "$module")
	mkdir -p "www/buildid/$id"
	ln -s "$module" "www/buildid/$id/debuginfo"
	busybox httpd -f -p "127.0.0.1:$port" -h www &
	server=$!
	export DEBUGINFOD_URLS=http://127.0.0.1:$port/ DEBUGINFOD_CACHE_PATH=$work/debuginfod
	for _ in $(seq 300); do
		(exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
		nap 0.1
	done
	list image -l 'module("xfs").statement("xfs_file_read_iter@fs/xfs/xfs_file.c:*")'
	says "debuginfod sends the lines of a module" \
		'module\("xfs"\).statement\("xfs_file_read_iter@fs/xfs/xfs_file.c:[0-9]+"\)'
	list image -L 'kernel.function("vfs_read")'
	says "debuginfo that the server lacks comes from elsewhere" "$vfs_read"
	kill "$server"
	wait "$server" 2>/dev/null
	server=
	rm -rf debuginfod
	list image -L 'module("xfs").function("xfs_file_read_iter")'
	says "a server that is down is reported" "WARNING: debuginfod: cannot fetch build-id $id: Connection refused"
	says "other sources are used without the server" "$xfs_read"
	unset DEBUGINFOD_URLS
}

# Functions of the kernel, and of a program, by their addresses in the symbol table.
test_addresses() {
	local address form
	address=$(sed -n 's/ T vfs_read$//p' "$symbols")
	for form in "" .call .return '.return.maxactive(3)'; do
		served -l "kernel.function(0x$address)$form"
		says "the function at an address, '$form'" \
			"kernel.function\\(\"vfs_read@fs/read_write.c:[0-9]+\"\\)${form//[()]/.}"
	done
	served -l "kernel.function(0x$address).callee(\"rw_verify_area\")"
	says "a function that the one at an address calls" '.*"\).callee\("rw_verify_area@fs/read_write.c:[0-9]+"\)'
	served -l "kernel.function(0x${address%?}1)"
	says "no function begins at an address" "hint: 'vfs_read' begins at 0x$address"
	served -l "kernel.function(0x$address).inline"
	says "a function at an address is not inlined" \
		"semantic error: no inlined function begins at address 0x$address of kernel"
	address=$(nm "$STAPRUN" | sed -n 's/ T output_record$//p')
	served -l "process(\"$STAPRUN\").function(0x$address)"
	says "the function of a program at an address" '.*.function\("output_record@.*'
}

# serve_build NAME ID: let the server have a program, which is made here.
serve_build() {
	printf 'int %s(int a) { return a; }\nint main(void) { return %s(1); }\n' "$1" "$1" >program.c
	gcc -g -O0 -Wl,--build-id="0x$2" -o program program.c && mkdir -p "served/buildid/$2" &&
		cp program "served/buildid/$2/executable"
}

# found_in ID FILE ARCHIVE: print a program that a search has found.
found_in() {
	printf '{"type": "executable", "buildid": "%s", "file": "%s", "archive": "%s", "more": [1]}' "$@"
}

# served OPTION...: list the programs of servers.
served() {
	timeout 900 "$STAP" -r "$release" "$@" >out 2>err || cat err >>out
}

# Programs that are not installed here. Two builds have the same path.
test_programs() {
	local one=1111111111111111111111111111111111111111 two=2222222222222222222222222222222222222222
	check "$release: the programs are made" eval "serve_build first $one && serve_build second $two &&
		gcc -shared -fPIC -D_GNU_SOURCE -o libdebuginfod.so.1 '$tests/programs/debuginfod-client.c'"
	{
		printf '{"results": [' && found_in $one /usr/bin/served /pool/served-1.deb && printf ',' &&
			found_in $two /usr/bin/served /pool/served-2.deb && printf ',' &&
			found_in $two /usr/bin/served /pool/served-2.deb && printf '], "complete": true}'
	} >served/metadata-file-+usr+bin+served
	cp served/metadata-file-+usr+bin+served served/metadata-glob-+usr+b*+s*
	{
		printf '{"results": [' && found_in $two /usr/bin/served /pool/served-2.deb &&
			printf '], "complete": true}'
	} >served/metadata-buildid-$two
	served -l 'debuginfod.process("/usr/bin/served").function("main")'
	says "without debuginfod servers" "semantic error: DEBUGINFOD_URLS is not set"
	export DEBUGINFOD_URLS=$work/served LD_LIBRARY_PATH=$work
	served -l 'debuginfod.process("/usr/b*/s*").function("second")'
	says "programs of a server by a wildcard" 'process\("/usr/bin/served"\).function\("second@.*/program.c:1"\)'
	served -l 'debuginfod.process("served").function("first")'
	says "a program of a server by its name" 'process\("/usr/bin/served"\).function\("first@.*/program.c:1"\)'
	served -l 'debuginfod.archive("*-2.deb").process("served").function("first")'
	says "only the programs of some archives" "semantic error: no function matches 'first' in /usr/bin/served"
	served -l 'debuginfod.archive("*-3.deb").process("served").function("first")'
	says "no archive matches" "semantic error: the debuginfod servers have no program 'served' in an archive '.*"
	served -l 'debuginfod.process("/usr/bin/other").function("main")'
	says "no program matches" "semantic error: the debuginfod servers have no program '/usr/bin/other'"
	served -p3 -e 'probe debuginfod.process("/usr/bin/served").function("main") { println($$vars) }'
	check "$release: each build is a target of its own" eval \
		"[ \$(grep -c 'name = \"/usr/bin/served\".*any_place' out) = 2 ]"
	served -l "process(\"$two\").function(\"main\")"
	says "a build-id that is not installed" 'process\("/usr/bin/served"\).function\("main@.*/program.c:2"\)'
	served -l "process(\"$one\").function(\"main\")"
	says "a build-id whose path is unknown" "process\\(\"$one\"\\).function\\(\"main@.*/program.c:2\"\\)"
	served -l "process(\"$one\").begin"
	says "events need a path" \
		"semantic error: the path of the program with build-id $one is not known, and events of .*"
	served -l "process(\"${one/1/3}\").function(\"main\")"
	says "a build-id that nobody has" "semantic error: no program or library with build-id 31* found"
	echo '{"results": [' >served/metadata-file-+usr+bin+served
	served -l 'debuginfod.process("/usr/bin/served").function("main")'
	says "a damaged answer" "semantic error: debuginfod: cannot read the list of programs: .*"
	unset DEBUGINFOD_URLS LD_LIBRARY_PATH
}

# pick COUNT POINT: print COUNT of the places that match, evenly spread.
pick() {
	"$STAP" -r "$release" -l "$2" |
		awk -v count="$1" \
		'{ line[NR] = $0 } END { for (i = 0; i < count; i++) print line[int(i * NR / count) + 1] }'
}

# Compare the C of 200 probes of all kinds, with all their variables, between the full DWARF and the digest.
compare_translations() {
	{
		pick 60 'kernel.function("*@fs/*.c").call'
		pick 30 'kernel.function("*@net/*.c").inline'
		pick 40 'kernel.function("*@mm/*.c").return'
		pick 40 'kernel.statement("*@kernel/fork.c:*")'
		pick 20 'kernel.trace("*")'
		pick 10 'module("xfs").function("*").call'
	} >points
	awk '{ print "probe " $0 " { println($$" (/trace|return/ ? "parms" : "vars") "$) }" }' points >probes.stp
	"$STAP" -r "$release" -p3 -m same probes.stp >full.c 2>err &&
		"$STAP" -r "$release" --debuginfo digest -p3 -m same probes.stp >digest.c 2>>err
	check "$release: 200 probes are picked" test "$(wc -l <points)" -eq 200
	check "$release: their C is written" test -s full.c -a ! -s err
	check "$release: the digest gives the same C for 200 probes" cmp full.c digest.c
}

# refused NAME PATTERN FILE: check that the digest is refused with a message that matches.
refused() {
	timeout 900 "$STAP" -r "$release" --debuginfo "$3" \
		-p2 -e 'probe kernel.function("vfs_read") { println($$vars) }' >out 2>err
	check "$release: $1 fails" test $? -eq 1
	says "$1" "$2"
}

test_digest() {
	check "$release: --export-debuginfo" "$STAP" -r "$release" --export-debuginfo digest --modules xfs
	check "$release: no temporary file is left beside the digest" test "$(ls digest*)" = digest
	compare_translations
	# They include optimized-out pointers, whose locations refer to other DIEs.
	for source in --debuginfo=digest -v; do
		for name in 'statement("*@fs/select.c:*")' 'function("*@fs/namespace.c")' \
			'function("*@fs/eventpoll.c")'; do
			"$STAP" -r "$release" "$source" --list-vars "kernel.$name" 2>err
		done >"$([ "$source" = -v ] && echo full || echo digest).vars"
	done
	check "$release: pointers are there ($(grep -c 'object that it points to' full.vars))" \
		grep -q 'optimized out, but the object that it points to' full.vars
	# The parameter is recovered at three calls; at two, a register holds the structure around it. Compilers differ
	# in which ones.
	local plain='0x[0-9a-f]+: %[a-z0-9]+' inside='0x[0-9a-f]+: %r[a-z0-9]+-32' places
	places="($plain, $inside, $inside|$inside, $inside, $plain|0x[0-9a-f]+, $inside, $plain), else unknown"
	check "$release: removed parameters are there ($(grep -c 'by return address' full.vars))" grep -qP \
		'can_change_locked_flags\+0x0\t\$mnt\tstruct mount \*\tby return address \('"$places\)" full.vars
	check "$release: the digest describes each variable in the same way" cmp full.vars digest.vars
	list image --debuginfo digest -L 'kernel.statement("vfs_read@fs/read_write.c+11")'
	says "a digest has lines and locals where nothing is installed" \
		'kernel.statement\("vfs_read@fs/read_write.c:[0-9]+"\) \$file:struct file\* .*'
	list image --debuginfo digest -L 'module("xfs").function("xfs_file_read_iter")'
	says "a digest has lines and locals of modules" \
		'module\("xfs"\).function\("xfs_file_read_iter@fs/xfs/xfs_file.c:[0-9]+"\) .*'
	head -c 1000000 digest >bad
	refused "a truncated digest" 'semantic error: cannot use the digest bad: it is truncated or damaged' bad
	cp digest bad && printf 'x' | dd of=bad bs=1 seek=5000000 conv=notrunc 2>err
	refused "a damaged section" 'semantic error: cannot use the digest bad: it is truncated or damaged' bad
	cp digest bad && printf 'x' | dd of=bad bs=1 seek=$(($(stat -c %s digest) - 100)) conv=notrunc 2>err
	refused "a damaged table" 'semantic error: cannot use the digest bad: it is truncated or damaged' bad
	refused "another file" 'semantic error: cannot use the digest points: it is not a digest of debuginfo' points
	refused "no file" 'semantic error: cannot read the digest: .*' nowhere
	# Another build of the same release: a boot image whose build-id begins with 01, or with 02 if it does already.
	cp -r image other && cp "$vmlinux" other/boot/vmlinux-"$release"
	objcopy --dump-section .notes=notes other/boot/vmlinux-"$release" 2>err &&
		LC_ALL=C sed -i "s/GNU\x00\x01/GNU\x00\x02/; t; s/GNU\x00./GNU\x00\x01/" notes &&
		objcopy --update-section .notes=notes other/boot/vmlinux-"$release" 2>err
	list other --debuginfo digest -L 'kernel.function("vfs_read")'
	local build_ids='build-id [0-9a-f]+ instead of 0[12][0-9a-f]+'
	says "a digest of another build" "semantic error: the digest digest is of another build of kernel: $build_ids"
	timeout 900 "$STAP" -r "$other" --debuginfo digest -l 'kernel.function("vfs_read")' >out 2>err
	says "a digest of another kernel" "semantic error: the digest digest is of kernel $pattern, not of .*"
	timeout 900 "$STAP" -r "$release" --export-debuginfo digest2 --modules 'no_such*' >out 2>err
	says "a missing module" "ERROR: kernel $pattern has no module 'no_such\*'"
	timeout 900 "$STAP" -r "$release" --export-debuginfo /nonexistent/digest >out 2>err
	says "an unwritable path" 'ERROR: cannot write /nonexistent/digest: .*'
	list image --export-debuginfo digest2
	says "exporting needs DWARF" 'ERROR: local variables are not known: .*'
	rm -rf other bad
}

# Print "place name type" from the output of `perf probe -V` and --list-vars. perf omits qualifiers and prints offsets
# in decimal.
perf_variables() {
	perf probe -k "$vmlinux" -V "$1" 2>perf.err | awk -F '\t' '
		/^\t@</ { gsub(/[@<>]/, ""); split($2, part, "+"); place = sprintf("%s+0x%x", part[1], part[2]) }
		/^\t\t/ { print place, $4, $3 }' | strip_types
}
our_variables() {
	"$STAP" -r "$release" --list-vars "$1" 2>err | awk -F '\t' -v kind="$2" '
		$5 ~ kind && (kind == "." || $5 !~ /entry:/) { print $2, substr($3, 2), $4 }' | strip_types
}
strip_types() {
	sed -E 's/(const|volatile) //g; s/ ?\*const/*/g' |
		awk '{ head = $1 " " $2; $1 = $2 = ""; gsub(/ /, ""); print head, $0 }' | sort -u
}

# compare_with_perf PERF_PLACE POINT: append to the two lists. perf also shows variables of functions that are inlined
# at the place, which have their own points here. perf omits variables without a location (constants, expressions, entry
# values), and refuses a line whose address also belongs to another line.
compare_with_perf() {
	perf_variables "$1" >by_perf
	[ -s by_perf ] || return
	our_variables "$2" . | cut -d' ' -f1,2 >known
	grep -wFf known by_perf >>perf.list
	our_variables "$2" '^(register|memory)' >>ours.list
}

test_perf() {
	local function line first
	: >perf.list
	: >ours.list
	for function in vfs_read do_sys_openat2 tcp_sendmsg_locked wake_up_new_task; do
		compare_with_perf $function "kernel.function(\"$function\").call"
		first=$("$STAP" -r "$release" -l "kernel.function(\"$function\").call" | sed -E 's/.*:([0-9]+)".*/\1/')
		for line in $("$STAP" -r "$release" -l "kernel.statement(\"$function@*:*\")" |
			sed -E 's/.*:([0-9]+)"\)/\1/' | awk 'NR % 5 == 2' | head -n 3); do
			compare_with_perf "$function:$((line - first))" \
				"kernel.statement(\"$function@*+$((line - first))\")"
		done
	done
	check "$release: perf probe -V prints variables ($(wc -l <perf.list) variables)" \
		test "$(wc -l <perf.list)" -gt "$(is_before_7 && echo 45 || echo 35)"
	SPILE_UPDATE='' compare "$release: variables are those of perf probe -V" perf.list ours.list
}

# Compare -L with perf probe -V at the entries of the functions in guest/values-functions.stp. perf also lists inlined
# instances, under the name of the containing function. -L also lists variables that are constant or in several
# registers, which perf cannot read. perf also lists locals in the frame, which is not there yet at the entry. perf has
# no type void, shows function types as such, and arrays as pointers or without length.
test_perf_functions() {
	local function name functions=()
	for function in $(grep -o 'kernel.function("[a-z_0-9]*")' "$tests/guest/values-functions.stp" |
		cut -d'"' -f2 | sort -u); do
		timeout 900 "$STAP" -r "$release" -L "kernel.function(\"$function\").call" >out 2>err || continue
		sed -e 's/.*\.call//' -e 's/ \$/\n/g' out | sed -n "s/^\([a-z_0-9A-Z]*\):/$function \1 /p"
	done | sed -E 's/^([^ ]* [^ ]*) .*\(\*\)\(.*/\1 (function_type)*/; s/ ?\[[0-9]*\]$/*/; s/ void( ?\*)/ void\1/' |
		strip_types | sed 's/ void\**$/ (unknown_type)/' >ours.list
	for name in $(cut -d' ' -f1 ours.list | uniq); do functions+=(-V "$name"); done
	perf probe -q -k "$vmlinux" "${functions[@]}" 2>perf.err | awk -F '\t' '
		/^Available/ { name = $1; sub(/.* /, "", name) }
		/^\t@/ { is_own = $2 == "@<" name "+0>" }
		/^\t\t/ && is_own { print name, $4, $3 }' | strip_types |
		sed 's/ void\**$/ (unknown_type)/; s/\[\]$/*/' >perf.list
	check "$release: perf probe -V knows the functions ($(cut -d' ' -f1 perf.list | uniq | wc -l))" \
		test "$(cut -d' ' -f1 perf.list | uniq | wc -l)" -ge 40
	comm -13 ours.list perf.list |
		grep -vx -e 'do_filp_open nd structnameidata' -e 'seq_printf args va_list' >only-perf
	check "$release: -L has all variables of perf probe -V" diff /dev/null only-perf
	comm -23 ours.list perf.list | while read -r function name _; do
		"$STAP" -r "$release" --list-vars "kernel.function(\"$function\").call" |
			awk -F '\t' -v name="\$$name" \
			'$3 == name && $5 !~ /^(constant|bytes)/ { print }'
	done >only-ours
	check "$release: only constants and variables in several places are missing in perf" diff /dev/null only-ours
}

# Compare the lines of the functions in guest/values-lines.stp with those that perf probe -L marks. Known differences:
# - A function's entry is at its first line for us, and at the line of its declaration for perf.
# - perf marks lines that consist only of ud2 (WARN_ON), which the kernel does not allow to be probed.
# - perf omits lines that begin at an address according to addr2line, or that share their first address with another
# line;
#   in 7.x, whose functions end in inlined destructors, even with a line of another file.
test_perf_lines() {
	local function file first line place
	: >unexplained
	: >perf.list
	for place in $(grep -o 'kernel.statement("[^"+]*' "$tests/guest/values-lines.stp" | cut -d'"' -f2 | sort -u); do
		function=${place%@*} file=${place#*@}
		mkdir -p "source/$(dirname "$file")"
		seq -f 'L%.0f' 9999 >"source/$file"
		first=$("$STAP" -r "$release" -l "kernel.function(\"$place\").call" 2>err |
			sed -E 's/.*:([0-9]+)".*/\1/')
		[ -n "$first" ] || continue
		perf probe -q -k "$vmlinux" -s "$work/source" -L "$function" \
			2>perf.err |
			awk '$1 ~ /^[0-9]+$/ && $2 ~ /^L[0-9]+$/ { print substr($2, 2) }' | sort >by_perf
		cat by_perf >>perf.list
		"$STAP" -r "$release" -p2 -e "probe kernel.statement(\"$place:*\") {}" 2>err |
			sed -En 's/.*:([0-9]+)"\) \/\* pc=(0x[0-9a-f]+) .*/\1 \2/p' | sort >ours
		cut -d' ' -f1 ours | sort -u >our_lines
		for line in $(comm -13 our_lines by_perf); do
			[ "$line" = "$first" ] || is_ud2 "$function" "$line" ||
				echo "only perf: $place:$line" >>unexplained
		done
		for line in $(comm -23 our_lines by_perf); do
			begins_there "$line" || echo "only stap: $place:$line" >>unexplained
		done
	done
	rm -rf source
	check "$release: perf probe -L marks lines ($(wc -l <perf.list))" \
		test "$(wc -l <perf.list)" -gt "$(is_before_7 && echo 60 || echo 50)"
	[ -s unexplained ] && fail "$release: lines equal those of perf probe -L" unexplained ||
		ok "$release: lines equal those of perf probe -L"
}

# For one of the addresses where the line begins, does addr2line name the line, or another line that begins there,
# perhaps as the place of inlined code?
begins_there() {
	local address named
	for address in $(awk -v line="$1" '$1 == line { print $2 }' ours); do
		addr2line -i -e "$vmlinux" "$address" >by_address
		for named in $(sed -E 's/.*:([0-9]+).*/\1/' by_address); do
			grep -qx "$named $address" ours && return 0
		done
		is_before_7 || [[ $(head -n 1 by_address) == */"$file":* ]] || return 0
	done
	return 1
}

# Does perf find only ud2 at a line of a function? It reports the offset.
is_ud2() {
	local start line_start
	start=$(nm "$vmlinux" | awk -v name="$1" '$3 == name { print $1 }')
	objdump -dl --no-show-raw-insn --start-address="0x$start" --stop-address=$(printf '0x%x' $((0x$start + 8192))) \
		"$vmlinux" |
		grep -A1 ":$2\( (discriminator [0-9]*)\)\?$" | grep -q '[[:space:]]ud2$'
}

# Print the members of "{.a=%d, .b={.c=%d}, <union>={.d=%d}}" that are not inside a named member: a, b, d.
direct_members() {
	awk '{
		sub(/^[^{]*\{/, "")
		while (match($0, /(\.[A-Za-z_0-9]+=|<[a-z]+>=)?[{[]|\.[A-Za-z_0-9]+=|[]}]/)) {
			token = substr($0, RSTART, RLENGTH)
			$0 = substr($0, RSTART + RLENGTH)
			if (token ~ /^[]}]/) {
				inside -= named[depth--]
				continue
			}
			if (token ~ /^\./ && !inside)
				print substr(token, 2, index(token, "=") - 2)
			if (token ~ /[{[]$/)
				inside += named[++depth] = token ~ /^\./
		}
	}'
}

# Compare the members of structs with those that bpftrace lists from the same BTF.
test_bpftrace() {
	local name
	objcopy --dump-section .BTF=types "$vmlinux" /dev/null 2>err
	for name in path qstr kiocb iov_iter file; do
		BPFTRACE_BTF=$work/types bpftrace -lv "struct $name" 2>err |
			sed -nE 's/^\t+.*[ *(]([A-Za-z_0-9]+)(\)\(.*\))?(\[[0-9]*\])*( ?: ?[0-9]+)?;$/\1/p' >theirs
		SPILE_DEBUGINFO_SOURCES=btf "$STAP" -r "$release" \
			-p2 -e "probe begin { println(@cast(1, \"struct $name\")\$\$) }" 2>err | direct_members >ours
		[ -s theirs ] && SPILE_UPDATE='' \
			compare "$release: the members of struct $name are those of bpftrace -lv" theirs ours
	done
}

# Print "function name type" of the arguments and results of functions, from bpftrace in a guest. Only there does it
# list them from BTF without arming a probe. Newer versions call kretfunc fexit. Both use BTF's types, so only void
# differs: a function that returns nothing has no $return, and no result is listed.
kfunc_functions="vfs_read vfs_write do_sys_openat2 wake_up_new_task tcp_sendmsg_locked kfree do_filp_open path_openat"
kfuncs_by_bpftrace() {
	local name
	{
		echo 'mount -t debugfs none /sys/kernel/debug 2>/dev/null'
		echo 'mount -t tracefs none /sys/kernel/tracing 2>/dev/null'
		for name in $kfunc_functions; do echo "bpftrace -lv kretfunc:$name"; done
	} >kfuncs.sh
	timeout 900 "$STAP_VM" run -r "$release" --mem 1536M --timeout 800 \
		--file "$(command -v bpftrace):/bin/bpftrace" \
		--file "$work/kfuncs.sh:/tmp/kfuncs.sh" -- sh /tmp/kfuncs.sh 2>err |
		awk '/^(kretfunc|fexit):/ { sub(/.*:/, ""); name = $0 }
			/^ / { what = $NF; $NF = ""; gsub(/ /, ""); print name, what, $0 }' | tr -d '\r' | sort
}
test_bpftrace_functions() {
	local name
	kfuncs_by_bpftrace >theirs
	for name in $kfunc_functions; do
		SPILE_DEBUGINFO_SOURCES=btf "$STAP" -r "$release" -L "kernel.function(\"$name\").call" >listed 2>>err
		SPILE_DEBUGINFO_SOURCES=btf "$STAP" -r "$release" -L "kernel.function(\"$name\").return" 2>>err |
			grep -o ' \$return:[^$]*' >>listed
		grep -o '\$[a-zA-Z_0-9]*:[^$]*' listed |
			sed -e 's/^\$return:/$retval:/' -e 's/ //g' -e "s/^\\$\([^:]*\):/$name \1 /"
	done | sort >ours
	check "$release: bpftrace -lv kretfunc: knows the functions ($(wc -l <theirs) arguments)" \
		test "$(wc -l <theirs)" -gt 20
	SPILE_UPDATE='' compare "$release: arguments and results are those of bpftrace -lv kretfunc:" theirs ours
}

# Print all probes that a script derives, one per line, with address and guard.
derived_probes() {
	"$STAP" -r "$release" -p2 "$1" 2>>err | sed '1,/^# probes/d' |
		awk '/^[^\t}]/ { if (probe) print probe; probe = "" } { probe = probe $0 } END { print probe }' | sort
}

# compare_callees POINT: check that the call paths that -l lists are points that resolve to the same probes.
compare_callees() {
	echo "probe $1.callees(3) { hits++ } global hits" >all.stp
	"$STAP" -r "$release" -l "$1.callees(3)" 2>err | sed 's/.*/probe & { hits++ }/; 1i global hits' >listed.stp
	derived_probes all.stp >all.probes
	derived_probes listed.stp >listed.probes
	check "$release: call paths to callees are listed ($(wc -l <listed.stp))" test "$(wc -l <listed.stp)" -gt 20
	SPILE_UPDATE='' compare "$release: listed call paths resolve to the same probes" all.probes listed.probes
}

# The headers package has the source of inline functions such as get_page(), but not that of vfs_read().
test_listing() {
	local number call='folio_get\(page_folio\(page\)\);'
	local place='kernel.function\("vfs_read@fs/read_write.c:[0-9]+"\)'
	is_before_7 || call='folio_get\(folio\);'
	timeout 900 "$STAP" -r "$release" --list-lines 'kernel.function("get_page")' >out 2>err
	says "--list-lines names the function" 'get_page@include/linux/mm.h:[0-9]+'
	says "lines that can be probed are marked" '\* +[0-9]+  	'"$call"
	says "other lines are not marked" '  +[0-9]+  \{'
	number=$(sed -n 's/^\* *\([0-9]*\)  	folio_get.*/\1/p' out)
	timeout 900 "$STAP" -r "$release" --list-lines "include/linux/mm.h:$number" >out 2>err
	says "--list-lines of a file's line" "\* +$number  	$call"
	timeout 900 "$STAP" -r "$release" --list-lines 'kernel.function("vfs_read")' >out 2>err
	says "lines without source are listed" '\* +[0-9]+'
	says "missing source is reported" 'WARNING: cannot find source file .*fs/read_write.c; .*'
	timeout 900 "$STAP" -r "$release" --list-vars 'kernel.function("vfs_read")' >out 2>err
	says "--list-vars has type and location" \
		"$place"'	vfs_read\+0x0	\$file	struct file \*	register %rdi'
	says "--list-vars shows optimized-out variables" '.*	\$ret	ssize_t	optimized out'
	timeout 900 "$STAP" -r "$release" --list-vars 'kernel.function("vfs_read")' --externs >out 2>err
	says "--externs adds file-level variables" \
		'.*	\$generic_ro_fops	const struct file_operations	memory 0xffffffff[0-9a-f]+'
	compare_callees 'kernel.function("ksys_read")'
	SPILE_DEBUGINFO_SOURCES=btf timeout 900 "$STAP" -r "$release" --list-lines 'kernel.function("vfs_read")' \
		>out 2>err
	says "--list-lines needs DWARF" 'ERROR: source files and lines are not known: .*'
	SPILE_DEBUGINFO_SOURCES=btf timeout 900 "$STAP" -r "$release" -p3 -e 'probe begin { println(symline(1)) }' \
		>out 2>err
	says "lines of addresses need DWARF" 'WARNING: cannot find the source lines of the kernel: .*'
	timeout 900 "$STAP" -r "$release" -d no_such -p3 -e 'probe begin { println(symline(1)) }' >out 2>err
	says "lines of a missing module" "hint: kernel .* has no module 'no_such'"
	timeout 900 "$STAP" --disable-cache -r "$release" -p3 -e 'probe begin { println(symline(1)) }' >out 2>err
	says "lines of addresses need the cache" 'hint: their table needs the cache, .*'
}

# Before the DWARF is read, names of tracepoints come from BTF, and must be the same.
test_tracepoint_names() {
	local names
	"$STAP" -r "$release" --disable-cache -L 'kernel.trace("*")' | cut -d ' ' -f 1 >with_dwarf
	mkdir -p cold && ln -sfn "$SPILE_CACHE/kernels" cold/kernels
	SPILE_CACHE=$work/cold "$STAP" -r "$release" -l 'kernel.trace("*")' >out 2>err
	names=$(wc -l <out)
	if [ "$names" -gt 500 ] && cmp -s with_dwarf out && ! ls cold/index-* | grep -vq -- -btf-; then
		ok "$release: $names tracepoints without reading the DWARF"
	else
		{
			ls cold
			cat err
			diff with_dwarf out
		} | fail "$release: tracepoints without reading the DWARF"
	fi
	SPILE_CACHE=$work/cold "$STAP" -r "$release" -l 'kernel.trace("sched:pelt_se*")' >out 2>err
	says "a tracepoint without an event" 'kernel.trace\("sched:pelt_se_tp"\)'
	rm -rf cold
}

# Each kernel must have one of the names of each row of renames.c that may stand for another. An inode's times are
# structures up to 6.10 only, and *_mnt_idmap are names of 6.3 to 6.14.
test_renames() {
	local rows=$SPILE_SRCDIR/translator/renames/renames.c
	local member='"([a-z_0-9]+)", "([a-z_0-9.]+)", "[^"]*", ("[0-9.]*"|NULL)(, [a-z_]+)?'
	{
		sed -nE 's/^\t\{"([^"]+)", "[^"]*", [^,]*, true\},$/probe kernel.function("\1") {}/p' "$rows"
		echo 'probe begin {'
		sed -nE "s/^\t\{$member\},\$/println(\&@cast(1, \"\1\", \"kernel\")->\2)/p" "$rows" |
			sed -E 's/>([a-z_]+)\.([a-z_]+)/>\1->\2/; />(i_[acm]time|.*_mnt_idmap)\)/d'
		echo '}'
	} >renames.stp
	check "$release: it has one of the names of each row of renames.c" eval \
		'[ "$(grep -c "^p" renames.stp)" -gt 100 ] && "$STAP" -r "$release" -w -p2 renames.stp >out'
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	[ "$release" = $new_kernel ] && other=$old_kernel || other=$new_kernel
	kernel=$("$STAP_VM" path "$release")
	release=$(basename "$(ls -d "$kernel"/lib/modules/*)")
	pattern=${release//+/\\+}
	choose_files
	test_image
	test_running
	test_debuginfod
	test_programs
	test_addresses
	test_listing
	test_renames
	test_tracepoint_names
	! is_part "debuginfo/test_digest" 8 || test_digest
	if command -v perf >/dev/null; then
		! is_part "debuginfo/test_perf" 12 || test_perf
		! is_part "debuginfo/test_perf_functions" 12 || test_perf_functions
		! is_part "debuginfo/test_perf_lines" 6 || test_perf_lines
	else
		skip "$release: perf probe" "perf is not installed"
	fi
	if command -v bpftrace >/dev/null; then
		! is_part "debuginfo/test_bpftrace" 5 || test_bpftrace
		! is_part "debuginfo/test_bpftrace_functions" 6 || test_bpftrace_functions
	else
		skip "$release: bpftrace -lv" "bpftrace is not installed"
	fi
	rm -rf image running www served debuginfod digest*
done
