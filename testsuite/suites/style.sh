# SPDX-License-Identifier: GPL-2.0-or-later
#
# Formatting and other conventions of the source that a program can check.

. "$(dirname "$0")/../lib.sh"

cd "$SPILE_SRCDIR" || exit 1

# Leave out headers that configure made, whose lines are as long as the paths in them, and the page of stap-report.
sources() {
	find common translator runtime staprun monitor tables report vm server exporter editors testsuite \
		-name '*.[ch]' -not -path '*/.*' -not -name install_paths.h -not -name page_parts.c | sort
}

# Patterns of git, in which * also matches '/'.
program_sources=('common/*.[ch]' 'translator/*.[ch]' 'staprun/*.[ch]' 'monitor/*.[ch]' 'tables/*.[ch]'
	'report/*.[ch]' 'vm/*.[ch]' 'server/*.[ch]' 'exporter/*.[ch]')

# The files to format; in a part, one in three.
formatted_sources() {
	local file
	sources | while IFS= read -r file; do
		! is_part "formatted/$file" 3 || echo "$file"
	done
}
formatted() {
	formatted_sources | xargs "${CLANG_FORMAT:-clang-format}" --dry-run -Werror
}
# Versions of clang-format differ; we use that of Debian 12.
formatter_version=14
found_version=$("${CLANG_FORMAT:-clang-format}" --version 2>/dev/null | sed -E 's/.*version ([0-9]+).*/\1/')
case $found_version in
"$formatter_version") check "clang-format has nothing to change" formatted ;;
"") echo "install clang-format" | fail "clang-format has nothing to change" ;;
*)
	skip "clang-format has nothing to change" \
		"it is asked of version $formatter_version, here is $found_version (CLANG_FORMAT names another)"
	;;
esac

licence() {
	! sources | xargs grep -L SPDX-License-Identifier | grep .
}
check "every C file names its license" licence

# installed_whole: are all files of runtime/ and tapset/ in the lists of installed files?
installed_whole() {
	{ find runtime -type f -not -path '*/.*' && ls tapset/*.stp tapset/*.stpm; } | sort >"$work/data"
	tr -s ' \t' '\n' <translator/local.mk | sort -u | comm -23 "$work/data" - |
		sed 's/$/ is not in translator\/local.mk/' >"$work/missing"
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}
check "all files of runtime and tapset are installed" installed_whole

check "lists of examples match the heads of the examples" examples/update-index --check
check "doc/llms.txt matches manual pages, library and examples" doc/update-llms --check

# Our lines have at most 120 columns, with tabs of 8. Exceptions are output and input of programs in tests (columns are
# compared), tables and code in Markdown, web addresses, and catalogs, which gettext formats. Scripts of guests and
# their tapset are also exempt, because they print line and column numbers of their own source.
our_files() {
	git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f | sed 's|^\./||'
}
long_lines() {
	local endings='\.(c|h|in|sh|stp|stpm|md|am|ac|mk|awk|js|css|html|check|[1-9][a-z]*)$'
	our_files | grep -E "$endings|^(bootstrap|testsuite/run|po/README|bench/[a-z]*)\$" |
		grep -vE '^testsuite/(diagnostics|language|parse|passes)/|^testsuite/guest/.*\.stpm?$' |
		grep -vE '^build-aux/|^common/base/install_paths.h$' |
		xargs ls -d 2>"$work/gone" | LC_ALL=C xargs awk '
			FILENAME ~ /\.md$/ && /^(\||    )/ { next }
			/https?:\/\// { next }
			{
				gsub(/[\200-\277]/, "")
				while (tab = index($0, "\t"))
					$0 = substr($0, 1, tab - 1) sprintf("%*s", 8 - (tab - 1) % 8, "") \
						substr($0, tab + 1)
			}
			length($0) > 120 { print FILENAME ":" FNR ": " length($0) " columns" }' | tee "$work/long"
	[ ! -s "$work/long" ]
}
check "lines have 120 columns at most" long_lines

# no_products: does git track nothing that a compiler or a tool made? st and six letters are temporary files of ar.
# Inputs that a fuzzer found are left out.
no_products() {
	! {
		git ls-files 2>/dev/null | grep -E '\.(ko|o|a|so|mod|order|orig|rej|gz|xz|zst|tar)$|\.(ko|mod)\.|~$'
		git ls-files 2>/dev/null | grep -E '(^|/)(core|a\.out|nohup\.out|st[0-9A-Za-z]{6})$'
		git grep -alE $'^\x7fELF|^!<arch>' 2>/dev/null
	} | grep -v '^testsuite/fuzz/found/' | grep .
}
check "no file is the product of a compiler or a tool" no_products

# Does the archive of sources have all files? One that belongs to neither is a leftover. Packagers add debian/.
all_distributed() {
	git ls-files 2>/dev/null | grep -vE '^(\.|debian/)' | LC_ALL=C sort >"$work/tracked"
	[ -s "$work/tracked" ] || return 0
	make -s -C "$SPILE_BUILDDIR" distdir distdir="$work/archive" >"$work/distdir.log" 2>&1 ||
		{ tail -n 20 "$work/distdir.log"; return 1; }
	(cd "$work/archive" && find . -type f -o -type l) | sed 's|^\./||' | LC_ALL=C sort >"$work/distributed"
	LC_ALL=C comm -23 "$work/tracked" "$work/distributed" | sed 's/$/ is not in the archive/' >"$work/missing"
	rm -rf "$work/archive"
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}
check_some 6 "the archive of sources has all files" all_distributed

# What Debian's packages need to be built, those of the other distributions need by the names in bootstrap. (autopoint
# is for trees that have no configure.)
same_needs() {
	awk '
		function has(file, name) {
			if (name != "-" && !((file, name) in listed))
				print file " does not need " name
		}
		FILENAME == "bootstrap" && $1 ~ /^(build|test)$/ && NF == 5 {
			for (i = 3; i <= 5; i++)
				names[$2, i] = $i == "=" ? $2 : $i
		}
		FILENAME ~ /spec/ && $1 == "BuildRequires:" { listed["spile.spec", $2] }
		FILENAME ~ /PKGBUILD/ && sub(/^(make)?depends=\(/, "") { is_list = 1 }
		FILENAME ~ /PKGBUILD/ && is_list {
			is_list = !sub(/\)$/, "")
			for (i = 1; i <= NF; i++)
				listed["PKGBUILD", $i]
		}
		FILENAME ~ /control/ && /^[A-Z]/ { is_list = $1 == "Build-Depends:" }
		FILENAME ~ /control/ && is_list && /^ / && sub(/,$/, "") && $1 !~ /debhelper|autopoint/ {
			count++
			has("spile.spec", names[$1, 3])
			has("spile.spec", names[$1, 4])
			has("PKGBUILD", names[$1, 5])
		}
		END {
			if (count < 15)
				print count + 0 " packages found"
		}' bootstrap packages/spile.spec.in packages/PKGBUILD.in debian/control | tee "$work/needs"
	[ ! -s "$work/needs" ]
}
check "the packages of all distributions need the same" same_needs

documented_suites() {
	local suite missing=0
	for suite in testsuite/suites/*.sh; do
		suite=$(basename "$suite" .sh)
		grep -qE "^\\|.*\`$suite\`.*\\|" doc/architecture.md || { echo "$suite has no row"; missing=1; }
	done
	return $missing
}
check "doc/architecture.md lists the suites" documented_suites

enum_tables() {
	our_files | grep '\.[ch]$' | xargs testsuite/enum-tables
}
check "tables with an element for each value of an enum are complete" enum_tables

# Only runtime/compat may test kernel versions (doc/architecture.md).
versions() {
	! grep -rn LINUX_VERSION_CODE runtime common translator staprun monitor tables report exporter \
		--include='*.[ch]' | grep -v '^runtime/compat/' | grep -v 'No #if LINUX_VERSION_CODE'
}
check "kernel versions are tested in runtime/compat only" versions

# Only the includes in testsuite/arrows are allowed.
arrows() {
	find common translator runtime staprun monitor tables report vm server exporter -name '*.[ch]' \
		-not -name install_paths.h | sort |
		xargs grep -HoE '^#include "[^"]*/[^"]*"' | awk -F: -v list=testsuite/arrows '
		BEGIN {
			while ((getline line <list) > 0) {
				if (line ~ /^#/ || line == "")
					continue
				at = index(line, ":")
				if (at)
					directory = substr(line, 1, at - 1)
				known[directory] = 1
				count = split(substr(line, at + 1), names, " ")
				for (i = 1; i <= count; i++)
					allowed[directory, names[i]] = 1
			}
		}
		function directory_of(path) {
			sub(/\/[^\/]*$/, "", path)
			return path
		}
		{
			from = directory_of($1)
			to = $2
			gsub(/^#include "|"$/, "", to)
			if (!(from in known))
				print $1 ": its directory is not in testsuite/arrows"
			else if (directory_of(to) != from && !((from, to) in allowed) &&
				 !((from, directory_of(to)) in allowed))
				print $1 ": " from "/ may not include " to
		}' | sort -u | tee "$work/arrows"
	[ ! -s "$work/arrows" ]
}
check "directories include only what testsuite/arrows allows" arrows

# A .c file and its header are one unit here. Units that include one another are read together, and at most three are.
# The components of the graph are found by Tarjan's algorithm.
cycles() {
	git ls-files '*.[ch]' | grep -vE '^(testsuite|bench|editors)/' | xargs grep -HoE '^#include "[^"]*"' | awk -F: '
		function unit(path) {
			gsub(/^#include "|"$|\.[ch]"?$/, "", path)
			return path
		}
		function visit(from, count, edge, i, to, size, members) {
			order[from] = lowest[from] = ++visited
			stack[++depth] = from
			on_stack[from] = 1
			count = split(edges[from], edge, " ")
			for (i = 1; i <= count; i++) {
				to = edge[i]
				if (!(to in order))
					visit(to)
				if (on_stack[to] && lowest[to] < lowest[from])
					lowest[from] = lowest[to]
			}
			if (lowest[from] != order[from])
				return
			do {
				to = stack[depth--]
				on_stack[to] = 0
				members = members " " to
				size++
			} while (to != from)
			if (size > 3)
				print size " units include one another:" members
		}
		unit($1) != unit($2) {
			edges[unit($1)] = edges[unit($1)] " " unit($2)
			lines++
		}
		END {
			for (from in edges)
				if (!(from in order))
					visit(from)
			print lines " includes" >"/dev/stderr"
		}' 2>"$work/includes" >"$work/cycles"
	cat "$work/cycles" "$work/includes"
	[ ! -s "$work/cycles" ] && [ "$(sed 's/ .*//' "$work/includes")" -gt 1000 ]
}
check "no cycle of includes has more than three files" cycles

# Our code must contain the name of each function in a comment. Comments in the directories that are left out also name
# functions of the kernel.
named_functions() {
	local comment='^[[:space:]]*(\*( |/|$)|/\*|//)' files

	files=$(git ls-files "${program_sources[@]}" | grep -vE '^(runtime|translator/abi|vm)/')
	git ls-files '*.[chS]' '*.sh' '*.stp' | xargs cat | grep -avE "$comment" | grep -aoE '[A-Za-z_][A-Za-z_0-9]*' |
		LC_ALL=C sort -u >"$work/known"
	grep -hE "$comment" $files | grep -oE '\b[a-z_][a-z_0-9]*\(\)' | tr -d '()' | LC_ALL=C sort -u >"$work/named"
	[ -s "$work/named" ] || return
	LC_ALL=C comm -13 "$work/known" "$work/named" >"$work/stale"
	while read -r name; do
		grep -nw "$name()" $files
	done <"$work/stale"
	[ ! -s "$work/stale" ]
}
check "functions that comments name exist" named_functions

# Only two directories include headers of elfutils.
elfutils() {
	! grep -rnE '#include <(libelf|gelf|dwarf|elfutils/.*|bpf/.*)\.h>' common translator monitor tables report vm \
		server exporter | grep -vE '^(common/elf|translator/debuginfo)/'
}
check "only common/elf and translator/debuginfo use elfutils" elfutils

# Only one file finds the user's directories, because it checks them before root uses them. Its table has all
# environment variables that name files.
user_directories() {
	local files name paths='(CACHE|CONFIG|DIR|LIBEXEC|TAPSET|SOURCE|KEYRING|PATH|RELEASE|HOME|FILE)'

	files=$(git ls-files "${program_sources[@]}" |
		grep -vxE 'common/(user_directories|base/root_paths)\.[ch]')
	! grep -nE 'g_get_(user_[a-z]*_dir|home_dir|tmp_dir)|g_dir_make_tmp|pw_dir|P_tmpdir' $files || return
	! grep -nE 'getenv\("(HOME|TMPDIR|XDG_)' $files || return
	for name in $(grep -ohE "\"(SPILE|SYSTEMTAP)_[A-Z_]*$paths\"" $files | tr -d '"' | sort -u); do
		grep -q "{\"$name\"" common/base/root_paths.c && continue
		echo "$name is not in root_paths.c"
		return 1
	done
}
check "only user_directories.c finds the user's directories" user_directories

# Names from outside have types (common/base/foreign.h) that only their parsers may make.
foreign_names() {
	local names='(release|machine_name|module_name|build_id)' files

	files=$(git ls-files "${program_sources[@]}")
	! grep -nE "struct $names [a-z_]+ = *[^;]|\(struct $names\)" $files &&
		! grep -nE "(strcpy|memcpy|snprintf|strncpy)\([^,]*$names\.text" $files
}
check "only parsers make names from outside" foreign_names

# xgettext knows the macros of <inttypes.h> only, and cuts messages off at others.
whole_messages() {
	! grep -nE '_\("([^"\\]|\\.)*" *[A-Z_]' $(sources) | grep -v '" *PRI[diux]64'
}
check "messages contain no macros that xgettext does not know" whole_messages

shell_syntax() {
	local file
	for file in testsuite/run testsuite/*-runtime testsuite/kernels testsuite/*.sh testsuite/suites/*.sh \
		.ci/run bench/start bench/hit; do
		[ -f "$file" ] || continue
		bash -n "$file" || return
	done
	sh -n bootstrap
}
check "shell scripts parse" shell_syntax

# A function with the name of a program would replace it in all functions of the suite that run the program.
functions_beside_programs() {
	local names
	names=$(grep -hoE '^[a-z_]+\(\)' testsuite/run testsuite/*.sh testsuite/suites/*.sh | tr -d '()' | sort -u)
	{
		compgen -b
		dpkg -L bsdutils coreutils findutils grep procps sed util-linux 2>/dev/null | sed -n 's|.*/s\?bin/||p'
	} | grep -Fx "$names"
	[ $? -eq 1 ]
}
check "functions of tests do not replace programs" functions_beside_programs

# file_variables FILE...: print each variable that the files declare at file level, once per declaration. A declaration
# continues on the next line only after a comma.
file_variables() {
	sed -E '
		/^[a-z]/!d
		/^(typedef|extern|enum|return|goto) /d
		:line
		/,$/ { N; s/\n[ \t]*/ /; b line }
		s,/\*[^*]*\*/,,g
		s/ __[a-z_]+;/;/
		s/.*DEFINE_PER_CPU\(.*, *([a-z_0-9]+)\)/\1/
		s/^static (DEFINE|DECLARE)[A-Z_]*\(([a-z_0-9]+)[,)].*/\2;/
		s/\(\*(const )?([a-z_0-9]+)(\[[^]]*\])?\)\([^()]*\)/ \2/g
		:part
		s/\{[^{}]*\}|\[[^][]*\]|( = [^,;]*)\([^()]*\)/\1/
		t part
		/;[ \t]*$| = /!d
		s/ = [^,;]*//g
		/[({]/d
		s/;.*//' "$@" | tr ',' '\n' | sed -E 's/ *$//; s/.*[ *]//'
}
cat >"$work/declarations.c" <<'END'
static int first, *second, third[2] = {1, 2};
static void (*fourth)(int, int), *fifth = NULL,
	*sixth;
static DEFINE_PER_CPU(struct seventh *, seventh);
static DEFINE_MUTEX(eighth); /* a comment */
struct ninth *ninth __read_mostly;
static const struct file_operations tenth = {
	.open = not_this,
};
static int not_this(int nor_this,
		    int nor_that);
int not_that(void)
{
	static int inner;
	return inner;
}
END
every_declarator() {
	[ "$(file_variables "$work/declarations.c" | xargs)" = \
		"first second third fourth fifth sixth seventh eighth ninth tenth" ]
}
check "the names of all declarators are found" every_declarator

# The units of the runtime include its files. In C, two tentative definitions of one name are one variable.
variables() {
	local files

	files=$(find runtime -name '*.c')
	! file_variables $files | sort | uniq -d | grep .
}
check "no two files of the runtime have a variable of the same name" variables

# A table with a row per value of an enumeration must take its size from the enumeration. Otherwise it ends at its last
# row, and a value that is added later reads past it. A table without a size is allowed if the index is compared with
# its size.
unsized_tables() {
	sources | xargs awk '
		FNR == 1 { inside = "" }
		/[A-Za-z_]\[\] = \{/ {
			inside = $0
			sub(/\[\] = .*/, "", inside)
			sub(/.*[ *(]/, "", inside)
			first = FNR
		}
		inside != "" && /(^|[{, \t])\[[A-Z][A-Za-z_]*\] *=/ {
			if (!((FILENAME, inside, first) in seen))
				print FILENAME, first, inside
			seen[FILENAME, inside, first] = 1
		}
		inside != "" && /\};/ { inside = "" }' |
		while read -r file number name; do
			grep -qE "(ARRAY_SIZE|G_N_ELEMENTS|sizeof)\($name\)" "$file" ||
				echo "$file:$number: $name[] has no size"
		done | tee "$work/unsized"
	[ ! -s "$work/unsized" ]
}
check "tables that an enumeration indexes have its size" unsized_tables

# stap(1) must list the table of common/limits.c, which the unit test of servers prints.
listed_limits() {
	local program=$SPILE_BUILDDIR/testsuite/unit/test-server
	[ -x "$program" ] || { echo "build it with: make check-programs"; return 1; }
	sed -n '/^LIMIT  *stapusr/,/^\.fi/p' man/stap.1 | sed '1d; $d; s/\\-/-/g' >"$work/listed"
	"$program" --limits >"$work/limits" && [ -s "$work/limits" ] && diff "$work/listed" "$work/limits"
}
check "stap(1) lists the limits of each privilege" listed_limits

# stap(1) must also describe each limit of the table.
described_limits() {
	local name missing=0
	for name in $("$SPILE_BUILDDIR/testsuite/unit/test-server" --limits | awk '{ print $1 }'); do
		[ "$(grep -cE "(^|[ \"])\.?B?R? ?${name/-/\\\\-}([ \",]|\$)" man/stap.1)" -ge 2 ] && continue
		echo "$name is not described in man/stap.1"
		missing=1
	done
	return $missing
}
check "stap(1) describes each limit" described_limits

# ---- manual pages ----------------------------------------------------------------------------------------------------

library_pages=$SPILE_BUILDDIR/man/library
pages_render() {
	local page
	for page in man/*.[1-9]* man/errors/* "$library_pages"/*; do
		! is_part "page/${page##*/}" 3 || LC_ALL=C.UTF-8 groff -man -Kutf8 -Tutf8 -ww -z "$page" || return
	done 2>&1 | tee "$work/roff"
	[ ! -s "$work/roff" ] && [ -e "$library_pages/stapfuncs.3stap" ]
}
check "groff reports no mistake in the manual pages" pages_render

# Does each page exist that a message names as [man PAGE], and in "SEE ALSO" of the pages of errors?
pages_of_errors() {
	local page missing= name='(error|warning)::[a-z0-9\\-]+'
	for page in error::pass{1,2,3,4,5} $({
		git grep -hoE "\[man $name\]" -- '*.c' '*.h' '*.stp'
		grep -hoE "^\.BR $name \(7stap\)" man/*.[1-9]* man/errors/*
	} | cut -d ' ' -f 2 | tr -d '\\]'); do
		[ -e "man/errors/${page/::/-}.7stap" ] || missing+=" $page"
	done
	[ -z "$missing" ] || echo "missing:$missing"
	[ -z "$missing" ]
}
check "the pages of errors that messages and pages name exist" pages_of_errors

# same NAME LIST LIST: report whether the lists are equal after sort -u.
same() {
	sort -u "$2" >"$work/one"
	sort -u "$3" >"$work/two"
	if [ -s "$work/one" ] && diff "$work/one" "$work/two" >"$work/difference"; then
		ok "$1"
	else
		fail "$1" "$work/difference"
	fi
}

# Print the headings of options (after "TP" and "TQ") without fonts and arguments. Omit --colour, an alternative
# spelling that --help does not list.
"$STAP" --help | sed -n 's/^  -/-/p' | sed -E 's/  .*//' | grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' |
	tr -d ' ,' >"$work/help"
sed -n '/^\.SH OPTIONS/,/^Other options of/p' man/stap.1 | sed -n '/^\.T[PQ]/{n;p}' | sed -E 's/\\f.//g; s/\\-/-/g' |
	grep -oE -- '(^|[ ",])--?[A-Za-z][a-z-]*' | tr -d ' ",' >"$work/manual"
same "options: --help and stap(1) have the same" "$work/help" "$work/manual"

# server_options.c must say how each option is handled with a compile server, except --help and --version.
sed -n 's/^	{"\([A-Za-z-]*\)", SERVER_OPTION_.*/\1/p' common/wire/server_options.c >"$work/table"
"$STAP" --help | sed -n 's/^  -/-/p' | sed -E 's/  .*//; s/, --.*//' | grep -oE -- '^--?[A-Za-z][a-z-]*' |
	sed 's/^-*//' | grep -vE '^[hV]$' >"$work/help"
check "options: common/wire/server_options.c has all of --help" \
	test -z "$(sort "$work/help" "$work/table" "$work/table" | uniq -u)"

# The same for staprun, whose refused options follow the others.
"$STAPRUN" 2>&1 | sed -n -E 's/^  (-[A-Za-z]|--[a-z-]+).*/\1/p' >"$work/help"
sed -n '/^\.SH OPTIONS/,/^The options/p' man/staprun.8 | sed -n '/^\.T[PQ]/{n;p}' | sed -E 's/\\-/-/g' |
	grep -oE -- '(^|[ ",])--?[A-Za-z][a-z-]*' | tr -d ' ",' >"$work/manual"
same "options: the usage of staprun and staprun(8) have the same" "$work/help" "$work/manual"

# The same for the other programs with such a table. stap-server is only built with OpenSSL.
# The help of two of them leaves --help out.
while read -r program section next hidden; do
	[ -x "$SPILE_BUILDDIR/$program" ] || continue
	"$SPILE_BUILDDIR/$program" --help | grep -oE -- '^  (-[a-zA-Z], |    )?--[a-z-]+' | grep -oE -- '-[a-zA-Z-]+' |
		grep -vxE -- "${hidden:-none}" >"$work/help"
	sed -n "/^\.SH OPTIONS/,/^\.SH $next/p" "man/$program.$section" | sed -n '/^\.TP/{n;p}' |
		sed -E 's/\\f.//g; s/\\-/-/g' | grep -oE -- '(^|[ ",])--?[A-Za-z][a-z-]*' | tr -d ' ",' |
		grep -vxE -- "${hidden:-none}" >"$work/manual"
	same "options: the help of $program and $program($section) have the same" "$work/help" "$work/manual"
done <<-END
	stap-exporter 8 CONF -h|--help
	stap-profile-annotate 1 EXIT
	stap-report 1 FORMATS
	stap-server 8 FILES -h|--help
END
# The keys of the configuration of stap-exporter.
sed -n -E 's/^	\{"([a-z_]+)", (TEXT|NUMBER|WORDS|CHOICE),.*/\1/p' exporter/configuration.c >"$work/keys"
sed -n '/^\.SS Keys of/,/^\.SH METRICS/p' man/stap-exporter.8 | sed -n '/^\.TP/{n;p}' |
	sed -E 's/^\.BR? //; s/"[^"]*"/ /g; s/,//g' | tr ' ' '\n' | grep . >"$work/manual"
same "keys: the configuration of stap-exporter and stap-exporter(8) have the same" "$work/keys" "$work/manual"
grep -oE '^#[a-z_]+ =' exporter/exporter.conf | tr -d '# =' | sort -u >"$work/sample"
check "keys: exporter.conf has all that have a standard value" \
	test -z "$(sort -u "$work/keys" | comm -13 - "$work/sample")"

# The same for stap-vm, whose usage shows one of the two forms of an option.
"$STAP_VM" --help | grep -oE -- '[ [](-[a-z]|--[a-z-]+)' | tr -d ' [' >"$work/help"
sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' man/stap-vm.1 | sed -n '/^\.T[PQ]/{n;p}' | sed -E 's/\\f.//g; s/\\-/-/g' |
	sed -E 's/^\.[A-Z]+ (-[a-z-]+).*/\1/' >"$work/manual"
same "options: the usage of stap-vm and stap-vm(1) have the same" "$work/help" "$work/manual"

"$STAP" --dump-probe-types >"$work/types"
sed -n '/^\.SH FORMS/,/^\.fi/p' man/stapprobes.3stap | sed -n '/^\.nf/,/^\.fi/p' | grep -v '^\.' >"$work/manual"
same "forms of probe points: stap and stapprobes(3stap) know the same" "$work/types" "$work/manual"

# Everything in the library is in its manual pages, that is, it has a comment in the form that man/tapset-pages.awk
# reads. The comment and the definition after it have the same name.
documented() {
	sed -n '/^\.TP/{n;p}' "$library_pages/stapfuncs.3stap" | sed -E 's/^\.B //; s/\\-/-/g'
}
"$STAP" --dump-functions | sed 's/[:( ].*//' >"$work/functions"
documented | grep -vE '^(@|probe |global )' | sed 's/[:( ].*//' >"$work/manual"
same "functions of the library have their comments" "$work/functions" "$work/manual"
"$STAP" --dump-probe-aliases | sed -E 's/ \+?= .*//' >"$work/aliases"
documented | sed -n 's/^probe //p' >"$work/manual"
same "aliases of the library have their comments" "$work/aliases" "$work/manual"
sed -n 's/^@define \([A-Za-z][A-Za-z_0-9]*\).*/@\1/p' tapset/*.stpm >"$work/macros"
documented | grep '^@' | sed 's/(.*//' >"$work/manual"
same "macros of the library have their comments" "$work/macros" "$work/manual"

# Each page describes its topic, from the head of its file.
describe_pages() {
	! grep '^tapset::.* \\- *$' "$library_pages"/tapset::*.3stap
}
check "each page of the library describes its topic" describe_pages

comment_names() {
	awk '/^\/\*\*$/ { getline; name = $2; sub(/^@/, "", name); head = FILENAME ":" FNR }
		/^ \*\/$/ && name != "" {
			getline
			text = $0
			sub(/^(private )?(function|probe|@define|global) /, "", text)
			sub(/[^A-Za-z0-9_.].*/, "", text)
			if (text != name)
				print head ": the comment is about " name ", and what follows it is " $0
			name = ""
		}' tapset/*.stp tapset/*.stpm | tee "$work/names"
	[ ! -s "$work/names" ]
}
check "comments of the library precede what they name" comment_names

# Functions that trust their arguments are only for the front end of D.
private_functions() {
	! grep -nE '^function' tapset/dlang*.stp
}
check "functions for the front end of D are private" private_functions
