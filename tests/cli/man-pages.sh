# SPDX-License-Identifier: Apache-2.0
# man finds a page by name for each program of build/bin and formats it without a warning.
# The builds of soc-sim that it runs have none. Each page that another one names exists.
unset MANPATH
for program in "$BIN"/*; do
	name=$(basename "$program")
	[[ $name != soc-sim-* ]] || continue
	page=$(man -w "$name" 2>&1) || echo "no page: $name"
	case $page in
	"$(dirname "$BIN")"/man/man1/"$name".1) ;;
	*) echo "$name: $page" ;;
	esac
done
# Each warning is a line on standard error.
for page in "$(dirname "$BIN")"/man/man*/*; do
	man --warnings -Tutf8 -l "$page" 2>&1 > page.txt | sed "s/^/$(basename "$page"): /"
	[ "$(wc -l < page.txt)" -gt 20 ] || echo "$(basename "$page"): hardly a page"
done
pages=$(dirname "$BIN")/man
grep -ohE 'Xr (prof|soc|tr)-[a-z-]+ [1-9]' "$pages"/man*/* | LC_ALL=C sort -u | while read -r _ name section; do
	[ -e "$pages/man$section/$name.$section" ] || echo "no page: $name($section)"
done
man -w tr-stream > /dev/null
{
	cat "$(dirname "$BIN")/man/man1/tr-fold.1"
	echo '.no such request'
} > broken.1
man --warnings -Tutf8 -l "$PWD/broken.1" 2>&1 > /dev/null | grep -c warning
