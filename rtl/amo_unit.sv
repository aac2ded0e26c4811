// SPDX-License-Identifier: Apache-2.0
// What an AMO writes: combinational, computed while valid_i is high. Operands of
// the 32-bit forms are sign-extended here.

module amo_unit (
  input  logic        valid_i,
  input  logic [ 4:0] op_i,     // funct5
  input  logic        word_i,
  input  logic [63:0] old_i,    // sign-extended
  input  logic [63:0] data_i,
  output logic [63:0] result_o
);

  logic [63:0] data;
  logic less, less_unsigned;

  always_comb begin
    data = data_i;
    result_o = '0;
    less = 1'b0;
    less_unsigned = 1'b0;
    if (valid_i) begin
      if (word_i) data = {{32{data_i[31]}}, data_i[31:0]};
      less = $signed(old_i) < $signed(data);
      less_unsigned = old_i < data;
      case (op_i)
        5'b00000: result_o = old_i + data;
        5'b00001: result_o = data;
        5'b00100: result_o = old_i ^ data;
        5'b01000: result_o = old_i | data;
        5'b01100: result_o = old_i & data;
        5'b10000: result_o = less ? old_i : data;
        5'b10100: result_o = less ? data : old_i;
        5'b11000: result_o = less_unsigned ? old_i : data;
        default: result_o = less_unsigned ? data : old_i;
      endcase
    end
  end

endmodule
