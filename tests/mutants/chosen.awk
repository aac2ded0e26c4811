# SPDX-License-Identifier: Apache-2.0
# Names the chosen changes that cannot be made, and exits 1 if there are such:
#
#   awk -f chosen.awk FILE.changes...
#
# chosen.sh reads them in the same way: name, file, old text, new text.

function complain(message) {
	print path ":" number ": " name ": " message > "/dev/stderr"
	wrong++
}

function check_change(    line, status, found) {
	count++
	in_file++
	if ((path, name) in known) complain("there are two changes of this name")
	known[path, name]
	if (old == $0) complain("the new text is the old one")
	while ((status = (getline line < file)) > 0) found += index(line, old) != 0
	if (status < 0) complain("there is no file " file)
	else if (found != 1) complain(found + 0 " lines of " file " have: " old)
	close(file)
}

function end_file() {
	if (part) complain("a change has four lines")
	if (path && !in_file) complain("there is no change")
	part = in_file = 0
}

FNR == 1 { end_file(); path = FILENAME }
/^#/ || /^$/ { next }
part == 0 { name = $0; number = FNR }
part == 1 { file = $0 }
part == 2 { old = $0 }
part == 3 { check_change() }
{ part = (part + 1) % 4 }
END {
	end_file()
	print "chosen changes: " count + 0 ", of which " wrong + 0 " cannot be made"
	exit wrong || !count
}
