// SPDX-License-Identifier: Apache-2.0
// Computes the value that an AMO writes. Combinational; the result is 0 without valid_i.
// The unit sign-extends data_i for the 32-bit forms.

module amo_unit (
  input  logic             valid_i,
  input  soc_pkg::amo_op_e op_i,
  input  logic             word_i,
  input  logic [63:0]      old_i,  // sign-extended
  input  logic [63:0]      data_i,
  output logic [63:0]      result_o
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
        soc_pkg::AmoAdd: result_o = old_i + data;
        soc_pkg::AmoSwap: result_o = data;
        soc_pkg::AmoXor: result_o = old_i ^ data;
        soc_pkg::AmoOr: result_o = old_i | data;
        soc_pkg::AmoAnd: result_o = old_i & data;
        soc_pkg::AmoMin: result_o = less ? old_i : data;
        soc_pkg::AmoMax: result_o = less ? data : old_i;
        soc_pkg::AmoMinu: result_o = less_unsigned ? old_i : data;
        default: result_o = less_unsigned ? data : old_i;
      endcase
    end
  end

endmodule
