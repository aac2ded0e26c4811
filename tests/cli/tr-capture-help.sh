# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
tr-capture --help
tr-capture --version
