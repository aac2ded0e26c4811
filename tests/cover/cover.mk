# SPDX-License-Identifier: Apache-2.0
# Adds a counter in a copy of the sources, as the README describes.

.PHONY: test-cover
test-cover: all target ## Add a counter to the hardware, as the README describes
	$(Q)[ -n "$(SAN)" ] || tests/cover/run.sh
