# SPDX-License-Identifier: Apache-2.0
# The sink for cores of others, on a small core; QEMU is the second opinion.

.PHONY: test-trace-core
test-trace-core: $(addprefix $(SMALL)/,sim example.hex) $(FILTERS:%=$(B)/bin/%) trace-lint ## Test the sink for cores of others, RV32 through the filters, and the small core
	$(Q)tests/trace-core/run.sh $(B)/bin $(SMALL)
