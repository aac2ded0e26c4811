// SPDX-License-Identifier: Apache-2.0
// ALU: additions, comparisons, logic operations and shifts of 64 and 32 bits.
//
// Combinational. word_i selects the 32-bit form, which uses the low halves of the operands
// and sign-extends the low half of the result. Comparisons and logic have no 32-bit form.

module alu (
  input  soc_pkg::alu_op_e op_i,
  input  logic             word_i,
  input  logic [63:0]      a_i,
  input  logic [63:0]      b_i,
  output logic [63:0]      result_o
);

  logic [5:0] amount;
  logic [63:0] wide;
  always_comb begin
    amount = '0;
    case (op_i)
      soc_pkg::AluAdd: wide = a_i + b_i;
      soc_pkg::AluSub: wide = a_i - b_i;
      soc_pkg::AluSlt: wide = {63'd0, $signed(a_i) < $signed(b_i)};
      soc_pkg::AluSltu: wide = {63'd0, a_i < b_i};
      soc_pkg::AluXor: wide = a_i ^ b_i;
      soc_pkg::AluSll, soc_pkg::AluSrl, soc_pkg::AluSra: begin
        amount = {b_i[5] & ~word_i, b_i[4:0]};
        case (op_i)
          soc_pkg::AluSll: wide = a_i << amount;
          soc_pkg::AluSrl: wide = (word_i ? {32'd0, a_i[31:0]} : a_i) >> amount;
          default: begin
            wide = word_i ? {{32{a_i[31]}}, a_i[31:0]} : a_i;
            wide = $signed(wide) >>> amount;
          end
        endcase
      end
      soc_pkg::AluOr: wide = a_i | b_i;
      default: wide = a_i & b_i;
    endcase
    result_o = word_i ? {{32{wide[31]}}, wide[31:0]} : wide;
  end

endmodule
