// SPDX-License-Identifier: Apache-2.0
// The core in order: RV64IMAC, with F and D if Float is set, single issue, five stages.
//
//   F  fetch.sv: predict and fetch the next instruction
//   D  decode.sv: expand, decode, read registers, with forwarding from X and M
//   X  execute.sv: ALU, branches, multiply and divide; address of a load or store;
//      float_unit.sv: floating point
//   M  retire.sv, lsu.sv: loads and stores, CSRs, system instructions; traps,
//      returns and interrupts are taken here
//   W  trace_port.sv of the hart, and classes.sv: what commits, or why nothing does
//
// While M waits, X and D stall. Redirects come from M (first) and X.
// Floating-point additions, multiplications and multiply-adds commit in M, and write their
// register two cycles later.
//
// The ports are those that hart.sv has for any core: the L1I and the L1D with their TLBs, the
// walker, the CSRs, devices, copies, and what commits.

module core_inorder #(
  parameter bit TracePort = 1'b1,  // 0: no classes
  parameter bit Float = 1'b1,      // 0: no F and D
  parameter bit Coherent = 1'b0,   // other harts have caches: see dcache.sv
  // Lanes of the trace port, of which this core uses the first: it commits one instruction in a
  // cycle. The others have no class, and no slot in a trace (commit_width.N of its header).
  parameter int unsigned Commits = soc_pkg::Commits,
  parameter int unsigned BtbEntries = config_pkg::BtbEntries,
  parameter int unsigned BhtEntries = config_pkg::BhtEntries,
  parameter int unsigned RasEntries = config_pkg::RasEntries
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 float_clk_i,      // clk_i; may be stopped while float_clk_req_o is low
  output logic                 float_clk_req_o,
  input  logic                 class_clk_i,      // of trace_class_o, as in hart.sv
  input  logic                 copy_on_i,        // cpy can be used: a strap
  input  logic                 trace_on_i,       // the trace port is in use
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
  input  logic [31:0]         fetch_data_i,
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
  input  logic [63:0]     cache_rdata_i,
  input  logic            cache_quiescent_i,
  input  logic            cache_dram_i,
  input  logic            dmem_req_i,
  input  logic            wb_valid_i,
  input  logic [2:0]      wb_beat_i,
  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
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
  output logic [$clog2(Commits+1)*csr_pkg::EventBits-1:0] events_o,

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
  output logic [Commits*soc_pkg::TraceClassBits-1:0]  trace_class_o
);

  // F to D
  logic f_valid, f_quiescent, f_crosses, d_ready;
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
  logic d_float, float_done, float_busy;
  soc_pkg::rd_t rd3;
  logic [63:0] float_b, float_value;
  soc_pkg::fpu_t fpu_op;
  soc_pkg::frm_t rounding;

  // M
  logic m_valid, m_new, m_mem, m_stall, m_commit, m_trap, m_redirect;
  soc_pkg::unit_e m_unit;
  soc_pkg::rd_t m_rd;
  soc_pkg::executed_t m_uop;
  logic [63:0] m_value, m_target;
  soc_pkg::cause_e mem_cause;
  logic mem_done, mem_fault, mem_copy, mem_load, mem_store, mem_device;
  logic [63:0] length, mem_value, mem_va;

  class_pkg::class_e d_class, x_class, m_class;

  logic events_quiescent;

  logic redirect;
  assign redirect = m_redirect || x_redirect;
  assign redirect_o = redirect;
  assign flush_o = m_redirect;

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
  probe_inorder #(
    .Float(Float)
  ) u_probe (
`ifdef VIEW
    .stages_i(view_stages)
`endif
  );
`endif

  fetch #(
    .BtbEntries(BtbEntries),
    .BhtEntries(BhtEntries),
    .RasEntries(RasEntries)
  ) u_fetch (
    .clk_i, .rst_ni,
    .redirect_i(redirect), .redirect_pc_i(m_redirect ? m_target : x_actual),
    .priv_i, .space_i(fetch_space_i), .asid_i(fetch_asid_i),
    .ready_i(d_ready), .valid_o(f_valid), .fetched_o(fetched),
    .crosses_o(f_crosses), .quiescent_o(f_quiescent),
    .update_i(x_update), .update_pc_i(executed.pc), .update_kind_i(x_kind),
    .update_taken_i(x_taken), .update_target_i(x_actual), .update_push_i(x_push),
    .update_link_i(executed.next_pc),
    .fetch_pc_o, .tlb_hit_i(itlb_hit_i), .tlb_flags_i(itlb_flags_i), .tlb_drop_o(itlb_drop_o),
    .translated_o(fetch_translated_o), .single_use_o(fetch_single_use_o),
    .remembered_i(fetch_remembered_i), .hit_i(fetch_hit_i), .data_i(fetch_data_i),
    .icache_quiescent_i,
    .walk_o(fetch_walk_o), .walk_req_o(fetch_walk_req_o), .walk_done_i(fetch_walk_done_i),
    .walk_fault_i(walk_result_i.fault), .walk_page_fault_i(walk_result_i.page_fault)
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
    .float_on_i(status_i.fs != 2'd0), .frm_i(frm_o),
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
    .redirect_o(m_redirect), .redirect_pc_o(m_target), .fence_o,
    .float_b_i(float_b),
    .csr_valid_o, .xret_o, .csr_rdata_i, .csr_illegal_i, .csr_flush_i,
    .csr_satp_we_i(satp_we_i), .csr_target_i, .irq_i, .irq_cause_i, .wake_i, .priv_i, .status_i,
    .trap_o(m_trap), .cause_o, .tval_o
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
      .m_dirty_o(float_dirty_o),
      .csr_we_i, .csr_addr_i(m_uop.fields.rs2[1:0]), .csr_wdata_i,
      .frm_o, .fflags_o, .rd3_o(rd3), .busy_o(float_busy)
    );
  end else begin : gen_no_float
    logic unused;
    assign unused = ^{float_clk_i, d_float, fpu_op, rounding, csr_we_i, csr_wdata_i};
    assign float_clk_req_o = 1'b0;
    assign float_b = '0;
    assign float_done = 1'b1;
    assign float_value = '0;
    assign float_dirty_o = 1'b0;
    assign frm_o = '0;
    assign rd3 = '0;
    assign float_busy = 1'b0;
    assign fflags_o = '0;
  end

  lsu #(
    .Coherent(Coherent)
  ) u_lsu (
    .clk_i, .rst_ni,
    .valid_i(m_mem), .executed_i(m_uop),
    .done_o(mem_done), .value_o(mem_value),
    .fault_o(mem_fault), .cause_o(mem_cause),
    .reservation_clear_i(m_trap || xret_o != soc_pkg::XretNone),
    .copy_o(mem_copy), .address_o(mem_va), .length_i(length),
    .copy_valid_o, .copy_req_o(copy_o), .copy_done_i, .copy_count_i,
    .load_o(mem_load), .store_o(mem_store), .device_o(mem_device), .pa_o(data_pa_o),
    .wdata_o(data_wdata_o),
    .priv_i(data_priv_i), .satp_i, .status_i,
    .tlb_lookup_o(dtlb_lookup_o), .space_o(data_space_o), .asid_o(data_asid_o),
    .tlb_hit_i(dtlb_hit_i), .tlb_entry_i(dtlb_entry_i), .tlb_drop_o(dtlb_drop_o),
    .walk_o(data_walk_o), .walk_req_o(data_walk_req_o), .walk_done_i(data_walk_done_i),
    .walk_result_i,
    .device_valid_o, .device_ready_i, .device_rsp_i,
    .cache_req_o, .cache_write_o, .cache_store_o, .cache_amo_o, .cache_wmask_o,
    .cache_hit_i, .cache_rdata_i,
    .probe_valid_i, .probe_i, .probe_reserved_o, .probe_stall_o, .reservation_quiescent_o
  );

  always_comb begin
    device_req_o = '0;
    if (device_valid_o) device_req_o = {mem_store, m_uop.fields.width.size, data_pa_o};
  end
  assign device_wdata_o = m_uop.b;
  assign data_vpn_o = mem_va[63:12];

  events u_events (
    .clk_i, .rst_ni, .on_i(hpm_on_i),
    .f_valid_i(f_valid), .d_valid_i(d_valid), .d_ready_i(d_ready), .d_hazard_i(d_hazard),
    .d_float_hazard_i(d_float_hazard), .d_rs1_i(d_rs1), .d_rs2_i(d_rs2), .d_rs3_i(d_rs3),
    .x_ready_i(x_ready), .x_done_i(x_done), .x_unit_i(x_unit), .x_rd_i(x_rd),
    .x_redirect_i(x_redirect),
    .m_commit_i(m_commit), .m_trap_i(m_trap), .m_redirect_i(m_redirect), .m_stall_i(m_stall),
    .m_mem_i(m_mem), .m_walk_i(data_walk_o), .m_unit_i(m_unit), .m_uop_i(m_uop), .m_rd_i(m_rd),
    .m_miss_i(!data_walk_o && !mem_device && !cache_hit_i),
    .f_walk_i(fetch_walk_o), .walk_busy_i, .imem_req_i, .dmem_req_i, .wb_valid_i, .wb_beat_i,
    .events_o(events_o[csr_pkg::EventBits-1:0]), .quiescent_o(events_quiescent)
  );

  if (TracePort) begin : gen_classes
    classes #(
      .Commits(Commits)
    ) u_classes (
      .clk_i(class_clk_i), .rst_ni, .on_i(trace_on_i),
      .f_valid_i(f_valid), .f_walk_i(fetch_walk_o), .f_crosses_i(f_crosses), .f_dram_i(icache_dram_i),
      .d_ready_i(d_ready), .d_valid_i(d_valid), .d_hazard_i(d_hazard),
      .d_float_hazard_i(d_float_hazard),
      .x_ready_i(x_ready), .x_valid_i(x_valid), .x_ack_i(x_ack), .x_unit_i(x_unit),
      .x_redirect_i(x_redirect),
      .m_commit_i(m_commit), .m_trap_i(m_trap), .m_redirect_i(m_redirect), .m_stall_i(m_stall),
      .m_unit_i(m_unit),
      .mem_walk_i(data_walk_o), .mem_device_i(mem_device), .mem_hit_i(cache_hit_i),
      .mem_dram_i(cache_dram_i),
      .d_class_o(d_class), .x_class_o(x_class), .m_class_o(m_class),
      .trace_class_o
    );
  end else begin : gen_no_classes
    assign d_class = class_pkg::ClassNone;
    assign x_class = class_pkg::ClassNone;
    assign m_class = class_pkg::ClassNone;
    assign trace_class_o = '0;
  end

  assign commit_o[0] = m_commit;
  assign trap_o = m_trap;
  assign pc_o[63:0] = m_uop.pc;
  assign insn_o[31:0] = m_uop.insn;
  assign op_o[3:0] = m_uop.op.bits;
  assign size_o[1:0] = m_uop.fields.width.size;
  assign csr_addr_o = {m_uop.fields.amo, m_uop.fields.aq_rl, m_uop.fields.rs2};  // insn[31:20]
  assign csr_op_o = m_uop.op.csr.op;
  assign csr_rs1_o = m_uop.fields.rs1;
  assign csr_operand_o = m_uop.result;
  assign unit_o[3:0] = m_unit;
  assign rd_o[5:0] = m_rd;
  assign value_o[63:0] = m_value;
  assign load_o[0] = mem_load;
  assign store_o[0] = mem_store;
  assign device_o[0] = mem_device;
  assign addr_o[63:0] = {8'd0, data_pa_o};
  assign wdata_o[63:0] = data_wdata_o;
  if (Commits > 1) begin : gen_unused
    localparam int unsigned CountBits = $clog2(Commits + 1);
    assign events_o[CountBits*csr_pkg::EventBits-1:csr_pkg::EventBits] = '0;
    assign commit_o[Commits-1:1] = '0;
    assign pc_o[Commits*64-1:64] = '0;
    assign insn_o[Commits*32-1:32] = '0;
    assign unit_o[Commits*4-1:4] = '0;
    assign op_o[Commits*4-1:4] = '0;
    assign size_o[Commits*2-1:2] = '0;
    assign rd_o[Commits*6-1:6] = '0;
    assign value_o[Commits*64-1:64] = '0;
    assign load_o[Commits-1:1] = '0;
    assign store_o[Commits-1:1] = '0;
    assign device_o[Commits-1:1] = '0;
    assign addr_o[Commits*64-1:64] = '0;
    assign wdata_o[Commits*64-1:64] = '0;
  end

  idle u_idle (
    .classes_i(classes_on_i), .f_quiescent_i(f_quiescent), .f_valid_i(f_valid),
    .f_dram_i(icache_dram_i), .d_valid_i(d_valid), .d_class_i(d_class),
    .x_valid_i(x_valid), .x_done_i(x_done), .x_class_i(x_class),
    .m_valid_i(m_valid), .m_new_i(m_new), .m_unit_i(m_unit), .m_copy_i(mem_copy), .m_stall_i(m_stall),
    .m_class_i(m_class), .mem_quiescent_i(cache_quiescent_i), .f_walk_i(fetch_walk_o),
    .walk_busy_i, .walk_quiescent_i, .events_quiescent_i(events_quiescent),
    .float_busy_i(float_busy), .idle_o
  );

endmodule
