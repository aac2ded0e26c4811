// SPDX-License-Identifier: Apache-2.0
// What the small core does in each cycle, at the time of its RVFI, which is a cycle later. A
// `bind` attaches it, so that the files of the core stay as they are.

module small_reasons (
  input logic       clk_i,
  input logic [4:0] lost_class_i,

  output logic [4:0] lost_class_o
);

  always_ff @(posedge clk_i) lost_class_o <= lost_class_i;

endmodule
