#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Opens a flame graph in headless Chromium and uses it: run.sh BIN-FOLDER
set -eu -o pipefail
bin=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bin/tr-text" --encode "$here/stacks.txt" |
	"$bin/tr-fold" -o "$work/stacks.folded" --svg "$work/flame.svg"

# The steps run as a second script of the same document.
{
	sed '$d' "$work/flame.svg"
	printf '<script><![CDATA[\n'
	cat "$here/flame.js"
	printf ']]></script>\n</svg>\n'
} > "$work/test.svg"
[ "$(tail -n 1 "$work/flame.svg")" = '</svg>' ]

timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic \
	--no-first-run --disable-background-networking --disable-component-update \
	--disable-sync --user-data-dir="$work/profile" --window-size=1300,900 \
	--virtual-time-budget=5000 --dump-dom "file://$work/test.svg" \
	> "$work/dom" 2> "$work/errors" || { cat "$work/errors" >&2; exit 1; }

steps=$(grep -c '^PASS ' "$work/dom" || :)
failed=$(grep -c '^FAIL ' "$work/dom" || :)
grep '^FAIL ' "$work/dom" || :
if ! grep -q "^DONE $((steps + failed))\$" "$work/dom" || [ "$steps" = 0 ]; then
	echo "browser: the steps did not come to their end"
	cat "$work/errors"
	exit 1
fi
echo "browser: $steps passed, $failed failed"
[ "$failed" = 0 ]
