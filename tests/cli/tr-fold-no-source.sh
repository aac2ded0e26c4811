# SPDX-License-Identifier: Apache-2.0
# When one filter of a pipe fails before it has written anything, it prints the reason;
# the filters behind it also exit with status 2, but print nothing.
. "$SRC/tests/cli/tr-unwind.inc"
grep -v ^note run.txt | sed '/^header bin/d' > plain.txt
tr-text --encode -o plain.tr plain.txt
echo prog.elf > bins.lst
statuses() { echo "exit ${PIPESTATUS[*]}"; }
tr-match --bins bins.lst none.tr | tr-unwind | tr-fold
statuses
tr-match --bins none.lst plain.tr | tr-unwind | tr-fold
statuses
tr-match --bad plain.tr | tr-unwind | tr-fold 2>&1
statuses
tr-unwind plain.tr | tr-fold
statuses
tr-text --encode none.txt | tr-capture | tr-split-by-satp --priv u | tr-match --bins bins.lst | tr-info
statuses
tr-capture -- sh -c 'exit 3' | tr-match -@2 --bins bins.lst | tr-unwind -@2 | tr-text
statuses
# Filters that cannot know report that there is no input.
true | tr-fold
statuses
tr-match --bins bins.lst -o out.tr none.tr | cat
statuses
tr-unwind --help | tr-fold
statuses
