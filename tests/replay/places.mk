# SPDX-License-Identifier: Apache-2.0
# Replays that begin in the middle of a trace, of one hart and of two: from each place of an
# index. The traces have short frames, so that there are many places.
PLACES := $(B)/tests/places
$(eval $(call program,places,tests/replay/places.c,tests))
$(PLACES): $(REPLAY_LINKED)
$(PLACES): LDLIBS += $(RUN_LIBS)

PLACES_B := $(B)/places
# $(call places_test,OPTIONS,FRAMES,INSTRUCTIONS between places,NAME,PROGRAMS)
places_test = $(B)/bin/soc-sim $(1) --trace $(PLACES_B)/$(4).tr $(5) > $(PLACES_B)/$(4).txt && \
	$(B)/bin/tr-text $(PLACES_B)/$(4).tr | awk -v FRAMES=$(2) -f tests/replay/frames.awk | \
		$(B)/bin/tr-text --encode -o $(PLACES_B)/$(4)-frames.tr && \
	$(PLACES) $(3) $(PLACES_B)/$(4)-frames.tr $(5)

.PHONY: test-replay-places
test-replay-places: $(PLACES) $(B)/bin/soc-sim $(B)/bin/tr-text $(B)/smp/random-1.elf $(B)/smp/ipi.elf \
		$(patsubst %,build/replay/old-%.elf,code code-harts translation translation-harts) target ## Replay from places in the middle of traces
	$(Q)mkdir -p $(PLACES_B)
	$(Q)$(call places_test,--counters all --counters-every 10k,40,4000,hello,$(B)/target/firmware.elf $(B)/target/hello.elf)
	$(Q)$(call places_test,--harts 2,40,1000,random,$(B)/smp/random-1.elf)
	$(Q)$(call places_test,--harts 2,40,1000,ipi,$(B)/smp/ipi.elf)
	$(Q)$(call places_test,,1000,1,old-code,build/replay/old-code.elf)
	$(Q)$(call places_test,--harts 2,40,1000,old-code-harts,build/replay/old-code-harts.elf)
	$(Q)$(call places_test,,400,1,old-translation,build/replay/old-translation.elf)
	$(Q)$(call places_test,--harts 2,40,1000,old-translation-harts,build/replay/old-translation-harts.elf)
