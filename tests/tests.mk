# SPDX-License-Identifier: Apache-2.0
# `make test`: unit, CLI, golden, ISA, browser and truth; each part alone too.

include $(wildcard tests/*/*.mk)

UNITS := $(basename $(notdir $(wildcard tests/unit/*.c)))
OBJS += $(UNITS:%=$(B)/obj/tests/unit/%.o)
$(UNITS:%=$(B)/unit/%): $(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: test-unit
test-unit: $(UNITS:%=$(B)/unit/%) ## Run the unit tests
	$(Q)passed=0; failed=0; for t in $^; do \
		if out=$$($$t 2>&1); then passed=$$((passed + 1)); \
		else failed=$$((failed + 1)); echo "$$t failed:"; echo "$$out"; fi; done; \
	echo "unit: $$passed passed, $$failed failed"; [ $$failed = 0 ]
