# SPDX-License-Identifier: Apache-2.0
# Tests of the flame graph in a browser.

.PHONY: test-browser
test-browser: $(B)/bin/tr-text $(B)/bin/tr-fold $(B)/bin/tr-report $(B)/bin/tr-diff $(TMA_BARS) ## Use a flame graph in headless Chromium
	$(Q)tests/browser/run.sh $(B)/bin
