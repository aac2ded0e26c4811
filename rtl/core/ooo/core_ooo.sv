// SPDX-License-Identifier: Apache-2.0
// The out-of-order core: RV64IMAC, with F and D if Float is set.
//
// decoded_group.sv fetches, by way of fetch_port.sv, and decodes; the window renames, issues and
// commits up to Width instructions in a cycle. In the cycle in which it issues, an instruction
// reads its operands, and the ALU or branch has its result; the pc of a redirect is fetched in the
// next cycle. Loads and stores: memory_unit.sv.
//
// Only the oldest instruction traps: what may trap issues at the head (head_unit.sv). Behind an
// instruction that decode knows to be of that kind nothing is dispatched until it has left, so
// that CSRs do not change under younger ones.
//
// The ports are those that hart.sv has for any core, but chaos_*, for tests, which are else 0:
// see block_fetch.sv and memory_port.sv.

module core_ooo #(
  parameter bit TracePort = 1'b1,  // 0: no classes
  parameter bit Float = 1'b1,      // 0: no F and D
  parameter bit Coherent = 1'b0,   // other harts have caches: see dcache.sv
  parameter int unsigned Commits = 4,  // the width of all stages: 1 to 4
  parameter int unsigned Window = 64,  // 8, 16, 32 or 64, at least twice Commits
  parameter int unsigned Queue = 16,  // 2, 4, 8 or 16
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 4096,
  parameter int unsigned Branches = 1024,
  parameter int unsigned Targets = 128,
  parameter int unsigned Ras = 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 float_clk_i,      // clk_i; may be stopped while float_clk_req_o is low
  output logic                 float_clk_req_o,
  input  logic                 class_clk_i,      // of trace_class_o, as in hart.sv
  input  logic                 copy_on_i,        // cpy can be used: a strap
  input  logic                 trace_on_i,       // the trace port is in use
  input  logic                 trace_details_i,  // and needs more of what commits, see below
  input  logic                 trace_reads_values_i,  // value_o is needed
  input  logic                 classes_on_i,     // trace_class_o is needed
  output logic                 idle_o,           // as in idle.sv

  // State of the hart, as in csr.sv
  input soc_pkg::priv_e    priv_i,
  input soc_pkg::priv_e    data_priv_i,
  input soc_pkg::satp_t    satp_i,
  input soc_pkg::mstatus_t status_i,

  // redirect_o: the instruction that is being fetched is dropped, with its walk. flush_o: and
  // translation, privilege or code may differ. What fences invalidate
  output logic            redirect_o,
  output logic            flush_o,
  output soc_pkg::fence_t fence_o,

  // The L1I and its TLB, as in fetch.sv
  output logic [63:0]         fetch_pc_o,
  input  soc_pkg::space_e     fetch_space_i,
  input  logic [15:0]         fetch_asid_i,
  input  logic                itlb_hit_i,
  input  soc_pkg::tlb_flags_t itlb_flags_i,
  output logic                itlb_drop_o,
  output logic                fetch_translated_o,
  output logic                fetch_single_use_o,
  input  logic                fetch_remembered_i,
  input  logic                fetch_hit_i,
  input  logic [127:0]        fetch_data_i,
  input  logic                icache_quiescent_i,
  input  logic                icache_dram_i,
  input  logic                imem_req_i,          // the L1I requests a line
  output logic                fetch_walk_o,
  output soc_pkg::walk_req_t  fetch_walk_req_o,
  input  logic                fetch_walk_done_i,

  // The data TLB, as in lsu.sv
  output logic [51:0]         data_vpn_o,
  output logic                dtlb_lookup_o,
  output soc_pkg::space_e     data_space_o,
  output logic [15:0]         data_asid_o,
  input  logic                dtlb_hit_i,
  input  soc_pkg::tlb_entry_t dtlb_entry_i,
  output logic                dtlb_drop_o,
  output logic                data_walk_o,
  output logic                data_walk_drop_o,    // withdraws the request
  output soc_pkg::walk_req_t  data_walk_req_o,
  input  logic                data_walk_done_i,

  // Walks, as in ptw_arbiter.sv
  input soc_pkg::walk_result_t walk_result_i,
  input logic                  walk_busy_i,
  input logic                  walk_quiescent_i,

  // The L1D, as in dcache.sv; its requests and write-backs, for events.sv; its probes, as in
  // reservation.sv
  output logic            cache_req_o,
  output logic            cache_write_o,
  output logic            cache_store_o,
  output logic            cache_amo_o,
  output logic [55:0]     data_pa_o,
  output logic [63:0]     data_wdata_o,
  output logic [63:0]     cache_wmask_o,
  input  logic            cache_hit_i,
  input  logic            cache_waits_i,
  input  logic [63:0]     cache_rdata_i,
  input  logic            cache_filled_i,
  input  logic            cache_quiescent_i,
  input  logic            cache_dram_i,
  input  logic            dmem_req_i,
  input  logic            wb_valid_i,
  input  logic [2:0]      wb_beat_i,
  input  logic            evict_i,
  input  mem_pkg::line_t  evict_line_i,
  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
  input  logic            probe_ack_i,
  output logic            probe_reserved_o,
  output logic            probe_stall_o,
  output logic            reservation_quiescent_o,

  // Devices: see devices.sv
  output logic                    device_valid_o,
  output device_pkg::device_req_t device_req_o,
  output logic [63:0]             device_wdata_o,
  input  logic                    device_ready_i,
  input  device_pkg::device_rsp_t device_rsp_i,

  // Copies: see copy_unit.sv
  output logic                              copy_valid_o,
  output mem_pkg::copy_t                    copy_o,
  input  logic                              copy_done_i,
  input  logic [mem_pkg::CopyCountBits-1:0] copy_count_i,

  // The CSRs, as in csr.sv; the instruction is that of lane 0 of what commits
  output logic             csr_valid_o,
  output logic [11:0]      csr_addr_o,
  output soc_pkg::csr_op_e csr_op_o,
  output logic [4:0]       csr_rs1_o,
  output logic [63:0]      csr_operand_o,
  input  logic [63:0]      csr_rdata_i,
  input  logic             csr_illegal_i,
  input  logic             csr_flush_i,
  input  logic             satp_we_i,
  input  logic [63:0]      csr_target_i,
  input  logic             csr_we_i,
  input  logic [7:0]       csr_wdata_i,
  input  logic             irq_i,
  input  csr_pkg::irq_e    irq_cause_i,
  input  logic             wake_i,
  input  logic             hpm_on_i,
  output soc_pkg::xret_e   xret_o,
  output logic             float_dirty_o,
  output soc_pkg::frm_t    frm_o,
  output soc_pkg::fflags_t fflags_o,
  output logic [$clog2(Commits+1)*csr_pkg::EventBitsOoo-1:0] events_o,

  // What commits or traps, as in trace_port.sv
  output logic [Commits-1:0]                          commit_o,
  output logic                                        trap_o,
  output logic [Commits*64-1:0]                       pc_o,
  output logic [Commits*32-1:0]                       insn_o,
  output logic [Commits*4-1:0]                        unit_o,
  output logic [Commits*4-1:0]                        op_o,
  output logic [Commits*2-1:0]                        size_o,
  output logic [Commits*6-1:0]                        rd_o,
  output logic [Commits*64-1:0]                       value_o,
  output soc_pkg::trap_cause_t                        cause_o,
  output logic [63:0]                                 tval_o,
  output logic [Commits-1:0]                          load_o,
  output logic [Commits-1:0]                          store_o,
  output logic [Commits-1:0]                          device_o,
  output logic [Commits*64-1:0]                       addr_o,
  output logic [Commits*64-1:0]                       wdata_o,
  output logic [Commits*soc_pkg::TraceClassBits-1:0]  trace_class_o,

  // For tests
  input logic               chaos_predict_i,
  input logic               chaos_taken_i,
  input ooo_pkg::halfword_t chaos_last_i,
  input logic [63:1]        chaos_target_i,
  input logic               chaos_violate_i
);

  localparam int unsigned Width = Commits;

`ifdef PROBES
  probe_ooo #(
    .Float (Float),
`ifdef VIEW
    .Width (Width),
`endif
    .Window(Window)
  ) u_probe ();
`endif

  // A squash: by the head unit, or by a branch or load; and the outcome of a branch
  logic squash, squash_inclusive, plain, wrong, again, updates, trains, outcomes_quiescent;
  ooo_pkg::outcome_t outcome, trained;
  logic head_redirect, queue_squash;
  logic [Window-1:0] squashed;
  ooo_pkg::slot_t squash_slot;
  ooo_pkg::index_t squash_load_index, squash_store_index, head_load_index, head_store_index;
  ooo_pkg::snapshot_t snapshot, head_snapshot;
  logic [63:0] redirect_pc, head_redirect_pc, target, trained_target;
  logic load_squashes;
  assign queue_squash = squash || head_redirect;
  assign redirect_o = queue_squash;
  assign flush_o = head_redirect;

  // Fetch
  logic fetch_req, fetch_valid, fetch_partial, f_quiescent, front_quiescent;
  logic [63:0] fetch_pc;
  soc_pkg::bad_e fetch_bad;
  ooo_pkg::halfword_t fetch_last;
  fetch_port u_fetch (
    .clk_i, .rst_ni, .redirect_i(queue_squash), .priv_i, .fetch_space_i, .fetch_asid_i,
    .fetch_req_i(fetch_req), .fetch_pc_i(fetch_pc), .fetch_valid_o(fetch_valid),
    .fetch_bad_o(fetch_bad), .fetch_partial_o(fetch_partial), .fetch_last_o(fetch_last),
    .quiescent_o(f_quiescent), .fetch_pc_o, .itlb_hit_i, .itlb_flags_i, .itlb_drop_o,
    .fetch_translated_o, .fetch_single_use_o, .fetch_remembered_i, .fetch_hit_i,
    .icache_quiescent_i, .fetch_walk_o, .fetch_walk_req_o, .fetch_walk_done_i, .walk_result_i
  );

  // The group
  logic [Width-1:0] held, group_alone, enter, loads, stores, queue_ready;
  logic [32*Width-1:0] group, dispatched, insn;
  logic [64*Width-1:0] work, pc, next_pc, extracted;
  ooo_pkg::extracted_t int0_extracted;
  decoded_group #(
    .Width   (Width),
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Branches(Branches),
    .Targets (Targets),
    .Ras     (Ras),
    .Float   (Float)
  ) u_group (
    .clk_i, .rst_ni, .fetch_req_o(fetch_req), .fetch_pc_o(fetch_pc), .fetch_valid_i(fetch_valid),
    .fetch_data_i, .fetch_bad_i(fetch_bad), .fetch_partial_i(fetch_partial),
    .fetch_last_i(fetch_last), .float_on_i(status_i.fs != 2'd0), .frm_i(frm_o), .copy_on_i,
    .held_o(held), .alone_o(group_alone), .dispatch_o(group), .work_o(work), .insn_o(insn), .pc_o(pc), .next_pc_o(next_pc),
    .extracted_o(extracted), .leave_i(enter), .quiescent_o(front_quiescent),
    .redirect_i(queue_squash),
    .redirect_pc_i(head_redirect ? head_redirect_pc[63:1] : redirect_pc[63:1]),
    .redirect_plain_i(plain && !head_redirect),
    .redirect_snapshot_i(head_redirect ? head_snapshot : snapshot),
    .redirect_outcome_i(!load_squashes && !head_redirect), .outcome_i(outcome),
    .train_i(trains), .trained_i(trained), .trained_target_i(trained_target),
    .chaos_predict_i, .chaos_taken_i, .chaos_last_i, .chaos_target_i
  );

  logic window_ready, registers_ready, head_commit, serial;
  ooo_pkg::slot_t slot, head;
  logic [ooo_pkg::IndexBits*Width-1:0] load_index, store_index;
  dispatch #(
    .Width (Width),
    .Window(Window)
  ) u_dispatch (
    .clk_i, .rst_ni, .held_i(held), .alone_i(group_alone), .group_i(group), .work_i(work),
    .registers_ready_i(registers_ready),
    .window_ready_i(window_ready), .load_o(loads), .store_o(stores), .queue_ready_i(queue_ready),
    .dispatch_o(dispatched), .enter_o(enter), .slot_i(slot), .redirect_i(queue_squash),
    .squashed_i(squashed), .head_commit_i(head_commit), .head_i(head), .serial_o(serial)
  );

  logic div_free, mem_free, float_free, head_free, empty, replay, replay_head, flush, head_hold;
  logic replay_wait, mem_wake, window_quiescent, mem_quiescent, float_busy;
  logic [Width-1:0] hold, marked;
  logic [2:0] commit_count, commit_loads;
  logic [7*Width-1:0] commit_rd;
  ooo_pkg::slot_t replay_slot;
  ooo_pkg::issue_t int0, int1, int2, mem, float_issue, head_issue;
  ooo_pkg::result_t alu0, alu1, alu2, mul, div, mem_result, float_result, head_result;
  logic walking;
  logic [6:0] count;
  logic [Window-1:0] committed, done, alone, waiting;
  window #(
    .Width (Width),
    .Window(Window)
  ) u_window (
    .clk_i, .rst_ni, .dispatch_i(dispatched), .ready_o(window_ready), .slot_o(slot),
    .div_free_i(div_free), .mem_free_i(mem_free), .float_free_i(float_free),
    .head_free_i(head_free), .int0_o(int0), .int1_o(int1), .int2_o(int2), .mem_o(mem),
    .float_o(float_issue), .head_issue_o(head_issue),
    .results_i({head_result, float_result, div, mul, mem_result, alu2, alu1, alu0}),
    .replay_i(replay), .replay_head_i(replay_head), .replay_wait_i(replay_wait),
    .replay_slot_i(replay_slot), .mem_wake_i(mem_wake), .squash_i(squash),
    .squash_inclusive_i(squash_inclusive), .squash_slot_i(squash_slot), .flush_all_i(head_redirect),
    .squashed_o(squashed), .hold_i(hold | {Width{head_hold}}), .head_commit_i(head_commit),
    .commit_count_o(commit_count), .commit_rd_o(commit_rd), .commit_areg_o(rd_o),
    .commit_o, .committed_o(committed), .head_o(head),
    .empty_o(empty), .quiescent_o(window_quiescent), .walking_o(walking), .count_o(count),
    .done_o(done), .alone_o(alone), .waiting_o(waiting)
  );

  // Operands. What commits is looked at for the trace port and the counters. Without details of
  // the trace, unit, operation, size and access are those of the head unit's instruction alone.
  logic counts, looks, looks_closer, head_read;
  always_comb begin
    counts = 1'b0;
    if (hpm_on_i) counts = 1'b1;
    else if (trace_on_i) counts = trace_details_i;
  end
  assign looks = (trace_on_i || counts) && commit_count != 3'd0;
  assign looks_closer = counts && commit_count != 3'd0;
  ooo_pkg::work_t int0_work, int1_work, int2_work, mem_work, load_work, float_work, head_work,
      blocked_work;
  ooo_pkg::slot_t blocked_slot;
  logic blocked;
  ooo_pkg::extracted_t load_extracted, head_extracted;
  ooo_pkg::slot_t load_slot;
  logic [31:0] head_insn;
  logic [63:0] int0_pc, int0_next_pc, int1_pc, int2_pc, mem_pc, load_pc, head_pc;
  logic [64*Width-1:0] commit_work, commit_pc, commit_value;
  logic [32*Width-1:0] commit_insn;
  payload #(
    .Width (Width),
    .Window(Window)
  ) u_payload (
    .clk_i, .write_i(enter), .slot_i(slot), .work_i(work), .load_index_i(load_index),
    .store_index_i(store_index), .insn_i(insn), .pc_i(pc), .next_pc_i(next_pc),
    .extracted_i(extracted), .int0_i(int0.valid), .int0_slot_i(int0.slot), .int0_work_o(int0_work),
    .int0_pc_o(int0_pc), .int0_next_pc_o(int0_next_pc), .int0_extracted_o(int0_extracted),
    .int1_i(int1.valid), .int1_slot_i(int1.slot), .int1_work_o(int1_work), .int1_pc_o(int1_pc),
    .int2_i(int2.valid), .int2_slot_i(int2.slot), .int2_work_o(int2_work), .int2_pc_o(int2_pc),
    .mem_i(mem.valid), .mem_slot_i(mem.slot), .mem_work_o(mem_work), .mem_pc_o(mem_pc),
    .float_i(float_issue.valid), .float_slot_i(float_issue.slot), .float_work_o(float_work),
    .head_i(head_read), .head_slot_i(head), .head_work_o(head_work), .head_insn_o(head_insn),
    .head_pc_o(head_pc), .head_extracted_o(head_extracted), .commit_i(looks), .commit_closer_i(looks_closer),
    .commit_slot_i(head),
    .commit_work_o(commit_work), .commit_insn_o(commit_insn), .commit_pc_o(commit_pc),
    .squash_i(load_squashes), .squash_slot_i(load_slot), .squash_work_o(load_work),
    .squash_pc_o(load_pc), .squash_extracted_o(load_extracted), .blocked_i(blocked),
    .blocked_slot_i(blocked_slot), .blocked_work_o(blocked_work)
  );

  logic [63:0] int0_rs1, int0_rs2, int1_rs1, int1_rs2, int2_rs1, int2_rs2, mem_rs1, mem_rs2;
  logic [63:0] float_rs1, float_rs2, float_rs3, head_rs1, head_rs2, head_rs3;
  logic [63:0] value0, value1, value2, mul_value, div_value, mem_value, float_value, head_value;
  physical_registers #(
    .Width(Width)
  ) u_registers (
    .clk_i, .rst_ni, .ready_o(registers_ready), .int0_i(int0.tags), .int0_rs1_o(int0_rs1),
    .int0_rs2_o(int0_rs2), .int1_i(int1.tags), .int1_rs1_o(int1_rs1), .int1_rs2_o(int1_rs2),
    .int2_i(int2.tags), .int2_rs1_o(int2_rs1), .int2_rs2_o(int2_rs2), .mem_i(mem.tags),
    .mem_rs1_o(mem_rs1), .mem_rs2_o(mem_rs2), .float_i(float_issue.tags), .float_rs1_o(float_rs1),
    .float_rs2_o(float_rs2), .float_rs3_o(float_rs3), .head_i(head_issue.tags),
    .head_rs1_o(head_rs1), .head_rs2_o(head_rs2), .head_rs3_o(head_rs3), .commit_i(trace_reads_values_i),
    .commit_rd_i(commit_rd), .commit_value_o(commit_value), .alu0_i(alu0), .alu0_value_i(value0),
    .alu1_i(alu1), .alu1_value_i(value1), .alu2_i(alu2), .alu2_value_i(value2), .mul_i(mul),
    .mul_value_i(mul_value), .div_i(div), .div_value_i(div_value), .mem_result_i(mem_result),
    .mem_value_i(mem_value), .float_result_i(float_result), .float_value_i(float_value),
    .head_result_i(head_result), .head_value_i(head_value)
  );

  integer_unit #(
    .Window(Window)
  ) u_integer (
    .clk_i, .rst_ni, .int0_i(int0), .int0_work_i(int0_work), .int0_pc_i(int0_pc),
    .int0_next_pc_i(int0_next_pc), .int0_rs1_i(int0_rs1), .int0_rs2_i(int0_rs2),
    .int0_history_i(int0_extracted.snapshot.history), .int1_i(int1),
    .int1_work_i(int1_work), .int1_pc_i(int1_pc), .int1_rs1_i(int1_rs1), .int1_rs2_i(int1_rs2),
    .int2_i(int2), .int2_work_i(int2_work), .int2_pc_i(int2_pc), .int2_rs1_i(int2_rs1),
    .int2_rs2_i(int2_rs2), .squashed_i(squashed), .div_free_o(div_free), .alu0_o(alu0),
    .alu0_value_o(value0), .alu1_o(alu1), .alu1_value_o(value1), .alu2_o(alu2),
    .alu2_value_o(value2), .mul_o(mul), .mul_value_o(mul_value), .div_o(div),
    .div_value_o(div_value), .wrong_o(wrong), .again_o(again), .target_o(target),
    .update_o(updates), .outcome_o(outcome)
  );

  outcomes #(
    .Window(Window)
  ) u_outcomes (
    .clk_i, .rst_ni, .update_i(updates), .again_i(again), .slot_i(int0.slot), .outcome_i(outcome),
    .target_i(target), .squashed_i(squashed), .committed_i(committed), .head_i(head),
    .train_o(trains), .outcome_o(trained), .target_o(trained_target),
    .quiescent_o(outcomes_quiescent)
  );

  if (Float) begin : gen_float
    float_port #(
      .Width (Width),
      .Window(Window)
    ) u_float (
      .clk_i(float_clk_i), .rst_ni, .clk_req_o(float_clk_req_o), .busy_o(float_busy),
      .dispatch_i(enter), .lanes_i(group), .slot_i(slot), .free_o(float_free),
      .issue_i(float_issue), .work_i(float_work), .rs1_i(float_rs1), .rs2_i(float_rs2),
      .rs3_i(float_rs3), .squashed_i(squashed), .result_o(float_result), .value_o(float_value),
      .head_i(head), .commit_count_i(commit_count), .dirty_o(float_dirty_o), .csr_we_i,
      .csr_addr_i(csr_addr_o), .csr_wdata_i, .frm_o, .fflags_o
    );
  end else begin : gen_no_float
    logic unused;
    assign unused = ^{
      float_clk_i, float_issue, float_work, float_rs1, float_rs2, float_rs3, csr_wdata_i
    };
    assign float_clk_req_o = 1'b0;
    assign float_busy = 1'b0;
    assign float_free = 1'b0;
    assign float_result = '0;
    assign float_value = '0;
    assign float_dirty_o = 1'b0;
    assign frm_o = '0;
    assign fflags_o = '0;
  end

  // Loads and stores
  logic violates, violation, store_waits, store_ready, store_write, delay;
  ooo_pkg::slot_t delay_slot;
  ooo_pkg::delay_e delay_why;
  logic head_valid, head_mem, mem_done, mem_fault;
  logic [63:0] head_length, head_mem_value, mem_address;
  soc_pkg::executed_t head_uop;
  soc_pkg::unit_e head_kind;
  soc_pkg::cause_e mem_cause;
  ooo_pkg::slot_t violation_slot;
  memory_unit #(
    .Width   (Width),
    .Window  (Window),
    .Queue   (Queue),
    .Coherent(Coherent)
  ) u_memory (
    .clk_i, .rst_ni, .load_i(loads), .store_i(stores), .ready_o(queue_ready),
    .load_index_o(load_index), .store_index_o(store_index), .dispatch_i(enter), .free_o(mem_free),
    .issue_i(mem), .work_i(mem_work), .pc_i(mem_pc), .rs1_i(mem_rs1), .rs2_i(mem_rs2),
    .squashed_i(squashed), .result_o(mem_result), .value_o(mem_value), .replay_o(replay),
    .replay_head_o(replay_head), .replay_wait_o(replay_wait), .replay_slot_o(replay_slot),
    .wake_o(mem_wake), .quiescent_o(mem_quiescent), .violation_o(violation),
    .violation_slot_o(violation_slot), .delay_o(delay), .delay_slot_o(delay_slot),
    .delay_why_o(delay_why), .squash_i(queue_squash),
    .squash_load_index_i(head_redirect ? head_load_index : squash_load_index),
    .squash_store_index_i(head_redirect ? head_store_index : squash_store_index),
    .learn_i(violates && !chaos_violate_i), .learn_pc_i(load_pc), .chaos_violate_i,
    .head_valid_i(head_mem), .head_executed_i(head_uop), .head_length_i(head_length),
    .reservation_clear_i(m_trap || xret_o != soc_pkg::XretNone),
    .head_done_o(mem_done), .head_value_o(head_mem_value), .head_fault_o(mem_fault),
    .head_cause_o(mem_cause), .head_address_o(mem_address),
    /* verilator lint_off PINCONNECTEMPTY */
    .head_copy_o(), .miss_o(), .forwarded_o(),
    /* verilator lint_on PINCONNECTEMPTY */
    .head_i(head), .committed_i(committed), .commit_loads_i(commit_loads),
    .commit_store_i(store_write), .marked_o(marked), .store_waits_o(store_waits),
    .store_ready_o(store_ready), .store_write_i(store_write && !head_commit), .trace_i(trace_on_i),
    .trace_details_i,
    .commit_load_o(load_o), .commit_store_o(store_o), .commit_device_o(device_o),
    .commit_addr_o(addr_o), .commit_wdata_o(wdata_o), .priv_i(data_priv_i), .satp_i, .status_i,
    .data_vpn_o, .dtlb_lookup_o, .data_space_o, .data_asid_o, .dtlb_hit_i, .dtlb_entry_i,
    .dtlb_drop_o, .data_walk_o, .data_walk_req_o, .data_walk_drop_o, .data_walk_done_i,
    .walk_result_i, .walk_busy_i, .cache_req_o, .cache_write_o, .cache_store_o, .cache_amo_o,
    .data_pa_o, .data_wdata_o, .cache_wmask_o, .cache_hit_i, .cache_waits_i, .cache_rdata_i,
    .cache_filled_i, .probe_valid_i, .probe_i, .probe_ack_i, .probe_reserved_o, .probe_stall_o,
    .reservation_quiescent_o, .evict_i, .evict_line_i, .device_valid_o, .device_req_o,
    .device_wdata_o, .device_ready_i, .device_rsp_i, .copy_valid_o, .copy_o, .copy_done_i,
    .copy_count_i
  );

  commit_control #(
    .Width (Width),
    .Window(Window)
  ) u_commit (
    .clk_i, .dispatch_i(enter), .load_i(loads), .store_i(stores), .slot_i(slot), .head_i(head),
    .empty_i(empty), .marked_i(marked), .store_ready_i(store_ready), .hold_o(hold), .flush_o(flush),
    .commit_i(commit_o), .loads_o(commit_loads), .store_o(store_write)
  );

  redirect #(
    .Window(Window)
  ) u_redirect (
    .head_i(head), .branch_i(wrong), .branch_again_i(again), .branch_slot_i(int0.slot),
    .branch_target_i(target), .branch_work_i(int0_work), .branch_extracted_i(int0_extracted),
    .violation_i(violation), .violation_slot_i(violation_slot), .flush_i(flush),
    .load_o(load_squashes), .load_slot_o(load_slot), .load_work_i(load_work), .load_pc_i(load_pc),
    .load_extracted_i(load_extracted), .squash_o(squash), .squash_inclusive_o(squash_inclusive),
    .squash_slot_o(squash_slot), .squash_load_index_o(squash_load_index),
    .squash_store_index_o(squash_store_index), .pc_o(redirect_pc), .plain_o(plain),
    .snapshot_o(snapshot), .violates_o(violates)
  );

  logic head_waits, head_quiescent, m_trap;
  head_unit u_head (
    .clk_i, .rst_ni, .head_i(head), .empty_i(empty), .issue_i(head_issue), .free_o(head_free),
    .read_o(head_read), .work_i(head_work), .insn_i(head_insn), .pc_i(head_pc),
    .extracted_i(head_extracted), .rs1_i(head_rs1), .rs2_i(head_rs2), .rs3_i(head_rs3),
    .valid_o(head_valid), .executed_o(head_uop), .unit_o(head_kind), .waits_o(head_waits),
    .quiescent_o(head_quiescent), .hold_o(head_hold), .commit_o(head_commit),
    .result_o(head_result), .value_o(head_value), .redirect_o(head_redirect),
    .redirect_pc_o(head_redirect_pc), .redirect_snapshot_o(head_snapshot),
    .redirect_load_index_o(head_load_index), .redirect_store_index_o(head_store_index), .fence_o,
    .mem_o(head_mem), .length_o(head_length), .mem_done_i(mem_done), .mem_value_i(head_mem_value),
    .mem_fault_i(mem_fault), .mem_cause_i(mem_cause), .mem_address_i(mem_address), .csr_valid_o,
    .xret_o, .csr_rdata_i, .csr_illegal_i, .csr_flush_i, .csr_satp_we_i(satp_we_i), .csr_we_i,
    .csr_target_i, .irq_i, .irq_cause_i, .wake_i, .priv_i, .status_i, .trap_o(m_trap), .cause_o,
    .tval_o
  );
  assign csr_addr_o = {head_uop.fields.amo, head_uop.fields.aq_rl, head_uop.fields.rs2};
  assign csr_op_o = head_uop.op.csr.op;
  assign csr_rs1_o = head_uop.fields.rs1;
  assign csr_operand_o = head_uop.result;

  // What commits. Lane 0 has the instruction in the head unit if there is one, for traps too.
  assign trap_o = m_trap;
  assign value_o = commit_value;
  always_comb begin
    pc_o = commit_pc;
    insn_o = commit_insn;
    unit_o = '0;
    op_o = '0;
    size_o = '0;
    if (looks_closer)
      for (int lane = 0; lane < Width; lane++) begin
        unit_o[4*lane+:4] = commit_work[64*lane+ooo_pkg::WorkUnit+:4];
        op_o[4*lane+:4] = commit_work[64*lane+ooo_pkg::WorkOp+:4];
        size_o[2*lane+:2] = commit_work[64*lane+ooo_pkg::WorkWidth+:2];
      end
    if (head_valid) begin
      pc_o[63:0] = head_uop.pc;
      insn_o[31:0] = head_uop.insn;
      unit_o[3:0] = head_kind;
      op_o[3:0] = head_uop.op.bits;
      size_o[1:0] = head_uop.fields.width.size;
    end
  end

  logic classes_quiescent, events_quiescent;
  if (TracePort) begin : gen_classes
    ooo_classes #(
      .Width (Width),
      .Window(Window)
    ) u_classes (
      .clk_i(class_clk_i), .rst_ni, .on_i(classes_on_i), .fetch_req_i(fetch_req),
      .fetch_valid_i(fetch_valid), .fetch_walk_i(fetch_walk_o), .fetch_dram_i(icache_dram_i),
      .held_i(held), .alone_i(group_alone), .work_i(work), .enter_i(enter), .slot_i(slot),
      .serial_i(serial), .walking_i(walking),
      .redirect_i(queue_squash), .redirect_head_i(head_redirect), .redirect_load_i(load_squashes),
      .redirect_again_i(again), .head_i(head), .count_i(count), .commit_count_i(commit_count),
      .done_i(done), .head_only_i(alone), .waiting_i(waiting), .int0_i(int0), .int1_i(int1),
      .int2_i(int2), .mem_i(mem), .mem_result_i(mem_result), .mul_result_i(mul), .div_result_i(div),
      .float_result_i(float_result), .irq_i, .blocked_o(blocked), .blocked_slot_o(blocked_slot),
      .blocked_work_i(blocked_work), .head_valid_i(head_valid), .head_commit_i(head_commit),
      .head_trap_i(m_trap), .head_waits_i(head_waits), .head_mem_i(head_mem), .delay_i(delay),
      .delay_slot_i(delay_slot), .delay_why_i(delay_why), .mem_walk_i(data_walk_o),
      .mem_device_i(device_valid_o), .mem_hit_i(cache_hit_i), .store_waits_i(store_waits),
      .mem_dram_i(cache_dram_i), .quiescent_o(classes_quiescent), .trace_class_o
    );
  end else begin : gen_classes
    logic unused;
    assign unused = ^{class_clk_i, classes_on_i, icache_dram_i, cache_dram_i, count, done, alone,
                      waiting, blocked_work, head_waits};
    assign trace_class_o = '0;
    assign blocked = 1'b0;
    assign blocked_slot = '0;
    assign classes_quiescent = 1'b1;
  end

  logic [ooo_pkg::IssuePorts-1:0] issue;
  always_comb begin
    issue = '0;
    if (counts)
      issue = {
        head_issue.valid, float_issue.valid, mem.valid, int2.valid, int1.valid, int0.valid
      };
  end

  ooo_events #(
    .Width (Width),
    .Window(Window)
  ) u_events (
    .clk_i, .rst_ni, .on_i(hpm_on_i), .trace_on_i(trace_on_i && trace_details_i), .fetch_req_i(fetch_req),
    .fetch_valid_i(fetch_valid), .held_i(held), .enter_i(enter), .slot_i(slot),
    .ready_i(window_ready && registers_ready), .serial_i(serial), .walking_i(walking),
    .issue_i(issue), .redirect_i(queue_squash), .redirect_head_i(head_redirect),
    .redirect_load_i(load_squashes),
    .redirect_again_i(again), .branch_unit_i(int0_work.unit), .commit_i(commit_o), .unit_i(unit_o),
    .op_i(op_o), .rd_i(rd_o), .head_trap_i(m_trap), .head_mem_i(head_mem), .head_i(head),
    .empty_i(empty), .delay_i(delay), .delay_slot_i(delay_slot), .delay_why_i(delay_why),
    .mem_device_i(device_valid_o), .mem_hit_i(cache_hit_i), .store_waits_i(store_waits),
    .fetch_walk_i(fetch_walk_o), .mem_walk_i(data_walk_o), .walk_busy_i, .imem_req_i, .dmem_req_i,
    .wb_valid_i, .wb_beat_i, .quiescent_o(events_quiescent), .events_o
  );

  ooo_idle u_idle (
    .window_quiescent_i(window_quiescent), .front_quiescent_i(front_quiescent),
    .fetch_quiescent_i(f_quiescent), .registers_ready_i(registers_ready), .div_free_i(div_free),
    .float_busy_i(float_busy), .memory_quiescent_i(mem_quiescent),
    .head_quiescent_i(head_quiescent), .redirect_i(queue_squash),
    .outcomes_quiescent_i(outcomes_quiescent),
    .classes_quiescent_i(!classes_on_i || classes_quiescent), .events_quiescent_i(events_quiescent),
    .cache_quiescent_i, .data_walk_i(data_walk_o), .walk_busy_i, .walk_quiescent_i, .idle_o
  );

endmodule
