# SPDX-License-Identifier: Apache-2.0
# soc-model: the functional model as a machine for sim/run.

$(eval $(call program,soc-model,$(addprefix sim/functional/,model_machine.c soc-model.c) $(RUN)))
$(B)/bin/soc-model: $(B)/libsocmodel.a
$(B)/bin/soc-model: LDLIBS += $(RUN_LIBS)
