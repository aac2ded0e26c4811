// SPDX-License-Identifier: Apache-2.0
// W: the registers of the trace port, which describe the cycle that just ended in M.
//
// With valid, pc and insn describe the token. With full too, trace_detail_o describes it;
// device, size, addr and wdata only if it accessed memory. With trap, pc, insn, priv, cause
// and value (tval) describe the trap; other fields are undefined. classes.sv has the class.
// While the port is not in use, trace_clk_i may be stopped; valid and trap are still shown.
// With TracePort 0 all outputs are tied off. The registers have no reset: after two cycles
// of reset, M neither commits nor traps.
//
// Without full_i few tokens are full: those that may change the context, which a trace
// records beside instructions, and those that get something from outside the hart, for a
// replay. For the others little is written, and nothing is computed.
// A write of sp changes the context unless it adds a constant to sp, which a reader of the
// trace derives from the instruction.

module trace_port #(
  parameter bit TracePort = 1'b1
) (
  input logic clk_i,
  input logic rst_ni,  // of the assertions
  input logic trace_clk_i,

  input logic full_i,  // a setting: all tokens are full

  // M: it holds an instruction, which commits or traps
  input logic                 commit_i,
  input logic                 trap_i,
  input soc_pkg::executed_t   executed_i,
  input soc_pkg::unit_e       unit_i,
  input soc_pkg::rd_t         rd_i,
  input logic [63:0]          value_i,
  input soc_pkg::trap_cause_t cause_i,
  input logic [63:0]          tval_i,

  // With commit_i: a write of satp, and the access to memory, if any
  input logic        satp_we_i,
  input logic        load_i,
  input logic        store_i,
  input logic        device_i,
  input logic [55:0] addr_i,
  input logic [63:0] wdata_i,

  // State of the hart, before the edge
  input soc_pkg::priv_e priv_i,

  // The port, as in core.sv
  output soc_pkg::trace_event_t  trace_event_o,
  output logic                   trace_full_o,
  output soc_pkg::trace_token_t  trace_token_o,
  output soc_pkg::trace_detail_t trace_detail_o
);

  localparam soc_pkg::rd_t Sp = 6'd2;
  localparam soc_pkg::rd_t Tp = 6'd4;

  // The units and registers of which a token may be full, a bit for each: cheaper for a simulator
  // than comparisons. CSRs, returns, WFI and fences are units above UnitMem.
  localparam logic [7:0] MayBeFull = 8'hff << soc_pkg::UnitMem[2:0];
  localparam logic [63:0] HasContext = (64'd1 << Tp) | (64'd1 << Sp);

  if (TracePort) begin : gen_port
    logic xret;
    logic [2:0] unit;
    assign unit = unit_i[2:0];
    assign xret = unit_i == soc_pkg::UnitSys && (executed_i.op.sys == soc_pkg::SysMret ||
                                                executed_i.op.sys == soc_pkg::SysSret);

    // Additions of a constant are excluded: c.addi and c.addi16sp; addi sp, sp, n.
    logic writes_sp;
    always_comb begin
      writes_sp = 1'b0;
      if (rd_i == Sp) begin
        if (executed_i.insn[1:0] == 2'b01)
          writes_sp = executed_i.insn[15:13] != 3'b000 && executed_i.insn[15:13] != 3'b011;
        else writes_sp = executed_i.insn[19:0] != {Sp[4:0], 3'b000, Sp[4:0], 7'b0010011};
      end
    end

    // A trap has neither.
    soc_pkg::trace_effect_t no_effect;
    soc_pkg::trace_access_t no_access;
    assign no_effect = '0;
    assign no_access = '0;

    logic fails_sc;
    assign fails_sc = unit == soc_pkg::UnitMem[2:0] && executed_i.op.mem == soc_pkg::MemSc &&
                      !store_i;

    // trace_full_o is not in a struct, since it is known later than the rest, and only
    // while trace_clk_i runs.
    always_ff @(posedge clk_i) trace_event_o <= {trap_i, commit_i};
    always_ff @(posedge trace_clk_i) begin
      if (commit_i) begin
        trace_token_o <= {executed_i.insn, executed_i.pc};
        trace_full_o <= 1'b0;
        // Most tokens fail this test.
        if (full_i || MayBeFull[unit] || HasContext[rd_i]) begin
          if (full_i || unit > soc_pkg::UnitMem[2:0] || rd_i == Tp || writes_sp || device_i ||
              fails_sc) begin
            trace_full_o <= 1'b1;
            trace_detail_o <= {
              priv_i,
              {
                rd_i,
                xret,
                satp_we_i,
                unit == soc_pkg::UnitMem[2:0] && load_i,
                unit == soc_pkg::UnitMem[2:0] && store_i
              },
              cause_i,
              {executed_i.fields.width.size, device_i, addr_i, wdata_i >> {addr_i[2:0], 3'd0}},
              value_i
            };
          end
        end
      end else if (trap_i) begin
        trace_token_o <= {executed_i.insn, executed_i.pc};
        trace_detail_o <= {priv_i, no_effect, cause_i, no_access, tval_i};
      end
    end
  end else begin : gen_none
    assign trace_event_o = '0;
    assign trace_full_o = 1'b0;
    assign trace_token_o = '0;
    assign trace_detail_o = '0;
  end

`ifdef ASSERTIONS
  // trace_clk_i ran at the last edge of clk_i, at which an instruction committed that must be full.
  logic tick_q, past_tick_q, ran, full_q;
  always_ff @(posedge trace_clk_i) tick_q <= !tick_q;
  always_ff @(posedge clk_i) begin
    past_tick_q <= tick_q;
    full_q <= commit_i && (full_i || satp_we_i || rd_i == Tp ||
                           unit_i[2:0] > soc_pkg::UnitMem[2:0]);
  end
  assign ran = TracePort && tick_q != past_tick_q;
`endif
  `ASSERT(one_event, trace_event_o != '1)
  `ASSERT_IF(context_is_full, trace_full_o, ran && trace_event_o.valid && full_q)
  `ASSERT_IF(trap_has_no_access, trace_detail_o.effect == '0 && trace_detail_o.access == '0,
             ran && trace_event_o.trap)

endmodule
