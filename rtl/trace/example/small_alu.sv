// SPDX-License-Identifier: Apache-2.0
// Integer operations of OP and OP-IMM, and the comparison of branches. Combinational.

module small_alu (
  input logic [ 2:0] funct3_i,
  input logic        alternate_i,  // SUB, SRA
  input logic [31:0] a_i,
  input logic [31:0] b_i,

  output logic [31:0] result_o,
  output logic        taken_o  // of a branch with this funct3
);

  logic less, below, equal;

  assign equal = a_i == b_i;
  assign below = a_i < b_i;
  assign less = (a_i[31] != b_i[31]) ? a_i[31] : below;

  always_comb begin
    unique case (funct3_i)
      3'd0: result_o = alternate_i ? a_i - b_i : a_i + b_i;
      3'd1: result_o = a_i << b_i[4:0];
      3'd2: result_o = {31'd0, less};
      3'd3: result_o = {31'd0, below};
      3'd4: result_o = a_i ^ b_i;
      3'd5: result_o = alternate_i ? $unsigned($signed(a_i) >>> b_i[4:0]) : a_i >> b_i[4:0];
      3'd6: result_o = a_i | b_i;
      default: result_o = a_i & b_i;
    endcase
  end

  always_comb begin
    unique case (funct3_i[2:1])
      2'd0: taken_o = equal != funct3_i[0];
      2'd2: taken_o = less != funct3_i[0];
      default: taken_o = below != funct3_i[0];
    endcase
  end

endmodule
