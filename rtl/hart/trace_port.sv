// SPDX-License-Identifier: Apache-2.0
// W: the registers of the trace port, which describe the cycle that just ended: up to Commits
// tokens, in program order from lane 0 on. What CSR and system instructions, fences, AMOs, LR and
// SC do needs a comparison with the state behind it, so they commit alone, in lane 0; a trap is
// in lane 0 too, without any token.
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
  parameter bit TracePort = 1'b1,
  parameter int unsigned Commits = soc_pkg::Commits  // tokens in a cycle, at most
) (
  input logic clk_i,
  input logic rst_ni,  // of the assertions
  input logic trace_clk_i,

  input logic on_i,    // a setting: the port is in use
  input logic full_i,  // a setting: all tokens are full

  // The instructions that commit, or the one in lane 0 that traps; of each lane a unit_e with its
  // op_t, a size_e, an rd_t
  input logic [Commits-1:0]                       commit_i,
  input logic                                     trap_i,
  input logic [Commits*64-1:0]                    pc_i,
  input logic [Commits*32-1:0]                    insn_i,
  input logic [Commits*4-1:0]                     unit_i,
  input logic [Commits*4-1:0]                     op_i,
  input logic [Commits*2-1:0]                     size_i,
  input logic [Commits*6-1:0]                     rd_i,
  input logic [Commits*64-1:0]                    value_i,
  output logic                                    reads_values_o,  // value_i is needed
  input soc_pkg::trap_cause_t                     cause_i,
  input logic [63:0]                              tval_i,

  // With commit_i: a write of satp, and the access to memory, if any
  input logic                  satp_we_i,
  input logic [Commits-1:0]    load_i,
  input logic [Commits-1:0]    store_i,
  input logic [Commits-1:0]    device_i,
  input logic [Commits*64-1:0] addr_i,
  input logic [Commits*64-1:0] wdata_i,

  // State of the hart, before the edge
  input soc_pkg::priv_e priv_i,

  // The port, as in hart.sv
  output logic [Commits*soc_pkg::TraceEventBits-1:0]  trace_event_o,
  output logic [Commits-1:0]                          trace_full_o,
  output logic [Commits*soc_pkg::TraceTokenBits-1:0]  trace_token_o,
  output logic [Commits*soc_pkg::TraceDetailBits-1:0] trace_detail_o
);

  localparam int unsigned EventBits = soc_pkg::TraceEventBits;
  localparam int unsigned TokenBits = soc_pkg::TraceTokenBits;
  localparam int unsigned DetailBits = soc_pkg::TraceDetailBits;
  localparam soc_pkg::rd_t Sp = 6'd2;
  localparam soc_pkg::rd_t Tp = 6'd4;

  // Whether the token of any lane may be full, by all units and registers at once, which is cheaper
  // for a simulator; few are, and so value_i is rarely needed. CSRs, returns, WFI and fences are
  // units above UnitMem.
  localparam logic [7:0] MayBeFull = 8'hff << soc_pkg::UnitMem[2:0];
  localparam logic [63:0] HasContext = (64'd1 << Tp) | (64'd1 << Sp);
  function automatic logic may_be_full(input logic [Commits*4-1:0] unit,
                                       input logic [Commits*6-1:0] rd);
    logic [Commits*4-1:0] units;
    logic [Commits*6-1:0] registers;
    units = (unit >> 2) & ((unit >> 1) | unit) & {Commits{4'd1}};
    registers = ((rd >> 1) ^ (rd >> 2)) & ~(rd | (rd >> 3) | (rd >> 4) | (rd >> 5)) &
                {Commits{6'd1}};
    may_be_full = Commits == 1 ? MayBeFull[unit[2:0]] || HasContext[rd[5:0]] :
                                 units != '0 || registers != '0;
  endfunction

  // Of a token that may be full. Additions of a constant to sp are excluded: c.addi and c.addi16sp;
  // addi sp, sp, n.
  function automatic logic is_full(input int unsigned i, input logic [2:0] unit,
                                   input soc_pkg::rd_t rd, input logic [19:0] insn);
    is_full = unit > soc_pkg::UnitMem[2:0] || rd == Tp || device_i[i] ||
              (unit == soc_pkg::UnitMem[2:0] && op_i[4*i+:4] == soc_pkg::MemSc && !store_i[i]);
    if (rd == Sp) begin
      if (insn[1:0] == 2'b01) begin
        if (insn[15:13] != 3'b000 && insn[15:13] != 3'b011) is_full = 1'b1;
      end else if (insn != {Sp[4:0], 3'b000, Sp[4:0], 7'b0010011}) is_full = 1'b1;
    end
  endfunction

  // soc_pkg::trace_detail_t
  function automatic logic [DetailBits-1:0] detail_of(input int unsigned i,
                                                      input logic [3:0] unit);
    detail_of = {
      priv_i,
      {
        rd_i[6*i+:6],
        unit == soc_pkg::UnitSys &&
            (op_i[4*i+:4] == soc_pkg::SysMret || op_i[4*i+:4] == soc_pkg::SysSret),
        satp_we_i && i == 0,
        unit[2:0] == soc_pkg::UnitMem[2:0] && load_i[i],
        unit[2:0] == soc_pkg::UnitMem[2:0] && store_i[i]
      },
      cause_i,
      {
        size_i[2*i+:2],
        device_i[i],
        addr_i[64*i+:56],
        wdata_i[64*i+:64] >> {addr_i[64*i+:3], 3'd0}
      },
      value_i[64*i+:64]
    };
  endfunction

  // A trap has neither.
  soc_pkg::trace_effect_t no_effect;
  soc_pkg::trace_access_t no_access;
  assign no_effect = '0;
  assign no_access = '0;

  if (TracePort) begin : gen_port
    always_comb begin
      reads_values_o = 1'b0;
      if (on_i)
        if (commit_i != '0) reads_values_o = full_i || may_be_full(unit_i, rd_i);
    end
    for (genvar i = 0; i < Commits; i++) begin : gen_event
      always_ff @(posedge clk_i)
        trace_event_o[EventBits*i+:EventBits] <= {trap_i && i == 0, commit_i[i]};
    end
    // trace_full_o is not in a struct, since it is known later than the rest, and only
    // while trace_clk_i runs.
    always_ff @(posedge trace_clk_i) begin
      if (commit_i != '0) begin
        trace_full_o <= '0;
        // Lanes commit from lane 0 on.
        trace_token_o[0+:TokenBits] <= {insn_i[31:0], pc_i[63:0]};
        for (int unsigned i = 1; i < Commits; i++)
          if (commit_i[i])
            trace_token_o[TokenBits*i+:TokenBits] <= {insn_i[32*i+:32], pc_i[64*i+:64]};
        // Most tokens fail this test.
        if (reads_values_o) begin
          for (int unsigned i = 0; i < Commits; i++) begin
            if (commit_i[i] && (full_i || is_full(i, unit_i[4*i+:3], rd_i[6*i+:6], insn_i[32*i+:20])))
            begin
              trace_full_o[i] <= 1'b1;
              trace_detail_o[DetailBits*i+:DetailBits] <= detail_of(i, unit_i[4*i+:4]);
            end
          end
        end
      end else if (trap_i) begin
        trace_token_o[0+:TokenBits] <= {insn_i[31:0], pc_i[63:0]};
        trace_detail_o[0+:DetailBits] <= {priv_i, no_effect, cause_i, no_access, tval_i};
      end
    end
  end
  if (!TracePort) begin : gen_none
    assign reads_values_o = 1'b0;
    assign trace_event_o = '0;
    assign trace_full_o = 1'b0;
    assign trace_token_o = '0;
    assign trace_detail_o = '0;
  end

`ifdef ASSERTIONS
  // trace_clk_i ran at the last edge of clk_i, at which an instruction committed that must be full.
  // Lanes: those with an instruction that commits alone; whether the lanes are filled in order.
  logic tick_q, past_tick_q, ran, full_q, ordered;
  soc_pkg::trace_event_t first;
  soc_pkg::trace_detail_t detail;
  assign first = trace_event_o[EventBits-1:0];
  assign detail = trace_detail_o[DetailBits-1:0];
  logic [Commits-1:0] lone;
  always_comb begin
    ordered = 1'b1;
    lone = '0;
    for (int unsigned i = 0; i < Commits; i++) begin
      if (i > 0 && commit_i[i] && !commit_i[i-1]) ordered = 1'b0;
      lone[i] = commit_i[i] && (unit_i[4*i+:3] > soc_pkg::UnitMem[2:0] ||
                                (unit_i[4*i+:3] == soc_pkg::UnitMem[2:0] &&
                                 op_i[4*i+1+:2] != 2'd0));
    end
  end
  always_ff @(posedge trace_clk_i) tick_q <= !tick_q;
  always_ff @(posedge clk_i) begin
    past_tick_q <= tick_q;
    full_q <= commit_i[0] && (full_i || satp_we_i || rd_i[5:0] == Tp ||
                              unit_i[2:0] > soc_pkg::UnitMem[2:0]);
  end
  assign ran = TracePort && tick_q != past_tick_q;
`endif
  `ASSERT(one_event, first != '1)
  `ASSERT_IF(no_token_with_trap, commit_i == '0, trap_i)
  `ASSERT(in_order, ordered)
  `ASSERT_IF(commits_alone, $onehot(commit_i), lone != '0)
  `ASSERT_IF(context_is_full, trace_full_o[0], ran && first.valid && full_q)
  `ASSERT_IF(trap_has_no_access,
             detail.effect == '0 && detail.access == '0,
             ran && first.trap)

endmodule
