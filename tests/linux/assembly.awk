# SPDX-License-Identifier: Apache-2.0
# Generates assembly of one binary of images.txt (after hex.awk): its code and its
# functions. Variable: binary.
$2 != binary { next }
$1 == "base" { base = low($3) }
$1 == "code" {
	printf "\t.org %d\n", low($3) - base
	for (i = 4; i <= NF; i++)
		printf "\t.%s 0x%s\n", length($i) == 4 ? "2byte" : "4byte", $i
}
$1 == "func" {
	printf "\t.type \"%s\", @function\n\t.set \"%s\", .text + %d\n\t.size \"%s\", %d\n", \
		$5, $5, low($3) - base, $5, $4
}
