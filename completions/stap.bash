# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of bash for stap, staprun, stap-vm, stap-report, stap-profile-annotate and stap-exporter; installed under
# each of these names.
# The options and the choices of their values are taken from --help, and the probe points from stap -l, so they are
# always those of the installed programs.

# _spile_options PROGRAM [SCRIPT]: print its long options, one per line.
_spile_options() {
	"$@" --help 2>&1 | grep -oE '(^ +|\[|, )--?[A-Za-z][-a-z]*' | grep -oE -- '--?[A-Za-z][-a-z]*' | sort -u
}

# The script that the line names, as words of a command: FILE.stp or --example NAME; or nothing.
_spile_script() {
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--example) printf '%s\n' --example "${COMP_WORDS[i + 1]}" && return ;;
		*.stp) printf '%s\n' "${COMP_WORDS[i]}" && return ;;
		esac
	done
}

# The word as the program will see it: without the quote that it begins with. bash usually takes apart --format=json at
# the =; only the last part is completed then.
_spile_word() {
	local word=${COMP_WORDS[COMP_CWORD]}
	[[ $word != = ]] || word=
	printf '%s' "${word#[\"\']}"
}

# The long option whose value is completed, after a =; or nothing.
_spile_option_before() {
	local at=$((COMP_CWORD - 1))
	[[ ${COMP_WORDS[COMP_CWORD]} == = ]] || { [[ ${COMP_WORDS[at]} == = ]] && at=$((at - 1)); } || return 0
	[[ ${COMP_WORDS[at]} != --* ]] || printf '%s' "${COMP_WORDS[at]}"
}

# _spile_value PROGRAM [SCRIPT] OPTION: complete the value of a long option from its line of --help:
# --format=text|json[,N], FILE, PATH, DIRECTORY.
_spile_value() {
	local value
	value=$("${@:1:$#-1}" --help 2>&1 | sed -nE "s/^.*[[:space:]]${*: -1}\[?=([^[:space:]]*).*/\1/p" | head -n 1)
	value=${value%%[,\[]*} value=${value%]}
	case $1:$value in
	*:FILE | *:PATH) _spile_files ;;
	*:DIRECTORY) _spile_files '*' ;;
	*stap-report:FORMAT) _spile_offer "$("$1" --help | sed -nE 's/^  ([a-z]+) +[.].*/\1/p')" ;;
	*:WHEN) _spile_offer $'always\nauto\nnever' ;;
	*\|*) _spile_offer "${value//|/$'\n'}" ;;
	esac
}

# _spile_value_of OPTION...: what follows the last of these options on the line.
_spile_value_of() {
	local i option value=
	for ((i = 1; i < COMP_CWORD; i++)); do
		for option; do
			[ "${COMP_WORDS[i]}" = "$option" ] && value=${COMP_WORDS[i + 1]}
		done
	done
	printf '%s' "$value"
}

# _spile_offer LINES: those that begin with the word. Without a quote, escape the characters at which the shell would
# split the word.
_spile_offer() {
	local line word quote=${COMP_WORDS[COMP_CWORD]:0:1}
	word=$(_spile_word)
	COMPREPLY=()
	while read -r line; do
		[[ -n $line && $line == "$word"* ]] || continue
		[[ $quote == [\"\'] ]] || line=$(printf '%q' "$line")
		COMPREPLY+=("$line")
	done <<<"$1"
}

_spile_probe_points() {
	local release word more=()
	release=$(_spile_value_of -r)
	[ -z "$release" ] || more=(-r "$release")
	word=$(_spile_word)
	# Within the brackets of a name: kernel.function("vfs_
	if [[ $word == *\(\"*([!\"]) ]]; then
		_spile_offer "$("$1" "${more[@]}" -w -l "$word*\")" 2>/dev/null | sed -E 's/@[^"]*"/"/' | sort -u)"
	else
		_spile_offer "$(
			"$1" "${more[@]}" -w -l "$word*" 2>/dev/null
			"$1" --dump-probe-types | sed -E 's/\(string\).*/("/; s/\(number\).*/(/' | sort -u
		)"
	fi
}

_spile_kernels() {
	_spile_offer "$(stap-vm list 2>/dev/null; ls /lib/modules 2>/dev/null)"
}

_spile_files() {
	local IFS=$'\n'
	compopt -o filenames 2>/dev/null
	COMPREPLY=($(compgen -f -X "$1" -- "$(_spile_word)") $(compgen -d -- "$(_spile_word)"))
}

_stap() {
	local previous=${COMP_WORDS[COMP_CWORD - 1]} word option script=()
	word=$(_spile_word)
	mapfile -t script < <(_spile_script)
	option=$(_spile_option_before)
	case $previous in
	-l | -L | --list-lines | --list-vars) _spile_probe_points "$1" ;;
	-r) _spile_kernels ;;
	-p) _spile_offer $'1\n2\n3\n4\n5' ;;
	-d) _spile_offer "$(printf 'kernel\n'; cut -d ' ' -f 1 /proc/modules)" ;;
	-x) _spile_offer "$(ps -eo pid= | tr -d ' ')" ;;
	--example) _spile_offer "$("$1" --list-examples | sed -nE 's/^  ([^ ]+) .*/\1/p')" ;;
	-I | -R) _spile_files '*' ;;
	-o) _spile_files ;;
	-c | -e | -E | -D | -G | -m | -s | -S | -T | -a | -B) ;;
	*)
		if [ -n "$option" ]; then
			[ ${#script[@]} -eq 0 ] || _spile_value "$1" "${script[@]}" "$option"
			[ ${#COMPREPLY[@]} -gt 0 ] || _spile_value "$1" "$option"
		elif [[ $word == -* ]]; then
			_spile_offer "$(_spile_options "$1"
				[ ${#script[@]} -eq 0 ] || _spile_options "$1" "${script[@]}")"
		else
			_spile_files '!*.stp'
		fi
		;;
	esac
}

_staprun() {
	local previous=${COMP_WORDS[COMP_CWORD - 1]} word loaded=/sys/kernel/debug/spile
	word=$(_spile_word)
	case $previous in
	-d | -A) _spile_offer "$(ls "$loaded" 2>/dev/null || cut -d ' ' -f 1 /proc/modules)" ;;
	-x | -N) _spile_offer "$(ps -eo pid= | tr -d ' ')" ;;
	-C) _spile_offer $'never\nauto\nalways' ;;
	-E) _spile_offer $'failure\npid\nnothing' ;;
	-o) _spile_files ;;
	-c | -b | -T | -S | -r | -J | -M) ;;
	*)
		if [[ $word == -* ]]; then
			_spile_offer "$(_spile_options "$1")"
		else
			_spile_files '!*.ko'
			COMPREPLY+=($(compgen -W "$(cd "/lib/modules/$(uname -r)/systemtap" 2>/dev/null &&
				ls | sed -n 's/\.ko$//p')" -- "$word"))
		fi
		;;
	esac
}

_stap_vm() {
	local previous=${COMP_WORDS[COMP_CWORD - 1]} word
	word=$(_spile_word)
	case $previous in
	-r | path) _spile_kernels ;;
	--socket | --console | --dmesg | --file) _spile_files ;;
	*)
		if [[ $word == -* ]]; then
			_spile_offer "$(_spile_options "$1")"
		elif [ "$COMP_CWORD" -eq 1 ]; then
			_spile_offer "$("$1" --help | sed -nE 's/^ +stap-vm ([a-z-]+).*/\1/p')"
		else
			_spile_files
		fi
		;;
	esac
}

# stap-report, stap-profile-annotate and stap-exporter.
_stap_files() {
	local previous=${COMP_WORDS[COMP_CWORD - 1]} word option
	word=$(_spile_word)
	option=$(_spile_option_before)
	if [ -n "$option" ]; then
		_spile_value "$1" "$option"
	elif [[ $word == -* ]]; then
		_spile_offer "$(_spile_options "$1")"
	elif [[ $1:$previous == *stap-exporter:-s ]]; then
		_spile_files '*'
	elif [[ $previous == -[ocdS] || $1 == *stap-report ]]; then
		_spile_files
	fi
}

complete -F _stap stap
complete -F _staprun staprun
complete -F _stap_vm stap-vm
complete -F _stap_files stap-report stap-profile-annotate stap-exporter
