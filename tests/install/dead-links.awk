# SPDX-License-Identifier: Apache-2.0
# Prints each link of Markdown files that leads nowhere: to a file that does not exist, or to a
# heading that the file does not have. awk -f dead-links.awk FILE.md...

function folder(path) { return sub(/[^\/]*$/, "", path) ? path : "" }
# As in a browser: ./a/b/../c is a/c.
function shortened(path) {
	sub(/^\.\//, "", path)
	while (sub(/[^\/.][^\/]*\/\.\.\//, "", path)) continue
	return path
}
# The name by which a link finds a heading.
function anchor(heading) {
	heading = tolower(heading)
	gsub(/[^a-z0-9 _-]/, "", heading)
	gsub(/ /, "-", heading)
	return heading
}
FNR == 1 { fenced = 0 }
/^```/ { fenced = !fenced }
fenced || /^    / { next }
sub(/^#+ /, "") { anchors[shortened(FILENAME), anchor($0)]; next }
{
	rest = $0
	while (match(rest, /\]\([^)]*\)/)) {
		links[++n] = substr(rest, RSTART + 2, RLENGTH - 3)
		from[n] = FILENAME
		rest = substr(rest, RSTART + RLENGTH)
	}
}
END {
	for (i = 1; i <= n; i++) {
		if (links[i] ~ /^https?:/) continue
		split(links[i], part, "#")
		path = part[1] == "" ? from[i] : shortened(folder(from[i]) part[1])
		if (system("test -e '" path "'") != 0 || (part[2] != "" && !((shortened(path), part[2]) in anchors)))
			print from[i] ": " links[i]
	}
	if (!n) print "no links"
}
