// SPDX-License-Identifier: Apache-2.0
// Decodes the instruction of a lane for the window and for the units that execute it.
//
// Combinational. An instruction that only the oldest of the window can execute is of PortHead
// and commits alone: CSRs, system instructions, atomics, illegal ones, and those whose fetch
// failed.
//
// Of an instruction of PortFloat, the lower bits of the immediate are its soc_pkg::float_t.
//
// An instruction that was predicted to jump, but is no jump or branch, or that is torn, is
// fetched again: it goes to the branch port, which executes nothing but the redirect.

module decode_lane #(
  parameter bit Float = 1'b1  // 0: instructions of F and D are illegal
) (
  input logic                valid_i,
  input logic [31:0]         insn_i,      // raw, as from extract.sv
  input ooo_pkg::extracted_t extracted_i,
  input logic                float_on_i,   // mstatus.FS is not off
  input soc_pkg::frm_t       frm_i,
  input logic                copy_on_i,    // cpy can be used

  output ooo_pkg::dispatch_t dispatch_o,
  output ooo_pkg::work_t     work_o       // the indexes are 0
);

  logic [31:0] expanded, insn;
  logic wide, illegal, illegal_short;
  assign wide = insn_i[1:0] == 2'b11;
  expand u_expand (
    .insn_i   (insn_i[15:0]),
    .insn_o   (expanded),
    .illegal_o(illegal_short)
  );
  assign insn = wide ? insn_i : expanded;

  soc_pkg::unit_e unit;
  soc_pkg::op_t op;
  soc_pkg::rd_t rd, rs1, rs2, rs3;
  soc_pkg::fpu_t fpu;
  soc_pkg::frm_t rounding;
  logic word, use_imm, use_pc;
  logic [63:0] imm;
  decoder #(
    .Float(Float)
  ) u_decoder (
    .valid_i,
    .insn_i    (insn),
    .float_on_i,
    .frm_i,
    .copy_on_i,
    .illegal_o (illegal),
    .unit_o    (unit),
    .op_o      (op),
    .word_o    (word),
    .rd_o      (rd),
    .rs1_o     (rs1),
    .rs2_o     (rs2),
    .use_imm_o (use_imm),
    .use_pc_o  (use_pc),
    .imm_o     (imm),
    /* verilator lint_off PINCONNECTEMPTY */
    .is_float_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .fpu_o     (fpu),
    .rounding_o(rounding),
    .rs3_o     (rs3)
  );

  // A word at once simulates faster than its fields.
  ooo_pkg::port_e port;
  soc_pkg::rd_t third;
  logic again, float, bad, returns, load, store;
  always_comb begin
    port = ooo_pkg::PortHead;
    third = '0;
    again = 1'b0;
    float = 1'b0;
    bad = 1'b0;
    returns = 1'b0;
    load = 1'b0;
    store = 1'b0;
    dispatch_o = '0;
    work_o = '0;
    if (valid_i) begin
      case (unit)
        soc_pkg::UnitAlu: port = ooo_pkg::PortAlu;
        soc_pkg::UnitBranch, soc_pkg::UnitJump: port = ooo_pkg::PortBranch;
        soc_pkg::UnitMul: port = ooo_pkg::PortMul;
        soc_pkg::UnitDiv: port = ooo_pkg::PortDiv;
        soc_pkg::UnitFma, soc_pkg::UnitFpu: port = ooo_pkg::PortFloat;
        soc_pkg::UnitMem, soc_pkg::UnitFloatMem:
        port = op.bits[3:1] == 3'd0 ? ooo_pkg::PortMem : ooo_pkg::PortHead;
        default: port = ooo_pkg::PortHead;
      endcase
      bad = illegal || (illegal_short && !wide) || extracted_i.bad != soc_pkg::BadNone;
      if (bad) port = ooo_pkg::PortHead;
      // A torn one is 0, which is illegal.
      again = extracted_i.predicted && port != ooo_pkg::PortBranch;
      if (again) port = ooo_pkg::PortBranch;
      float = port == ooo_pkg::PortFloat;
      returns = op.jump == soc_pkg::JumpJalr && (rs1 == 6'd1 || rs1 == 6'd5) && rd != rs1;
      // A copy reads its length from rd.
      if (float) third = rs3;
      if (unit == soc_pkg::UnitMem && op.mem == soc_pkg::MemCopy) third = rd;
      load = port == ooo_pkg::PortMem && !op.bits[0];
      store = port == ooo_pkg::PortMem && op.bits[0];
      dispatch_o = {3'd0, 1'b1, port == ooo_pkg::PortHead, port, rd, rs1, rs2, third};
      work_o = {
        {1'b0, bad, again, returns, rd == 6'd1 || rd == 6'd5, wide, use_pc, use_imm, word},
        {insn[14:12], unit, op.bits, store, load, 10'd0,
         float ? {21'd0, fpu, rounding} : imm[31:0]}
      };
    end
  end

endmodule
