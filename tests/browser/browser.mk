# SPDX-License-Identifier: Apache-2.0
# Tests of the flame graph, and of tr-annotate's page, in a browser.

.PHONY: test-browser
test-browser: $(B)/bin/tr-text $(B)/bin/tr-fold $(B)/bin/tr-report $(B)/bin/tr-diff $(B)/bin/tr-annotate $(B)/bin/tr-explore $(B)/bin/tr-unwind $(TMA_BARS) ## Use flame graphs and pages in headless Chromium
	$(Q)tests/browser/run.sh $(B)/bin
