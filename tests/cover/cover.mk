# SPDX-License-Identifier: Apache-2.0
# Adds a counter in a copy of the sources, as sim/README.md describes.

.PHONY: test-cover
test-cover: all target ## Add a counter to the hardware, as sim/README.md describes
	$(Q)[ -n "$(SAN)" ] || tests/cover/run.sh
