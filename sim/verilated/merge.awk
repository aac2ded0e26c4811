# SPDX-License-Identifier: Apache-2.0
# Makes all harts use the code of hart 0: of the functions that Verilator generates for each
# instance of the module hart, those that differ only in the numbers and hashes of their temporary
# variables are dropped, and calls of them go to the first. Fewer instructions then compete
# for the host's cache. Functions of files for the start (Slow) stay; their calls change, too.
# So do those that the hart's probe module exports (Vdpiexp), which name the instance.
#
#   awk -f merge.awk -v out=FOLDER FILE.cpp...     writes each file to FOLDER; exit status 1 if
#                                                  the harts do not share all this code

# Renumbers temporary variables in the order of their appearance.
function normal(text,    result, name, rest, n, seen) {
	n = 0
	result = ""
	while (match(text, /__V(func|task)_[A-Za-z0-9_]+|__Vtableidx[0-9]+|__Vtemp_h[0-9a-f]+__[0-9]+/)) {
		name = substr(text, RSTART, RLENGTH)
		result = result substr(text, 1, RSTART - 1)
		text = substr(text, RSTART + RLENGTH)
		rest = name
		# the last number between double underscores, or at the end of a table's index; the hash of
		# a part of an expression
		if (name ~ /^__Vtableidx/) {
			sub(/[0-9]+$/, "", name)
			rest = substr(rest, length(name) + 1)
		} else if (name ~ /^__Vtemp_/) {
			name = ""
		} else if (match(name, /__[0-9]+__[A-Za-z0-9_]*$/)) {
			rest = substr(name, RSTART + 2)
			result = result substr(name, 1, RSTART + 1)
			name = rest
			sub(/__.*/, "", rest)
			sub(/^[0-9]+/, "", name)
		} else {
			result = result name
			continue
		}
		if (!(rest in seen)) seen[rest] = n++
		result = result "#" seen[rest] "#" name
	}
	return result text
}

FNR == 1 { nfiles++; file[nfiles] = FILENAME; at = 0; is_slow = FILENAME ~ /Slow/ }
!at && !is_slow && !/Vdpiexp/ && /^(VL_INLINE_OPT )?void Vsmp_hart[A-Za-z0-9_]*\(.*\) \{$/ {
	at = 1
	name = $0
	sub(/\(.*/, "", name)
	sub(/.* /, "", name)
	text = ""
	nlines = 0
}
at {
	lines[++nlines] = $0
	if (nlines > 1 && $0 !~ /VL_DEBUG_IF/) text = text " " $0
	if ($0 == "}") {
		at = 0
		gsub(/[ \t]+/, " ", text)
		gsub(/ *\( */, "(", text)
		key = normal(text)
		if (name ~ /BRA__[1-9]/ && key in first) {
			other[name] = first[key]
			merged++
		} else {
			if (name ~ /BRA__0/ && !(key in first)) first[key] = name
			if (name ~ /BRA__[1-9]/) left++
			for (i = 1; i <= nlines; i++) body[nfiles] = body[nfiles] lines[i] "\n"
		}
	}
	next
}
{ body[nfiles] = body[nfiles] $0 "\n" }
END {
	for (f = 1; f <= nfiles; f++) {
		for (name in other) gsub("(^|[^A-Za-z0-9_])" name "\\(", " " other[name] "(", body[f])
		path = file[f]
		sub(/.*\//, "", path)
		printf "%s", body[f] > (out "/" path)
	}
	exit left > 0 || !merged
}
