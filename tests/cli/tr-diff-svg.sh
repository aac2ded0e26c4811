# SPDX-License-Identifier: Apache-2.0
# A flame graph of the second profile: grey is unchanged, red more, blue less.
printf '%s\n' 'main;f 1000' 'main;g 9000' 'main;h 500' > a
printf '%s\n' 'main;f 2000' 'main;g 8500' 'main;i 5' > b
tr-diff --svg d.svg --title changes a b
echo "exit $?"
sed -n '/^<text class="title/,/^<script>/p; /^start(/,/^)/p' d.svg
tr-diff --svg same.svg a a
echo "exit $?, $(grep -c '</svg>' same.svg)"
