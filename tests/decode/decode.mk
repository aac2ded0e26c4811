# SPDX-License-Identifier: Apache-2.0
# Compares how instructions are decoded with LLVM's and the binutils' disassemblers.

$(eval $(call program,decode-list,tests/decode/list.c,tests))
$(eval $(call program,decode-text,tests/decode/text.c,tests))
$(eval $(call program,decode-registers,tests/decode/registers.c $(addprefix sim/target/profiler/extract/,insn.c insn_compressed.c),tests))

.PHONY: test-decode
test-decode: $(B)/tests/decode-list $(B)/tests/decode-registers $(B)/tests/decode-text target ## Compare control flow, sp, registers and text with other disassemblers
	$(Q)tests/decode/run.sh $< $(B)/decode
	$(Q)tests/decode/text.sh $(B)/tests/decode-text $< $(B)/decode $(addprefix $(TARGET_B)/,demo.elf firmware.elf supervisor.elf)
	$(Q)tests/decode/registers.sh $(B)/tests/decode-registers $(B)/decode
