# SPDX-License-Identifier: Apache-2.0
# The help of tr-tma goes to standard output.
tr-tma --help
tr-tma --version
