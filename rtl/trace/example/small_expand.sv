// SPDX-License-Identifier: Apache-2.0
// Expands the 16-bit instructions of RV32C without floating point. An instruction that does
// not exist expands to 0, which is illegal. Combinational.

module small_expand (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o
);

  logic [4:0] rd, rs2, rd_c, rs1_c, rs2_c;
  logic [5:0] imm6;
  logic [6:0] word_offset;
  logic [11:0] imm, jump_low;
  logic [20:0] jump;
  logic [12:0] branch;

  assign rd = insn_i[11:7];
  assign rs2 = insn_i[6:2];
  assign rd_c = {2'b01, insn_i[4:2]};
  assign rs1_c = {2'b01, insn_i[9:7]};
  assign rs2_c = rd_c;
  assign imm6 = {insn_i[12], insn_i[6:2]};
  assign imm = {{6{imm6[5]}}, imm6};
  assign word_offset = {insn_i[5], insn_i[12:10], insn_i[6], 2'b00};
  assign jump_low = {
    insn_i[12], insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2], insn_i[11],
    insn_i[5:3], 1'b0
  };
  assign jump = {{9{jump_low[11]}}, jump_low};
  assign branch = {
    {5{insn_i[12]}}, insn_i[6:5], insn_i[2], insn_i[11:10], insn_i[4:3], 1'b0
  };

  // Each of these functions needs only some bits of its operands.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [31:0] jal(logic [4:0] link, logic [20:0] offset);
    return {offset[20], offset[10:1], offset[11], offset[19:12], link, small_pkg::OpJal};
  endfunction

  function automatic logic [31:0] branch_zero(logic [2:0] funct3, logic [4:0] rs1,
                                              logic [12:0] offset);
    return {
      offset[12], offset[10:5], 5'd0, rs1, funct3, offset[4:1], offset[11], small_pkg::OpBranch
    };
  endfunction

  // Quadrant 0: loads, stores, c.addi4spn
  function automatic logic [31:0] quadrant_0(logic [15:0] insn, logic [4:0] rs1,
                                             logic [4:0] reg_c, logic [6:0] offset);
    logic [9:0] wide;
    wide = {insn[10:7], insn[12:11], insn[5], insn[6], 2'b00};
    unique case (insn[15:13])
      3'd0: return wide == 0 ? 32'd0 : {2'b00, wide, 5'd2, 3'd0, reg_c, small_pkg::OpImm};
      3'd2: return {5'd0, offset, rs1, 3'd2, reg_c, small_pkg::OpLoad};
      3'd6: return {5'd0, offset[6:5], reg_c, rs1, 3'd2, offset[4:0], small_pkg::OpStore};
      default: return 32'd0;
    endcase
  endfunction

  // Quadrant 1, funct3 4: shifts, c.andi, c.sub, c.xor, c.or, c.and
  function automatic logic [31:0] arithmetic(logic [15:0] insn, logic [4:0] rs1,
                                             logic [4:0] reg_c);
    logic [11:0] value;
    value = {{7{insn[12]}}, insn[6:2]};
    unique case (insn[11:10])
      2'd0: return insn[12] ? 32'd0 : {7'h00, insn[6:2], rs1, 3'd5, rs1, small_pkg::OpImm};
      2'd1: return insn[12] ? 32'd0 : {7'h20, insn[6:2], rs1, 3'd5, rs1, small_pkg::OpImm};
      2'd2: return {value, rs1, 3'd7, rs1, small_pkg::OpImm};
      default:
      unique case ({insn[12], insn[6:5]})
        3'd0: return {7'h20, reg_c, rs1, 3'd0, rs1, small_pkg::OpReg};
        3'd1: return {7'h00, reg_c, rs1, 3'd4, rs1, small_pkg::OpReg};
        3'd2: return {7'h00, reg_c, rs1, 3'd6, rs1, small_pkg::OpReg};
        3'd3: return {7'h00, reg_c, rs1, 3'd7, rs1, small_pkg::OpReg};
        default: return 32'd0;
      endcase
    endcase
  endfunction

  // c.addi16sp, c.lui
  function automatic logic [31:0] upper(logic [15:0] insn);
    logic [11:0] adjust;
    adjust = {{3{insn[12]}}, insn[4:3], insn[5], insn[2], insn[6], 4'd0};
    if ({insn[12], insn[6:2]} == 6'd0) return 32'd0;
    if (insn[11:7] == 5'd2) return {adjust, 5'd2, 3'd0, 5'd2, small_pkg::OpImm};
    return {{15{insn[12]}}, insn[6:2], insn[11:7], small_pkg::OpLui};
  endfunction

  // Quadrant 2, funct3 4: c.jr, c.jalr, c.mv, c.add, c.ebreak
  function automatic logic [31:0] registers(logic [15:0] insn);
    logic [4:0] dest, source;
    dest = insn[11:7];
    source = insn[6:2];
    if (source != 0)
      return {7'd0, source, insn[12] ? dest : 5'd0, 3'd0, dest, small_pkg::OpReg};
    if (dest != 0) return {12'd0, dest, 3'd0, 4'd0, insn[12], small_pkg::OpJalr};
    return insn[12] ? 32'h0010_0073 : 32'd0;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    insn_o = 32'd0;
    unique case ({insn_i[1:0], insn_i[15:13]})
      {2'd1, 3'd0} : insn_o = {imm, rd, 3'd0, rd, small_pkg::OpImm};
      {2'd1, 3'd1} : insn_o = jal(5'd1, jump);
      {2'd1, 3'd2} : insn_o = {imm, 5'd0, 3'd0, rd, small_pkg::OpImm};
      {2'd1, 3'd3} : insn_o = upper(insn_i);
      {2'd1, 3'd4} : insn_o = arithmetic(insn_i, rs1_c, rs2_c);
      {2'd1, 3'd5} : insn_o = jal(5'd0, jump);
      {2'd1, 3'd6} : insn_o = branch_zero(3'd0, rs1_c, branch);
      {2'd1, 3'd7} : insn_o = branch_zero(3'd1, rs1_c, branch);
      {2'd2, 3'd0} :
      if (!insn_i[12]) insn_o = {7'd0, rs2, rd, 3'd1, rd, small_pkg::OpImm};
      {2'd2, 3'd2} :
      if (rd != 0)
        insn_o = {4'd0, insn_i[3:2], insn_i[12], insn_i[6:4], 2'd0, 5'd2, 3'd2, rd, small_pkg::OpLoad};
      {2'd2, 3'd4} : insn_o = registers(insn_i);
      {2'd2, 3'd6} :
      insn_o = {
        4'd0, insn_i[8:7], insn_i[12], rs2, 5'd2, 3'd2, insn_i[11:9], 2'd0, small_pkg::OpStore
      };
      default:
      if (insn_i[1:0] == 2'd0) insn_o = quadrant_0(insn_i, rs1_c, rd_c, word_offset);
    endcase
  end

endmodule
