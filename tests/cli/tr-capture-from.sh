# SPDX-License-Identifier: Apache-2.0
# Logs of other simulators and cores: each is recognised, or named.
cp -r "$SRC/tests/cli/data/logs" .
logs=logs
tr-capture --from help
# Nothing follows the list in a pipe, where a stream could be expected.
tr-capture --from help | cmp - <(tr-capture --from help > list; cat list) && echo "the same in a pipe"
for log in "$logs"/*.log; do
	echo "$(basename "$log")"
	tr-capture --no-provenance -o a.tr "$log"
	tr-text --tokens a.tr
	format=$(tr-text a.tr | sed -n 's/^header source=//p')
	tr-capture --no-provenance --from "$format" < "$log" | tr-text --tokens - | cmp - <(tr-text --tokens a.tr)
done
