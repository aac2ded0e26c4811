# SPDX-License-Identifier: Apache-2.0
# What tr-timeline writes, read by others: protoc, and a program that adds up its slices.
$(eval $(call program,timeline-decode,tests/timeline/decode.c,tests))
$(B)/obj/tests/timeline/decode.o: | $(PROTO_SOURCES)

.PHONY: test-timeline
test-timeline: $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(B)/tests/timeline-decode $(B)/tests/peak target ## Compare the slices of timelines with the folded stacks
	$(Q)tests/timeline/run.sh $(B)/bin $(B)/tests/timeline-decode $(if $(SAN),,$(B)/tests/peak) # sanitizers need memory

# speedscope itself, by npm from the registry that it is configured for.
SPEEDSCOPE_VERSION := 1.25.0
SPEEDSCOPE_SHA256 := 2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03
SPEEDSCOPE := build/speedscope/package/dist/release/index.html
$(SPEEDSCOPE): tests/timeline/timeline.mk
	$(call say,NPM,'speedscope $(SPEEDSCOPE_VERSION)')
	$(Q)rm -rf build/speedscope; mkdir -p build/speedscope
	$(Q)npm pack --silent --pack-destination build/speedscope speedscope@$(SPEEDSCOPE_VERSION) > build/speedscope/log 2>&1 || \
		{ echo 'make: npm cannot fetch speedscope: see build/speedscope/log' >&2; exit 1; }
	$(Q)cd build/speedscope; echo "$(SPEEDSCOPE_SHA256)  speedscope-$(SPEEDSCOPE_VERSION).tgz" | sha256sum --check --quiet
	$(Q)tar -C build/speedscope --no-same-owner -m -xzf build/speedscope/speedscope-$(SPEEDSCOPE_VERSION).tgz

.PHONY: test-speedscope
test-speedscope: $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model target $(SPEEDSCOPE) ## Import files in speedscope, in headless Chromium
	$(Q)tests/timeline/speedscope.sh $(B)/bin $(SPEEDSCOPE)
