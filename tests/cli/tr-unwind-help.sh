# SPDX-License-Identifier: Apache-2.0
# Help and version go to standard output.
tr-unwind --help
tr-unwind --version
