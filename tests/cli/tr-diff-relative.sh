# SPDX-License-Identifier: Apache-2.0
# Equal shares of a different total are no change; different shares are.
printf '%s\n' 'main;f 1000' 'main;g 9000' > a
printf '%s\n' 'main;f 3000' 'main;g 27000' > b
printf '%s\n' 'main;f 4000' 'main;g 26000' > c
tr-diff --relative a b
echo "exit $?"
tr-diff --relative a c
echo "exit $?"
tr-diff --relative --threshold 5% a c
echo "exit $?"
