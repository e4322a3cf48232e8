# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of JSON against the schema; sourced by suites that set $work.

# "OWNER MEMBER TYPE" for each member; the owner of an object inside of lines begins with "-".
sed -n 's/^	F([A-Z_]*, "\([^"]*\)", "\([^"]*\)", "\([^"]*\)").*/\1 \2 \3/p' \
	"$SPILE_SRCDIR/common/base/json_schema.h" >"$work/schema"

# check_lines FILE: is each line an object of a known type, are all members in the schema, and have they its types?
check_lines() {
	jq -nRr --rawfile schema "$work/schema" '
		def rows: $schema | split("\n") | map(select(. != "") | split(" "));
		(rows | group_by(.[0]) | map({key: .[0][0],
			value: (map({key: .[1], value: (.[2:] | join(" "))}) | from_entries)}) |
			from_entries) as $types |
		def fits($kind): . as $value |
			if $kind | startswith("array of ") then
				($value | type) == "array" and all($value[]; fits($kind[9:]))
			elif $kind == "any value" then true
			elif $kind == "string" then
				($value | type) == "string" or
					(($value | type) == "object" and ($value | keys) == ["base64"])
			elif $kind == "number" or $kind == "boolean" or $kind == "array" then
				($value | type) == $kind
			else ($value | type) == "object" and all($value | to_entries[];
				$types["-" + $kind][.key] as $inner | $inner != null and (.value | fits($inner)))
			end;
		inputs | . as $line | try (fromjson |
			if type != "object" or ($types[.type] // null) == null then "no such type: " + $line
			else .type as $type | to_entries[] | select(.key != "type") |
				select(($types[$type][.key] // "?") as $wanted | .key as $key | $wanted == "?" or
					(.value | fits($wanted) | not)) |
				"unfit member " + .key + ": " + $line
			end) catch "not JSON: " + $line' "$1"
}

# lines NAME FILE: report a failure if the lines do not fit the schema.
lines() {
	check_lines "$2" >"$work/unfit" 2>&1
	[ -s "$work/unfit" ] || return 0
	fail "$1: lines of the schema" "$work/unfit"
	return 1
}
