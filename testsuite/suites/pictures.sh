# SPDX-License-Identifier: GPL-2.0-or-later
#
# The pictures of doc/pictures: examples run in a guest with programs/shop.c as their workload, with nothing but
# --report; headless Chromium opens the page, report/picture.js selects the global and its view, and the picture must
# show data. With SPILE_UPDATE=1, the pictures are written to doc/pictures (install pngquant and optipng); look at them
# before you commit them. Examples of top and of latencies draw in the terminal, by the commands in their heads.
# SPILE_TESTS selects pictures and examples.

. "$(dirname "$0")/../lib.sh"

release=$old_kernel
pictures=$SPILE_SRCDIR/doc/pictures
need_kernel "$release" || exit 0
for program in chromium dot genhtml npm tc; do
	command -v $program >/dev/null || { echo "install $program" | fail "$program is installed"; exit 0; }
done
gcc -O2 -pthread -o "$work/shop" "$tests/programs/shop.c" || exit 1
mkdir "$work/pictures"
cd "$SPILE_SRCDIR/examples" || exit 1

# ---- the browser -----------------------------------------------------------------------------------------------------

# browse FILE OPTION...: open a page of the size $width x $height; the console of pages goes to the file console.
width=1000 height=900
browse() {
	HOME=$work timeout 120 chromium --headless=new --no-sandbox --hide-scrollbars --user-data-dir="$work/browser" \
		--use-angle=swiftshader --enable-unsafe-swiftshader --allow-file-access-from-files \
		--enable-logging=stderr --virtual-time-budget=20000 --window-size=$width,$height "${@:2}" "file://$1" \
		2>"$work/browser.log"
	grep CONSOLE "$work/browser.log" >"$work/console"
	cut -c 1-300 "$work/console"
}

# shoot FILE NAME: write the picture of a page.
shoot() {
	browse "$1" --screenshot="$work/pictures/$2.png" && [ -s "$work/pictures/$2.png" ]
}

# ---- pages -----------------------------------------------------------------------------------------------------------

run_script() {
	timeout 300 nice -n 5 "$STAP" --remote="unix:$work/$release" $no_overload "$@"
}

# show NAME WANTED: select what picture.js calls wanted in $work/NAME.html, and take the picture in the section's size.
show() {
	local name=$1 title height=900
	{
		sed "s/script-src [^;]*;/script-src 'unsafe-inline';/" "$work/$name.html"
		echo "<script>const wanted = $2;"
		cat "$tests/report/colors.js" "$tests/report/picture.js"
		echo '</script>'
	} >"$work/$name.shown.html"
	browse "$work/$name.shown.html" --dump-dom >"$work/dom"
	title=$(grep -ao '<title>[^<]*' "$work/dom" | head -n 1)
	echo "$title"
	[ ! -s "$work/console" ] && [[ $title =~ shown\ ([0-9]+): ]] && height=${BASH_REMATCH[1]} &&
		shoot "$work/$name.shown.html" "$name"
}

is_chosen() {
	[[ $1 == ${SPILE_TESTS:-*} ]]
}

# picture NAME WANTED SCRIPT ARGUMENT...: run an example with --report, and take the picture of its page.
picture() {
	is_chosen "$1" || return
	check "$1: the script runs" run_script --report="$work/$1.html,1" "${@:3}"
	check "$1: the picture shows it" show "$1" "$2"
}

compare_runs() {
	local heat=(--format=json syscalls/syscall-heat.stp --call=pwrite64)
	run_script "${heat[@]}" -c 'shop write-each 6' >"$work/before.json" &&
		run_script "${heat[@]}" -c 'shop write-batches 6' >"$work/after.json" &&
		(cd "$work" && "$SPILE_BUILDDIR/stap-report" before.json after.json -o comparison.html)
}

# ---- pictures of other programs --------------------------------------------------------------------------------------

timeline() {
	local width=1200 height=200 viewer
	npm install --silent --prefix "$work/npm" speedscope@1.25.0 &&
		run_script scheduler/timeline.stp -o "$work/timeline.json" \
			-c 'shop requests 0.4 & shop requests 0.4 & shop orders 0.4; wait' || return
	{
		printf "speedscope.loadFileFromBase64('timeline.json', '%s');\n" "$(base64 -w0 "$work/timeline.json")"
		# The key + zooms in by a half.
		echo 'for (let i = 0; i < 4; i++) setTimeout(() => window.dispatchEvent('
		echo '	new KeyboardEvent("keydown", { key: "+" })), 3000 + 500 * i);'
	} >"$work/load.js"
	viewer=$work/npm/node_modules/speedscope/dist/release/index.html
	browse "$viewer#localProfilePath=$work/load.js" --dump-dom | grep -o 'CPUs ([^<]*CPU 0 [^<]*' || return
	shoot "$viewer#localProfilePath=$work/load.js" timeline
	grep -q 'import: ' "$work/console" && ! grep -qE 'Failed|Error' "$work/console"
}

lock_graph() {
	run_script locks/lock-graph.stp -o "$work/locks.dot" -c 'shop locks 5' && cat "$work/locks.dot" &&
		grep -q 'importer.*semaphore in ' "$work/locks.dot" &&
		dot -Tpng -Gdpi=72 "$work/locks.dot" -o "$work/pictures/lock-graph.png"
}

# kernel_source: set source to a directory with the kernel's fs/read_write.c. It comes from Debian's package, once for
# each version of the kernel.
kernel_source() {
	local package=linux-source-$release file=fs/read_write.c
	source=$HOME/.cache/spile/source/$(basename "$("$STAP_VM" path "$release")")
	[ ! -e "$source/$file" ] || return 0
	mkdir -p "$source" "$work/package" && (cd "$work/package" && apt-get download -qq "$package") &&
		dpkg-deb --fsys-tarfile "$work/package"/*.deb | tar -xO "./usr/src/$package.tar.xz" | xz -dc |
		tar -x -C "$source" --strip-components=1 "$package/$file"
	[ -e "$source/$file" ]
}

# Lines that have code and did not run have the count 0. Of genhtml's page, the lines of the function are kept.
coverage() {
	local source first last height=630
	kernel_source && "$STAP" -r "$release" --list-lines 'kernel.function("vfs_read")' 2>/dev/null |
		awk -v source="$source" '
			NR == 1 { gsub(/.*@|:.*/, ""); print "SF:" source "/" $0 }
			/^\*/ { print "DA:" $2 ",0" }
			END { print "end_of_record" }' >"$work/lines.info" &&
		run_script kernel-code/line-coverage.stp --source="$source" -o "$work/coverage.info" \
		-c 'dd if=/bin/busybox of=/dev/null count=1 2>/dev/null; cat /proc/version >/dev/null' &&
		genhtml "$work/lines.info" "$work/coverage.info" -o "$work/coverage" >"$work/genhtml" 2>&1 || return
	first=$(sed -n 's/^FN:\([0-9]*\),.*/\1/p' "$work/coverage.info")
	sed -n "${first}p" "$source/fs/read_write.c" | grep 'vfs_read(' ||
		{ echo "the source is of another kernel"; return 1; }
	last=$(sed -n "$first,\${/^}/{=;q}}" "$source/fs/read_write.c")
	awk -v first="$first" -v last="$last" '
		match($0, /<a name="[0-9]+">/) { line = substr($0, RSTART + 9, RLENGTH - 11) + 0 }
		!/^<a name="[0-9]+">/ || (line >= first && line <= last)' \
		"$work/coverage/fs/read_write.c.gcov.html" >"$work/coverage/fs/cut.html"
	grep -c lineCov "$work/coverage/fs/cut.html" && grep -c lineNoCov "$work/coverage/fs/cut.html" &&
		shoot "$work/coverage/fs/cut.html" line-coverage
}

# ---- all of them -----------------------------------------------------------------------------------------------------

other() {
	! is_chosen "$1" || check "$1: the picture shows it" "$2"
}

# watch_example EXAMPLE SCENE [OPTION]: run the command that the head of an example gives for the terminal. Does it show
# values with a unit?
watch_example() {
	local words
	words=$(sed -n 's/^# To watch it in the terminal: stap //p' "$1")
	words+=" $3"
	[ "$words" != " $3" ] && set -f &&
		run_script $words -c "shop $2 2" >"$work/watched" 2>"$work/watch.err" && set +f &&
		cat "$work/watched" "$work/watch.err" && [ ! -s "$work/watch.err" ] &&
		grep -E -A 1 '  unit: ' "$work/watched" | grep -qE 'elements: [1-9]|count [1-9]'
}

# Count the colors of each picture in a page that has them all.
have_colors() {
	local file
	{
		echo '<title>?</title><script>'
		cat "$tests/report/colors.js"
		echo '</script><body onload="judgeImages()">'
		for file in "$work"/pictures/*.png; do
			printf "<img alt='%s' src='data:image/png;base64,%s'>\n" "$(basename "$file")" \
				"$(base64 -w0 "$file")"
		done
	} >"$work/all.html"
	browse "$work/all.html" --dump-dom >"$work/dom"
	grep -ao '<title>[^<]*' "$work/dom"
	grep -aq '<title>colorful<' "$work/dom"
}

# With SPILE_UPDATE, write the pictures with few colors, which is enough for all of them.
committed() {
	local file name
	for file in "$work"/pictures/*.png; do
		name=$(basename "$file")
		if [ -n "$SPILE_UPDATE" ]; then
			pngquant --force --output "$pictures/$name" 64 "$file" &&
				optipng -quiet -o2 "$pictures/$name" || return
		fi
		[ -s "$pictures/$name" ] || { echo "$name is missing"; return 1; }
		[ "$(stat -c %s "$pictures/$name")" -le 61440 ] || { echo "$name is too large"; return 1; }
		grep -qF "($name)" "$pictures/README.md" || { echo "README.md does not show $name"; return 1; }
	done
}

start_guest "$release" $(as_modules "$release" scsi_debug sd_mod mq-deadline sch_netem) --smp 2 --mem 1G \
	--file "$work/shop:/bin/shop" --file "$(command -v tc):/tmp/tc" || exit 0
check "the guest has a disk" "$STAP_VM" exec --socket "$work/$release" -- sh -c '
	hostname shop && mke2fs /dev/sda >/dev/null && mkdir -p /mnt/disk && mount -t ext4 /dev/sda /mnt/disk &&
	dd if=/dev/urandom of=/mnt/disk/catalog bs=1M count=4 2>/dev/null'

picture on-cpu '{global: "samples", tab: "Flame graph", finds: ["render_page", "qsort", "exc_page_fault"]}' \
	scheduler/profile.stp --hz=997 --comm=shop -c 'shop requests 4'
picture off-cpu '{global: "waits", tab: "Flame graph", finds: ["reserve_stock", "ext4_sync_file", "unix_stream"]}' \
	scheduler/off-cpu.stp --comm=shop -c 'shop orders 4'
picture block-heat '{global: "latency", tab: "Heat map"}' block/block-heat.stp -c 'shop disk 30'
picture runq-latency '{global: "by_processor", tab: "Heat map", says: "by_processor.0."}' \
	scheduler/runq-latency.stp -c 'shop processors 20'
picture tcp-retransmits '{global: "per_second", tab: "Over time"}' \
	network/tcp-retransmits.stp -c 'shop packets 24'
picture malloc-leaks '{global: "leaked", tab: "Flame graph", finds: ["keep_session", "cache_picture"]}' \
	user/malloc-leaks.stp --comm=shop --interval=60 -c 'shop memory 5'
picture page-cache '{global: "hit_percent", tab: "Over time"}' filesystem/page-cache.stp --interval=1 -c 'shop files 20'
picture slab-leak '{global: "leaked", tab: "Flame graph", finds: ["sock_alloc_inode", "__x64_sys_pipe"]}' \
	memory/slab-leak.stp -c 'shop slabs 4'
picture syscall-summary '{global: "spent", tab: "Bars", choices: {Length: "sum"}}' \
	syscalls/syscall-summary.stp --comm=shop -c 'shop orders 3'
if is_chosen comparison; then
	check "comparison: the scripts run" compare_runs
	check "comparison: the picture shows it" show comparison '{global: "latency", says: "Before[^]*After"}'
fi
other timeline timeline
other lock-graph lock_graph
other line-coverage coverage
while read -r example scene option; do
	! is_chosen "$(basename "$example")" ||
		check "$example can be watched" watch_example "$example.stp" "$scene" $option </dev/null
done <<'END'
block/block-heat disk
block/block-latency disk
filesystem/fs-latency orders
interrupts/interrupt-latency orders
kernel-code/kernel-latency requests
scheduler/runq-latency processors
syscalls/syscall-heat requests
top/block-top disk
top/cpu-top processors
top/file-top requests
top/net-top packets
top/syscall-top requests
user/function-latency requests --function=qsort*
END
stop_guest "$release"
[ -n "$(ls "$work/pictures")" ] || exit 0
check "all pictures have colors" have_colors
check "the pictures are in doc/pictures" committed
