// SPDX-License-Identifier: Apache-2.0
// The out-of-order core: RV64IM and C, in machine mode, without CSRs and traps.
//
// decoded_group.sv fetches and decodes; the window renames, issues and commits. In the cycle in
// which it issues, an instruction reads its operands, and the ALU or branch has its result; the
// pc of a redirect is fetched in the next cycle. The ports of the L1I are those of
// block_fetch.sv.
//
// The L1D answers a load in the cycle of load_req_o, with the aligned 8 bytes, or not, and then
// the load asks again later. store_valid_o shows the oldest store; it commits, and is to be
// written, when store_write_o is high, which needs store_ready_i in the same cycle. Loads of
// wrong paths have any address. probe_i and evict_i are those of memory_queue.sv.
//
// unhandled_o: the oldest instruction, in slot head_o, is one that this core does not execute
// (PortHead), or has a fault. Nothing commits any more.
//
// commit_count_o instructions commit, from slot head_o on, with the physical registers
// commit_rd_o.

module core_ooo #(
  parameter int unsigned Width = 4,  // 1 to 4
  parameter int unsigned Window = 64,  // 8, 16, 32 or 64, at least twice Width
  parameter int unsigned Queue = 16,  // 2, 4, 8 or 16
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 16384,
  parameter int unsigned Ras = 8
) (
  input logic clk_i,
  input logic rst_ni,

  // The L1I
  output logic               fetch_req_o,
  output logic [63:0]        fetch_pc_o,
  input  logic               fetch_valid_i,
  input  logic [127:0]       fetch_data_i,
  input  soc_pkg::bad_e      fetch_bad_i,
  input  logic               fetch_partial_i,
  input  ooo_pkg::halfword_t fetch_last_i,

  // The L1D
  output logic           load_req_o,
  output logic [55:0]    load_addr_o,
  input  logic           load_valid_i,
  input  logic [63:0]    load_data_i,
  output logic           store_valid_o,
  output logic [55:0]    store_addr_o,    // of the aligned 8 bytes
  output logic [7:0]     store_bytes_o,
  output logic [63:0]    store_data_o,
  input  logic           store_ready_i,
  output logic           store_write_o,
  input  logic           probe_i,
  input  ooo_pkg::line_t probe_line_i,
  input  logic           evict_i,
  input  ooo_pkg::line_t evict_line_i,

  output logic           [        2:0] commit_count_o,
  output logic           [7*Width-1:0] commit_rd_o,
  output ooo_pkg::slot_t               head_o,
  output logic                         unhandled_o,
  output logic                         mispredicted_o,  // events: a jump or branch
  output logic                         violated_o,      // a load, executed too early

  // For tests; else 0: block_fetch.sv, memory_port.sv
  input logic               chaos_predict_i,
  input logic               chaos_taken_i,
  input ooo_pkg::halfword_t chaos_last_i,
  input logic [63:1]        chaos_target_i,
  input logic               chaos_violate_i
);

  // A squash, and the outcome of a branch
  logic squash, squash_inclusive, plain, wrong, again, updates, kind_push, taken, long;
  logic [Window-1:0] squashed;
  ooo_pkg::slot_t squash_slot;
  ooo_pkg::index_t squash_load_index, squash_store_index;
  ooo_pkg::snapshot_t snapshot;
  soc_pkg::kind_e kind;
  logic [63:0] redirect_pc, target, link, last;
  logic load_squashes;

  // The group
  logic [Width-1:0] enter, loads, stores, queue_ready;
  logic [32*Width-1:0] group, dispatch, insn;
  logic [64*Width-1:0] work, pc, next_pc, extracted;
  ooo_pkg::extracted_t int0_extracted;
  decoded_group #(
    .Width   (Width),
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Ras     (Ras)
  ) u_group (
    .clk_i, .rst_ni,
    .fetch_req_o, .fetch_pc_o, .fetch_valid_i, .fetch_data_i, .fetch_bad_i, .fetch_partial_i,
    .fetch_last_i,
    .dispatch_o         (group),
    .work_o             (work),
    .insn_o             (insn),
    .pc_o               (pc),
    .next_pc_o          (next_pc),
    .extracted_o        (extracted),
    .leave_i            (enter),
    .redirect_i         (squash),
    .redirect_pc_i      (redirect_pc[63:1]),
    .redirect_plain_i   (plain),
    .redirect_snapshot_i(snapshot),
    .redirect_outcome_i (!load_squashes),
    .update_i           (updates),
    .update_history_i   (int0_extracted.snapshot.history),
    .outcome_kind_i     (kind),
    .outcome_push_i     (kind_push),
    .outcome_taken_i    (taken),
    .outcome_long_i     (long),
    .outcome_pc_i       (last),
    .outcome_target_i   (target),
    .outcome_link_i     (link),
    .chaos_predict_i, .chaos_taken_i, .chaos_last_i, .chaos_target_i
  );

  // Dispatch
  logic window_ready, registers_ready;
  ooo_pkg::slot_t slot;
  logic [ooo_pkg::IndexBits*Width-1:0] load_index, store_index;
  for (genvar lane = 0; lane < Width; lane++) begin : gen_dispatch
    logic fits;
    assign fits = group[32*lane+ooo_pkg::DispatchValid] && queue_ready[lane] && registers_ready;
    assign loads[lane] = group[32*lane+ooo_pkg::DispatchValid] && work[64*lane+ooo_pkg::WorkLoad];
    assign stores[lane] =
        group[32*lane+ooo_pkg::DispatchValid] && work[64*lane+ooo_pkg::WorkStore];
    assign enter[lane] = fits && window_ready && !squash;
    assign dispatch[32*lane+:32] = fits ? group[32*lane+:32] : '0;
  end

  logic div_free, mem_free, fault, empty, replay, replay_head, flush;
  logic [Width-1:0] hold, marked;
  logic [2:0] commit_count, commit_loads;
  ooo_pkg::slot_t head, replay_slot;
  ooo_pkg::issue_t int0, int1, int2, mem, head_issue;
  ooo_pkg::result_t alu0, alu1, alu2, mul, div, mem_result;
  window #(
    .Width (Width),
    .Window(Window)
  ) u_window (
    .clk_i, .rst_ni,
    .dispatch_i        (dispatch),
    .ready_o           (window_ready),
    .slot_o            (slot),
    .div_free_i        (div_free),
    .mem_free_i        (mem_free),
    .float_free_i      (1'b0),
    .head_free_i       (1'b1),
    .int0_o            (int0),
    .int1_o            (int1),
    .int2_o            (int2),
    .mem_o             (mem),
    /* verilator lint_off PINCONNECTEMPTY */
    .float_o           (),
    /* verilator lint_on PINCONNECTEMPTY */
    .head_issue_o      (head_issue),
    .results_i         ({64'd0, mem_result, div, mul, alu2, alu1, alu0}),
    .replay_i          (replay),
    .replay_head_i     (replay_head),
    .replay_slot_i     (replay_slot),
    .squash_i          (squash),
    .squash_inclusive_i(squash_inclusive),
    .squash_slot_i     (squash_slot),
    .flush_all_i       (1'b0),
    .squashed_o        (squashed),
    .hold_i            (hold),
    .commit_count_o    (commit_count),
    .commit_rd_o,
    .head_o            (head),
    .fault_o           (fault),
    .empty_o           (empty),
    /* verilator lint_off PINCONNECTEMPTY */
    .walking_o         (),
    .count_o           ()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign head_o = head;
  assign commit_count_o = commit_count;

  logic unhandled_q;  // an instruction of PortHead has been issued
  always_ff @(posedge clk_i) begin
    if (!rst_ni) unhandled_q <= 1'b0;
    else if (head_issue.valid) unhandled_q <= 1'b1;
  end
  assign unhandled_o = unhandled_q || fault;

  // Operands
  ooo_pkg::work_t int0_work, int1_work, int2_work, mem_work, load_work;
  ooo_pkg::extracted_t load_extracted;
  ooo_pkg::slot_t load_slot;
  logic [63:0] int0_pc, int0_next_pc, int1_pc, int2_pc, mem_pc, load_pc;
  payload #(
    .Width (Width),
    .Window(Window)
  ) u_payload (
    .clk_i,
    .write_i(enter),
    .slot_i(slot),
    .work_i(work), .load_index_i(load_index), .store_index_i(store_index),
    .insn_i(insn),
    .pc_i(pc),
    .next_pc_i(next_pc),
    .extracted_i(extracted),
    .int0_i(int0.valid), .int0_slot_i(int0.slot), .int0_work_o(int0_work), .int0_pc_o(int0_pc),
    .int0_next_pc_o(int0_next_pc), .int0_extracted_o(int0_extracted),
    .int1_i(int1.valid), .int1_slot_i(int1.slot), .int1_work_o(int1_work), .int1_pc_o(int1_pc),
    .int2_i(int2.valid), .int2_slot_i(int2.slot), .int2_work_o(int2_work), .int2_pc_o(int2_pc),
    .mem_i(mem.valid), .mem_slot_i(mem.slot), .mem_work_o(mem_work), .mem_pc_o(mem_pc),
    .squash_i(load_squashes), .squash_slot_i(load_slot), .squash_work_o(load_work),
    .squash_pc_o(load_pc), .squash_extracted_o(load_extracted)
  );

  logic [63:0] int0_rs1, int0_rs2, int1_rs1, int1_rs2, int2_rs1, int2_rs2, mem_rs1, mem_rs2;
  logic [63:0] value0, value1, value2, mul_value, div_value, mem_value;
  physical_registers u_registers (
    .clk_i, .rst_ni,
    .ready_o(registers_ready),
    .int0_i(int0.tags), .int0_rs1_o(int0_rs1), .int0_rs2_o(int0_rs2),
    .int1_i(int1.tags), .int1_rs1_o(int1_rs1), .int1_rs2_o(int1_rs2),
    .int2_i(int2.tags), .int2_rs1_o(int2_rs1), .int2_rs2_o(int2_rs2),
    .mem_i(mem.tags), .mem_rs1_o(mem_rs1), .mem_rs2_o(mem_rs2),
    .alu0_i(alu0), .alu0_value_i(value0),
    .alu1_i(alu1), .alu1_value_i(value1),
    .alu2_i(alu2), .alu2_value_i(value2),
    .mul_i(mul), .mul_value_i(mul_value),
    .div_i(div), .div_value_i(div_value),
    .mem_result_i(mem_result), .mem_value_i(mem_value)
  );

  integer_unit #(
    .Window(Window)
  ) u_integer (
    .clk_i, .rst_ni,
    .int0_i(int0), .int0_work_i(int0_work), .int0_pc_i(int0_pc), .int0_next_pc_i(int0_next_pc),
    .int0_rs1_i(int0_rs1), .int0_rs2_i(int0_rs2),
    .int1_i(int1), .int1_work_i(int1_work), .int1_pc_i(int1_pc), .int1_rs1_i(int1_rs1),
    .int1_rs2_i(int1_rs2),
    .int2_i(int2), .int2_work_i(int2_work), .int2_pc_i(int2_pc), .int2_rs1_i(int2_rs1),
    .int2_rs2_i(int2_rs2),
    .squashed_i(squashed),
    .div_free_o(div_free),
    .alu0_o(alu0), .alu0_value_o(value0),
    .alu1_o(alu1), .alu1_value_o(value1),
    .alu2_o(alu2), .alu2_value_o(value2),
    .mul_o(mul), .mul_value_o(mul_value),
    .div_o(div), .div_value_o(div_value),
    .wrong_o(wrong),
    .again_o(again),
    .target_o(target),
    .link_o(link),
    .update_o(updates),
    .kind_o(kind),
    .push_o(kind_push),
    .taken_o(taken),
    .long_o(long),
    .last_o(last)
  );

  // Loads and stores. Physical addresses are virtual ones, and all is allowed.
  logic violates, violation;
  ooo_pkg::slot_t violation_slot;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [51:0] mem_vpn;  // beyond 56 bits
  /* verilator lint_on UNUSEDSIGNAL */
  memory_port #(
    .Width (Width),
    .Window(Window),
    .Queue (Queue)
  ) u_memory (
    .clk_i, .rst_ni,
    .load_i              (loads),
    .store_i             (stores),
    .ready_o             (queue_ready),
    .load_index_o        (load_index),
    .store_index_o       (store_index),
    .dispatch_i          (enter),
    .free_o              (mem_free),
    .issue_i             (mem),
    .work_i              (mem_work),
    .pc_i                (mem_pc),
    .rs1_i               (mem_rs1),
    .rs2_i               (mem_rs2),
    .squashed_i          (squashed),
    .result_o            (mem_result),
    .value_o             (mem_value),
    /* verilator lint_off PINCONNECTEMPTY */
    .store_o             (),
    .data_o              (),
    .forwarded_o         (),
    .busy_o              (),
    .tlb_lookup_o        (),
    .tlb_space_o         (),
    .tlb_asid_o          (),
    .tlb_drop_o          (),
    .walk_o              (),
    .walk_req_o          (),
    .walk_drop_o         (),
    /* verilator lint_on PINCONNECTEMPTY */
    .pa_o                (load_addr_o),
    .replay_o            (replay),
    .replay_head_o       (replay_head),
    .replay_slot_o       (replay_slot),
    .violation_o         (violation),
    .violation_slot_o    (violation_slot),
    .head_i              (1'b0),
    .priv_i              (soc_pkg::PrivM),
    .satp_i              ('0),
    .status_i            ('0),
    .tlb_vpn_o           (mem_vpn),
    .tlb_hit_i           (1'b1),
    .tlb_entry_i         ({8'b00100011, mem_vpn[43:0]}),
    .walk_done_i         (1'b0),
    .walk_result_i       ('0),
    .load_req_o, .load_valid_i, .load_data_i,
    .commit_loads_i      (commit_loads),
    .commit_store_i      (store_write_o),
    .marked_o            (marked),
    .store_valid_o, .store_addr_o, .store_bytes_o, .store_data_o,
    .probe_i, .probe_line_i, .evict_i, .evict_line_i,
    .squash_i            (squash),
    .squash_load_index_i (squash_load_index),
    .squash_store_index_i(squash_store_index),
    .learn_i             (violates),
    .learn_pc_i          (load_pc),
    .chaos_violate_i
  );

  commit_control #(
    .Width (Width),
    .Window(Window)
  ) u_commit (
    .clk_i,
    .dispatch_i   (enter),
    .load_i       (loads),
    .store_i      (stores),
    .slot_i       (slot),
    .head_i       (head),
    .empty_i      (empty),
    .marked_i     (marked),
    .store_ready_i(store_valid_o && store_ready_i),
    .hold_o       (hold),
    .flush_o      (flush),
    .count_i      (commit_count),
    .loads_o      (commit_loads),
    .store_o      (store_write_o)
  );

  redirect #(
    .Window(Window)
  ) u_redirect (
    .head_i              (head),
    .branch_i            (wrong),
    .branch_again_i      (again),
    .branch_slot_i       (int0.slot),
    .branch_target_i     (target),
    .branch_work_i       (int0_work),
    .branch_extracted_i  (int0_extracted),
    .violation_i         (violation),
    .violation_slot_i    (violation_slot),
    .flush_i             (flush),
    .load_o              (load_squashes),
    .load_slot_o         (load_slot),
    .load_work_i         (load_work),
    .load_pc_i           (load_pc),
    .load_extracted_i    (load_extracted),
    .squash_o            (squash),
    .squash_inclusive_o  (squash_inclusive),
    .squash_slot_o       (squash_slot),
    .squash_load_index_o (squash_load_index),
    .squash_store_index_o(squash_store_index),
    .pc_o                (redirect_pc),
    .plain_o             (plain),
    .snapshot_o          (snapshot),
    .violates_o          (violates)
  );
  assign mispredicted_o = wrong && !load_squashes;
  assign violated_o = violates;

  `ASSERT_IF(writes_when_ready, store_valid_o && store_ready_i, store_write_o)

endmodule
