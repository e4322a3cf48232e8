# SPDX-License-Identifier: GPL-2.0-or-later
#
# Is every message translatable? This suite makes a catalog in which each message of po/spile.pot is in «marks». It runs
# stap with it on bad scripts and bad command lines, and the whole output must be marked. Only names from the script,
# places (file:line:column), the source excerpt and messages of libc may be outside the marks.
#
# The locale is a copy of C.UTF-8 under another name, found through LOCPATH. gettext does not translate in the C locale,
# libc may treat C.UTF-8 in the same way, and a minimal Debian has no other locale.
#
# Then the translations: the glossaries have the same terms, and each language of LINGUAS is complete. If not, this is
# skipped, so that messages can be changed without knowing all languages; with SPILE_FULL=1, it is a failure. A
# translation has none of the mistakes that testsuite/check-translation knows, and i18n/broken.stp makes stap print
# exactly broken.LANGUAGE.out.

. "$(dirname "$0")/../lib.sh"

# result NAME FILE: report ok if FILE, which lists what is wrong, is empty.
result() {
	if [ -s "$2" ]; then
		fail "$1" "$2"
	else
		ok "$1"
	fi
}

# Fill in the template's empty translations. Strings are copied with their escapes. Newlines at either end stay outside
# the marks, because msgfmt requires them there.
pseudo_translate() {
	LC_ALL=C awk '
	function marked(text,    head, tail) {
		head = tail = ""
		while (substr(text, 1, 2) == "\\n") {
			head = head "\\n"
			text = substr(text, 3)
		}
		while (text ~ /\\n$/ && text !~ /\\\\n$/) {
			tail = tail "\\n"
			text = substr(text, 1, length(text) - 2)
		}
		return "\"" head "\302\253" text "\302\273" tail "\""
	}
	function unquoted(line) {
		sub(/^[^"]*"/, "", line)
		sub(/"$/, "", line)
		return line
	}
	/^msgid /        { id = unquoted($0); plural = ""; into = "id"; print; next }
	/^msgid_plural / { plural = unquoted($0); into = "plural"; print; next }
	/^msgstr/ && id == "" { into = ""; header = 1; print; next }
	/^msgstr\[0\]/   { into = ""; print "msgstr[0] " marked(id); next }
	/^msgstr\[/      { into = ""; print "msgstr[1] " marked(plural); next }
	/^msgstr /       { into = ""; print "msgstr " marked(id); next }
	/^"/ && into == "id"     { id = id unquoted($0) }
	/^"/ && into == "plural" { plural = plural unquoted($0) }
	/^"Plural-Forms:/ { print "\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\""; next }
	/^"(PO-Revision-Date|Last-Translator|Language-Team):/ { sub(/: .*/, ": none\\n\""); print; next }
	/^"Language:/     { print "\"Language: xx\\n\""; next }
	/^"Content-Type:/ { print "\"Content-Type: text/plain; charset=UTF-8\\n\""; next }
	{ print }
	' "$SPILE_SRCDIR/po/spile.pot"
}

# Print the text outside of marks, except places and the source excerpt; print nothing if all is well. Marks may be
# nested: a translated part inside a translated message.
unmarked() {
	LC_ALL=C sed -e '/^ *[0-9]* | /d' -e '/^ *[0-9]* |$/d' -e 's/: No such file or directory$//' "$1" |
		LC_ALL=C awk '
	{
		outside = ""
		for (i = 1; i <= length($0); i++) {
			two = substr($0, i, 2)
			if (two == "\302\253") { depth++; i++; continue }
			if (two == "\302\273") { if (depth) depth--; i++; continue }
			if (!depth)
				outside = outside substr($0, i, 1)
		}
		sub(/: [^ ]*:[0-9]+:[0-9]+$/, "", outside)
		if (outside ~ /[A-Za-z]/)
			print "unmarked: " $0
	}
	END { if (depth) print "a mark is not closed" }'
}

# look NAME ARGUMENT...: run stap and check standard error, which must contain a marked message.
look() {
	name=$1
	shift
	LOCPATH=$work/locale LC_ALL=xx_XX.UTF-8 LANGUAGE='' SPILE_LOCALEDIR=$work/catalogues \
		timeout 900 "$STAP" "$@" >"$work/output" 2>"$work/messages" </dev/null
	unmarked "$work/messages" >"$work/wrong"
	grep -q '«' "$work/messages" || {
		echo "nothing is translated:"
		cat "$work/messages"
	} >>"$work/wrong"
	result "$name" "$work/wrong"
}

mkdir -p "$work/locale" "$work/catalogues/xx/LC_MESSAGES"
cp -r /usr/lib/locale/C.utf8 "$work/locale/xx_XX.utf8" 2>"$work/wrong" ||
	cp -r /usr/lib/locale/C.UTF-8 "$work/locale/xx_XX.utf8" 2>"$work/wrong"
result "a locale to translate for" "$work/wrong"

pseudo_translate >"$work/xx.po"
msgfmt --check --output-file="$work/catalogues/xx/LC_MESSAGES/spile.mo" "$work/xx.po" 2>"$work/wrong"
result "the catalogue keeps formats and newlines" "$work/wrong"
msgfmt --statistics --output-file=/dev/null "$work/xx.po" 2>&1 | grep -E 'untranslated|fuzzy' >"$work/wrong"
result "every message has a translation" "$work/wrong"

# Errors of pass 1, one script of each kind.
for script in "$tests"/parse/bad/*.stp; do
	look "parse $(basename "$script" .stp)" -p1 "$script"
done

# Errors of pass 2 that need no kernel. One script per line, after its name.
while IFS='|' read -r name script; do
	look "analyze $name" -p2 -e "$script"
done <<'END'
unknown-point|probe kernel.functoin("vfs_read") {}
unknown-family|probe nothing.here {}
unsupported-point|probe process.insn {}
unsupported-expression|probe begin { println(@const("PAGE_SIZE")) }
period|probe timer.ms(0) {}
no-probe|function f() { return 1 }
unknown-function|probe begin { println(excename()) }
type-conflict|probe begin { x = 1; x = "one"; println(x) }
argument-count|probe begin { println(strlen("a", "b")) }
target-variable|probe begin { println($x) }
entry|probe begin { println(@entry(1)) }
array-as-scalar|global a; probe begin { a[1] = 1; a = 2 }
foreach-scalar|global a; probe begin { a = 1; foreach (x in a) println(x) }
symbol-name|probe kprobe.function("no such*") {}
END

# The driver.
look "no script"
look "unknown option" --no-such-option
look "unsupported option" --remote-prefix -e 'probe begin {}'
look "bad limit" -D MAXACTION=none -e 'probe begin {}'
look "bad target" --remote=carrier-pigeon: -e 'probe begin {}'
look "missing file" "$work/none.stp"
look "missing kernel" -r 0.0.0-none -p4 -e 'probe begin {}'
look "several errors, plural" -p1 -e 'probe begin { if ) } probe end { else }'
look "warning" -p1 -e 'probe begin {}' unused
look "passes" -v -p2 -e 'probe begin {}'
LOCPATH=$work/locale LC_ALL=xx_XX.UTF-8 LANGUAGE='' SPILE_LOCALEDIR=$work/catalogues "$STAP" --help >"$work/usage" 2>&1
unmarked "$work/usage" >"$work/wrong"
result "usage is marked" "$work/wrong"

# ---- translations ----------------------------------------------------------------------------------------------------

glossary_terms() { sed '/^#/d; s/\t.*//' "$1"; }
glossary_terms "$SPILE_SRCDIR/po/glossary/terms.tsv" >"$work/terms"
for glossary in "$SPILE_SRCDIR"/po/glossary/*.tsv; do
	language=$(basename "$glossary" .tsv)
	[ "$language" != terms ] || continue
	check "the glossary $language has all terms" diff "$work/terms" <(glossary_terms "$glossary")
	awk -F '\t' '!/^#/ && (NF < 2 || NF > 3 || $2 == "" || $2 ~ /(^|\/)( |\/|$)/)' "$glossary" >"$work/wrong"
	result "the glossary $language has a translation of each" "$work/wrong"
done

(cd "$tests/i18n" && "$tests/check-translation" mistakes.po "$SPILE_SRCDIR/po/glossary/de.tsv") >"$work/got"
compare "mistakes in a translation are found" "$tests/i18n/mistakes.out" "$work/got"

# in_language LANGUAGE COMMAND...: run it with the translation.
in_language() {
	LOCPATH=$work/locale LC_ALL=$1.UTF-8 LANGUAGE='' SPILE_LOCALEDIR=$work/catalogues "${@:2}"
}
# Translate a script with mistakes on a terminal of 80 columns. What the terminal shows goes to $work/got.
breaks() {
	echo rest | in_language "$1" "$work/terminal" "$STAP" --color=never -p2 broken.stp | tr -d '\r' >"$work/got"
}
listed_options() { grep -oE '^  (-[A-Za-z]|--[a-z-]+)'; }
same_options() {
	diff <("$STAP" --help | listed_options) <(in_language "$1" "$STAP" --help | listed_options)
}
# Print the options of --help whose description begins too early or too late, by the columns that their words take on a
# terminal.
uneven_options() {
	in_language "$1" "$STAP" --help | sed -nE 's/^(  -[A-Za-z]( [^ ]+)?  +)[^ ].*/\1|/p' |
		while IFS= read -r option; do
			case $(LC_ALL=C.UTF-8 wc -L <<<"$option"):$option in
			18:* | [2-9][0-9]:*[^\ ]"  |" | 19:*[^\ ]"  |") ;;
			*) echo "$option" ;;
			esac
		done
}

check "the test terminal is built" \
	gcc -Wall -Wextra -Werror -O1 -o "$work/terminal" "$tests/programs/terminal.c" -lutil
cd "$tests/i18n" || exit 1
for language in $(sed -n 's/^LINGUAS = *//p' "$SPILE_SRCDIR/po/local.mk"); do
	po=$SPILE_SRCDIR/po/$language.po
	mkdir -p "$work/catalogues/$language/LC_MESSAGES" && ln -s xx_XX.utf8 "$work/locale/$language.utf8"
	check "$language: msgfmt accepts the translation" \
		msgfmt --check --output-file="$work/catalogues/$language/LC_MESSAGES/spile.mo" "$po"
	partial=
	if [ -n "$SPILE_FULL" ] || msgcmp "$po" "$SPILE_SRCDIR/po/spile.pot" 2>"$work/wrong"; then
		check "$language: all messages are translated" msgcmp "$po" "$SPILE_SRCDIR/po/spile.pot"
	else
		skip "$language: all messages are translated" \
			"some are new, or fuzzy; complete po/$language.po for a release"
		partial=--partial
	fi
	"$tests/check-translation" $partial "$po" "$SPILE_SRCDIR/po/glossary/$language.tsv" >"$work/wrong"
	result "$language: no mistakes in the translation" "$work/wrong"
	breaks "$language"
	compare "$language: a broken script" "$tests/i18n/broken.$language.out" "$work/got"
	check "$language: --help has the same options" same_options "$language"
	uneven_options "$language" >"$work/wrong"
	result "$language: --help is even" "$work/wrong"
done
