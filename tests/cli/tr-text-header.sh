# SPDX-License-Identifier: Apache-2.0
# Only the header.
tr-text --encode "$SRC/tests/cli/data/two-spaces.txt" | tr-text --header
