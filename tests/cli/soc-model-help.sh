# SPDX-License-Identifier: Apache-2.0
# --help and --version go to standard output.
soc-model --help
soc-model --version
