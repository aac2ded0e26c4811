# SPDX-License-Identifier: Apache-2.0
# The tests of the command line, and their expected output. T="NAME ..." on make's
# command line names some of them.

CLI_TESTS = $(T)

.PHONY: test-cli
test-cli: $(MAN_BUILT) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/bin/soc-sim target ## Run the tests of the command line, or those of T="NAME ..."
	$(Q)BIN=$(B)/bin tests/cli/run.sh $(CLI_TESTS)

.PHONY: golden
golden: $(MAN_BUILT) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/bin/soc-sim ## Rewrite what the tests of T="NAME ..." expect; show the changes
	$(Q)BIN=$(B)/bin tests/cli/run.sh --update $(CLI_TESTS)
