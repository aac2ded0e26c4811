# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
soc-sim --help
soc-sim --version
