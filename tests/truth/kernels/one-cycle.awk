# SPDX-License-Identifier: Apache-2.0
# Makes a trace, as text, one in which each instruction takes one cycle and traps none, as in the
# model that follows it: the comparison weighs instructions by the model's cycles.
/^header (commit_width|classes)=/ || /^end (cycles|instructions|frames)=/ { next }
/^row / { sub(/ stall .*/, "") }
/^(trap|gap) / { sub(/ cycles=[^ ]*/, "") }
/^hart / { sub(/ cycle=[0-9]+/, "") }
{ print }
