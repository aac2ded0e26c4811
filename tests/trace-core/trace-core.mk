# SPDX-License-Identifier: Apache-2.0
# The sink for cores of others: on the small core, on two of them, and on a replay of an RV64
# trace. QEMU and a log of the testbench are the second opinions.

TRACE_CORE := tests/trace-core
$(SMALL)/harts: $(SMALL_SIM) $(addprefix $(TRACE_CORE)/,rvfi_log.sv two_harts.sv) $(B)/lib/libtr_trace.a
	$(call say,VERIL,$@)
	$(Q)$(call verilate,harts,--top-module two_harts $(SMALL_SIM) $(TRACE_CORE)/rvfi_log.sv $(TRACE_CORE)/two_harts.sv)
$(SMALL)/replay: rtl/trace/trace_sink.sv $(TRACE_CORE)/replay.sv $(B)/lib/libtr_trace.a
	$(call say,VERIL,$@)
	$(Q)$(call verilate,replay,--top-module replay rtl/trace/trace_sink.sv $(TRACE_CORE)/replay.sv)

TRACE_CORE_RUN := $(addprefix $(SMALL)/,sim harts replay example.hex) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model \
	$(addprefix $(TARGET_B)/,firmware.elf hello.elf)
.PHONY: test-trace-core golden-trace-core
test-trace-core: $(TRACE_CORE_RUN) trace-lint ## Test the sink for cores of others, RV32, and the small core
	$(Q)TARGET=$(TARGET_B) tests/trace-core/run.sh $(B)/bin $(SMALL)
golden-trace-core: $(TRACE_CORE_RUN) small-core ## Rewrite the profiles of the small core and of a wide one
	$(Q)cp $(SMALL)/example.folded golden/trace-core/
	$(Q)UPDATE=1 TARGET=$(TARGET_B) tests/trace-core/run.sh $(B)/bin $(SMALL); git diff --stat golden/trace-core

# For tests of the command line.
$(eval $(call program,commits,tests/trace-core/commits.c,tests))
$(B)/tests/commits: $(B)/lib/libtr_trace.a
$(eval $(call program,reasons,tests/trace-core/reasons.c,tests))
$(B)/tests/reasons: $(B)/lib/libtr_trace.a
