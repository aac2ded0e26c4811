# SPDX-License-Identifier: Apache-2.0
# Changes of more than the threshold only, in units or in percent of the total
# before; the sum and the total of a function count, too.
printf '%s\n' 'main;f 1000' 'main;g 9000' > a
printf '%s\n' 'main;f 1100' 'main;g 9000' > b
try() {
	tr-diff "$@"
	echo "exit $?"
}
try --threshold 99 a b
try --threshold 100 a b
try --threshold 0.99% a b
try --threshold 1% a b
# Each function by 50, together 100.
printf '%s\n' 'main;f 1050' 'main;g 9050' > c
try --threshold 50 a c
try --threshold 100 a c
