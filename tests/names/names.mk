# SPDX-License-Identifier: Apache-2.0
# Checks that functions can be found by name.

.PHONY: test-names
test-names: ## Fail if many functions share a name, or have one word as name
	$(Q)tests/names/check.sh $(B)/names
	$(Q)tests/names/count.sh
