# SPDX-License-Identifier: Apache-2.0
# `make test` runs every part; each part has a target of its own.

include $(wildcard tests/*/*.mk)

UNITS := $(basename $(notdir $(wildcard tests/unit/*.c)))
OBJS += $(UNITS:%=$(B)/obj/tests/unit/%.o)
# A test may have its input on the stack.
$(UNITS:%=$(B)/obj/tests/unit/%.o): CFLAGS += -Wno-frame-larger-than
$(UNITS:%=$(B)/unit/%): $(B)/unit/%: $(B)/obj/tests/unit/%.o $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# It needs the library in turn.
$(B)/unit/counter-choice: $(B)/obj/sim/run/choice.o
$(B)/unit/counter-choice: LDLIBS := $(B)/libtr.a $(LDLIBS)
$(B)/unit/palette: LDLIBS += -lm

.PHONY: test-unit
test-unit: $(UNITS:%=$(B)/unit/%) ## Run the unit tests
	$(Q)passed=0; failed=0; for t in $(UNITS:%=$(B)/unit/%); do \
		if out=$$(timeout 300 $$t 2>&1); then passed=$$((passed + 1)); \
		else failed=$$((failed + 1)); echo "$$t failed:"; echo "$$out"; fi; done; \
	echo "unit: $$passed passed, $$failed failed"; [ $$passed -gt 0 ] && [ $$failed = 0 ]

TESTS := test-unit test-cli test-isa test-isa-traced test-isa-hardware test-random test-assert rtl-lint rtl-synth-check test-cover test-pipeline test-tma test-linux test-browser truth
.PHONY: test
test: all ## Run all everyday tests (SAN=1: under ASan and UBSan)
	$(Q)failed=; for t in $(TESTS); do \
		$(MAKE) --no-print-directory $$t || failed="$$failed $$t"; done; \
	[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }
