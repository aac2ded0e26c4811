# SPDX-License-Identifier: Apache-2.0
# What tr-timeline writes, read by others: protoc, and a program that adds up its slices.
$(eval $(call program,timeline-decode,tests/timeline/decode.c,tests))
$(B)/obj/tests/timeline/decode.o: | $(PROTO_SOURCES)

.PHONY: test-timeline
test-timeline: $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/tests/timeline-decode target ## Compare the slices of timelines with the folded stacks
	$(Q)tests/timeline/run.sh $(B)/bin $(B)/tests/timeline-decode
