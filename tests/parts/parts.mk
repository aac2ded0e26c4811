# SPDX-License-Identifier: Apache-2.0
# How `make test` runs its parts.

.PHONY: test-parts
test-parts: ## Test how `make test` runs its parts, and what it says of failed ones
	$(Q)tests/parts/run.sh
