# SPDX-License-Identifier: Apache-2.0
# The places that tr-match solves, compared with those that the kernel reports: two
# processes with shared libraries, in BASES_SEEDS layouts of their address spaces.

BASES_SEEDS := 200
GC_LDFLAGS_maps := -lm
GC_LIBS_maps := $(GC_GLIBC) $(GC_LIBM)
$(eval $(call gc_program,maps))

.PHONY: truth-bases
truth-bases: linux-gc $(addprefix $(B)/bin/,soc-model tr-match tr-info)
truth-bases: ## Compare bases of shared libraries with the kernel's, in 200 layouts
	$(Q)BIN=$(B)/bin tests/truth/bases.sh $(BASES_SEEDS) $(FW) $(GC_B)
