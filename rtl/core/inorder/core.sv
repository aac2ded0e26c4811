// SPDX-License-Identifier: Apache-2.0
// The hart: RV64IMAC, with F and D if Float is set, single issue, in order, five stages.
//
//   F  fetch.sv: predict and fetch the next instruction
//   D  decode.sv: expand, decode, read registers, with forwarding from X and M
//   X  execute.sv: ALU, branches, multiply and divide; address of a load or store;
//      float_unit.sv: floating point
//   M  retire.sv, lsu.sv: loads and stores, CSRs, system instructions; traps,
//      returns and interrupts are taken here
//   W  trace_port.sv, classes.sv: the trace port: what commits, or why nothing does
//
// While M waits, X and D stall. Redirects come from M (first) and X.
// Floating-point additions, multiplications and multiply-adds commit in M, and write their
// register two cycles later.

module core #(
  parameter bit TracePort = 1'b1,  // 0: the trace port is tied off
  parameter bit Pmu = 1'b1,        // 0: no event counters; mcycle and minstret remain
  parameter bit Float = 1'b1,      // 0: no F and D
  parameter bit Coherent = 1'b0,   // other harts have caches: see dcache.sv
  parameter int unsigned Commits = soc_pkg::Commits  // lanes of the trace port
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

  if (Commits != 1) begin : gen_commits
    $error("core: this core commits one instruction in a cycle");
  end

  // F to D
  logic f_valid, f_quiescent, f_crosses, f_dram, d_ready;
  soc_pkg::fetched_t fetched;

  // D to X
  logic d_valid, d_hazard, d_float_hazard, x_ready;
  soc_pkg::issued_t issued;
  soc_pkg::unit_e d_unit;
  soc_pkg::rd_t d_rd, d_rs1, d_rs2, d_rs3;

  // X to M, and to F
  logic x_valid, x_done, x_ack, x_late, x_redirect, x_update, x_taken, x_push;
  soc_pkg::executed_t executed;
  logic [63:0] x_actual;
  soc_pkg::unit_e x_unit;
  soc_pkg::rd_t x_rd;
  soc_pkg::kind_e x_kind;

  // Floating point
  logic d_float, float_done, float_dirty, float_busy, csr_we;
  logic [7:0] csr_wdata;
  soc_pkg::rd_t rd3;
  logic [63:0] float_b, float_value;
  soc_pkg::fpu_t fpu_op;
  soc_pkg::frm_t rounding, frm;
  soc_pkg::fflags_t fflags;

  // M
  logic m_valid, m_new, m_mem, m_stall, m_commit, m_trap, m_redirect;
  logic m_satp_we;
  soc_pkg::unit_e m_unit;
  soc_pkg::rd_t m_rd;
  soc_pkg::executed_t m_uop;
  logic [63:0] m_value, m_tval, m_target;
  soc_pkg::trap_cause_t m_cause;
  soc_pkg::fence_t fence;
  soc_pkg::cause_e mem_cause;
  logic mem_done, mem_fault, mem_copy;
  logic [63:0] length, mem_va;
  logic cache_req, cache_write, cache_store, cache_amo, cache_hit;
  logic cache_dram, cache_quiescent, cache_kept;
  logic reserved, probe_stall, reservation_quiescent;
  logic [63:0] cache_wmask, cache_rdata;
  logic mem_load, mem_store, mem_device;
  logic [55:0] mem_pa;
  logic [63:0] mem_value, mem_wdata;

  // M and the CSRs
  logic csr_valid, csr_illegal, csr_flush, irq, wake;
  logic [63:0] csr_rdata, csr_target;
  soc_pkg::xret_e m_xret;
  csr_pkg::irq_e irq_cause;

  // State of the hart
  soc_pkg::priv_e priv, data_priv;
  soc_pkg::space_e fetch_space;
  soc_pkg::satp_t satp;
  soc_pkg::mstatus_t status;
  always_comb begin
    fetch_space = soc_pkg::SpaceMachine;
    if (priv != soc_pkg::PrivM)
      fetch_space = satp.translates ? soc_pkg::SpaceSv39 : soc_pkg::SpaceBare;
  end

  logic [15:0] fetch_asid;
  assign fetch_asid = fetch_space == soc_pkg::SpaceSv39 ? satp.asid : 16'd0;

  // F to its TLB and to the L1I
  logic [63:0] fetch_pc;
  logic itlb_hit, itlb_drop, fetch_translated, fetch_single_use, fetch_remembered, fetch_hit;
  logic icache_quiescent;
  logic [31:0] fetch_data;
  soc_pkg::tlb_entry_t itlb_entry;

  // The trace port
  logic wants_classes;
  class_pkg::class_e d_class, x_class, m_class;
  assign wants_classes = TracePort && (trace_mode_i.on || trace_mode_i.classes);

  // Events
  csr_pkg::events_t events;
  logic hpm_on, events_quiescent;
  logic pipeline_idle;

  // Walks
  logic f_walk, f_walk_done, m_walk, m_walk_done, walk_busy, walk_quiescent;
  soc_pkg::walk_req_t f_walk_req, m_walk_req, walk_for;
  soc_pkg::walk_result_t walk_result;
  logic table_req, table_ack;
  logic [55:0] table_addr;
  logic pmp_we, pmp_valid;
  soc_pkg::pmp_check_t pmp_check;
  soc_pkg::pmp_allow_t pmp_allow;
  logic [11:0] pmp_addr;
  logic [63:0] pmp_wdata, pmp_rdata;

  logic redirect;
  assign redirect = m_redirect || x_redirect;

`ifdef VIEW
  // For soc-sim --kanata: D, X, M
  probe_pkg::stage_t [2:0] view_stages;
  assign view_stages[0] = {
    d_valid, x_ready && d_valid && !d_hazard && !redirect, redirect, issued.insn, issued.pc
  };
  assign view_stages[1] = {
    x_valid, x_ack && !m_redirect, m_redirect, executed.insn, executed.pc
  };
  assign view_stages[2] = {m_valid, m_commit, m_trap, m_uop.insn, m_uop.pc};
`endif
`ifdef PROBES
  probe #(
    .Float(Float)
  ) u_probe (
`ifdef VIEW
    .stages_i(view_stages)
`endif
  );
`endif

  fetch u_fetch (
    .clk_i, .rst_ni,
    .redirect_i(redirect), .redirect_pc_i(m_redirect ? m_target : x_actual),
    .priv_i(priv), .space_i(fetch_space), .asid_i(fetch_asid),
    .ready_i(d_ready), .valid_o(f_valid), .fetched_o(fetched),
    .crosses_o(f_crosses), .quiescent_o(f_quiescent),
    .update_i(x_update), .update_pc_i(executed.pc), .update_kind_i(x_kind),
    .update_taken_i(x_taken), .update_target_i(x_actual), .update_push_i(x_push),
    .update_link_i(executed.next_pc),
    .fetch_pc_o(fetch_pc), .tlb_hit_i(itlb_hit), .tlb_flags_i(itlb_entry.flags), .tlb_drop_o(itlb_drop),
    .translated_o(fetch_translated), .single_use_o(fetch_single_use),
    .remembered_i(fetch_remembered), .hit_i(fetch_hit), .data_i(fetch_data),
    .icache_quiescent_i(icache_quiescent),
    .walk_o(f_walk), .walk_req_o(f_walk_req), .walk_done_i(f_walk_done),
    .walk_fault_i(walk_result.fault), .walk_page_fault_i(walk_result.page_fault)
  );

  tlb u_itlb (
    .clk_i, .rst_ni,
    .lookup_i(!fetch_remembered), .vpn_i(fetch_pc[63:12]), .space_i(fetch_space),
    .asid_i(fetch_asid), .hit_o(itlb_hit), .entry_o(itlb_entry), .drop_i(itlb_drop),
    .fill_i(f_walk_done && !walk_result.fault), .fill_vpn_i(walk_for.va[63:12]),
    .fill_space_i(walk_for.space), .fill_asid_i(walk_for.asid), .fill_result_i(walk_result),
    .flush_i(fence.tlb), .flush_scope_i(fence.scope)
  );

  icache u_icache (
    .clk_i, .rst_ni,
    .pc_i(fetch_pc), .remembered_o(fetch_remembered), .translated_i(fetch_translated),
    .ppn_i(itlb_entry.ppn), .single_use_i(fetch_single_use),
    .hit_o(fetch_hit), .data_o(fetch_data),
    .cancel_i(redirect), .flush_i(m_redirect), .clear_i(fence.icache),
    .quiescent_o(icache_quiescent), .dram_o(f_dram),
    .imem_req_o, .imem_addr_o, .imem_valid_i, .imem_data_i, .imem_dram_i(mem_dram_i.imem)
  );

  decode #(
    .Float(Float)
  ) u_decode (
    .clk_i, .rst_ni,
    .redirect_i(redirect),
    .ready_o(d_ready), .valid_i(f_valid), .fetched_i(fetched),
    .x_unit_i(x_unit), .x_rd_i(x_rd), .x_late_i(x_late), .x_result_i(executed.result),
    .m_unit_i(m_unit), .m_rd_i(m_rd), .m_value_i(m_value), .m_commit_i(m_commit),
    .copy_on_i, .m_copy_i(mem_copy), .m_length_o(length),
    .float_on_i(status.fs != 2'd0), .frm_i(frm),
    .is_float_o(d_float), .fpu_o(fpu_op), .rounding_o(rounding),
    .rd3_i(rd3),
    .rs1_o(d_rs1), .rs2_o(d_rs2), .rs3_o(d_rs3),
    .x_ready_i(x_ready), .valid_o(d_valid), .hazard_o(d_hazard), .float_hazard_o(d_float_hazard),
    .issued_o(issued), .unit_o(d_unit), .rd_o(d_rd)
  );

  execute u_execute (
    .clk_i, .rst_ni,
    .stall_i(m_stall), .kill_i(m_redirect),
    .ready_o(x_ready), .valid_i(d_valid), .hazard_i(d_hazard),
    .issued_i(issued), .unit_i(d_unit), .rd_i(d_rd),
    .valid_o(x_valid), .done_o(x_done), .ack_o(x_ack), .late_o(x_late),
    .executed_o(executed), .unit_o(x_unit), .rd_o(x_rd),
    .float_done_i(float_done), .float_value_i(float_value),
    .redirect_o(x_redirect), .actual_o(x_actual), .update_o(x_update), .kind_o(x_kind),
    .taken_o(x_taken), .push_o(x_push)
  );

  retire u_retire (
    .clk_i, .rst_ni,
    .ack_i(x_ack), .executed_i(executed), .unit_i(x_unit), .rd_i(x_rd),
    .valid_o(m_valid), .new_o(m_new), .executed_o(m_uop), .unit_o(m_unit), .rd_o(m_rd),
    .mem_o(m_mem), .mem_done_i(mem_done), .mem_value_i(mem_value), .mem_fault_i(mem_fault),
    .mem_cause_i(mem_cause), .mem_address_i(mem_va),
    .stall_o(m_stall), .commit_o(m_commit), .value_o(m_value),
    .redirect_o(m_redirect), .redirect_pc_o(m_target), .fence_o(fence),
    .float_b_i(float_b),
    .csr_valid_o(csr_valid), .xret_o(m_xret), .csr_rdata_i(csr_rdata), .csr_illegal_i(csr_illegal),
    .csr_flush_i(csr_flush), .csr_satp_we_i(m_satp_we), .csr_target_i(csr_target),
    .irq_i(irq), .irq_cause_i(irq_cause), .wake_i(wake), .priv_i(priv), .status_i(status),
    .trap_o(m_trap), .cause_o(m_cause), .tval_o(m_tval)
  );

  csr #(
    .Pmu(Pmu)
  ) u_csr (
    .clk_i, .time_clk_i, .rst_ni, .skip_i, .hart_id_i,
    .executed_i(m_uop), .valid_i(csr_valid), .rdata_o(csr_rdata), .illegal_o(csr_illegal),
    .satp_we_o(m_satp_we), .flush_o(csr_flush),
    .trap_i(m_trap), .trap_cause_i(m_cause), .trap_tval_i(m_tval), .xret_i(m_xret),
    .target_o(csr_target), .commit_i(m_commit),
    .irq_lines_i, .irq_o(irq), .irq_cause_o(irq_cause), .wake_o(wake), .mtime_i,
    .float_on_i(Float && float_on_i), .float_dirty_i(float_dirty),
    .csr_we_o(csr_we), .csr_wdata_o(csr_wdata), .frm_i(frm), .fflags_i(fflags),
    .events_i(events), .hpm_on_o(hpm_on),
    .priv_o(priv), .satp_o(satp), .data_priv_o(data_priv), .status_o(status),
    .pmp_we_o(pmp_we), .pmp_addr_o(pmp_addr), .pmp_wdata_o(pmp_wdata), .pmp_rdata_i(pmp_rdata)
  );

  if (Float) begin : gen_float
    float_unit u_float (
      .clk_i(float_clk_i), .rst_ni, .clk_req_o(float_clk_req_o),
      .d_valid_i(d_valid), .d_float_i(d_float), .d_unit_i(d_unit), .d_op_i(fpu_op),
      .d_rounding_i(rounding), .d_rs1_i(d_rs1), .d_rs2_i(d_rs2), .d_rs3_i(d_rs3),
      .x_ready_i(x_ready), .d_hazard_i(d_hazard), .d_a_i(issued.a),
      .x_float_i(x_unit[3]), .x_redirect_i(x_redirect), .x_ack_i(x_ack), .x_rd_i(x_rd),
      .x_result_i(executed.result), .x_done_o(float_done), .x_value_o(float_value),
      .x_b_o(float_b),
      .m_redirect_i(m_redirect), .m_stall_i(m_stall), .m_commit_i(m_commit), .m_unit_i(m_unit),
      .m_rd_i(m_rd), .m_value_i(m_value),
      .m_word_i(m_uop.fields.width.size == soc_pkg::SizeWord),
      .m_dirty_o(float_dirty),
      .csr_we_i(csr_we), .csr_addr_i(m_uop.fields.rs2[1:0]), .csr_wdata_i(csr_wdata),
      .frm_o(frm), .fflags_o(fflags), .rd3_o(rd3), .busy_o(float_busy)
    );
  end else begin : gen_no_float
    logic unused;
    assign unused = ^{float_clk_i, d_float, fpu_op, rounding, csr_we, csr_wdata};
    assign float_clk_req_o = 1'b0;
    assign float_b = '0;
    assign float_done = 1'b1;
    assign float_value = '0;
    assign float_dirty = 1'b0;
    assign frm = '0;
    assign rd3 = '0;
    assign float_busy = 1'b0;
    assign fflags = '0;
  end

  lsu #(
    .Coherent(Coherent)
  ) u_lsu (
    .clk_i, .rst_ni,
    .valid_i(m_mem), .executed_i(m_uop),
    .done_o(mem_done), .value_o(mem_value),
    .fault_o(mem_fault), .cause_o(mem_cause),
    .reservation_clear_i(m_trap || m_xret != soc_pkg::XretNone),
    .copy_o(mem_copy), .address_o(mem_va), .length_i(length),
    .copy_valid_o, .copy_req_o(copy_o), .copy_done_i, .copy_count_i,
    .load_o(mem_load), .store_o(mem_store), .device_o(mem_device), .pa_o(mem_pa),
    .wdata_o(mem_wdata),
    .priv_i(data_priv), .satp_i(satp), .status_i(status),
    .fence_i(fence),
    .walk_o(m_walk), .walk_req_o(m_walk_req), .walk_done_i(m_walk_done),
    .walk_for_i(walk_for), .walk_result_i(walk_result),
    .device_valid_o, .device_ready_i, .device_rsp_i,
    .cache_req_o(cache_req), .cache_write_o(cache_write), .cache_store_o(cache_store),
    .cache_amo_o(cache_amo), .cache_wmask_o(cache_wmask),
    .cache_hit_i(cache_hit), .cache_rdata_i(cache_rdata),
    .probe_valid_i, .probe_i, .probe_reserved_o(reserved), .probe_stall_o(probe_stall),
    .reservation_quiescent_o(reservation_quiescent)
  );

  dcache #(
    .Coherent(Coherent)
  ) u_dcache (
    .clk_i, .rst_ni,
    .req_i(cache_req), .write_i(cache_write), .store_i(cache_store), .amo_i(cache_amo),
    .addr_i(mem_pa), .wdata_i(mem_wdata), .wmask_i(cache_wmask),
    .hit_o(cache_hit), .rdata_o(cache_rdata),
    .table_req_i(table_req), .table_addr_i(table_addr), .table_ack_o(table_ack),
    .quiescent_o(cache_quiescent), .dram_o(cache_dram),
    .dmem_req_valid_o, .dmem_req_o,
    .dmem_rsp_valid_i, .dmem_rsp_i, .dmem_rsp_ready_o, .dmem_dram_i(mem_dram_i.dmem),
    .wb_valid_o, .wb_o, .wb_ready_i,
    .probe_valid_i, .probe_i, .probe_stall_i(probe_stall), .probe_ack_o, .probe_kept_o(cache_kept)
  );
  always_comb begin
    probe_kept_o = 1'b0;
    if (probe_ack_o) probe_kept_o = cache_kept || reserved;
  end
  always_comb begin
    device_req_o = '0;
    if (device_valid_o) device_req_o = {mem_store, m_uop.fields.width.size, mem_pa};
  end
  assign device_wdata_o = m_uop.b;

  ptw_arbiter u_ptw_arbiter (
    .clk_i, .rst_ni, .ram_size_i,
    .f_walk_i(f_walk), .f_drop_i(redirect), .f_req_i(f_walk_req), .f_done_o(f_walk_done),
    .m_walk_i(m_walk), .m_drop_i(1'b0), .m_req_i(m_walk_req), .m_done_o(m_walk_done),
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

  events u_events (
    .clk_i, .rst_ni, .on_i(hpm_on),
    .f_valid_i(f_valid), .d_valid_i(d_valid), .d_ready_i(d_ready), .d_hazard_i(d_hazard),
    .d_float_hazard_i(d_float_hazard), .d_rs1_i(d_rs1), .d_rs2_i(d_rs2), .d_rs3_i(d_rs3),
    .x_ready_i(x_ready), .x_done_i(x_done), .x_unit_i(x_unit), .x_rd_i(x_rd),
    .x_redirect_i(x_redirect),
    .m_commit_i(m_commit), .m_trap_i(m_trap), .m_redirect_i(m_redirect), .m_stall_i(m_stall),
    .m_mem_i(m_mem), .m_walk_i(m_walk), .m_unit_i(m_unit), .m_uop_i(m_uop), .m_rd_i(m_rd),
    .m_miss_i(!m_walk && !mem_device && !cache_hit),
    .f_walk_i(f_walk), .walk_busy_i(walk_busy), .imem_req_i(imem_req_o),
    .dmem_req_i(dmem_req_valid_o),
    .wb_valid_i(wb_valid_o && wb_ready_i), .wb_beat_i(wb_o.addr[5:3]),
    .events_o(events), .quiescent_o(events_quiescent)
  );

  if (TracePort) begin : gen_classes
    classes u_classes (
      .clk_i(class_clk_i), .rst_ni, .on_i(trace_mode_i.on),
      .f_valid_i(f_valid), .f_walk_i(f_walk), .f_crosses_i(f_crosses), .f_dram_i(f_dram),
      .d_ready_i(d_ready), .d_valid_i(d_valid), .d_hazard_i(d_hazard),
      .d_float_hazard_i(d_float_hazard),
      .x_ready_i(x_ready), .x_valid_i(x_valid), .x_ack_i(x_ack), .x_unit_i(x_unit),
      .x_redirect_i(x_redirect),
      .m_commit_i(m_commit), .m_trap_i(m_trap), .m_redirect_i(m_redirect), .m_stall_i(m_stall),
      .m_unit_i(m_unit),
      .mem_walk_i(m_walk), .mem_device_i(mem_device), .mem_hit_i(cache_hit), .mem_dram_i(cache_dram),
      .d_class_o(d_class), .x_class_o(x_class), .m_class_o(m_class), .trace_class_o
    );
  end else begin : gen_no_classes
    assign d_class = class_pkg::ClassNone;
    assign x_class = class_pkg::ClassNone;
    assign m_class = class_pkg::ClassNone;
    assign trace_class_o = class_pkg::ClassNone;
  end

  trace_port #(
    .TracePort(TracePort),
    .Commits(Commits)
  ) u_trace_port (
    .clk_i, .rst_ni, .trace_clk_i, .full_i(trace_mode_i.full),
    .commit_i(m_commit), .trap_i(m_trap), .executed_i(m_uop),
    .unit_i(m_unit), .rd_i(m_rd), .value_i(m_value), .cause_i(m_cause), .tval_i(m_tval),
    .satp_we_i(m_satp_we),
    .load_i(mem_load), .store_i(mem_store), .device_i(mem_device),
    .addr_i(mem_pa), .wdata_i(mem_wdata),
    .priv_i(priv),
    .trace_event_o, .trace_full_o, .trace_token_o, .trace_detail_o
  );

  idle u_idle (
    .classes_i(wants_classes), .f_quiescent_i(f_quiescent), .f_valid_i(f_valid), .f_dram_i(f_dram),
    .d_valid_i(d_valid), .d_class_i(d_class),
    .x_valid_i(x_valid), .x_done_i(x_done), .x_class_i(x_class),
    .m_valid_i(m_valid), .m_new_i(m_new), .m_unit_i(m_unit), .m_copy_i(mem_copy), .m_stall_i(m_stall),
    .m_class_i(m_class), .mem_quiescent_i(cache_quiescent), .f_walk_i(f_walk),
    .walk_busy_i(walk_busy), .walk_quiescent_i(walk_quiescent),
    .events_quiescent_i(events_quiescent), .float_busy_i(float_busy), .idle_o(pipeline_idle)
  );
  assign idle_o = pipeline_idle && (!Coherent || reservation_quiescent);

endmodule
