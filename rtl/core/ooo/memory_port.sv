// SPDX-License-Identifier: Apache-2.0
// The memory port: the address of a load or store in the cycle of its issue; its translation and
// the access to memory_queue.sv in the next one. It takes an instruction a cycle, while free_o.
// Dispatch, commit, probes and squashes are those of memory_queue.sv.
//
// A load that is not done there issues again (replay_o), but with replay_wait_o not before wake_o:
// when a line comes to the L1D, if its own was on the way (cache_waits_i), when a store is executed or
// commits, or when a walk ends.
//
// What the port does not do by itself issues again as the oldest (replay_head_o), and the head unit
// executes it: a misaligned access, one to a device, one that its page does not allow, one whose
// walk faults, and one whose translation is of single use.
//
// A miss of the DTLB starts a walk. Its instruction waits, and issues again when the walk has ended.
// There is one walk at a time; another instruction that misses meanwhile issues again. If the
// instruction leaves by a squash, or the head unit has an access, the walk is dropped: walk_drop_o,
// in the next cycle.
//
// While the head unit has an access (head_i) the port makes none, and does not use the DTLB. The
// head unit waits while busy_o: a walk is to be dropped, or an entry of single use, which belongs to
// the access that asked for it and must not be found by another one.
//
// learn_i: the load at learn_pc_i was executed before an older store to its bytes. Loads at
// addresses of its hash wait from then on until no older store may have their bytes.
//
// chaos_violate_i, for tests: a load that is done is told to have a wrong value.

module memory_port #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64,
  parameter int unsigned Queue = 16
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch
  input  logic [                  Width-1:0] load_i,
  input  logic [                  Width-1:0] store_i,
  output logic [                  Width-1:0] ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] load_index_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] store_index_o,
  input  logic [                  Width-1:0] dispatch_i,

  // Issue
  output logic                        free_o,
  input  ooo_pkg::issue_t             issue_i,
  input  ooo_pkg::work_t              work_i,
  input  logic            [63:0]       pc_i,
  input  logic            [63:0]       rs1_i,
  input  logic            [63:0]       rs2_i,
  input  logic            [Window-1:0] squashed_i,

  // A result, single floats NaN-boxed, with the access; or the instruction issues again
  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o,
  output logic                    store_o,
  output logic                    store_access_o,  // of a store, which has its address pa_o
  output logic             [55:0] pa_o,
  output logic             [63:0] data_o,         // of a store, in the lower bits
  output logic                    forwarded_o,
  output logic                    replay_o,
  output logic                    replay_head_o,
  output logic                    replay_wait_o,
  output ooo_pkg::slot_t          replay_slot_o,
  output logic                    wake_o,
  output logic                    violation_o,
  output ooo_pkg::slot_t          violation_slot_o,

  // An access without a result
  output logic                    delay_o,
  output ooo_pkg::slot_t          delay_slot_o,
  output ooo_pkg::delay_e         delay_why_o,

  // The head unit
  input  logic head_i,
  output logic busy_o,

  output logic quiescent_o,  // nothing here changes, but by a walk that ends

  // The address space, and its DTLB, as in tlb.sv
  input  soc_pkg::priv_e      priv_i,
  input  soc_pkg::satp_t      satp_i,
  input  soc_pkg::mstatus_t   status_i,
  output logic                tlb_lookup_o,
  output logic [51:0]         tlb_vpn_o,
  output soc_pkg::space_e     tlb_space_o,
  output logic [15:0]         tlb_asid_o,
  input  logic                tlb_hit_i,
  input  soc_pkg::tlb_entry_t tlb_entry_i,
  output logic                tlb_drop_o,

  // The walker, as in ptw_arbiter.sv
  output logic                  walk_o,
  output soc_pkg::walk_req_t    walk_req_o,
  output logic                  walk_drop_o,
  input  logic                  walk_done_i,
  input  soc_pkg::walk_result_t walk_result_i,

  // The L1D
  output logic        load_req_o,
  input  logic        load_valid_i,
  input  logic [63:0] load_data_i,
  input  logic        cache_waits_i,   // as in dcache_nonblocking.sv
  input  logic        cache_filled_i,

  // Commit
  input  logic [      2:0] commit_loads_i,
  input  logic             commit_store_i,
  output logic [Width-1:0] marked_o,
  output logic             store_valid_o,
  output logic [     55:0] store_addr_o,
  output logic [      7:0] store_bytes_o,
  output logic [     63:0] store_data_o,

  input logic           probe_i,
  input ooo_pkg::line_t probe_line_i,
  input logic           evict_i,
  input ooo_pkg::line_t evict_line_i,

  input logic            squash_i,
  input ooo_pkg::index_t squash_load_index_i,
  input ooo_pkg::index_t squash_store_index_i,

  input logic        learn_i,
  input logic [63:0] learn_pc_i,

  input logic chaos_violate_i
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic valid_q, store_q, box_q;
  soc_pkg::width_t width_q;
  logic [4:0] load_index_q, store_index_q;  // ooo_pkg::index_t
  logic [5:0] slot_q;
  logic [6:0] rd_q;
  logic [7:0] hash_q;
  logic [63:0] va_q, data_q;
  logic [255:0] waits_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= issue_i.valid && !squashed_i[issue_i.slot[SlotBits-1:0]];
    if (issue_i.valid) begin
      store_q <= work_i.store;
      width_q <= work_i.width;
      box_q <= work_i.load && work_i.unit[3] && work_i.width[1:0] == soc_pkg::SizeWord;
      load_index_q <= work_i.load_index;
      store_index_q <= work_i.store_index;
      slot_q <= issue_i.slot;
      rd_q <= issue_i.tags.rd;
      hash_q <= pc_i[8:1];
      va_q <= rs1_i + {{32{work_i.imm[31]}}, work_i.imm};
      data_q <= rs2_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= '0;
    else if (learn_i) waits_q[learn_pc_i[8:1]] <= 1'b1;
  end

  // The walk: in progress, or ended, but its instruction has not been told; to be dropped. An entry
  // of single use is in the DTLB.
  logic walking_q, ended_q, ended_head_q, walk_drop_q, single_use_q;
  logic [5:0] walk_slot_q;
  soc_pkg::walk_req_t walk_req_q;

  // Translation
  logic asks, lookup, misaligned, untranslated, access, starts;
  soc_pkg::space_e space;
  logic [15:0] asid;
  soc_pkg::translated_t translated;
  soc_pkg::walk_req_t walk_req;
  assign asks = valid_q && !head_i && !single_use_q;
  lsu_address u_address (
    .valid_i      (asks),
    .write_i      (store_q),
    .size_i       (width_q.size),
    .va_i         (va_q),
    .priv_i, .satp_i, .status_i,
    .lookup_o     (lookup),
    .space_o      (space),
    .asid_o       (asid),
    .tlb_hit_i, .tlb_entry_i,
    .walk_o       (untranslated),
    .walk_req_o   (walk_req),
    .walk_done_i  (1'b0),
    .walk_result_i('0),
    .access_o     (translated),
    .fault_o      (misaligned),
    /* verilator lint_off PINCONNECTEMPTY */
    .cause_o      ()
    /* verilator lint_on PINCONNECTEMPTY */
  );
  assign access = translated.valid && !translated.device && !translated.single_use;
  assign starts = untranslated && !tlb_hit_i && !walking_q && !ended_q;
  assign tlb_lookup_o = lookup || single_use_q;
  assign tlb_drop_o = single_use_q;
  always_comb begin
    tlb_vpn_o = va_q[63:12];
    tlb_space_o = space;
    tlb_asid_o = asid;
    if (single_use_q) begin
      tlb_vpn_o = walk_req_q.va[63:12];
      tlb_space_o = walk_req_q.space;
      tlb_asid_o = walk_req_q.asid;
    end
  end

  // Walks
  logic leaves, told;
  assign leaves = squashed_i[walk_slot_q[SlotBits-1:0]];
  assign told = ended_q && !valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walking_q <= 1'b0;
      ended_q <= 1'b0;
      walk_drop_q <= 1'b0;
      single_use_q <= 1'b0;
    end else begin
      walk_drop_q <= 1'b0;
      single_use_q <= 1'b0;
      if (walking_q) begin
        walking_q <= !walk_done_i && !head_i && !leaves;
        ended_q <= (walk_done_i || head_i) && !leaves;
        walk_drop_q <= (head_i || leaves) && !walk_done_i;
        single_use_q <= walk_done_i && !walk_result_i.fault &&
            walk_result_i.entry.flags.single_use;
      end else if (ended_q) begin
        ended_q <= !told && !leaves;
      end else begin
        walking_q <= starts && !squashed_i[slot_q[SlotBits-1:0]];
      end
    end
    if (walking_q)
      ended_head_q <= walk_done_i && (walk_result_i.fault || walk_result_i.entry.flags.device ||
                                      walk_result_i.entry.flags.single_use);
    if (starts) begin
      walk_slot_q <= slot_q;
      walk_req_q <= walk_req;
    end
  end
  assign walk_o = walking_q;
  assign walk_req_o = walk_req_q;
  assign walk_drop_o = walk_drop_q;
  assign busy_o = walking_q || single_use_q;
  assign free_o = !head_i && !ended_q;

  logic done, violation;
  logic [63:0] value;
  ooo_pkg::slot_t violation_slot;
  memory_queue #(
    .Width(Width),
    .Queue(Queue)
  ) u_queue (
    .clk_i, .rst_ni,
    .load_i, .store_i, .ready_o, .load_index_o, .store_index_o, .dispatch_i,
    .access_i            (access),
    .access_store_i      (store_q),
    .access_load_index_i (load_index_q),
    .access_store_index_i(store_index_q),
    .access_slot_i       (slot_q),
    .access_addr_i       (translated.pa),
    .access_width_i      (width_q),
    .access_data_i       (data_q),
    .access_wait_i       (waits_q[hash_q]),
    .done_o              (done),
    .value_o             (value),
    .violation_o         (violation),
    .violation_slot_o    (violation_slot),
    .forwarded_o,
    .cache_req_o         (load_req_o),
    .cache_hit_i         (load_valid_i),
    .cache_rdata_i       (load_data_i),
    .commit_loads_i, .commit_store_i, .marked_o,
    .write_valid_o       (store_valid_o),
    .write_addr_o        (store_addr_o),
    .write_bytes_o       (store_bytes_o),
    .write_data_o        (store_data_o),
    .probe_i, .probe_line_i, .evict_i, .evict_line_i,
    .squash_i, .squash_load_index_i, .squash_store_index_i
  );

  always_comb begin
    value_o = value;
    if (box_q && done) value_o[63:32] = '1;
  end
  assign store_o = store_q;
  assign store_access_o = access && store_q;
  assign pa_o = translated.pa;
  assign data_o = data_q;
  always_comb begin
    result_o = '0;
    replay_o = told;
    replay_head_o = told && ended_head_q;
    replay_wait_o = 1'b0;
    replay_slot_o = walk_slot_q;
    violation_o = 1'b0;
    violation_slot_o = '0;
    if (valid_q) begin
      result_o.valid = done;
      result_o.slot = slot_q;
      result_o.rd = rd_q;
      replay_o = !done && !starts;
      replay_head_o = misaligned || (lookup && tlb_hit_i && !access);
      replay_wait_o = !done && ((access && (!load_req_o || cache_waits_i)) ||
                                (untranslated && !tlb_hit_i && walking_q));
      replay_slot_o = slot_q;
      violation_o = violation;
      violation_slot_o = violation_slot;
      if (chaos_violate_i && done && !store_q) begin
        violation_o = 1'b1;
        violation_slot_o = slot_q;
      end
    end
  end

  assign delay_o = valid_q && !done;
  assign delay_slot_o = slot_q;
  always_comb begin
    delay_why_o = ooo_pkg::DelayPort;
    if (delay_o) begin
      if (untranslated) delay_why_o = ooo_pkg::DelayWalk;
      else if (translated.valid && translated.device) delay_why_o = ooo_pkg::DelayDevice;
      else if (replay_head_o) delay_why_o = ooo_pkg::DelayHead;
      else if (access)
        delay_why_o = load_req_o ? ooo_pkg::DelayMiss : ooo_pkg::DelayStore;
    end
  end

  // What wakes, beside the L1D, in the next cycle
  logic changed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) changed_q <= 1'b0;
    else
      changed_q <= (done && store_q) || commit_store_i ||
                   (walking_q && (walk_done_i || head_i || leaves));
  end
  assign wake_o = changed_q || cache_filled_i;
  assign quiescent_o = !valid_q && !ended_q && !walk_drop_q && !single_use_q && !changed_q &&
                       !(walking_q && head_i);

  `ASSERT_IF(head_has_the_dtlb, !tlb_lookup_o, head_i && !busy_o)
  `ASSERT_IF(walk_of_one, !walking_q, ended_q || single_use_q)
  `ASSERT_HELD(walk_stands, walk_o, walk_done_i || head_i || leaves, walk_req_o)

endmodule
