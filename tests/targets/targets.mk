# SPDX-License-Identifier: Apache-2.0
# Each documented target can start, or says in one line what is missing.

.PHONY: test-targets test-targets-clean
test-targets: ## Each target is in `make help`, and names a package that it lacks
	$(Q)tests/targets/run.sh
test-targets-clean: ## `make -n` of each documented target, in a clean clone
	$(Q)tests/targets/clean.sh
