# SPDX-License-Identifier: Apache-2.0
# Only changes above the threshold, in units or in percent of the first total; the self
# cycles and the total of a function both count.
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
# Each function changes by 50, together by 100.
printf '%s\n' 'main;f 1050' 'main;g 9050' > c
try --threshold 50 a c
try --threshold 100 a c
