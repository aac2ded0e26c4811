# SPDX-License-Identifier: Apache-2.0
# What `make install` installs, used from there.
.PHONY: test-install
test-install: all ## Install into a folder, use what is there, and uninstall it
	$(Q)SAN=$(SAN) SANFLAGS='$(SANFLAGS)' tests/install/run.sh

# The Debian packages, from what is built.
.PHONY: test-package
test-package: programs ## Build the Debian packages, and look at what they have
	$(Q)tests/install/package.sh
