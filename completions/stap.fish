# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of fish for stap, staprun, stap-vm, stap-report, stap-profile-annotate and stap-exporter; installed under
# each of these names.
# The options and the choices of their values are taken from --help, and the probe points from stap -l, so they are
# always those of the installed programs.

function __spile_options
    $argv --help 2>&1 | string match -rga '(?:^ +|\[|, )(--?[A-Za-z][-a-z]*)' | sort -u
end

# The script that the line names: FILE.stp or --example NAME; or nothing.
function __spile_script
    set -l words (commandline -opc)
    set -l at (contains -i -- --example $words)
    if test -n "$at"
        printf '%s\n' $words[$at..(math $at + 1)]
    else
        string match -- '*.stp' $words[2..]
    end
end

# Options that the script declares.
function __spile_script_options
    set -l script (__spile_script)
    test -n "$script"; and __spile_options stap $script
end

# Long options with the choices of their values: --format=text|json[,N].
function __spile_values
    set -l format (commandline -ct | string match -r -- '^--[a-z-]+=')
    set -l option (string trim -r -c = -- $format)
    set -l value ($argv --help 2>&1 | string match -rg -- "(?:^| )$option"'\[?=([^ ,\[\]]*)')[1]
    switch $argv[1]:$value
        case '*:FILE' '*:PATH' '*:DIRECTORY'
            set -l path (commandline -ct | string replace -r -- '^--[a-z-]+=' '')
            __fish_complete_path $path | string replace -r '^' -- $format
        case 'stap-report:FORMAT'
            printf '%s\n' $format(stap-report --help | string match -rg '^  ([a-z]+) +[.]')
        case '*:WHEN'
            printf '%s\n' $format{always,auto,never}
        case '*|*'
            printf '%s\n' $format(string split '|' -- $value)
    end
end

function __spile_previous
    set -l words (commandline -opc)
    contains -- $words[-1] $argv
end

function __spile_probe_points
    set -l words (commandline -opc)
    set -l word (commandline -ct | string trim -l -c '"\'')
    set -l more
    set -l at (contains -i -- -r $words); and set more -r $words[(math $at + 1)]
    if string match -q '*("*' -- $word
        $words[1] $more -w -l "$word*\")" 2>/dev/null | string replace -r '@[^"]*"' '"' | sort -u
    else
        $words[1] $more -w -l "$word*" 2>/dev/null
        $words[1] --dump-probe-types | string replace -r '\(string\).*' '("' |
            string replace -r '\(number\).*' '(' | sort -u
    end
end

function __spile_kernels
    stap-vm list 2>/dev/null
    command ls /lib/modules 2>/dev/null
end

function __spile_processes
    ps -eo pid=,comm= | string trim | string replace ' ' \t
end

function __spile_modules
    command ls /lib/modules/(uname -r)/systemtap 2>/dev/null | string match -rg '(.*)\.ko$'
end

for program in stap staprun stap-vm stap-report stap-profile-annotate stap-exporter
    complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -a "(__spile_options $program)"
    complete -c $program -n 'string match -q -- "--*=*" (commandline -ct)' -a "(__spile_values $program)"
end

complete -c stap -n 'string match -q -- "-*" (commandline -ct)' -a '(__spile_script_options)'
complete -c stap -n 'string match -q -- "--*=*" (commandline -ct)' -a '(__spile_values stap (__spile_script))'
complete -c stap -n '__spile_previous -l -L --list-lines --list-vars' -x -a '(__spile_probe_points)'
complete -c stap -n '__spile_previous -r' -x -a '(__spile_kernels)'
complete -c stap -n '__spile_previous -p' -x -a '1 2 3 4 5'
complete -c stap -n '__spile_previous -d' -x -a "kernel (cut -d ' ' -f 1 /proc/modules)"
complete -c stap -n '__spile_previous -x' -x -a '(__spile_processes)'
complete -c stap -n '__spile_previous --example' -x -a "(stap --list-examples | string match -rg '^  ([^ ]+) ')"
complete -c staprun -n '__spile_previous -x -N' -x -a '(__spile_processes)'
complete -c staprun -n '__spile_previous -C' -x -a 'never auto always'
complete -c staprun -n '__spile_previous -E' -x -a 'failure pid nothing'
complete -c staprun -n '__spile_previous -d -A' -x -a "(command ls /sys/kernel/debug/spile 2>/dev/null)"
complete -c staprun -n 'not __spile_previous -d -A -x -N -C -E -c -o' -a '(__spile_modules)'
complete -c stap-vm -n '__spile_previous -r path' -x -a '(__spile_kernels)'
complete -c stap-vm -n '__fish_is_first_arg' -x \
    -a "(stap-vm --help | string match -rg '^ +stap-vm ([a-z-]+)' | sort -u)"
