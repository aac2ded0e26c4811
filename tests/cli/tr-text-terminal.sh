# SPDX-License-Identifier: Apache-2.0
# Binary is not written to a terminal.
script -qec "tr-text --encode '$SRC/tests/cli/data/two-spaces.txt'" /dev/null | tr -d '\r'
