# SPDX-License-Identifier: Apache-2.0
# No filter reads a stream from a terminal.
echo prog.elf > bins.lst
for command in tr-capture tr-fold tr-info 'tr-match --bins bins.lst' 'tr-split-by-satp --list' \
	tr-text 'tr-text --tokens' tr-unwind; do
	script -qec "timeout 10 $command" /dev/null | tr -d '\r'
	echo "status ${PIPESTATUS[0]}"
done
