# SPDX-License-Identifier: Apache-2.0
# Text without a newline is refused, not read forever.
try() {
	timeout 60 "$@"
	echo "exit $?"
}
try tr-text --encode -o a.tr /dev/zero
try tr-diff /dev/zero /dev/zero
printf '%s\n' 'header content=rows' 'end end=limit' | tr-text --encode -o rows.tr
try tr-match --bins /dev/zero -o a.tr rows.tr
try tr-info --bins /dev/zero -o a.txt rows.tr
