# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Jupyter kernel of editors/jupyter, with Debian's jupyter-client in place of a notebook (testsuite/jupyter).
# Scripts run in a guest; in a part, none is run.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
# The cache of the user, although other directories of theirs are replaced.
export SPILE_CACHE=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}
if ! /usr/bin/python3 -c 'import ipykernel, jupyter_client' 2>/dev/null; then
	skip "a notebook" "install python3-ipykernel and python3-jupyter-client"
	exit 0
fi

mkdir -p "$work/jupyter/kernels/spile" "$work/files" "$work/home"
cp "$SPILE_SRCDIR"/editors/jupyter/kernel.json "$SPILE_SRCDIR"/editors/jupyter/spile_kernel.py \
	"$work/jupyter/kernels/spile"
export HOME=$work/home JUPYTER_PATH=$work/jupyter JUPYTER_RUNTIME_DIR=$work/runtime JUPYTER_CONFIG_DIR=$work/home \
	XDG_STATE_HOME=$work/home SYSTEMTAP_DIR=$work/home SPILE_STAP=$STAP
cd "$work/files" || exit 1

# Without an index, answers about the kernel would be incomplete.
"$STAP" -r $old_kernel -l 'kernel.function("vfs_read")' >"$work/index" 2>&1 ||
	fail "the kernel has an index" "$work/index"

target=()
if [ -z "$SPILE_PART" ] && start_guest $old_kernel; then
	target=("unix:$work/$old_kernel")
fi
timeout 900 /usr/bin/python3 "$tests/jupyter/client.py" $old_kernel "${target[@]}" \
	>"$work/results" 2>"$work/errors"
status=$?
while IFS= read -r line; do
	case $line in
	"ok - "*) ok "${line#ok - }" ;;
	"FAIL - "*)
		sed -n "/^FAIL - ${line#FAIL - }\$/,/^\(ok\|FAIL\) - /p" "$work/results" | grep '^    ' >"$work/why"
		fail "${line#FAIL - }" "$work/why"
		;;
	esac
done <"$work/results"
[ $status -eq 0 ] || fail "the notebook works" "$work/errors"
[ ${#target[@]} -eq 0 ] || stop_guest $old_kernel
