#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fails if an entry of SURVIVORS matches none of the changes, which are those of `mutate every`,
# or if one of the chosen changes cannot be made. It says which, and why.
#
#   tests/mutants/entries.sh CHANGES SURVIVORS FILE.changes...
set -eu -o pipefail
export LC_ALL=C
here=$(dirname "$0") failed=0
awk -f "$here/entries.awk" "$1" "$2" || failed=1
awk -f "$here/chosen.awk" "${@:3}" || failed=1
exit $failed
