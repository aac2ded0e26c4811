# SPDX-License-Identifier: Apache-2.0
# Addresses as text of 16 hexadecimal digits, which sorts numerically: awk's own numbers
# have 53 bits. Arithmetic is therefore limited to the lower half, and addresses are
# compared as text (with "", because some would be taken for decimal numbers).
function hex(text, i, n) {
	n = 0
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
function low(address) { return hex(substr(address, 9)) }
function pad(address) {
	sub(/^0x/, "", address)
	return substr("0000000000000000", length(address) + 1) address
}
function add(address, bytes) {
	return substr(address, 1, 8) sprintf("%08x", low(address) + bytes)
}
