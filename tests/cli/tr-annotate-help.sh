# SPDX-License-Identifier: Apache-2.0
tr-annotate --help
tr-annotate --version
tr-annotate --list-options
