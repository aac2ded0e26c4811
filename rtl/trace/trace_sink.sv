// SPDX-License-Identifier: Apache-2.0
// Writes what a core commits as a trace stream for tr-match(1). README.md has an example.
//
// The signals are those of RVFI, the RISC-V formal interface, at the rising edge of clk_i:
// with valid_i an instruction retired, or, with trap_i, trapped. Channel 0 is the oldest. A
// signal that the core does not have is left open or 0, unless a parameter declares it
// missing. Instances that write the same file are the harts of one stream.
//
// With Classes the core also tells why it lost commit slots. A cycle has NRET slots, one for
// each lane: a lane holds a commit that retires, or its slot is lost to lost_class_i. An
// instruction that traps does not retire: its slot is lost, too. So in each cycle, from the
// first commit through the last one, retired instructions and lost slots add up to NRET.
// Class 0 is a reason that is not known. The cycles before the first commit, such as those in
// reset, are not in the stream; those after the last one are a gap, without classes. Asleep a
// core loses all slots, to a class of its own. A lost slot counts for the next commit.
//
// With Counters the stream has samples of counters_i: of the cycle before the first commit, of
// the end, and in between every CounterPeriod cycles. At an edge of the clock their values are
// those of flip-flops, which have counted all cycles before it. They do not wrap.
//
// With Flags and HasLoad a commit that retires tells more: flags_i has a bit for each name;
// with load_i it loaded from load_addr_i, whose data came after load_cycles_i cycles.
//
// Without a file there is no stream, and nothing is called. Plusargs:
//   +tr_file=FILE    the stream; a pipe gets it uncompressed (under tr-capture: not needed)
//   +tr_start=SPEC   trace from there on: cycle=N or pc=0xADDRESS
//   +tr_stop=SPEC    trace up to, but without, this instruction
//   +tr_finish       $finish at the stop

module trace_sink #(
  parameter int unsigned NRET = 1,  // instructions that can commit in a cycle
  parameter int unsigned XLEN = 32,
  parameter int unsigned ILEN = 32,  // up to 64
  parameter string File = "",  // without +tr_file and tr-capture
  // Names for lost_class_i, separated by commas, class 1 first, at most 31; a name may begin
  // with that of its group: "frontend.icache,frontend.branch,memory.load,idle".
  parameter string Classes = "",
  parameter string Counters = "",  // names for counters_i, the one of element 0 first
  parameter int unsigned NCounters = 1,
  parameter int unsigned CounterPeriod = 10000,  // cycles
  parameter string Flags = "",  // names for flags_i, the one of bit 0 first: "mispredicted,miss"
  parameter int unsigned NFlags = 1,  // up to 31
  // Signals that the core lacks, which tr-unwind(1) infers as far as possible.
  parameter bit HasMode = 1'b1,  // mode_i
  parameter bit HasTrap = 1'b1,  // trap_i and intr_i
  parameter bit HasInsn = 1'b1,  // insn_i; without it, HasTrap needs pc_wdata_i
  parameter bit HasRd = 1'b1,  // rd_addr_i and rd_wdata_i
  parameter bit HasSatp = 1'b1,  // satp_i; 0 if there is no address translation
  parameter bit HasCause = 1'b0,  // cause_i
  parameter bit HasCycle = 1'b0,  // cycle_i; without it, edges of clk_i are counted
  parameter bit HasLoad = 1'b0  // load_i, load_addr_i and load_cycles_i
) (
  input logic        clk_i,
  input logic [31:0] hart_i,  // its number, below 64

  input logic [NRET-1:0]           valid_i,
  input logic [NRET-1:0]           trap_i,
  input logic [NRET-1:0]           intr_i,  // first instruction of a trap handler
  input logic [NRET-1:0][     1:0] mode_i,
  input logic [NRET-1:0][ILEN-1:0] insn_i,  // as fetched, not expanded
  input logic [NRET-1:0][XLEN-1:0] pc_rdata_i,
  input logic [NRET-1:0][XLEN-1:0] pc_wdata_i,  // 0: unknown
  input logic [NRET-1:0][     4:0] rd_addr_i,
  input logic [NRET-1:0][XLEN-1:0] rd_wdata_i,

  // No part of RVFI
  input logic [NRET-1:0][XLEN-1:0] satp_i,  // in force for the instruction
  input logic [NRET-1:0][XLEN-1:0] cause_i,  // with trap_i, and with intr_i of an interrupt
  input logic            [    63:0] cycle_i,  // the same clock for all harts
  input logic [NRET-1:0][     4:0] lost_class_i,  // with Classes: of lanes that retire nothing

  input logic [NCounters-1:0][    63:0] counters_i,  // with Counters
  input logic [     NRET-1:0][NFlags-1:0] flags_i,  // with Flags
  input logic [     NRET-1:0]           load_i,  // with HasLoad; not all loads need be told
  input logic [     NRET-1:0][XLEN-1:0] load_addr_i,
  input logic [     NRET-1:0][    31:0] load_cycles_i
);

  import "DPI-C" context function chandle tr_sink_open(
    input string file, input string start, input string stop, input int unsigned xlen,
    input int unsigned nret, input int unsigned lacks
  );
  import "DPI-C" context function void tr_sink_classes(input chandle sink, input string names);
  // Slots lost in cycles without a commit: `count` times cycle, class, slots.
  import "DPI-C" context function void tr_sink_lose(
    input chandle sink, input longint unsigned runs[], input int unsigned count
  );
  import "DPI-C" context function void tr_sink_counters(
    input chandle sink, input string names, input int unsigned count, input int unsigned period
  );
  import "DPI-C" context function void tr_sink_marks(
    input chandle sink, input string flags, input int unsigned count, input bit loads
  );
  import "DPI-C" context function void tr_sink_sample(
    input chandle sink, input int unsigned hart, input longint unsigned cycle,
    input longint unsigned values[]
  );
  // Returns 1 when the stop has been met.
  import "DPI-C" context function int tr_sink_cycle(
    input chandle sink, input int unsigned hart, input longint unsigned cycle,
    input longint unsigned lanes[]
  );
  import "DPI-C" context function void tr_sink_end(input chandle sink,
                                                   input longint unsigned cycle);

  localparam bit HasClasses = Classes != "";
  localparam bit HasCounters = Counters != "";
  localparam bit HasMarks = Flags != "" || HasLoad;
  localparam int unsigned Words = HasMarks ? 9 : 7;  // of a commit: trace_sink.c
  localparam int unsigned Lacks = (HasMode ? 0 : 1) + (HasSatp ? 0 : 2) + (HasTrap ? 0 : 4) +
                                  (HasRd ? 0 : 8) + (HasInsn ? 0 : 32);
  // Cycles without a commit after which signals such as Ctrl-C are looked at
  localparam int unsigned Poll = 4096;

  chandle          sink;
  bit              tracing = 1'b0;
  bit              finish = 1'b0;
  longint unsigned edges = 64'd0;
  int unsigned     quiet = 0;
  longint unsigned lanes[Words*NRET];

  // Lost slots that are not yet passed on. All of one class in successive cycles are a run.
  localparam int unsigned MaxRuns = NRET < 64 ? 64 : NRET;
  longint unsigned runs[3*MaxRuns];
  int unsigned nruns = 0;
  longint unsigned run_end = 64'd0;  // the cycle in which the last one ends

  bit              waiting = 1'b1;  // for the first commit
  bit              has_trigger = 1'b0;  // the trace begins or ends at any commit
  longint unsigned last_commit = 64'd0, next_sample = 64'd0;
  longint unsigned values[NCounters];

  function automatic longint unsigned now();
    return HasCycle ? cycle_i : edges;
  endfunction

  // This is a program, not hardware: its variables change in the order of the statements.
  /* verilator lint_off BLKSEQ */
  function automatic void lose_slots(longint unsigned at, bit [4:0] why, int unsigned slots);
    if (nruns != 0 && runs[3*nruns-2] == 64'(why) && at - run_end <= 64'd1) begin
      runs[3*nruns-1] += 64'(slots);
    end else begin
      if (nruns == MaxRuns) pass_runs();
      runs[3*nruns] = at;
      runs[3*nruns+1] = 64'(why);
      runs[3*nruns+2] = 64'(slots);
      nruns = nruns + 1;
    end
    run_end = at;
  endfunction

  function automatic void pass_runs();
    if (nruns != 0) tr_sink_lose(sink, runs, nruns);
    nruns = 0;
  endfunction

  // A cycle without a commit
  function automatic void lose_cycle(longint unsigned at);
    if (lost_class_i == {NRET{lost_class_i[0]}}) lose_slots(at, lost_class_i[0], NRET);
    else for (int unsigned i = 0; i < NRET; i++) lose_slots(at, lost_class_i[i], 1);
  endfunction

  // Counters through cycle `at`
  function automatic void pass_counters(longint unsigned at);
    for (int unsigned i = 0; i < NCounters; i++) values[i] = counters_i[i];
    tr_sink_sample(sink, hart_i, at, values);
    next_sample = at + 64'(CounterPeriod);
  endfunction

  // The library keeps the samples that are needed.
  function automatic bit needs_sample();
    if (now() <= last_commit) return 1'b0;
    return waiting || has_trigger ? valid_i != '0 : now() > next_sample;
  endfunction

  initial begin
    automatic string file = "", start = "", stop = "";
    if ($value$plusargs("tr_file=%s", file) == 0) file = "";
    if ($value$plusargs("tr_start=%s", start) == 0) start = "";
    if ($value$plusargs("tr_stop=%s", stop) == 0) stop = "";
    finish = $test$plusargs("tr_finish") != 0;
    if (file == "") file = {"?", File};
    sink = tr_sink_open(file, start, stop, XLEN, NRET, Lacks);
    tracing = sink != null;
    has_trigger = start != "" || stop != "";
    if (tracing && HasClasses) tr_sink_classes(sink, Classes);
    if (tracing && HasCounters) tr_sink_counters(sink, Counters, NCounters, CounterPeriod);
    if (tracing && HasMarks) tr_sink_marks(sink, Flags, NFlags, HasLoad);
  end

  always @(posedge clk_i) begin
    if (tracing) begin
      edges = edges + 64'd1;
      quiet = quiet + 1;
      if (HasClasses && valid_i == '0) lose_cycle(now());
      if (HasCounters && needs_sample()) pass_counters(now() - 64'd1);
      if (|valid_i || quiet == Poll) begin
        quiet = 0;
        if (HasClasses) pass_runs();
        for (int unsigned i = 0; i < NRET; i++) begin
          lanes[Words*i] = 64'({
            lost_class_i[i], HasCause, rd_addr_i[i], mode_i[i], intr_i[i], trap_i[i], valid_i[i]});
          lanes[Words*i+1] = 64'(pc_rdata_i[i]);
          lanes[Words*i+2] = 64'(pc_wdata_i[i]);
          lanes[Words*i+3] = 64'(insn_i[i]);
          lanes[Words*i+4] = 64'(rd_wdata_i[i]);
          lanes[Words*i+5] = 64'(satp_i[i]);
          lanes[Words*i+6] = 64'(cause_i[i]);
          if (HasMarks) begin
            lanes[Words*i][63:31] = {load_cycles_i[i], HasLoad & load_i[i]};
            lanes[Words*i+7] = Flags != "" ? 64'(flags_i[i]) : 64'd0;
            lanes[Words*i+8] = 64'(load_addr_i[i]);
          end
        end
        if (tr_sink_cycle(sink, hart_i, now(), lanes) != 0) begin
          tracing = 1'b0;
          if (finish) $finish;
        end
        if (|valid_i) begin
          waiting = 1'b0;
          last_commit = now();
        end
      end
    end
  end

  /* verilator lint_on BLKSEQ */

  final
    if (sink != null) begin
      if (HasCounters && tracing && !waiting) pass_counters(now());
      tr_sink_end(sink, now());
    end

endmodule
