# SPDX-License-Identifier: Apache-2.0
# Random programs: the same seed gives the same program. `make test` runs some
# millions of instructions in lockstep, `make soak-random` a hundred million.

RANDOM_DIR := build/random
RANDOM_SRC := $(filter-out tests/random/random-check.c tests/random/coverage.c,\
	$(sort $(wildcard tests/random/*.c)))
RANDOM_OBJS := $(RANDOM_SRC:%.c=$(B)/obj/%.o)
OBJS += $(RANDOM_OBJS)
$(foreach f,$(RANDOM_SRC),$(eval CFLAGS_$(f) := -Isim/model))

$(B)/random/random-program: $(RANDOM_OBJS)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Seeds from, to; instructions of each.
RANDOM_RUN = tests/random/run.sh $(B)/random/random-program '$(B)/bin/soc-sim --lockstep'
.PHONY: test-random soak-random
test-random: $(B)/random/random-program $(B)/bin/soc-sim ## Random programs on the hardware, in lockstep with the model
	$(Q)$(RANDOM_RUN) 1 20 200000
soak-random: $(B)/random/random-program $(B)/bin/soc-sim ## More than 100 M random instructions in lockstep
	$(Q)$(RANDOM_RUN) 1 250 500000
