# SPDX-License-Identifier: Apache-2.0
# Checks that the parts of a mode have one owner.

.PHONY: test-modes
test-modes: ## Fail if code other than mode.h takes a privilege apart
	$(Q)tests/modes/check.sh $(B)/modes
	$(Q)tests/modes/masks.sh
