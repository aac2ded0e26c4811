# SPDX-License-Identifier: Apache-2.0
# A counter is added as the README says, in a copy.

.PHONY: test-cover
test-cover: all target ## Add a counter to the hardware, by what the README says
	$(Q)[ -n "$(SAN)" ] || tests/cover/run.sh
