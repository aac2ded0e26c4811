# SPDX-License-Identifier: Apache-2.0
# Tests of the flame graph, and of tr-annotate's page, in a browser.

.PHONY: test-browser
test-browser: $(B)/bin/tr-text $(B)/bin/tr-fold $(B)/bin/tr-report $(B)/bin/tr-diff $(B)/bin/tr-annotate $(TMA_BARS) ## Use a flame graph and a page of tr-annotate in headless Chromium
	$(Q)tests/browser/run.sh $(B)/bin
