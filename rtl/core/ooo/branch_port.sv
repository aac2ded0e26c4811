// SPDX-License-Identifier: Apache-2.0
// The outcome of a jump or branch, compared with its prediction.
//
// Combinational. wrong_o: the instructions that follow are not its successors; those from
// target_o on are. With again_o the instruction itself leaves, too, and target_o is its pc
// (work_t.again). update_o: the predictor is to be trained with this outcome: that of each
// branch and indirect jump, and of what was predicted wrong.

module branch_port (
  input logic                       valid_i,
  input ooo_pkg::work_t             work_i,
  input logic                [63:0] pc_i,
  input logic                [63:0] next_pc_i,    // as predicted
  input logic                [63:0] rs1_i,
  input logic                [63:0] rs2_i,
  input ooo_pkg::history_t          history_i,    // in the snapshot of its block

  output logic                  wrong_o,
  output logic                  again_o,
  output logic                  jumps_o,   // link_o is its result
  output logic           [63:0] target_o,
  output logic           [63:0] link_o,    // the address behind it
  output logic                  update_o,
  output ooo_pkg::outcome_t     outcome_o
);

  logic is_branch, is_jump, less, equal, indirect, taken;
  logic [63:0] base, last;
  always_comb begin
    wrong_o = 1'b0;
    again_o = 1'b0;
    jumps_o = 1'b0;
    target_o = '0;
    link_o = '0;
    update_o = 1'b0;
    outcome_o = '0;
    indirect = 1'b0;
    taken = 1'b0;
    last = '0;
    less = 1'b0;
    equal = 1'b0;
    base = '0;
    is_branch = valid_i && work_i.unit == soc_pkg::UnitBranch;
    is_jump = valid_i && work_i.unit == soc_pkg::UnitJump;
    if (valid_i && work_i.again) begin
      again_o = 1'b1;
      wrong_o = 1'b1;
      update_o = 1'b1;
      target_o = pc_i;
      last = work_i.wide ? pc_i + 64'd2 : pc_i;
      outcome_o.wide = work_i.wide;
      outcome_o.last = last[39:1];
    end else if (is_branch || is_jump) begin
      last = work_i.wide ? pc_i + 64'd2 : pc_i;
      link_o = last + 64'd2;
      outcome_o.history = history_i;
      outcome_o.wide = work_i.wide;
      outcome_o.last = last[39:1];
      base = pc_i;
      if (is_branch) begin
        outcome_o.kind = soc_pkg::KindBranch;
        equal = rs1_i == rs2_i;
        less = work_i.op[1] ? rs1_i < rs2_i : $signed(rs1_i) < $signed(rs2_i);
        taken = (work_i.op[2] ? less : equal) != work_i.op[0];
      end else begin
        outcome_o.kind = work_i.returns ? soc_pkg::KindReturn : soc_pkg::KindJump;
        outcome_o.push = work_i.pushes;
        taken = 1'b1;
        jumps_o = 1'b1;
        indirect = work_i.op == soc_pkg::JumpJalr && !work_i.returns;
        if (work_i.op == soc_pkg::JumpJalr) base = rs1_i;
      end
      target_o = link_o;
      if (taken) target_o = base + {{32{work_i.imm[31]}}, work_i.imm};
      target_o[0] = 1'b0;
      wrong_o = target_o != next_pc_i;
      update_o = is_branch || indirect || wrong_o;
      outcome_o.indirect = indirect;
      outcome_o.taken = taken;
    end
  end

endmodule
