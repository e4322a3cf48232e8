# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap --bundle: what is in the file, what it says about itself, and one file that runs on both kernels. The unit test
# test-bundle has damaged and hostile files; the fuzzer has more.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
cd "$work" || exit 1
. "$SPILE_SRCDIR/testsuite/json.sh"
if [ ! -x "$SPILE_BUILDDIR/spile-bundle" ]; then
	echo "install musl-tools, then configure and build again" | fail "the program of bundles is built"
	exit 0
fi
old_release=$(basename "$("$STAP_VM" path $old_kernel)")
new_release=$(basename "$("$STAP_VM" path $new_kernel)")

# bundle NAME SCRIPT OPTION...: make a bundle for both kernels.
bundle() {
	"$STAP" --bundle="$1" -r $old_kernel -r $new_kernel "${@:3}" "$tests/bundles/$2.stp"
}

# ---- making ----------------------------------------------------------------------------------------------------------

# A cross compiler must not use musl's files of this machine. The specs of musl 1.2.3 and of 1.2.5 have different forms.
paths_of_musl() {
	local library=root/usr/lib/aarch64-linux-musl
	mkdir -p $library && printf '%s\n' '*startfile:' '%{!shared: /usr/lib/m/Scrt1.o} /usr/lib/m/crti.o' \
		'%{shared:;static-pie:/usr/lib/m/rcrt1.o; :/usr/lib/m/Scrt1.o} /usr/lib/m/crti.o' \
		'-nostdinc -isystem /usr/include/m -L/usr/lib/m -L .%s' '-dynamic-linker /lib/ld-musl.so.1' \
		>$library/musl-gcc.specs &&
		make -s -f "$SPILE_SRCDIR/vm/guest.mk" guest=arm64 root="$work/root" source="$SPILE_SRCDIR" \
			arm64/musl.specs 2>err && sed "s|$work/root/usr|ROOT|g" arm64/musl.specs >out && cat out &&
		[ "$(grep -o 'ROOT/' out | wc -l)" -eq 7 ] && ! grep '/usr' out
}

# The order of the kernels does not matter.
reproducible() {
	bundle hello hello -G text=built && bundle again hello -G text=built && cmp hello again && [ -x hello ] &&
		"$STAP" --bundle=again -r $new_kernel -r $old_kernel -G text=built "$tests/bundles/hello.stp" &&
		cmp hello again
}

# Kernels that patterns and reports name, without duplicates.
kernels() {
	"$STAP" --bundle=patterns -r "$old_kernel*-cloud-amd64" -r $old_release -r $new_kernel \
		-e 'probe begin { exit() }' && ./patterns --list >out && [ "$(grep -c '^  [0-9]' out)" -eq 2 ] &&
		{
			./hello --facts
			./hello --facts
		} | jq -c ".release = \"$old_release\" | .build_id = \"$(build_id_of $old_release)\"" >facts &&
		"$STAP" --bundle=reported --bundle-from - -e 'probe begin { exit() }' <facts &&
		./reported --list >out && [ "$(grep -c '^  [0-9]' out)" -eq 1 ]
}

build_id_of() {
	./hello --list | awk -v release="$1" '$1 == release { print $4 }'
}

wrong_facts() {
	refuses "a host runs kernel .* with build-id .*, but the one on this machine has" \
		"$STAP" --bundle=x --bundle-from <(jq -c '.build_id = "0000"' facts) -e 'probe begin {}' &&
		refuses "line 1 of .* is not a line of TOOL --facts: .*'release'|there is no member \"release\"" \
			"$STAP" --bundle=x --bundle-from <(echo '{"host":"x"}') -e 'probe begin {}' &&
		refuses 'kernel 9.9.9 was not found' \
			"$STAP" --bundle=x --bundle-from <(echo '{"release":"9.9.9"}') -e 'probe begin {}' &&
		[ ! -e x ]
}

# The script means different things on the two kernels, which is noted when it is built and in the list.
differences() {
	(cd "$tests/bundles" && "$STAP" --bundle="$work/differs" -r $old_kernel -r $new_kernel differs.stp) 2>&1 |
		sed "s/$old_release/OLD/g; s/$new_release/NEW/g" >notes
	compare "a script that differs between kernels is noted" "$tests/bundles/differs.err" notes
	./differs --list | grep '^    ' >notes
	compare "a list has the notes of each kernel" "$tests/bundles/differs.list" notes
}

# --lint says what each name is on each kernel, and prints an error once, with the kernels that have it.
lint() {
	(cd "$tests/bundles" && "$STAP" --lint -r $old_kernel -r $new_kernel differs.stp) 2>&1 |
		sed "s/$old_release/OLD/g; s/$new_release/NEW/g" >linted
	compare "--lint lists the names of a script by kernel" "$tests/bundles/differs.lint" linted
}

lint_of_errors() {
	local lint=("$STAP" --lint -r $old_kernel -r $new_kernel)
	refuses "^<input>:1:7: error: no function matches 'lru_add_fn' in kernel on ${new_release/+/.}$" \
		"${lint[@]}" -e 'probe kernel.function("lru_add_fn") {}' &&
		refuses 'error: .* on all kernels$' "${lint[@]}" -e 'probe begin { x() }' &&
		refuses '^ERROR: --lint and --remote exclude' "$STAP" --lint --remote=vm: -e 'probe begin {}' &&
		refuses '^ERROR: --lint excludes -l' "$STAP" --lint -p3 -e 'probe begin {}'
}

# --bundle-add uses the script, options and arguments of the bundle, and the result is what --bundle would have made.
added() {
	printf 'global g = $1\nprobe begin { println(g, @2) exit() }\n' >both.stp
	"$STAP" --bundle=both -r $old_kernel -r $new_kernel -D MAXACTION=5000 both.stp 1 'a b' &&
		"$STAP" --bundle=added -r $old_kernel -D MAXACTION=5000 both.stp 1 'a b' && ! cmp -s both added &&
		rm both.stp && "$STAP" --bundle-add=added -r $new_kernel && cmp both added &&
		"$STAP" --bundle-add=added -r $old_kernel && cmp both added
}

signed() {
	openssl req -x509 -newkey rsa:2048 -noenc -subj /CN=signer -days 1 -keyout signer.pem -outform DER \
		-out signer.x509 2>/dev/null && cp hello signed &&
		"$STAP" --bundle-add=signed -r $old_kernel --bundle-sign=signer.pem &&
		./signed --list | grep -q '^Signature: yes' &&
		size=$(tail -c 8 signed | head -c 4 | od -An -tu4) && head -c -$((size + 16)) signed >body &&
		tail -c $((size + 16)) signed | head -c $size >signature &&
		openssl pkey -in signer.pem -pubout -out signer.pub &&
		openssl dgst -sha256 -verify signer.pub -signature signature body
}

# blob_in IMAGE JQ FILE: print the path of the blob whose digest the file has there.
blob_in() {
	jq -r "$2 | .digest" "$3" | sed "s|^sha256:|$1/blobs/sha256/|"
}
manifest_of() {
	blob_in "$1" '.manifests[0]' "$(blob_in "$1" '.manifests[0]' "$1/index.json")"
}
config_of() {
	blob_in "$1" .config "$(manifest_of "$1")"
}
layers_of() {
	jq -r '.layers[].digest' "$(manifest_of "$1")" | sed "s|^sha256:|$1/blobs/sha256/|"
}

# A container image has the same bundle in its only layer. Its blobs are those that it names, and have the right sizes.
image() {
	local index manifest config layer
	"$STAP" --bundle=oci:image/ -r $old_kernel -r $new_kernel -G text=built "$tests/bundles/hello.stp" &&
		(cd image/blobs/sha256 && sha256sum * | awk '$1 != $2 { print; bad = 1 } END { exit bad }') &&
		jq -e '.imageLayoutVersion == "1.0.0"' image/oci-layout &&
		index=$(blob_in image '.manifests[0]' image/index.json) &&
		jq -e '.manifests | length == 1 and .[0].platform == {architecture: "amd64", os: "linux"}' "$index" &&
		manifest=$(manifest_of image) && config=$(config_of image) && layer=$(layers_of image) &&
		tar xOf "$layer" hello | cmp - hello &&
		[ "$(tar tvf "$layer" | tr -s ' ' | cut -d ' ' -f 1,2,4-)" = \
			"-rwxr-xr-x 0/0 1970-01-01 00:00 hello" ] &&
		jq -e ".config.Entrypoint == [\"/hello\"] and .rootfs.diff_ids == [\"sha256:${layer##*/}\"]" \
			"$config" &&
		[ "$(find image -type f | wc -l)" -eq 6 ] && [ "$(stat -c %a image)" = 755 ] &&
		[ "$(jq '.. | .size? // empty' image/index.json "$index" "$manifest" | sort)" = \
			"$(stat -c %s "$index" "$manifest" "$config" "$layer" | sort)" ]
}

# An image that serves metrics has stap-exporter and its libraries in another layer, which is compressed. It starts with
# nothing else of this machine.
image_with_exporter() {
	local layers root=$work/metrics.root
	make() {
		"$STAP" --bundle=oci:$1 --bundle-exporter -r $old_kernel "$tests/bundles/hello.stp"
	}
	make metrics && make metrics.2 && diff -r metrics metrics.2 &&
		"$STAP" --bundle=one -r $old_kernel "$tests/bundles/hello.stp" &&
		cp "$(config_of metrics)" config && layers=($(layers_of metrics)) && [ ${#layers[@]} -eq 2 ] &&
		jq -e '.config.Entrypoint[0] == "/usr/bin/stap-exporter" and .config.ExposedPorts == {"9900/tcp": {}}' \
			config &&
		[ "$(gzip -dc "${layers[0]}" | sha256sum)" = "$(jq -r '.rootfs.diff_ids[0][7:]' config)  -" ] &&
		[ "$(sha256sum <"${layers[1]}")" = "$(jq -r '.rootfs.diff_ids[1][7:]' config)  -" ] &&
		! tar tvf "${layers[0]}" | grep -vE '^[d-]rwxr-xr-x 0/0 ' &&
		mkdir "$root" && tar xf "${layers[0]}" -C "$root" && tar xf "${layers[1]}" -C "$root" &&
		cmp one "$root/etc/spile/exporter/hello.bundle" &&
		cmp "$SPILE_BUILDDIR/stap-exporter" "$root/usr/bin/stap-exporter" &&
		bwrap --bind "$root" / --proc /proc --dev /dev $(jq -r '.config.Entrypoint[]' config) --check
}

# The exporter of an image is that of this machine.
refuses_architecture() {
	[ "$(uname -m)" = x86_64 ] && "$STAP_VM" path 6.1-arm64 >/dev/null 2>&1 || return 0
	refuses 'an image with stap-exporter can have modules for amd64 only, not for arm64' \
		"$STAP" --bundle=oci:arm --bundle-exporter -r $old_kernel -r 6.1-arm64 -e 'probe begin {}'
}

# An image cannot be written into what exists, or changed. Nothing is left of one that fails.
image_refused() {
	refuses 'cannot write an image to image: it is not an empty directory' \
		"$STAP" --bundle=oci:image -r $old_kernel -e 'probe begin {}' &&
		refuses 'cannot write an image to hello: ' \
			"$STAP" --bundle=oci:hello -r $old_kernel -e 'probe begin {}' &&
		refuses '^ERROR: --bundle=oci: requires a directory' "$STAP" --bundle=oci: -e 'probe begin {}' &&
		refuses '^ERROR: --bundle-add cannot change an image' "$STAP" --bundle-add=oci:image -r $old_kernel &&
		refuses '^ERROR: --bundle-exporter requires --bundle=oci:DIR' \
			"$STAP" --bundle-exporter --bundle=tool -r $old_kernel -e 'probe begin {}' &&
		refuses '^ERROR: --bundle-exporter requires' "$STAP" --bundle-exporter -e 'probe begin {}' &&
		refuses_architecture && echo 'probe begin {}' >metrics.stp &&
		refuses "/metrics is the path of the exporter's own metrics" \
			"$STAP" --bundle=oci:own --bundle-exporter -r $old_kernel metrics.stp && [ ! -e own ] &&
		refuses 'cannot create none/image\.' \
			"$STAP" --bundle=oci:none/image -r $old_kernel -e 'probe begin {}' &&
		mkdir empty && "$STAP" --bundle=oci:empty -r $old_kernel -e 'probe begin { exit() }' &&
		tar tf "$(find empty -size +100k)" | grep -qx script && [ -z "$(ls -d image?* empty?* 2>/dev/null)" ]
}

# What a bundle cannot honor is refused, with a reason, and nothing is written.
refused() {
	local option
	for option in -cls -x1 --cgroup=/ --target-namespaces=1 -oout -F --monitor --format=json --report=x.html \
		--remote=vm: -mx -p2 --lint --check --format-script --prepare --debuginfo=x --kernel-build-id=00 \
		--use-server; do
		refuses "^ERROR: --bundle and .* exclude each other: |\"text\":\"--bundle and .* exclude each other: " \
			"$STAP" --bundle=x "$option" -e 'probe begin {}' || { echo "$option"; return 1; }
	done
	refuses 'matches no kernel on this machine' "$STAP" --bundle=x -r '99.*' -e 'probe begin {}' &&
		refuses '^ERROR: --bundle-from requires' "$STAP" --bundle-from=x -e 'probe begin {}' &&
		refuses '^ERROR: --bundle-add requires -r' "$STAP" --bundle-add=hello &&
		refuses '^ERROR: --bundle-add takes no script' "$STAP" --bundle-add=hello -r $old_kernel -e '' &&
		refuses '^ERROR: --bundle-add excludes -g' "$STAP" --bundle-add=hello -r $old_kernel -g &&
		refuses 'is not a bundle' "$STAP" --bundle-add="$STAPRUN" -r $old_kernel &&
		refuses 'cannot write' "$STAP" --bundle=none/x -r $old_kernel -e 'probe begin {}' && [ ! -e x ]
}

# ---- what it says ----------------------------------------------------------------------------------------------------

describes() {
	./hello --script | cmp - "$tests/bundles/hello.stp" && ./hello --help >out && grep -q '^  -c CMD ' out &&
		grep -q '^  --cgroup=PATH ' out &&
		! grep -qE '^  -[MRu] ' out && grep -qx '  text (a string) = "built"' out && ./hello -h | cmp - out &&
		./hello --list >out && grep -qx 'Option: -G text=built' out &&
		grep -qE "^  $old_release +x86_64 +[0-9]+ +[0-9a-f]{40}$" out &&
		./hello --facts | jq -e ".release == \"$(uname -r)\" and .architecture == \"$(uname -m)\"" >/dev/null
}

# Options of the script: those that initialize globals can be set, the others were fixed.
script_options() {
	cat >options.stp <<'END'
# Print rows.
global top = @option_number("top", 10, 1, 100, "how many rows"), depth = 7
probe timer.ms(@option_milliseconds("interval", 500, 10, 5000, "time between rows")) { println(top, depth) }
END
	"$STAP" --bundle=options -r $old_kernel options.stp --top=20 --interval=1s && ./options --help >out &&
		grep -qx 'Print rows.' out && grep -qx '  depth (a number) = 7' out && ! grep -q '^  top ' out &&
		grep -qE '^  --top=NUMBER  .*how many rows \(default: 20; 1 to 100\)$' out &&
		grep -qE '^  --interval=TIME  .*\(default: 1s; 10ms to 5s\)$' out &&
		refuses 'option --top requires a number from 1 to 100' ./options --top=101 &&
		refuses 'option --interval was fixed when this bundle was made' ./options --interval=1s &&
		refuses 'unknown option --tpo' ./options --tpo=1 &&
		refuses 'has no module for the running kernel' ./options --top 5 &&
		cp options added && "$STAP" --bundle-add=added -r $old_kernel && cmp options added
}

# This machine's kernel is not in the bundle.
unknown() {
	refuses 'hello has no module for the running kernel, .* the most similar one is for ' ./hello &&
		grep -q "^  $new_release (x86_64)\$" out &&
		grep -qF "hint: run 'stap --bundle-add=hello -r $(uname -r)' where the bundle was made" out
}

wrong_options() {
	local option
	for option in -M1 -R -u; do
		./hello $option >out 2>&1
		[ $? -eq 2 ] && grep -q "^ERROR: a bundle has no option $(cut -c 1-2 <<<$option): " out || return
	done
	./hello -Q >out 2>&1
	[ $? -eq 2 ] && grep -q 'Try the option --help' out && ! ./hello name >out 2>&1 &&
		grep -q 'expected NAME=VALUE' out
}

# Files that were cut off or changed by a copy. A damaged module does not prevent the others from running.
damaged() {
	local size
	size=$(stat -c %s hello)
	head -c $((size - 1)) hello >cut && chmod +x cut && refuses 'is not a bundle, or was cut off' ./cut &&
		head -c $((size - 2000)) hello >cut && refuses 'is not a bundle, or was cut off' ./cut --list &&
		{ cat hello; echo; } >cut && refuses 'is not a bundle, or was cut off' ./cut &&
		cp hello cut && printf XXXX | dd of=cut bs=1 seek=$((size - 100)) conv=notrunc 2>/dev/null &&
		refuses 'is damaged: ' ./cut --list && grep -q '^hint: copy it again' out
}

# The program needs no library and no dynamic loader. A guest would hide that, because stap-vm copies these, too.
independent() {
	readelf -Wdl "$SPILE_BUILDDIR/spile-bundle" >headers && ! grep -E 'NEEDED|INTERP' headers &&
		grep -q GNU_RELRO headers && grep -q 'DYN (Position-Independent' headers &&
		! grep -q . <(readelf -Wd "$SPILE_BUILDDIR/spile-bundle" | grep TEXTREL)
}

check "the program in a bundle is static, and hardened" independent
check "a cross compiler uses the musl of its guest root" paths_of_musl
check "options of the script" script_options
check "the same script makes the same bytes" reproducible
check_some 2 "kernels by pattern and from reports" kernels
check_some 2 "reports of other kernels are refused" wrong_facts
differences
lint
check "--lint reports an error once" lint_of_errors
check_some 2 "--bundle-add makes what --bundle makes" added
check_some 2 "a bundle can be signed" signed
check "a container image has the bundle in its layer" image
check_some 2 "an image serves metrics" image_with_exporter
check_some 2 "images that cannot be made are refused" image_refused
check "what a bundle cannot honor is refused" refused
check "a bundle describes itself" describes
check "an unknown kernel gets the list, the nearest and the command" unknown
check "options that a bundle lacks are refused" wrong_options
check "a damaged bundle is refused" damaged

# ---- running ---------------------------------------------------------------------------------------------------------

keys=$(grep -aoE '/[[:print:]]*/spile/keys' "$STAPRUN" | head -n 1)

# Run the image with the only capability and the only directory of the host that it needs.
in_container() {
	mkdir -p container/rootfs && tar xf "$(find image/blobs -size +100k)" -C container/rootfs && (
		cd container && rm -f config.json && crun spec && jq '
			.process.terminal = false | .process.args = ["/hello", "text=contained"] |
			.process.capabilities |= with_entries(.value = ["CAP_SYS_MODULE"]) |
			.mounts |= (map(select(.type != "cgroup")) + [{destination: "/sys/kernel/debug",
				type: "none", source: "/sys/kernel/debug", options: ["rbind", "rw"]}]) |
			.linux.namespaces |= map(select(.type != "network" and .type != "cgroup")) |
			.root.readonly = true' config.json >changed && mv changed config.json
	) && "$STAP_VM" exec --socket "$work/$1" --file container:/t/container --file "$(command -v crun)" \
		--file "$tests/bundles/container.sh:/t/container/run.sh" -- sh /t/container/run.sh | tee out &&
		grep -qx 'contained 0' out
}

# The lines fit the schema, and are what stap-report needs.
report_of() {
	check_lines "$1" | tee unfit
	[ ! -s unfit ] && [ "$(jq -rj 'select(.type == "script") | .text' "$1")" = "$(./hello --script)" ] &&
		"$SPILE_BUILDDIR/stap-report" --format=text "$1" >shown &&
		grep -qE '^text +given$' shown && grep -qx 'given it 0' shown
}

# run_guest RELEASE: run everything in a guest of one kernel.
run_guest() {
	local options=(--modules algif_hash --file hello:/t/hello --file "$tests/bundles/guest.sh:/t/guest.sh"
		--file "$tests/guest-tools.sh:/t/tools.sh")
	[ ! -e signed ] || options+=(--file signed:/t/signed --file signer.x509:/t/signer.x509)
	start_guest "$1" "${options[@]}" || return
	if command -v crun >/dev/null; then
		check_some 2 "$1: a container image runs" in_container "$1"
	else
		skip "$1: a container image runs" "crun is not installed"
	fi
	"$STAP_VM" exec --socket "$work/$1" --download /t/lines:"$work/lines.$1" -- \
		sh /t/guest.sh "$keys" >"$work/out.$1" 2>&1
	grep -q '^ok - it prints' "$work/out.$1" || fail "$1: guest.sh runs" "$work/out.$1"
	sed "s/^\(ok\|FAIL\) - /\1 - $suite: $1: /" "$work/out.$1"
	check "$1: a report of its lines of JSON" report_of "$work/lines.$1"
	stop_guest "$1"
}

for release in $old_kernel $new_kernel; do
	is_kernels_part $release bundles && run_guest $release
done
