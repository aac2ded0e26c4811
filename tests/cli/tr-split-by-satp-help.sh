# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
tr-split-by-satp --help
tr-split-by-satp --version
