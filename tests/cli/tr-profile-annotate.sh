# SPDX-License-Identifier: Apache-2.0
# The page of instructions, and the flame graphs that lead to it.
. "$SRC/tests/cli/tr-annotate.inc"
grep -vE '^(note|header bin)' run.txt | tr-text --encode -o trace.tr
tr-profile --annotate --bins work.elf -o out trace.tr
for address in $(grep -o '"annotated":"[^"]*"\|[",]1000e"\|"work"' out/flame.svg | sort -u | tr -d '",'); do echo "$address"; done
grep -o 'id="f-work-1000e"' out/annotate.html
grep -c '"annotated":"annotate.html"' out/flame.svg out/classes.svg
echo '# the commands'
tr-profile --annotate --dry-run --bins work.elf -o out trace.tr
echo '# without it, also after a run with it'
tr-profile --bins work.elf -o out trace.tr > /dev/null
ls out/annotate.html
grep -c '"annotated"' out/flame.svg
tr-profile --annotate --bins work.elf -o out out/stacks.tr
echo "exit $?"
