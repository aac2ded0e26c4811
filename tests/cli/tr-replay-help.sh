# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
tr-replay --help
tr-replay --version
