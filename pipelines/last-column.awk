# SPDX-License-Identifier: Apache-2.0
# The rest of a line from field i: the name in a table's last column may have spaces, such as
# that of a function with a namesake, which has its address behind it.
function last_column(i,   name) {
	name = $i
	while (++i <= NF) name = name " " $i
	return name
}
