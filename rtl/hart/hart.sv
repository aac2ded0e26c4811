// SPDX-License-Identifier: Apache-2.0
// A hart: one core, and what every core has beside it: the L1 caches, the TLBs, the walker, the
// PMP, the CSRs and the trace port.
//
// Core chooses the core. Its ports are those of core_inorder.sv: another core is one more
// branch of gen_core below.

module hart #(
  parameter bit Core = config_pkg::CoreInorder,
  parameter bit TracePort = 1'b1,  // 0: the trace port is tied off
  parameter bit Pmu = 1'b1,        // 0: no event counters; mcycle and minstret remain
  parameter bit Float = 1'b1,      // 0: no F and D
  parameter bit Coherent = 1'b0,   // other harts have caches: see dcache.sv
  parameter int unsigned Commits = soc_pkg::Commits,  // see there
  // Sizes, as in config_pkg.sv
  parameter int unsigned L1iSets = config_pkg::L1iSets,
  parameter int unsigned L1iWays = config_pkg::L1iWays,
  parameter int unsigned L1dSets = config_pkg::L1dSets,
  parameter int unsigned L1dWays = config_pkg::L1dWays,
  parameter int unsigned L1dMisses = 1,  // at a time, of the out-of-order core
  parameter int unsigned ItlbSets = config_pkg::ItlbSets,
  parameter int unsigned ItlbWays = config_pkg::ItlbWays,
  parameter int unsigned DtlbSets = config_pkg::DtlbSets,
  parameter int unsigned DtlbWays = config_pkg::DtlbWays,
  parameter int unsigned BtbEntries = config_pkg::BtbEntries,
  parameter int unsigned BhtEntries = config_pkg::BhtEntries,
  parameter int unsigned RasEntries = config_pkg::RasEntries,
  parameter int unsigned OooWindow = config_pkg::OooWindow,
  parameter int unsigned OooQueue = config_pkg::OooQueue,
  parameter int unsigned OooBtbSets = config_pkg::OooBtbSets,
  parameter int unsigned OooBranches = config_pkg::OooBranches
) (
  input  logic        clk_i,           // with Coherent it may be stopped, see hart_sleep.sv
  input  logic        time_clk_i,      // the same, of what changes with time alone: never stopped
  input  logic        rst_ni,
  input  logic [15:0] skip_i,
  input  logic [63:0] hart_id_i,  // a strap, so that all harts are the same module
  input  logic [63:0] ram_size_i,
  input  logic        float_on_i,
  input  logic        float_clk_i,     // clk_i; may be stopped while float_clk_req_o is low
  output logic        float_clk_req_o,
  input  logic        copy_on_i,       // cpy can be used: a strap
  output logic        idle_o,

  // Interrupts and time
  input device_pkg::irq_t irq_lines_i,
  input logic [63:0]      mtime_i,

  // Memory: see icache.sv and dcache.sv
  output logic                imem_req_o,
  output logic [55:0]         imem_addr_o,
  input  logic                imem_valid_i,
  input  logic [63:0]         imem_data_i,
  output logic                dmem_req_valid_o,
  output mem_pkg::line_req_t  dmem_req_o,
  input  logic                dmem_rsp_valid_i,
  input  mem_pkg::line_rsp_t  dmem_rsp_i,
  output logic                dmem_rsp_ready_o,
  input  mem_pkg::mem_dram_t  mem_dram_i,
  output logic                wb_valid_o,
  output mem_pkg::writeback_t wb_o,
  input  logic                wb_ready_i,
  input  logic                probe_valid_i,
  input  mem_pkg::probe_t     probe_i,
  output logic                probe_ack_o,
  output logic                probe_kept_o,  // with the ack: the line is kept, or reserved

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

  // Trace port: describes the cycle that just ended
  input  logic                                        trace_clk_i,   // clk_i; may be stopped while not on
  input  logic                                        class_clk_i,   // the same, if neither on nor classes
  input  soc_pkg::trace_mode_t                        trace_mode_i,
  output logic [Commits*soc_pkg::TraceEventBits-1:0]  trace_event_o,
  output logic [Commits-1:0]                          trace_full_o,
  output logic [Commits*soc_pkg::TraceTokenBits-1:0]  trace_token_o,
  output logic [Commits*soc_pkg::TraceDetailBits-1:0] trace_detail_o,
  output logic [Commits*soc_pkg::TraceClassBits-1:0]  trace_class_o  // without a token: why there was none
);

  localparam int unsigned CountBits = $clog2(Commits + 1);
  localparam int unsigned EventBits =
      Core == config_pkg::CoreOoo ? csr_pkg::EventBitsOoo : csr_pkg::EventBits;
  localparam int unsigned FetchBytes = Core == config_pkg::CoreOoo ? 16 : 4;

  // State of the hart
  soc_pkg::priv_e priv, data_priv;
  soc_pkg::satp_t satp;
  soc_pkg::mstatus_t status;

  // The core and the L1I, with its TLB
  logic [63:0] fetch_pc;
  soc_pkg::space_e fetch_space;
  logic [15:0] fetch_asid;
  logic redirect, flush;
  logic itlb_hit, itlb_drop, fetch_translated, fetch_single_use, fetch_remembered, fetch_hit;
  logic icache_quiescent, icache_dram;
  logic [8*FetchBytes-1:0] fetch_data;
  soc_pkg::tlb_entry_t itlb_entry;

  // The core and the L1D, with its TLB
  logic [51:0] data_vpn;
  soc_pkg::space_e data_space;
  logic [15:0] data_asid;
  logic dtlb_lookup, dtlb_hit, dtlb_drop;
  soc_pkg::tlb_entry_t dtlb_entry;
  logic cache_req, cache_write, cache_store, cache_amo, cache_hit;
  logic cache_dram, cache_quiescent, cache_kept;
  logic cache_waits, cache_filled, evict;
  mem_pkg::line_t evict_line;
  logic reserved, probe_stall, reservation_quiescent;
  logic [63:0] cache_wmask, cache_rdata, data_wdata;
  logic [55:0] data_pa;
  soc_pkg::fence_t fence;

  // Walks
  logic fetch_walk, fetch_walk_done, data_walk, data_walk_drop, data_walk_done, walk_busy, walk_quiescent;
  soc_pkg::walk_req_t fetch_walk_req, data_walk_req, walk_for;
  soc_pkg::walk_result_t walk_result;
  logic table_req, table_ack;
  logic [55:0] table_addr;
  logic pmp_we, pmp_valid;
  soc_pkg::pmp_check_t pmp_check;
  soc_pkg::pmp_allow_t pmp_allow;
  logic [11:0] pmp_addr;
  logic [63:0] pmp_wdata, pmp_rdata;

  // The core and the CSRs
  logic csr_valid, csr_illegal, csr_flush, csr_we, satp_we, irq, wake, hpm_on, float_dirty;
  logic [11:0] csr_addr;
  soc_pkg::csr_op_e csr_op;
  logic [4:0] csr_rs1;
  logic [63:0] csr_operand, csr_rdata, csr_target;
  logic [7:0] csr_wdata;
  csr_pkg::irq_e irq_cause;
  soc_pkg::xret_e xret;
  soc_pkg::frm_t frm;
  soc_pkg::fflags_t fflags;
  logic [CountBits*EventBits-1:0] events;

  // What commits
  logic [Commits-1:0] commit, commit_load, commit_store, commit_device;
  logic trap;
  logic [Commits*64-1:0] commit_pc;
  logic [Commits*32-1:0] commit_insn;
  logic [Commits*4-1:0] commit_unit, commit_op;
  logic [Commits*2-1:0] commit_size;
  logic [Commits*6-1:0] commit_rd;
  logic [Commits*64-1:0] commit_value, commit_wdata;
  logic trace_reads_values;
  logic [Commits*64-1:0] commit_addr;
  logic [63:0] trap_tval;
  soc_pkg::trap_cause_t trap_cause;

  always_comb begin
    fetch_space = soc_pkg::SpaceMachine;
    if (priv != soc_pkg::PrivM)
      fetch_space = satp.translates ? soc_pkg::SpaceSv39 : soc_pkg::SpaceBare;
  end
  assign fetch_asid = fetch_space == soc_pkg::SpaceSv39 ? satp.asid : 16'd0;

`ifdef PROBES
  probe_hart #(
    .Core(Core),
    .L1iSets(L1iSets),
    .L1iWays(L1iWays),
    .L1dSets(L1dSets),
    .L1dWays(L1dWays),
    .DtlbSets(DtlbSets),
    .DtlbWays(DtlbWays)
  ) u_probe ();
`endif

  logic core_idle, wants_classes;
  assign wants_classes = TracePort && (trace_mode_i.on || trace_mode_i.classes);
  if (Core == config_pkg::CoreInorder) begin : gen_core
    core_inorder #(
      .TracePort (TracePort),
      .Float     (Float),
      .Coherent  (Coherent),
      .Commits   (Commits),
      .BtbEntries(BtbEntries),
      .BhtEntries(BhtEntries),
      .RasEntries(RasEntries)
    ) u_core (
      .clk_i, .rst_ni, .float_clk_i, .float_clk_req_o, .class_clk_i, .copy_on_i,
      .trace_on_i(trace_mode_i.on), .classes_on_i(wants_classes), .idle_o(core_idle),
      .priv_i(priv), .data_priv_i(data_priv), .satp_i(satp), .status_i(status),
      .redirect_o(redirect), .flush_o(flush), .fence_o(fence),
      .fetch_pc_o(fetch_pc), .fetch_space_i(fetch_space), .fetch_asid_i(fetch_asid),
      .itlb_hit_i(itlb_hit), .itlb_flags_i(itlb_entry.flags), .itlb_drop_o(itlb_drop),
      .fetch_translated_o(fetch_translated), .fetch_single_use_o(fetch_single_use),
      .fetch_remembered_i(fetch_remembered), .fetch_hit_i(fetch_hit), .fetch_data_i(fetch_data),
      .icache_quiescent_i(icache_quiescent), .icache_dram_i(icache_dram), .imem_req_i(imem_req_o),
      .fetch_walk_o(fetch_walk), .fetch_walk_req_o(fetch_walk_req),
      .fetch_walk_done_i(fetch_walk_done),
      .data_vpn_o(data_vpn), .dtlb_lookup_o(dtlb_lookup), .data_space_o(data_space),
      .data_asid_o(data_asid), .dtlb_hit_i(dtlb_hit), .dtlb_entry_i(dtlb_entry),
      .dtlb_drop_o(dtlb_drop),
      .data_walk_o(data_walk), .data_walk_req_o(data_walk_req), .data_walk_done_i(data_walk_done),
      .walk_result_i(walk_result), .walk_busy_i(walk_busy), .walk_quiescent_i(walk_quiescent),
      .cache_req_o(cache_req), .cache_write_o(cache_write), .cache_store_o(cache_store),
      .cache_amo_o(cache_amo), .data_pa_o(data_pa), .data_wdata_o(data_wdata),
      .cache_wmask_o(cache_wmask), .cache_hit_i(cache_hit), .cache_rdata_i(cache_rdata),
      .cache_quiescent_i(cache_quiescent), .cache_dram_i(cache_dram),
      .dmem_req_i(dmem_req_valid_o), .wb_valid_i(wb_valid_o && wb_ready_i),
      .wb_beat_i(wb_o.addr[5:3]),
      .probe_valid_i, .probe_i, .probe_reserved_o(reserved), .probe_stall_o(probe_stall),
      .reservation_quiescent_o(reservation_quiescent),
      .device_valid_o, .device_req_o, .device_wdata_o, .device_ready_i, .device_rsp_i,
      .copy_valid_o, .copy_o, .copy_done_i, .copy_count_i,
      .csr_valid_o(csr_valid), .csr_addr_o(csr_addr), .csr_op_o(csr_op), .csr_rs1_o(csr_rs1),
      .csr_operand_o(csr_operand), .csr_rdata_i(csr_rdata), .csr_illegal_i(csr_illegal),
      .csr_flush_i(csr_flush), .satp_we_i(satp_we), .csr_target_i(csr_target),
      .csr_we_i(csr_we), .csr_wdata_i(csr_wdata), .irq_i(irq), .irq_cause_i(irq_cause),
      .wake_i(wake), .hpm_on_i(hpm_on),
      .xret_o(xret), .float_dirty_o(float_dirty), .frm_o(frm), .fflags_o(fflags),
      .events_o(events),
      .commit_o(commit), .trap_o(trap), .pc_o(commit_pc), .insn_o(commit_insn),
      .unit_o(commit_unit), .op_o(commit_op), .size_o(commit_size), .rd_o(commit_rd),
      .value_o(commit_value), .cause_o(trap_cause), .tval_o(trap_tval),
      .load_o(commit_load), .store_o(commit_store), .device_o(commit_device),
      .addr_o(commit_addr), .wdata_o(commit_wdata),
      .trace_class_o
    );
    assign data_walk_drop = 1'b0;
    logic unused;
    assign unused = ^{cache_waits, cache_filled, evict, evict_line, trace_reads_values};
  end else if (Core == config_pkg::CoreOoo) begin : gen_core
    logic chaos_predict, chaos_taken, chaos_violate, chaos_evict;
    ooo_pkg::halfword_t chaos_last;
    logic [63:1] chaos_target;
    mem_pkg::line_t chaos_line;
`ifdef CHAOS
    chaos_ooo #(
      .Rate(`CHAOS)
    ) u_chaos (
      .clk_i, .rst_ni,
      .fetch_pc_i(fetch_pc), .data_i(cache_req), .data_line_i(data_pa[55:6]),
      .predict_o(chaos_predict), .taken_o(chaos_taken), .last_o(chaos_last),
      .target_o(chaos_target), .violate_o(chaos_violate),
      .evict_o(chaos_evict), .evict_line_o(chaos_line)
    );
`else
    assign {chaos_predict, chaos_taken, chaos_last, chaos_violate, chaos_evict} = '0;
    assign chaos_target = '0;
    assign chaos_line = '0;
`endif
    core_ooo #(
      .TracePort (TracePort),
      .Float     (Float),
      .Coherent  (Coherent),
      .Commits   (Commits),
      .Window    (OooWindow),
      .Queue     (OooQueue),
      .BtbSets   (OooBtbSets),
      .Branches  (OooBranches)
    ) u_core (
      .clk_i, .rst_ni, .float_clk_i, .float_clk_req_o, .class_clk_i, .copy_on_i,
      .trace_on_i(trace_mode_i.on), .trace_details_i(trace_mode_i.full || trace_mode_i.classes),
      .trace_reads_values_i(trace_reads_values),
      .classes_on_i(wants_classes), .idle_o(core_idle),
      .priv_i(priv), .data_priv_i(data_priv), .satp_i(satp), .status_i(status),
      .redirect_o(redirect), .flush_o(flush), .fence_o(fence),
      .fetch_pc_o(fetch_pc), .fetch_space_i(fetch_space), .fetch_asid_i(fetch_asid),
      .itlb_hit_i(itlb_hit), .itlb_flags_i(itlb_entry.flags), .itlb_drop_o(itlb_drop),
      .fetch_translated_o(fetch_translated), .fetch_single_use_o(fetch_single_use),
      .fetch_remembered_i(fetch_remembered), .fetch_hit_i(fetch_hit), .fetch_data_i(fetch_data),
      .icache_quiescent_i(icache_quiescent), .icache_dram_i(icache_dram), .imem_req_i(imem_req_o),
      .fetch_walk_o(fetch_walk), .fetch_walk_req_o(fetch_walk_req),
      .fetch_walk_done_i(fetch_walk_done),
      .data_vpn_o(data_vpn), .dtlb_lookup_o(dtlb_lookup), .data_space_o(data_space),
      .data_asid_o(data_asid), .dtlb_hit_i(dtlb_hit), .dtlb_entry_i(dtlb_entry),
      .dtlb_drop_o(dtlb_drop),
      .data_walk_o(data_walk), .data_walk_req_o(data_walk_req), .data_walk_drop_o(data_walk_drop),
      .data_walk_done_i(data_walk_done),
      .walk_result_i(walk_result), .walk_busy_i(walk_busy), .walk_quiescent_i(walk_quiescent),
      .cache_req_o(cache_req), .cache_write_o(cache_write), .cache_store_o(cache_store),
      .cache_amo_o(cache_amo), .data_pa_o(data_pa), .data_wdata_o(data_wdata),
      .cache_wmask_o(cache_wmask), .cache_hit_i(cache_hit),
      .cache_waits_i(cache_waits), .cache_rdata_i(cache_rdata), .cache_filled_i(cache_filled),
      .cache_quiescent_i(cache_quiescent), .cache_dram_i(cache_dram),
      .dmem_req_i(dmem_req_valid_o), .wb_valid_i(wb_valid_o && wb_ready_i),
      .wb_beat_i(wb_o.addr[5:3]),
      .evict_i(evict || chaos_evict), .evict_line_i(chaos_evict && !evict ? chaos_line : evict_line),
      .probe_valid_i, .probe_i, .probe_ack_i(probe_ack_o), .probe_reserved_o(reserved), .probe_stall_o(probe_stall),
      .reservation_quiescent_o(reservation_quiescent),
      .device_valid_o, .device_req_o, .device_wdata_o, .device_ready_i, .device_rsp_i,
      .copy_valid_o, .copy_o, .copy_done_i, .copy_count_i,
      .csr_valid_o(csr_valid), .csr_addr_o(csr_addr), .csr_op_o(csr_op), .csr_rs1_o(csr_rs1),
      .csr_operand_o(csr_operand), .csr_rdata_i(csr_rdata), .csr_illegal_i(csr_illegal),
      .csr_flush_i(csr_flush), .satp_we_i(satp_we), .csr_target_i(csr_target),
      .csr_we_i(csr_we), .csr_wdata_i(csr_wdata), .irq_i(irq), .irq_cause_i(irq_cause),
      .wake_i(wake), .hpm_on_i(hpm_on),
      .xret_o(xret), .float_dirty_o(float_dirty), .frm_o(frm), .fflags_o(fflags),
      .events_o(events),
      .commit_o(commit), .trap_o(trap), .pc_o(commit_pc), .insn_o(commit_insn),
      .unit_o(commit_unit), .op_o(commit_op), .size_o(commit_size), .rd_o(commit_rd),
      .value_o(commit_value), .cause_o(trap_cause), .tval_o(trap_tval),
      .load_o(commit_load), .store_o(commit_store), .device_o(commit_device),
      .addr_o(commit_addr), .wdata_o(commit_wdata),
      .trace_class_o,
      .chaos_predict_i(chaos_predict), .chaos_taken_i(chaos_taken), .chaos_last_i(chaos_last),
      .chaos_target_i(chaos_target), .chaos_violate_i(chaos_violate)
    );
  end else begin : gen_core
    $error("hart: no such core");
  end
  assign idle_o = core_idle && (!Coherent || reservation_quiescent);

  logic itlb_fill, dtlb_fill;
  always_comb begin
    itlb_fill = 1'b0;
    dtlb_fill = 1'b0;
    if (fetch_walk_done || data_walk_done) begin
      itlb_fill = fetch_walk_done && !walk_result.fault;
      dtlb_fill = data_walk_done && !walk_result.fault;
    end
  end

  tlb #(
    .Sets(ItlbSets),
    .Ways(ItlbWays)
  ) u_itlb (
    .clk_i, .rst_ni,
    .lookup_i(!fetch_remembered), .vpn_i(fetch_pc[63:12]), .space_i(fetch_space),
    .asid_i(fetch_asid), .hit_o(itlb_hit), .entry_o(itlb_entry), .drop_i(itlb_drop),
    .fill_i(itlb_fill), .fill_vpn_i(walk_for.va[63:12]),
    .fill_space_i(walk_for.space), .fill_asid_i(walk_for.asid), .fill_result_i(walk_result),
    .flush_i(fence.tlb), .flush_scope_i(fence.scope)
  );

  icache #(
    .Sets(L1iSets),
    .Ways(L1iWays),
    .Bytes(FetchBytes)
  ) u_icache (
    .clk_i, .rst_ni,
    .pc_i(fetch_pc), .remembered_o(fetch_remembered), .translated_i(fetch_translated),
    .ppn_i(itlb_entry.ppn), .single_use_i(fetch_single_use),
    .hit_o(fetch_hit), .data_o(fetch_data),
    .cancel_i(redirect), .flush_i(flush), .clear_i(fence.icache),
    .quiescent_o(icache_quiescent), .dram_o(icache_dram),
    .imem_req_o, .imem_addr_o, .imem_valid_i, .imem_data_i, .imem_dram_i(mem_dram_i.imem)
  );

  // A count of one bit costs a simulator as much as any.
  logic [CountBits-1:0] commits;
  if (Commits == 1) begin : gen_commits
    assign commits = commit;
  end else begin : gen_commits
    assign commits = CountBits'(ooo_pkg::count4(4'(commit)));
  end
  csr #(
    .Pmu(Pmu),
    .Commits(Commits),
    .EventBits(EventBits)
  ) u_csr (
    .clk_i, .time_clk_i, .rst_ni, .skip_i, .hart_id_i,
    .pc_i(commit_pc[63:0]), .valid_i(csr_valid), .addr_i(csr_addr), .op_i(csr_op),
    .rs1_i(csr_rs1), .operand_i(csr_operand), .rdata_o(csr_rdata), .illegal_o(csr_illegal),
    .satp_we_o(satp_we), .flush_o(csr_flush),
    .trap_i(trap), .trap_cause_i(trap_cause), .trap_tval_i(trap_tval), .xret_i(xret),
    .target_o(csr_target), .commit_i(commits),
    .irq_lines_i, .irq_o(irq), .irq_cause_o(irq_cause), .wake_o(wake), .mtime_i,
    .float_on_i(Float && float_on_i), .float_dirty_i(float_dirty),
    .csr_we_o(csr_we), .csr_wdata_o(csr_wdata), .frm_i(frm), .fflags_i(fflags),
    .events_i(events), .hpm_on_o(hpm_on),
    .priv_o(priv), .satp_o(satp), .data_priv_o(data_priv), .status_o(status),
    .pmp_we_o(pmp_we), .pmp_addr_o(pmp_addr), .pmp_wdata_o(pmp_wdata), .pmp_rdata_i(pmp_rdata)
  );

  tlb #(
    .Sets(DtlbSets),
    .Ways(DtlbWays)
  ) u_dtlb (
    .clk_i, .rst_ni,
    .lookup_i(dtlb_lookup), .vpn_i(data_vpn), .space_i(data_space), .asid_i(data_asid),
    .hit_o(dtlb_hit), .entry_o(dtlb_entry), .drop_i(dtlb_drop),
    .fill_i(dtlb_fill), .fill_vpn_i(walk_for.va[63:12]),
    .fill_space_i(walk_for.space), .fill_asid_i(walk_for.asid), .fill_result_i(walk_result),
    .flush_i(fence.tlb), .flush_scope_i(fence.scope)
  );

  if (Core == config_pkg::CoreOoo) begin : gen_dcache
    dcache_nonblocking #(
      .Sets(L1dSets),
      .Ways(L1dWays),
      .Misses(L1dMisses),
      .Coherent(Coherent)
    ) u_dcache (
      .clk_i, .rst_ni,
      .req_i(cache_req), .write_i(cache_write), .store_i(cache_store), .amo_i(cache_amo),
      .addr_i(data_pa), .wdata_i(data_wdata), .wmask_i(cache_wmask),
      .hit_o(cache_hit), .waits_o(cache_waits), .rdata_o(cache_rdata), .filled_o(cache_filled),
      .table_req_i(table_req), .table_addr_i(table_addr), .table_ack_o(table_ack),
      .quiescent_o(cache_quiescent), .dram_o(cache_dram),
      .evict_o(evict), .evict_line_o(evict_line),
      .dmem_req_valid_o, .dmem_req_o,
      .dmem_rsp_valid_i, .dmem_rsp_i, .dmem_rsp_ready_o, .dmem_dram_i(mem_dram_i.dmem),
      .wb_valid_o, .wb_o, .wb_ready_i,
      .probe_valid_i, .probe_i, .probe_stall_i(probe_stall), .probe_ack_o, .probe_kept_o(cache_kept)
    );
  end else begin : gen_dcache
    dcache #(
      .Sets(L1dSets),
      .Ways(L1dWays),
      .Coherent(Coherent)
    ) u_dcache (
      .clk_i, .rst_ni,
      .req_i(cache_req), .write_i(cache_write), .store_i(cache_store), .amo_i(cache_amo),
      .addr_i(data_pa), .wdata_i(data_wdata), .wmask_i(cache_wmask),
      .hit_o(cache_hit), .rdata_o(cache_rdata),
      .table_req_i(table_req), .table_addr_i(table_addr), .table_ack_o(table_ack),
      .quiescent_o(cache_quiescent), .dram_o(cache_dram),
      .evict_o(evict), .evict_line_o(evict_line),
      .dmem_req_valid_o, .dmem_req_o,
      .dmem_rsp_valid_i, .dmem_rsp_i, .dmem_rsp_ready_o, .dmem_dram_i(mem_dram_i.dmem),
      .wb_valid_o, .wb_o, .wb_ready_i,
      .probe_valid_i, .probe_i, .probe_stall_i(probe_stall), .probe_ack_o, .probe_kept_o(cache_kept)
    );
    assign cache_waits = 1'b0;
    assign cache_filled = 1'b0;
  end
  always_comb begin
    probe_kept_o = 1'b0;
    if (probe_ack_o) probe_kept_o = cache_kept || reserved;
  end

  ptw_arbiter u_ptw_arbiter (
    .clk_i, .rst_ni, .ram_size_i,
    .f_walk_i(fetch_walk), .f_drop_i(redirect), .f_req_i(fetch_walk_req),
    .f_done_o(fetch_walk_done),
    .m_walk_i(data_walk), .m_drop_i(data_walk_drop), .m_req_i(data_walk_req), .m_done_o(data_walk_done),
    .status_i(status), .root_i(satp.root),
    .req_o(walk_for), .result_o(walk_result),
    .busy_o(walk_busy), .quiescent_o(walk_quiescent),
    .mem_req_o(table_req), .mem_addr_o(table_addr), .mem_ack_i(table_ack),
    .mem_data_i(cache_rdata),
    .pmp_valid_o(pmp_valid), .pmp_check_o(pmp_check), .pmp_allow_i(pmp_allow)
  );

  pmp u_pmp (
    .clk_i, .rst_ni,
    .we_i(pmp_we), .addr_i(pmp_addr), .wdata_i(pmp_wdata), .rdata_o(pmp_rdata),
    .valid_i(pmp_valid), .check_i(pmp_check), .allow_o(pmp_allow)
  );

  trace_port #(
    .TracePort(TracePort),
    .Commits(Commits)
  ) u_trace_port (
    .clk_i, .rst_ni, .trace_clk_i, .on_i(trace_mode_i.on), .full_i(trace_mode_i.full),
    .commit_i(commit), .trap_i(trap), .pc_i(commit_pc), .insn_i(commit_insn),
    .unit_i(commit_unit), .op_i(commit_op), .size_i(commit_size), .rd_i(commit_rd), .value_i(commit_value),
    .reads_values_o(trace_reads_values), .cause_i(trap_cause), .tval_i(trap_tval),
    .satp_we_i(satp_we),
    .load_i(commit_load), .store_i(commit_store), .device_i(commit_device),
    .addr_i(commit_addr), .wdata_i(commit_wdata),
    .priv_i(priv),
    .trace_event_o, .trace_full_o, .trace_token_o, .trace_detail_o
  );

endmodule
