# SPDX-License-Identifier: Apache-2.0
# The help of tr-timeline goes to standard output.
tr-timeline --help
tr-timeline --version
