# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
tr-info --help
tr-info --version
