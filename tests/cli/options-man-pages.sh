# SPDX-License-Identifier: Apache-2.0
# Each option that a program lists has an entry in its man page, and each entry is an option
# of the program; so it is for another page than its own, which has some that are not.
listed() { # of a program, and of its commands if it has any
	local command
	{
		"$BIN/$1" --list-options
		for command in $("$BIN/$1" --help | sed -n '/^Commands/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'); do
			"$BIN/$1" "$command" --list-options
		done
	} | cut -f 1 | sort -u
}
described() { grep '^\.It Fl' "$1" | grep -oE 'Fl -[a-z0-9][a-z0-9-]+' | sed 's/Fl /-/' | sort -u; }
compare() { # PROGRAM PAGE
	listed "$1" > listed.txt
	[ -s listed.txt ] || echo "$1 lists no options"
	described "$2" > described.txt
	comm -23 listed.txt described.txt | grep -vxF -- "--help" | grep -vxF -- "--version" |
		sed "s/^/$1: not in the page: /"
	comm -13 listed.txt described.txt | sed "s/^/$1: only in the page: /"
}
pages=$(dirname "$BIN")/man/man1
for program in "$BIN"/*; do
	name=$(basename "$program")
	[[ $name != soc-sim-* ]] || continue
	compare "$name" "$pages/$name.1"
done
echo 'with the page of another program:'
compare tr-match "$pages/tr-text.1"
