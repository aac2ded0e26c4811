// SPDX-License-Identifier: Apache-2.0
// The out-of-order core in machine mode on flat memory, which answers in the same cycle unless
// *_no_i says that it does not. There are 16 MiB of instructions, and data from 2 GiB to 4 GiB,
// which wrap around, as loads of wrong paths may be anywhere; elsewhere is a device, whose stores
// are told. The CSRs are fflags, frm and fcsr. What needs other CSRs, or traps, is unhandled.
//
// With check_i, what has committed in the last cycle is shown.

module flat #(
  parameter int unsigned Commits = 4,
  parameter int unsigned Window = 64,
  parameter int unsigned Queue = 16,
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 4096,
  parameter int unsigned Branches = 1024,
  parameter int unsigned Targets = 128,
  parameter int unsigned Ras = 8,
  localparam int unsigned WordBits = 21
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic float_clk_i,
  output logic float_clk_req_o,

  // Writes a word of memory: during reset, or as another agent, with a probe and store_no_i
  input logic        write_i,
  input logic [20:0] write_word_i,
  input logic [63:0] write_data_i,

  input logic        check_i,
  input logic        fetch_no_i,
  input logic        load_no_i,
  input logic        store_no_i,
  input logic        waits_i,        // the line that is missed is on its way
  input logic        filled_i,       // a line has come
  input logic        walk_no_i,
  input logic        fetch_alone_i,  // the ITLB has an entry of single use
  input logic        page_no_i,      // the DTLB has no entry
  input logic        page_alone_i,   // it has one of single use, as do walks
  input logic        page_fault_i,   // a walk for the memory port faults
  input logic        irq_i,          // an interrupt, which is gone when it could be taken
  input logic        probe_i,
  input logic [1:0]  probe_op_i,
  input logic [49:0] probe_line_i,
  input logic        evict_i,
  input logic [49:0] evict_line_i,
  input logic        chaos_predict_i,
  input logic        chaos_taken_i,
  input logic [2:0]  chaos_last_i,
  input logic [63:0] chaos_target_i,
  input logic        chaos_violate_i,

  output logic [27:0]           cases_o,         // as in check.cc
  output logic                  unhandled_o,
  output logic                  mispredicted_o,
  output logic                  violated_o,
  output logic [Commits-1:0]    commit_o,
  output logic [64*Commits-1:0] pc_o,
  output logic [32*Commits-1:0] insn_o,
  output logic [6*Commits-1:0]  rd_o,
  output logic [64*Commits-1:0] value_o,
  output logic [2*Commits-1:0]  size_o,
  output logic [Commits-1:0]    load_o,
  output logic [Commits-1:0]    store_o,
  output logic [Commits-1:0]    device_o,
  output logic [64*Commits-1:0] addr_o,
  output logic [64*Commits-1:0] wdata_o,
  output logic                  float_dirty_o,
  output logic [7:0]            fcsr_o,
  output logic                  write_o,         // of memory or a device, by the core
  output logic [55:0]           write_addr_o,
  output logic [7:0]            write_bytes_o,
  output logic [63:0]           write_data_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [63:0] mem_q[2**WordBits];  // 0 at the start
  initial for (int i = 0; i < 2 ** WordBits; i++) mem_q[i] = '0;

  soc_pkg::mstatus_t status;
  always_comb begin
    status = '0;
    status.fs = 2'd3;
  end

  // Instructions
  logic fetch_inside, fetch_translated, fetch_walk, fetch_hit;
  logic [63:0] fetch_pc;
  logic [127:0] fetch_data;
  soc_pkg::tlb_flags_t fetch_flags;
  assign fetch_inside = fetch_pc >> WordBits + 3 == 64'h80000000 >> WordBits + 3;
  assign fetch_flags = '{single_use: fetch_alone_i, device: 1'b0, default: 1'b1};
  assign fetch_hit = fetch_translated && !fetch_no_i;
  always_comb begin
    fetch_data = '0;
    if (fetch_translated)
      fetch_data = {mem_q[{fetch_pc[WordBits+2:4], 1'b1}], mem_q[{fetch_pc[WordBits+2:4], 1'b0}]};
    // What is behind a partial block is not to be used.
    if (fetch_alone_i) fetch_data = fetch_data ^ ~('1 >> (7'd112 - {fetch_pc[3:1], 4'd0}));
  end

  // Translation of data. An access of the head unit misses the DTLB only at first.
  logic data_hit, data_walk, data_walk_drop, data_walk_done, head, head_known_q, walks_q;
  logic [51:0] data_vpn;
  soc_pkg::tlb_entry_t data_entry;
  soc_pkg::walk_req_t data_walk_req;
  soc_pkg::walk_result_t walk_result;
  function automatic soc_pkg::tlb_entry_t entry_of(input logic [51:0] vpn, input logic alone);
    entry_of.flags = '{single_use: alone, device: vpn[51:19] != 33'd1, default: 1'b1};
    entry_of.ppn = vpn[43:0];
  endfunction
  assign head = u_core.u_memory.head;
  assign data_hit = head ? head_known_q || !(page_no_i || walks_q) : !page_no_i;
  assign data_entry = entry_of(data_vpn, page_alone_i && !head);
  assign data_walk_done = data_walk && !walk_no_i;
  always_comb begin
    walk_result = '0;
    walk_result.fault = !data_walk || (page_fault_i && !head);
    walk_result.entry = entry_of(data_walk_req.va[63:12], page_alone_i && !head);
  end
  always_ff @(posedge clk_i) begin
    head_known_q <= head && (data_hit || data_walk_done);
    walks_q <= data_walk && !data_walk_done;
  end

  // The L1D and devices
  logic cache_req, cache_write, cache_store, cache_hit, device_valid, device_ready, writes;
  logic [55:0] data_pa;
  logic [63:0] cache_wdata, cache_wmask, load_data, device_wdata;
  device_pkg::device_req_t device_req;
  // A probe is in a cycle of its own, as in dcache.sv, for the reservation.
  assign cache_hit = cache_req && !(cache_write ? store_no_i : load_no_i) && !(head && probe_i);
  assign device_ready = device_valid && !store_no_i;
  assign writes = cache_store && cache_hit;
  always_comb begin
    load_data = '0;
    if (cache_req) load_data = mem_q[data_pa[WordBits+2:3]];
  end
  always_ff @(posedge clk_i) begin
    if (write_i) mem_q[write_word_i] <= write_data_i;
    else if (writes)
      mem_q[data_pa[WordBits+2:3]] <=
          (mem_q[data_pa[WordBits+2:3]] & ~cache_wmask) | (cache_wdata & cache_wmask);
  end

  // The CSRs
  logic csr_valid, csr_we;
  logic [11:0] csr_addr;
  soc_pkg::csr_op_e csr_op;
  logic [4:0] csr_rs1;
  logic [63:0] csr_operand;
  logic [7:0] csr_rdata, csr_wdata;
  soc_pkg::frm_t frm;
  soc_pkg::fflags_t fflags;
  always_comb begin
    csr_rdata = '0;
    if (csr_valid)
      case (csr_addr)
        csr_pkg::CsrFflags: csr_rdata = {3'd0, fflags};
        csr_pkg::CsrFrm: csr_rdata = {5'd0, frm};
        default: csr_rdata = {frm, fflags};
      endcase
    case (csr_op)
      soc_pkg::CsrSet: csr_wdata = csr_rdata | csr_operand[7:0];
      soc_pkg::CsrClear: csr_wdata = csr_rdata & ~csr_operand[7:0];
      default: csr_wdata = csr_operand[7:0];
    endcase
    csr_we = csr_valid && (csr_op == soc_pkg::CsrWrite || csr_rs1 != 5'd0);
  end

  logic trap, float_dirty;
  logic [Commits-1:0] commit, load, store, device;
  logic [64*Commits-1:0] pc, value, wdata;
  logic [64*Commits-1:0] addr;
  logic [32*Commits-1:0] insn;
  logic [6*Commits-1:0] rd;
  logic [2*Commits-1:0] size;
  soc_pkg::xret_e xret;
  core_ooo #(
    .Commits (Commits),
    .Window  (Window),
    .Queue   (Queue),
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Branches(Branches),
    .Targets (Targets),
    .Ras     (Ras)
  ) u_core (
    .clk_i, .rst_ni, .float_clk_i, .float_clk_req_o,
    .class_clk_i       (1'b0),
    .copy_on_i         (1'b0),
    .trace_on_i        (check_i),
    .trace_details_i   (check_i),
    .trace_reads_values_i(check_i),
    .classes_on_i      (1'b0),
    .priv_i            (soc_pkg::PrivM),
    .data_priv_i       (soc_pkg::PrivM),
    .satp_i            ('0),
    .status_i          (status),
    .fetch_pc_o        (fetch_pc),
    .fetch_space_i     (soc_pkg::SpaceMachine),
    .fetch_asid_i      (16'd0),
    .itlb_hit_i        (fetch_inside),
    .itlb_flags_i      (fetch_flags),
    .fetch_translated_o(fetch_translated),
    .fetch_remembered_i(1'b0),
    .fetch_hit_i       (fetch_hit),
    .fetch_data_i      (fetch_data),
    .icache_quiescent_i(1'b0),
    .icache_dram_i     (1'b0),
    .imem_req_i        (1'b0),
    .fetch_walk_o      (fetch_walk),
    .fetch_walk_done_i (fetch_walk && !data_walk && !walk_no_i && !u_core.redirect_o),
    .data_vpn_o        (data_vpn),
    .dtlb_hit_i        (data_hit),
    .dtlb_entry_i      (data_entry),
    .data_walk_o       (data_walk),
    .data_walk_drop_o  (data_walk_drop),
    .data_walk_req_o   (data_walk_req),
    .data_walk_done_i  (data_walk_done),
    .walk_result_i     (walk_result),
    .walk_busy_i       (data_walk),
    .walk_quiescent_i  (1'b0),
    .cache_req_o       (cache_req),
    .cache_write_o     (cache_write),
    .cache_store_o     (cache_store),
    .data_pa_o         (data_pa),
    .data_wdata_o      (cache_wdata),
    .cache_wmask_o     (cache_wmask),
    .cache_hit_i       (cache_hit),
    .cache_waits_i     (cache_req && !cache_hit && waits_i),
    .cache_filled_i    (filled_i),
    .cache_rdata_i     (load_data),
    .cache_quiescent_i (1'b0),
    .cache_dram_i      (1'b0),
    .dmem_req_i        (1'b0),
    .wb_valid_i        (1'b0),
    .wb_beat_i         (3'd0),
    .evict_i, .evict_line_i,
    .probe_valid_i     (probe_i),
    .probe_i           ({probe_op_i, probe_line_i, 6'd0}),
    .probe_ack_i       (probe_i),
    .device_valid_o    (device_valid),
    .device_req_o      (device_req),
    .device_wdata_o    (device_wdata),
    .device_ready_i    (device_ready),
    .device_rsp_i      ('0),
    .copy_done_i       (1'b0),
    .copy_count_i      ('0),
    .csr_valid_o       (csr_valid),
    .csr_addr_o        (csr_addr),
    .csr_op_o          (csr_op),
    .csr_rs1_o         (csr_rs1),
    .csr_operand_o     (csr_operand),
    .csr_rdata_i       ({56'd0, csr_rdata}),
    .csr_illegal_i     (1'b0),
    .csr_flush_i       (1'b0),
    .satp_we_i         (1'b0),
    .csr_target_i      (64'd0),
    .csr_we_i          (csr_we),
    .csr_wdata_i       (csr_wdata),
    .irq_i             (irq_i && !u_core.head_valid),
    .irq_cause_i       (csr_pkg::IrqMt),
    .wake_i            (1'b0),
    .hpm_on_i          (1'b0),
    .xret_o            (xret),
    .float_dirty_o     (float_dirty),
    .frm_o             (frm),
    .fflags_o          (fflags),
    .commit_o          (commit),
    .trap_o            (trap),
    .pc_o              (pc),
    .insn_o            (insn),
    .rd_o              (rd),
    .value_o           (value),
    .size_o            (size),
    .load_o            (load),
    .store_o           (store),
    .device_o          (device),
    .addr_o            (addr),
    .wdata_o           (wdata),
    .chaos_predict_i, .chaos_taken_i, .chaos_last_i,
    .chaos_target_i    (chaos_target_i[63:1]),
    .chaos_violate_i,
    /* verilator lint_off PINCONNECTEMPTY */
    .idle_o(), .redirect_o(), .flush_o(), .fence_o(), .itlb_drop_o(), .fetch_single_use_o(),
    .fetch_walk_req_o(), .dtlb_lookup_o(), .data_space_o(), .data_asid_o(), .dtlb_drop_o(),
    .cache_amo_o(), .probe_reserved_o(), .probe_stall_o(), .reservation_quiescent_o(),
    .copy_valid_o(), .copy_o(), .events_o(), .unit_o(), .op_o(), .cause_o(), .tval_o(),
    .trace_class_o()
    /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    commit_o <= rst_ni ? commit : '0;
    if (check_i) begin
      pc_o <= pc;
      insn_o <= insn;
      rd_o <= rd;
      value_o <= value;
      size_o <= size;
      load_o <= load;
      store_o <= store;
      device_o <= device;
      addr_o <= addr;
      wdata_o <= wdata;
    end
    unhandled_o <= rst_ni && (trap || xret != soc_pkg::XretNone ||
                              (csr_valid && (csr_addr == '0 || csr_addr > csr_pkg::CsrFcsr)));
    mispredicted_o <= u_core.wrong;
    violated_o <= u_core.violates;
    float_dirty_o <= float_dirty;
    write_o <= rst_ni && (writes || (device_ready && device_req.write));
    write_addr_o <= data_pa;
    write_data_o <= cache_wdata;
    for (int i = 0; i < 8; i++) write_bytes_o[i] <= cache_wmask[8*i];
  end
  assign fcsr_o = {frm, fflags};

  logic float_other, float_x_squashed, float_m_squashed;  // in X: no addition or multiply-add
  assign float_other = u_core.gen_float.u_float.valid_q && !u_core.gen_float.u_float.fused;
  assign float_x_squashed = u_core.squashed[u_core.gen_float.u_float.slot_q[SlotBits-1:0]];
  assign float_m_squashed = u_core.squashed[u_core.gen_float.u_float.slot_m_q[SlotBits-1:0]];
  logic [27:0] cases;
  always_comb begin
    cases = '0;
    if (check_i && rst_ni) cases = {
      u_core.head_redirect && u_core.u_window.count_q > 7'd1,
      u_core.u_head.stand_in && u_core.u_window.done_q[u_core.head[SlotBits-1:0]],
      u_core.u_memory.u_port.walking_q && u_core.head_valid,
      u_core.u_memory.u_port.walking_q && u_core.u_memory.u_port.leaves,
      head && !data_hit,
      u_core.replay && u_core.replay_head,
      (u_core.gen_float.u_float.u_status.told & u_core.squashed) != '0,
      float_other && u_core.gen_float.u_float.done && !u_core.gen_float.u_float.leaves,
      float_other && float_x_squashed && u_core.gen_float.u_float.live_m_q && !float_m_squashed,
      float_other && !u_core.gen_float.u_float.live_q,
      u_core.gen_float.u_float.live_m_q && float_m_squashed,
      u_core.float_issue.valid && u_core.squashed[u_core.float_issue.slot[SlotBits-1:0]],
      u_core.flush && u_core.wrong,
      u_core.u_redirect.violates_o && u_core.wrong,
      u_core.u_redirect.violation_i && u_core.wrong && !u_core.load_squashes,
      u_core.violation && u_core.wrong && u_core.again,
      u_core.again && !u_core.int0_extracted.torn,
      u_core.again && u_core.int0_extracted.torn,
      u_core.flush,
      (u_core.hold & u_core.u_commit.marked) != '0 && !u_core.flush,
      u_core.enter != '0 && u_core.u_group.held_o != u_core.enter,
      u_core.u_memory.store_valid && !u_core.store_ready && u_core.hold[0],
      (u_core.u_commit.stores & ~u_core.u_commit.first) != '0 && u_core.store_write,
      u_core.u_integer.u_divide.valid_q && u_core.u_integer.u_divide.squashed,
      u_core.u_integer.multiplies && u_core.squashed[u_core.int1.slot[SlotBits-1:0]],
      u_core.mem.valid && u_core.squashed[u_core.mem.slot[SlotBits-1:0]],
      u_core.u_memory.u_port.access && u_core.replay && !u_core.u_memory.load_req,
      u_core.u_group.push_partial && u_core.u_group.push && u_core.u_group.push_jumps
    };
  end
  always_ff @(posedge clk_i) cases_o <= cases;

endmodule
