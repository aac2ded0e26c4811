// SPDX-License-Identifier: Apache-2.0
// The events that counters can count: how often each occurs in a cycle, at most 2 ** CountBits - 1
// times.
//
// Combinational but for the state of recovery and fetch, and for the slots that missed. README.md
// defines each event. Nothing is computed, and all are 0, unless on_i: an mhpmevent selects some.
// Cover points compute them on their own, of windows of the trace: trace_on_i. State is kept while
// either is high. Of the Width lanes of dispatch each is, in each cycle, one of dispatched,
// fetch_stall, recovery and backend_stall.

module ooo_events #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64,
  localparam int unsigned CountBits = $clog2(Width + 1),
  localparam int unsigned EventBits = csr_pkg::EventBitsOoo
) (
  input logic clk_i,
  input logic rst_ni,
  input logic on_i,
  input logic trace_on_i,

  // Fetch: it asks, and gets a block
  input logic fetch_req_i,
  input logic fetch_valid_i,

  // Dispatch, as in ooo_classes.sv; the window undoes a squash
  input logic           [   Width-1:0] held_i,
  input logic           [   Width-1:0] enter_i,
  input ooo_pkg::slot_t                slot_i,
  input logic                          ready_i,
  input logic                          serial_i,
  input logic                          walking_i,

  // Issue, by ooo_pkg::issue_e
  input logic [ooo_pkg::IssuePorts-1:0] issue_i,

  // A redirect, as in ooo_classes.sv; branch_unit_i is that of the branch port
  input logic           redirect_i,
  input logic           redirect_head_i,
  input logic           redirect_load_i,
  input logic           redirect_again_i,
  input logic     [3:0] branch_unit_i,

  // What commits or traps, as in trace_port.sv, and the instruction of the head unit
  input logic [  Width-1:0] commit_i,
  input logic [4*Width-1:0] unit_i,
  input logic [4*Width-1:0] op_i,
  input logic [6*Width-1:0] rd_i,
  input logic               head_trap_i,
  input logic               head_mem_i,

  // The oldest instruction, and why an access of the memory port has no result
  input ooo_pkg::slot_t  head_i,
  input logic            empty_i,
  input logic            delay_i,
  input ooo_pkg::slot_t  delay_slot_i,
  input ooo_pkg::delay_e delay_why_i,

  // Data, as in ooo_classes.sv
  input logic mem_device_i,
  input logic mem_hit_i,
  input logic store_waits_i,

  // Walker, and memory
  input logic       fetch_walk_i,
  input logic       mem_walk_i,
  input logic       walk_busy_i,
  input logic       imem_req_i,
  input logic       dmem_req_i,
  input logic       wb_valid_i,
  input logic [2:0] wb_beat_i,

  output logic [CountBits*EventBits-1:0] events_o,  // as in csr_hpm.sv
  output logic quiescent_o  // without other changes the next cycle has the same events
);

  localparam int unsigned SlotBits = $clog2(Window);
  localparam int unsigned Lanes = Width > ooo_pkg::IssuePorts ? Width : ooo_pkg::IssuePorts;

  // Since the last redirect the group was empty; fetch got a block a cycle ago; slots whose access
  // has missed in the L1D; fetch waited one and two cycles ago, the second for this group
  logic recovering_q, fetch_valid_q, has_group, fetch_waits;
  logic [1:0] waited_q;
  logic [Window-1:0] missed_q;
  assign has_group = held_i[0];
  assign fetch_waits = fetch_req_i && !fetch_valid_i && !redirect_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      recovering_q <= 1'b1;
      fetch_valid_q <= 1'b0;
      waited_q <= '0;
    end else begin
      if (redirect_i) recovering_q <= 1'b1;
      else if (has_group) recovering_q <= 1'b0;
      fetch_valid_q <= fetch_valid_i;
      waited_q <= {waited_q[0] && !redirect_i, fetch_waits};
    end
    if (on_i || trace_on_i) begin
      for (int unsigned lane = 0; lane < Width; lane++)
        if (enter_i[lane]) missed_q[slot_i[SlotBits-1:0]+SlotBits'(lane)] <= 1'b0;
      if (delay_i)
        missed_q[delay_slot_i[SlotBits-1:0]] <= delay_why_i == ooo_pkg::DelayMiss;
    end
  end
  assign quiescent_o = fetch_valid_q == fetch_valid_i && waited_q == {2{fetch_waits}} &&
                       enter_i == '0 &&
                       recovering_q == (redirect_i || (recovering_q && !has_group));

  // The event by which a lane of dispatch counts. yosys takes a function for a constant unless a
  // signal is an argument.
  function automatic logic [EventBits-1:0] slot_of(input int unsigned lane,
                                                     input logic on);
    slot_of = '0;
    if (on && enter_i[lane]) slot_of[csr_pkg::SlotDispatched] = 1'b1;
    else if (redirect_i || walking_i || (recovering_q && !has_group)) begin
      slot_of[csr_pkg::SlotRecovery] = 1'b1;
      slot_of[csr_pkg::SlotRefetch] = !redirect_i && !walking_i && waited_q[1];
    end else if (held_i != enter_i || !ready_i || serial_i) slot_of[csr_pkg::SlotBackend] = 1'b1;
    else begin
      slot_of[csr_pkg::SlotFetchStall] = 1'b1;
      slot_of[csr_pkg::SlotLatency] = !has_group;
    end
  endfunction

  function automatic logic [EventBits-1:0] mix_of(input int unsigned lane, input logic on);
    logic [3:0] op;
    mix_of = '0;
    op = op_i[4*lane+:4];
    if (on && commit_i[lane]) begin
      case (unit_i[4*lane+:4])
        soc_pkg::UnitBranch: mix_of[csr_pkg::MixBranch] = 1'b1;
        soc_pkg::UnitJump: begin
          mix_of[csr_pkg::MixJal] = op == soc_pkg::JumpJal;
          mix_of[csr_pkg::MixJalr] = op == soc_pkg::JumpJalr;
        end
        soc_pkg::UnitMul: mix_of[csr_pkg::MixMul] = 1'b1;
        soc_pkg::UnitDiv: mix_of[csr_pkg::MixDiv] = 1'b1;
        soc_pkg::UnitMem: begin
          case (op)
            soc_pkg::MemLoad: mix_of[csr_pkg::MixLoad] = 1'b1;
            soc_pkg::MemStore: mix_of[csr_pkg::MixStore] = 1'b1;
            default: mix_of[csr_pkg::MixAmo] = 1'b1;
          endcase
        end
        soc_pkg::UnitCsr, soc_pkg::UnitSys: mix_of[csr_pkg::MixSystem] = 1'b1;
        soc_pkg::UnitFloatMem: begin
          mix_of[csr_pkg::MixFloatLoad] = rd_i[6*lane+5];
          mix_of[csr_pkg::MixFloatStore] = !rd_i[6*lane+5];
        end
        soc_pkg::UnitFma, soc_pkg::UnitFpu: begin
          case (op)
            soc_pkg::FloatAdd: mix_of[csr_pkg::MixFloatAdd] = 1'b1;
            soc_pkg::FloatMul: mix_of[csr_pkg::MixFloatMul] = 1'b1;
            soc_pkg::FloatFma: mix_of[csr_pkg::MixFloatFma] = 1'b1;
            soc_pkg::FloatDivide: mix_of[csr_pkg::MixFloatDivide] = 1'b1;
            default: mix_of[csr_pkg::MixFloatOther] = 1'b1;
          endcase
        end
        default: mix_of[csr_pkg::MixArith] = 1'b1;
      endcase
    end
  endfunction

  // Redirects, misses, and cycles that something waits
  function automatic logic [EventBits-1:0] others(input logic trap);
    others = '0;
    others[csr_pkg::MixException] = trap;
    if (redirect_i) begin
      if (redirect_head_i) begin
        others[csr_pkg::HazardFlush] = !head_trap_i && !head_mem_i;
        others[csr_pkg::HazardReplay] = !head_trap_i && head_mem_i;
        others[csr_pkg::SlotFence] = !head_trap_i && unit_i[3:0] == soc_pkg::UnitSys &&
            (op_i[3:0] == soc_pkg::SysSfence || op_i[3:0] == soc_pkg::SysFenceI);
      end else if (redirect_load_i || redirect_again_i) begin
        others[csr_pkg::HazardReplay] = 1'b1;
      end else begin
        others[csr_pkg::HazardBranch] = 1'b1;
        others[csr_pkg::HazardTarget] = branch_unit_i == soc_pkg::UnitJump;
      end
    end
    others[csr_pkg::HazardCsr] = serial_i && has_group;
    others[csr_pkg::HazardIcache] = fetch_req_i && !fetch_valid_i && !fetch_valid_q;
    if (!commit_i[0] && !empty_i)
      others[csr_pkg::HazardDcache] = head_mem_i ? !mem_walk_i && !mem_device_i && !mem_hit_i :
          missed_q[head_i[SlotBits-1:0]] || store_waits_i;
    others[csr_pkg::MissIcache] = imem_req_i;
    others[csr_pkg::MissDcache] = dmem_req_i;
    others[csr_pkg::MissRelease] = wb_valid_i && wb_beat_i == 3'd7;
    if (!walk_busy_i) begin
      others[csr_pkg::MissItlb] = fetch_walk_i && !mem_walk_i && !redirect_i;
      others[csr_pkg::MissDtlb] = mem_walk_i;
    end
  endfunction

  // All events, of which some count several times in a cycle
  function automatic logic [EventBits-1:0] events_of(input int unsigned lane, input logic on);
    events_of = '0;
    if (lane < Width) events_of = slot_of(lane, on) | mix_of(lane, on);
    if (lane < ooo_pkg::IssuePorts) events_of[csr_pkg::SlotIssued] = issue_i[lane];
    if (lane == 0) events_of = events_of | others(head_trap_i);
  endfunction

  logic [EventBits-1:0] carry, over;
  always_comb begin
    events_o = '0;
    carry = '0;
    over = '0;
    if (on_i) begin
      for (int unsigned lane = 0; lane < Lanes; lane++) begin
        carry = events_of(lane, on_i);
        for (int unsigned b = 0; b < CountBits; b++) begin
          over = events_o[EventBits*b+:EventBits] & carry;
          events_o[EventBits*b+:EventBits] = events_o[EventBits*b+:EventBits] ^ carry;
          carry = over;
        end
        // A count that would be larger stays.
        for (int unsigned b = 0; b < CountBits; b++)
          events_o[EventBits*b+:EventBits] = events_o[EventBits*b+:EventBits] | over;
      end
    end
  end

  // README.md defines each.
  localparam int unsigned Retired = EventBits;
  `COVER_COUNTS(events, EventBits + 1, Lanes,
                {lane < Width && commit_i[lane], events_of(lane, 1'b1)})
  `COVER_EVENT(instructions_retired, "Instructions that commit", events, Retired)
  `COVER_EVENT(exception, "Traps and interrupts", events, csr_pkg::MixException)
  `COVER_EVENT(load, "Loads that commit", events, csr_pkg::MixLoad)
  `COVER_EVENT(store, "Stores that commit", events, csr_pkg::MixStore)
  `COVER_EVENT(amo, "AMOs and LR and SC that commit", events, csr_pkg::MixAmo)
  `COVER_EVENT(system, "CSR and system instructions that commit", events, csr_pkg::MixSystem)
  `COVER_EVENT(arith, "Other instructions that commit", events, csr_pkg::MixArith)
  `COVER_EVENT(branch, "Branches that commit, taken or not", events, csr_pkg::MixBranch)
  `COVER_EVENT(jal, "Direct jumps and calls (jal) that commit", events, csr_pkg::MixJal)
  `COVER_EVENT(jalr, "Indirect jumps, calls and returns (jalr) that commit",
               events, csr_pkg::MixJalr)
  `COVER_EVENT(mul, "Multiplications that commit", events, csr_pkg::MixMul)
  `COVER_EVENT(div, "Divisions and remainders that commit", events, csr_pkg::MixDiv)
  `COVER_EVENT(fp_load, "Floating-point loads that commit", events, csr_pkg::MixFloatLoad)
  `COVER_EVENT(fp_store, "Floating-point stores that commit", events, csr_pkg::MixFloatStore)
  `COVER_EVENT(fp_add, "Floating-point additions and subtractions that commit",
               events, csr_pkg::MixFloatAdd)
  `COVER_EVENT(fp_mul, "Floating-point multiplications that commit",
               events, csr_pkg::MixFloatMul)
  `COVER_EVENT(fp_fma, "Floating-point multiply-adds that commit", events, csr_pkg::MixFloatFma)
  `COVER_EVENT(fp_div_sqrt, "Floating-point divisions and square roots that commit",
               events, csr_pkg::MixFloatDivide)
  `COVER_EVENT(fp_other, "Other floating-point instructions that commit",
               events, csr_pkg::MixFloatOther)
  `COVER_EVENT(csr_interlock, "Cycles in which dispatch waits for an instruction that executes alone",
               events, csr_pkg::HazardCsr)
  `COVER_EVENT(icache_blocked, "Cycles in which fetch waits, and got no block a cycle ago",
               events, csr_pkg::HazardIcache)
  `COVER_EVENT(dcache_blocked, "Cycles in which the oldest instruction waits for the L1D",
               events, csr_pkg::HazardDcache)
  `COVER_EVENT(branch_miss, "Redirects by a jump or branch that was mispredicted",
               events, csr_pkg::HazardBranch)
  `COVER_EVENT(target_miss, "Redirects by a jal or jalr", events, csr_pkg::HazardTarget)
  `COVER_EVENT(flush, "Redirects by xrets, fences and CSR writes", events, csr_pkg::HazardFlush)
  `COVER_EVENT(replay, "Redirects by loads that were too early, and by other clears",
               events, csr_pkg::HazardReplay)
  `COVER_EVENT(icache_miss, "Lines that the L1I requests", events, csr_pkg::MissIcache)
  `COVER_EVENT(dcache_miss, "Lines and upgrades that the L1D requests",
               events, csr_pkg::MissDcache)
  `COVER_EVENT(dcache_release, "Dirty lines that the L1D writes back",
               events, csr_pkg::MissRelease)
  `COVER_EVENT(itlb_miss, "Page-table walks for fetch", events, csr_pkg::MissItlb)
  `COVER_EVENT(dtlb_miss, "Page-table walks for loads and stores", events, csr_pkg::MissDtlb)
  `COVER_EVENT(instructions_issued, "Instructions that issue, again if they must",
               events, csr_pkg::SlotIssued)
  `COVER_EVENT(fetch_stall, "Slots of dispatch for which fetch has no instruction",
               events, csr_pkg::SlotFetchStall)
  `COVER_EVENT(recovery, "Slots of dispatch from a redirect until there is an instruction",
               events, csr_pkg::SlotRecovery)
  `COVER_EVENT(fence, "Redirects by a fence.i or sfence.vma", events, csr_pkg::SlotFence)
  `COVER_EVENT(instructions_dispatched, "Instructions that enter the window",
               events, csr_pkg::SlotDispatched)
  `COVER_EVENT(backend_stall, "Slots of dispatch that the window does not take",
               events, csr_pkg::SlotBackend)
  `COVER_EVENT(fetch_latency, "Slots of fetch_stall in cycles without any instruction",
               events, csr_pkg::SlotLatency)
  `COVER_EVENT(recovery_fetch, "Slots of recovery in which fetch waits for a line or a walk",
               events, csr_pkg::SlotRefetch)

endmodule
