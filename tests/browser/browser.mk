# SPDX-License-Identifier: Apache-2.0
# The flame graph in a browser.

.PHONY: test-browser
test-browser: $(B)/bin/tr-text $(B)/bin/tr-fold ## Use a flame graph in headless Chromium
	$(Q)tests/browser/run.sh $(B)/bin
