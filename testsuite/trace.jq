# SPDX-License-Identifier: GPL-2.0-or-later
#
# Print what is wrong with a file of Chrome trace events, which is an array: unknown kinds, missing members, a track
# that is named twice or not at all, and slices that do not nest. Tracks beyond MAXTRACKS, whose tid has the highest
# bit, are named again and again, and their slices may have no beginning.

def is_numbered: .tid < 2147483648;
def by_track: group_by([.pid, .tid]);
def members: {
	M: ["args", "name"], B: ["name", "ts"], E: ["ts"], i: ["name", "s", "ts"], C: ["args", "id", "name", "ts"],
	s: ["cat", "id", "name", "ts"], t: ["cat", "id", "name", "ts"], f: ["bp", "cat", "id", "name", "ts"]
};

# The slices of a track, in the order of their times, as a stack of names.
def nesting: reduce sort_by(.ts)[] as $e ({stack: [], wrong: []};
	if $e.ph == "B" then .stack += [$e.name]
	elif .stack == [] then .wrong += ["an end without a beginning: \($e)"]
	else (if $e.name and $e.name != .stack[-1] then .wrong += ["the end of \(.stack[-1]) is \($e)"] else . end) |
		.stack |= .[:-1]
	end) | .wrong[], (.stack[] | "a slice without an end: \(.)");

(.[:-1][] | select(members[.ph] as $needed | (keys - ["ph", "pid", "tid"] | . - ["name"]) !=
	(($needed // []) - ["name"])) | "a strange event: \(.)"),
(map(select(.ts and (.ts | type) != "number"))[] | "a strange time: \(.)"),
(map(select(.ph == "B" or .ph == "E") | select(is_numbered)) | by_track[] | nesting),
(map(select(.ph == "M" and .name == "thread_name" and is_numbered)) | by_track[] | select(length > 1) |
	"named twice: \(.[0])"),
(map(select(.ts)) | by_track | map(.[0])) as $used |
(map(select(.name == "thread_name") | [.pid, .tid])) as $named |
(map(select(.name == "process_name") | .pid)) as $groups |
($used[] | select([.pid, .tid] as $track | any($named[]; . == $track) | not) | "a track without a name: \(.)"),
($used[] | select(.pid as $group | any($groups[]; . == $group) | not) | "a group without a name: \(.)"),
(if .[-1].name != "num_cpus" then "the last event is \(.[-1])" else empty end)
