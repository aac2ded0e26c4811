# SPDX-License-Identifier: Apache-2.0
# Compares how instructions are decoded with LLVM's and the binutils' disassemblers.

$(eval $(call program,decode-list,tests/decode/list.c,tests))

.PHONY: test-decode
test-decode: $(B)/tests/decode-list ## Compare control flow and writes of sp with other disassemblers
	$(Q)tests/decode/run.sh $< $(B)/decode
