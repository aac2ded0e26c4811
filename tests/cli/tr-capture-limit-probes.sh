# SPDX-License-Identifier: Apache-2.0
# A limit inside a row keeps what events tell of the tokens before it, and nothing of later
# ones.
tr-text --encode -o a.tr "$SRC/tests/cli/data/probes.txt"
for n in {0..16}; do
	echo "$n: $(tr-capture --max-cycles $n a.tr | tr-text --tokens | grep -c '^token')" \
		"tokens, $(tr-capture --max-cycles $n a.tr | tr-text | grep -c '^probe\|^mmio') events"
done
tr-capture --max-instructions 5 a.tr | tr-text --tokens | grep '^token\|^probe\|^mmio' |
	cut -d ' ' -f 1-4
