# SPDX-License-Identifier: Apache-2.0
# Names the entries of survivors.txt that match no change, and exits 1 if there are such:
#
#   awk -f entries.awk CHANGES SURVIVORS
#
# CHANGES is what `mutate` prints of all files, which are read as well. draw.sh looks for an
# entry in the same way.

# Returns line `at` of the file and the one before it, as survivors.txt has them.
function text_at(file, at,    count, line, name, status) {
	if (!(file in lines)) {
		while ((status = (getline line < file)) > 0) {
			sub(/^[ \t]+/, "", line)
			text[file, ++count] = line
		}
		lines[file] = status < 0 ? -1 : count
	}
	return text[file, at - 1] " " text[file, at]
}

function complain(message) {
	print FILENAME ":" number ": " head ": " message > "/dev/stderr"
	wrong++
}

# Looks for the change of the entry that begins in line `number`.
function check_entry(    file, places, count, i, found, line) {
	entries++
	file = substr(head, 1, index(head, ":") - 1)
	if (state != 2) {
		complain("an entry has three lines")
		return
	}
	if ((head, entry) in known) complain("is there twice")
	known[head, entry] = 1
	count = split(numbers[head], places, " ")
	for (i = 1; i <= count && !found; i++) found = text_at(file, places[i]) == entry
	if (found) return
	text_at(file, 1)
	if (lines[file] < 0) complain("there is no such file")
	else if (!(file in changed)) complain("no changes are made of this file")
	else {
		for (line = 1; line <= lines[file] && text_at(file, line) != entry; line++);
		complain(line > lines[file] ? "no two lines are: " entry : "line " line " has no such change")
	}
}

FNR == 1 { files++ }
files == 1 {
	split($0, field, "\t")
	what = field[4]
	file = substr(what, 1, index(what, ":") - 1)
	what = substr(what, length(file) + 2)
	at = what + 0
	what = file substr(what, index(what, ":"))
	numbers[what] = numbers[what] " " at
	changed[file]
	next
}
/^#/ { next }
/^[^\t]/ {
	if (head) check_entry()
	head = $0
	number = FNR
	state = 0
	next
}
{
	if (!head) {
		number = FNR
		complain("an entry has three lines")
	}
	state++
	if (state == 1) entry = substr($0, 2)
	if (length($0) < 2) state = 9
}
END {
	if (head) check_entry()
	print "survivors: " entries + 0 " entries, of which " wrong + 0 " match no change"
	exit wrong || !entries || files != 2
}
