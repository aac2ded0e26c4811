// SPDX-License-Identifier: Apache-2.0
// X: computes, resolves branches and jumps, and computes addresses.
//
// An instruction is taken from D at an edge with ready_o, and leaves for M at one with
// ack_o, in its first cycle unless a unit needs more. It then redirects F if its successor
// was mispredicted, and updates the predictor. rd_o, the result and late_o (the value is
// not known before M) are forwarded to D. The FPU is not in this module, but in
// float_unit.sv.

module execute (
  input logic clk_i,
  input logic rst_ni,

  // From M: it stalls; it drops the instruction in X
  input logic stall_i,
  input logic kill_i,

  // D, as in decode.sv
  output logic             ready_o,
  input  logic             valid_i,
  input  logic             hazard_i,
  input  soc_pkg::issued_t issued_i,
  input  soc_pkg::unit_e   unit_i,
  input  soc_pkg::rd_t     rd_i,

  // To M
  output logic               valid_o,
  output logic               done_o,
  output logic               ack_o,
  output logic               late_o,
  output soc_pkg::executed_t executed_o,
  output soc_pkg::unit_e     unit_o,
  output soc_pkg::rd_t       rd_o,

  // The FPU, as in float_unit.sv
  input logic        float_done_i,
  input logic [63:0] float_value_i,

  // To F: a redirect to actual_o; updates of the predictor, as in predictor.sv
  output logic           redirect_o,
  output logic [63:0]    actual_o,
  output logic           update_o,
  output soc_pkg::kind_e kind_o,
  output logic           taken_o,
  output logic           push_o
);

  logic valid_q;
  soc_pkg::issued_t issued_q;
  soc_pkg::unit_e unit_q;
  soc_pkg::rd_t rd_q;

  assign ready_o = !stall_i && done_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
    end else if (kill_i || redirect_o) begin
      valid_q <= 1'b0;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
    end else if (ready_o) begin
      valid_q <= valid_i && !hazard_i;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
      if (valid_i && !hazard_i) begin
        issued_q <= issued_i;
        unit_q <= unit_i;
        rd_q <= rd_i;
      end
    end
  end

  logic [63:0] alu_result, mul_result, div_result;
  logic mul_done, div_done;
  alu u_alu (
    .op_i    (issued_q.op.alu),
    .word_i  (issued_q.word),
    .a_i     (issued_q.a),
    .b_i     (issued_q.b),
    .result_o(alu_result)
  );
  multiplier u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i (unit_q == soc_pkg::UnitMul),
    .kill_i,
    .ack_i   (ack_o),
    .op_i    (issued_q.op.mul.op),
    .word_i  (issued_q.word),
    .a_i     (issued_q.a),
    .b_i     (issued_q.b),
    .done_o  (mul_done),
    .result_o(mul_result)
  );
  divider u_divider (
    .clk_i,
    .rst_ni,
    .valid_i (unit_q == soc_pkg::UnitDiv),
    .kill_i,
    .ack_i   (ack_o),
    .op_i    (issued_q.op.div.op),
    .word_i  (issued_q.word),
    .a_i     (issued_q.a),
    .b_i     (issued_q.b),
    .done_o  (div_done),
    .result_o(div_result)
  );

  logic less;
  logic [63:0] target, result, next_pc;
  always_comb begin
    taken_o = 1'b0;
    kind_o = soc_pkg::KindNone;
    push_o = 1'b0;
    done_o = 1'b1;
    less = 1'b0;
    target = '0;
    next_pc = issued_q.pc + (issued_q.insn[1:0] == 2'b11 ? 64'd4 : 64'd2);
    actual_o = next_pc;
    result = alu_result;
    case (unit_q[2:0])
      soc_pkg::UnitAlu[2:0]: result = alu_result;
      soc_pkg::UnitBranch[2:0]: begin
        less = issued_q.op.bits[1] ? issued_q.a < issued_q.b :
                                     $signed(issued_q.a) < $signed(issued_q.b);
        taken_o = (issued_q.op.bits[2] ? less : issued_q.a == issued_q.b) != issued_q.op.bits[0];
        kind_o = soc_pkg::KindBranch;
        if (taken_o) actual_o = issued_q.pc + issued_q.imm;
      end
      soc_pkg::UnitJump[2:0]: begin
        taken_o = 1'b1;
        kind_o = soc_pkg::KindJump;
        result = next_pc;
        target = (issued_q.op.jump == soc_pkg::JumpJalr ? issued_q.a : issued_q.pc) + issued_q.imm;
        actual_o = {target[63:1], 1'b0};
        // Calls and returns, by the manual's table of return-address hints.
        push_o = rd_q == 6'd1 || rd_q == 6'd5;
        if (issued_q.op.jump == soc_pkg::JumpJalr &&
            (issued_q.fields.rs1 == 5'd1 || issued_q.fields.rs1 == 5'd5) &&
            rd_q[4:0] != issued_q.fields.rs1)
          kind_o = soc_pkg::KindReturn;
      end
      soc_pkg::UnitMul[2:0]: begin
        done_o = mul_done;
        result = mul_result;
      end
      soc_pkg::UnitDiv[2:0]: begin
        done_o = div_done;
        result = div_result;
        if (unit_q[3]) begin
          done_o = float_done_i;
          result = float_value_i;
        end
      end
      soc_pkg::UnitMem[2:0]: result = issued_q.a + issued_q.imm;
      soc_pkg::UnitCsr[2:0]: result = issued_q.op.csr.immediate ? issued_q.imm : issued_q.a;
      default: result = issued_q.a;
    endcase
  end
  assign ack_o = valid_q && ready_o;
  assign redirect_o = ack_o && actual_o != issued_q.next_pc && issued_q.bad == soc_pkg::BadNone;
  assign update_o = ack_o && !kill_i && (kind_o != soc_pkg::KindNone || redirect_o);

  // One bit per unit
  localparam logic [15:0] Late = 16'd1 << soc_pkg::UnitMem | 16'd1 << soc_pkg::UnitCsr |
                                 16'd1 << soc_pkg::UnitFma | 16'd1 << soc_pkg::UnitFloatMem;
  assign late_o = Late[unit_q];
  assign valid_o = valid_q;
  assign unit_o = unit_q;
  assign rd_o = rd_q;
  assign executed_o.pc = issued_q.pc;
  assign executed_o.next_pc = next_pc;
  assign executed_o.result = result;
  assign executed_o.b = issued_q.b;
  assign executed_o.insn = issued_q.insn;
  assign executed_o.fields = issued_q.fields;
  assign executed_o.bad = issued_q.bad;
  assign executed_o.op.bits = issued_q.op.bits;

  `ASSERT_IF(bubble_is_alu, unit_q == soc_pkg::UnitAlu && rd_q == '0, !valid_q)
  `ASSERT_HELD(instruction_stands, valid_o, ack_o || kill_i, issued_q)

`ifdef ASSERTIONS
  // Program order: each instruction is the successor of the one that left before.
  logic expects_q;
  logic [63:0] expected_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) expects_q <= 1'b0;
    else if (ack_o) expects_q <= issued_q.bad == soc_pkg::BadNone;
    if (ack_o) expected_q <= actual_o;
  end
`endif
  `ASSERT_IF(program_order, issued_q.pc == expected_q, ack_o && expects_q)

endmodule
