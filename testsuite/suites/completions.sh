# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completions of bash, fish and zsh for stap, staprun, stap-vm, stap-report, stap-profile-annotate and stap-exporter
# (completions/), tested without a terminal user.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
copied_cache "$work/cache"
completions=$SPILE_SRCDIR/completions
export PATH=$SPILE_BUILDDIR:$SPILE_BUILDDIR/staprun:$PATH

# Call bash's completion function with the words of a line; print its answers, one per line.
in_bash() {
	bash -c '. "$1"; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
		"$(complete -p "$1" | sed "s/.*-F //; s/ .*//")" "$1"; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$completions/stap.bash" "$@"
}
in_fish() {
	fish -c 'source $argv[1]; complete -C "$argv[2]"' "$completions/stap.fish" "$1"
}
# Print what a terminal shows after the line and a tab.
in_zsh() {
	TERM=dumb zsh -fc 'zmodload zsh/zpty
		zpty shell zsh -fi
		zpty -w shell "PS1= fpath=('"$completions"' \$fpath)"
		zpty -w shell "autoload -Uz compinit; compinit -u -D; print be""gin"
		zpty -r -m shell text "*begin*"
		zpty -w -n shell "$1"$'"'\\t'"'
		repeat 100; do
			sleep 0.1
			zpty -r -t shell text && print -rn -- $text && [[ $text == *"$2"* ]] && break
		done
		zpty -d shell' zsh "$1" "$2"
}
# offers LINES EXPECTED...: is each EXPECTED one of the lines?
offers() {
	local lines=$1 line
	shift
	echo "$lines"
	for line; do
		grep -qxF -- "$line" <<<"$lines" && continue
		echo "not offered: $line"
		return 1
	done
}

check "bash: options" offers "$(in_bash stap --list)" --list-examples --list-lines --list-vars
check "bash: functions of the kernel, in quotes" \
	offers "$(in_bash stap -r $old_kernel -l "'kernel.function(\"vfs_rea")" 'kernel.function("vfs_read")' \
	'kernel.function("vfs_readv")'
check "bash: aliases" offers "$(in_bash stap -r $old_kernel -L vfs.rea)" vfs.read vfs.readv
check "bash: forms of probe points, which the shell must not take apart" \
	offers "$(in_bash stap -r $old_kernel -l kernel.fun)" 'kernel.function\(\"'
check "bash: examples" offers "$(in_bash stap --example slab-)" slab-any slab-leak
check "bash: kernels" offers "$(in_bash stap -r 6.)" "$(basename "$("$STAP_VM" path $old_kernel)")"
check "bash: commands of stap-vm" offers "$(in_bash stap-vm fe)" fetch
check "bash: options of staprun" offers "$(in_bash staprun -)" -A -c -o -J -M
check "bash: choices of a value" offers "$(in_bash stap --format = j)" json
check "bash: choices of an optional value" offers "$(in_bash stap --privilege =)" stapusr stapsys stapdev
check "bash: a file as value" eval 'cd "$work" && : >it.json && offers "$(in_bash stap --report = it)" it.json'
cat >"$work/choose.stp" <<'EOF'
# A script with options.
global how = @option_choice("style", "plain", "plain|fancy", "how to print")
global most = @option_number("most", 10, 1, 100, "rows")
probe begin { println(how, most) exit() }
EOF
check "bash: options of the script" eval 'cd "$work" && offers "$(in_bash stap choose.stp --)" \
	--style --most --list-lines'
check "bash: choices of an option of the script" \
	eval 'cd "$work" && offers "$(in_bash stap choose.stp --style =)" plain fancy'
check "bash: options of an example" offers "$(in_bash stap --example profile --)" --hz --top
check "bash: options of stap-report" offers "$(in_bash stap-report --)" --format --output --global
check "bash: formats of reports" offers "$(in_bash stap-report --format =)" folded html json pprof speedscope text
check "bash: files of stap-report" eval 'cd "$work" && offers "$(in_bash stap-report it)" it.json'
check "bash: options of stap-exporter" offers "$(in_bash stap-exporter --)" --check --config --scripts
check "bash: options of stap-profile-annotate" offers "$(in_bash stap-profile-annotate --)" --cmd --pid --source
check "bash: directories of stap-exporter" eval 'mkdir -p "$work/scripts" && cd "$work" &&
	offers "$(in_bash stap-exporter --scripts = scr)" scripts'

if command -v fish >/dev/null; then
	check "fish: options" offers "$(in_fish 'stap --list')" --list-examples --list-lines --list-vars
	check "fish: functions of the kernel" \
		offers "$(in_fish "stap -r $old_kernel -l 'kernel.function(\"vfs_rea")" 'kernel.function("vfs_read")'
	check "fish: examples" offers "$(in_fish 'stap --example slab-')" slab-any slab-leak
	check "fish: commands of stap-vm" offers "$(in_fish 'stap-vm fe')" fetch
	check "fish: options of staprun" offers "$(in_fish 'staprun -')" -J -M
	check "fish: choices of a value" offers "$(in_fish 'stap --format=j')" --format=json
	check "fish: formats of reports" offers "$(in_fish 'stap-report --format=')" --format=folded --format=pprof
	check "fish: a file as value" eval 'cd "$work" && : >it.json && offers "$(in_fish "stap --report=it")" \
		--report=it.json'
	check "fish: options of the script" \
		eval 'cd "$work" && offers "$(in_fish "stap choose.stp --")" --style --most'
	check "fish: choices of an option of the script" \
		eval 'cd "$work" && offers "$(in_fish "stap choose.stp --style=")" --style=plain --style=fancy'
	check "fish: options of an example" offers "$(in_fish 'stap --example profile --')" --hz --top
	check "fish: options of stap-exporter" offers "$(in_fish 'stap-exporter --')" --check --config --scripts
else
	skip "fish" "fish is not installed"
fi

zsh_shows() {
	in_zsh "$1" "$2" | tee "$work/shown"
	grep -qF -- "$2" "$work/shown"
}
if command -v zsh >/dev/null; then
	check_some 4 "zsh: options" zsh_shows 'stap --list-e' --list-examples
	check_some 4 "zsh: functions of the kernel" \
		zsh_shows "stap -r $old_kernel -l 'kernel.function(\"vfs_readl" 'vfs_readlink")'
	check_some 4 "zsh: examples" zsh_shows 'stap --example slab-l' slab-leak
	check_some 4 "zsh: commands of stap-vm" zsh_shows 'stap-vm fe' fetch
	check_some 4 "zsh: choices of a value" zsh_shows 'stap --format=j' --format=json
	check_some 4 "zsh: formats of reports" zsh_shows 'stap-report --format=fo' --format=folded
	check_some 4 "zsh: options of the script" zsh_shows "stap $work/choose.stp --sty" --style
	check_some 4 "zsh: choices of an option of the script" zsh_shows "stap $work/choose.stp --style=f" --style=fancy
	check_some 4 "zsh: options of an example" zsh_shows 'stap --example profile --to' --top
	check_some 4 "zsh: options of stap-exporter" zsh_shows 'stap-exporter --che' --check
else
	skip "zsh" "zsh is not installed"
fi
