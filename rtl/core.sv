// SPDX-License-Identifier: Apache-2.0
// The hart: RV64IMAC, single issue, in order, five stages.
//
//   F  fetch.sv: next instruction, by prediction
//   D  expand, decode, read registers and what younger stages bypass
//   X  ALU, branches, multiply and divide; address of a load or store
//   M  memory.sv, CSRs, system instructions; traps, returns and interrupts are
//      taken here, so everything older is done and nothing younger has effect
//   W  commit: drives the trace port
//
// A stage that has no instruction holds the class of the reason, which travels
// along until W. While M waits, X and D stand. The register file is written with
// the edge that ends M. Redirects come from M (first) and X. F and D for floating
// point are to come as another unit beside UNIT_MUL, with registers of their own.

module core #(
  parameter bit TRACE_PORT = 1'b1  // 0: tied off, and idle_o with it, which looks at the port
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] skip_i,
  input logic [63:0] ram_size_i,
  output logic       idle_o,

  // Interrupts and time
  input logic        mtip_i,
  input logic        msip_i,
  input logic        meip_i,
  input logic        seip_i,
  input logic [63:0] mtime_i,

  // Memory: see fetch.sv and dcache.sv
  output logic        imem_req_o,
  output logic [55:0] imem_addr_o,
  input  logic        imem_valid_i,
  input  logic [63:0] imem_data_i,
  input  logic        imem_dram_i,
  output logic        dmem_req_o,
  output logic        dmem_excl_o,
  output logic        dmem_upgrade_o,
  output logic [55:0] dmem_addr_o,
  input  logic        dmem_valid_i,
  input  logic [63:0] dmem_data_i,
  input  logic        dmem_excl_i,
  input  logic        dmem_dram_i,
  output logic        wb_valid_o,
  output logic [55:0] wb_addr_o,
  output logic [63:0] wb_data_o,
  input  logic        probe_valid_i,
  input  logic [55:0] probe_addr_i,
  input  logic [ 1:0] probe_op_i,
  output logic        probe_ack_o,

  // Devices: see devices.sv
  output logic        device_valid_o,
  output logic [55:0] device_addr_o,
  output logic        device_write_o,
  output logic [ 1:0] device_size_o,
  output logic [63:0] device_wdata_o,
  input  logic        device_ready_i,
  input  logic [63:0] device_rdata_i,
  input  logic        device_error_i,

  // Trace port: the cycle that just ended
  output logic        trace_valid_o,      // a token committed
  output logic        trace_trap_o,       // a trap was entered
  output logic [63:0] trace_pc_o,         // of the token; epc of a trap
  output logic [31:0] trace_insn_o,
  output logic [ 1:0] trace_priv_o,       // before
  output logic [ 1:0] trace_next_priv_o,  // now
  output logic [ 4:0] trace_class_o,      // why there was no token
  output logic [ 4:0] trace_rd_o,         // 0: none written
  output logic [63:0] trace_value_o,      // of rd; tval of a trap
  output logic [ 4:0] trace_cause_o,      // {interrupt, code} of a trap
  output logic        trace_xret_o,
  output logic        trace_satp_we_o,
  output logic [63:0] trace_satp_o,       // now
  output logic        trace_load_o,
  output logic        trace_store_o,
  output logic        trace_device_o,
  output logic [ 1:0] trace_size_o,       // log2 of bytes
  output logic [55:0] trace_addr_o,       // physical
  output logic [63:0] trace_wdata_o
);

  // Why an instruction cannot do what it says, found before M.
  localparam logic [2:0] BAD_NONE = 3'd0;
  localparam logic [2:0] BAD_ILLEGAL = 3'd1;
  localparam logic [2:0] BAD_ACCESS = 3'd4;  // fetch faults; + 1: of the second half
  localparam logic [2:0] BAD_PAGE = 3'd6;

  // D
  logic d_valid_q;
  logic [63:0] d_pc_q, d_next_q;
  logic [31:0] d_insn_q;
  logic [2:0] d_bad_q;
  logic [4:0] d_class_q;

  // X
  logic x_valid_q, x_word_q;
  logic [63:0] x_pc_q, x_next_q, x_a_q, x_b_q, x_imm_q;
  logic [31:0] x_insn_q;
  logic [24:0] x_fields_q;  // of the expanded instruction, from bit 7
  logic [2:0] x_unit_q, x_bad_q;
  logic [3:0] x_op_q;
  logic [4:0] x_rd_q, x_class_q;

  // M
  logic m_valid_q, m_new_q;
  logic [63:0] m_pc_q, m_next_q, m_result_q, m_b_q;
  logic [31:0] m_insn_q;
  logic [24:0] m_fields_q;
  logic [2:0] m_unit_q, m_bad_q;
  logic [3:0] m_op_q;
  logic [4:0] m_rd_q, m_class_q;

  logic [63:0] regs_q[32];

  // Between stages
  logic d_fire, d_ready, hazard, x_done, x_redirect, m_stall, m_commit, m_trap, m_redirect;
  logic redirect, flush;
  logic [63:0] redirect_pc, x_actual, x_result, m_value, m_target;
  logic [4:0] m_stall_class, m_flush_class;

  // State of the hart
  logic [1:0] priv, data_priv, data_space, fetch_space;
  logic [63:0] satp;
  logic sum, mxr;

  // ------------------------------------------------------------------ F
  logic f_valid, f_fault, f_fault_page, f_fault_half, f_still;
  logic [63:0] f_pc, f_next;
  logic [31:0] f_insn;
  logic [4:0] f_class;
  logic f_walk, f_walk_done;
  logic [63:0] f_walk_va;
  logic tlb_flush, tlb_page, tlb_asid, fence_i;
  logic [1:0] x_kind;
  logic x_taken, x_push, x_update;
  logic [63:0] x_seq;

  logic walk_fault, walk_fault_page, walk_global, walk_large;
  logic [43:0] walk_ppn;
  logic [7:0] walk_flags;

  fetch u_fetch (
    .clk_i,
    .rst_ni,
    .redirect_i       (redirect),
    .flush_i          (flush),
    .redirect_pc_i    (redirect_pc),
    .clear_i          (fence_i),
    .space_i          (fetch_space),
    .asid_i           (fetch_space == soc_pkg::SPACE_SV39 ? satp[59:44] : 16'd0),
    .user_i           (priv == soc_pkg::PRIV_U),
    .tlb_flush_i      (tlb_flush),
    .tlb_flush_page_i (tlb_page),
    .tlb_flush_asid_i (tlb_asid),
    .tlb_flush_index_i(m_result_q[17:12]),
    .ready_i          (d_ready),
    .valid_o          (f_valid),
    .pc_o             (f_pc),
    .insn_o           (f_insn),
    .next_pc_o        (f_next),
    .fault_o          (f_fault),
    .fault_page_o     (f_fault_page),
    .fault_half_o     (f_fault_half),
    .class_o          (f_class),
    .still_o          (f_still),
    .update_i         (x_update),
    .update_pc_i      (x_pc_q),
    .update_kind_i    (x_kind),
    .update_taken_i   (x_taken),
    .update_target_i  (x_actual),
    .update_push_i    (x_push),
    .update_link_i    (x_seq),
    .walk_o           (f_walk),
    .walk_va_o        (f_walk_va),
    .walk_done_i      (f_walk_done),
    .walk_fault_i     (walk_fault),
    .walk_fault_page_i(walk_fault_page),
    .walk_ppn_i       (walk_ppn),
    .walk_flags_i     (walk_flags),
    .walk_global_i    (walk_global),
    .walk_large_i     (walk_large),
    .imem_req_o,
    .imem_addr_o,
    .imem_valid_i,
    .imem_data_i,
    .imem_dram_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_valid_q <= 1'b0;
      d_class_q <= soc_pkg::CLASS_BAD_FLUSH;
    end else if (redirect) begin
      d_valid_q <= 1'b0;
      d_class_q <= m_redirect ? m_flush_class : soc_pkg::CLASS_BAD_BRANCH;
    end else if (d_ready) begin
      d_valid_q <= f_valid;
      d_class_q <= f_class;
      if (f_valid) begin
        d_pc_q <= f_pc;
        d_next_q <= f_next;
        d_insn_q <= f_insn;
        d_bad_q <= BAD_NONE;
        if (f_fault) d_bad_q <= (f_fault_page ? BAD_PAGE : BAD_ACCESS) | {2'd0, f_fault_half};
      end
    end
  end

  // ------------------------------------------------------------------ D
  logic [31:0] d_expanded, d_full;
  logic d_illegal16, d_illegal, d_word, d_use_imm, d_use_pc;
  logic [2:0] d_unit;
  logic [3:0] d_op;
  logic [4:0] d_rd, d_rs1, d_rs2;
  logic [63:0] d_imm, d_a, d_b;

  expand u_expand (
    .insn_i   (d_insn_q[15:0]),
    .insn_o   (d_expanded),
    .illegal_o(d_illegal16)
  );
  assign d_full = d_insn_q[1:0] == 2'b11 ? d_insn_q : d_expanded;
  decoder u_decoder (
    .insn_i   (d_full),
    .illegal_o(d_illegal),
    .unit_o   (d_unit),
    .op_o     (d_op),
    .word_o   (d_word),
    .rd_o     (d_rd),
    .rs1_o    (d_rs1),
    .rs2_o    (d_rs2),
    .use_imm_o(d_use_imm),
    .use_pc_o (d_use_pc),
    .imm_o    (d_imm)
  );

  // Bypass: from X, from M, else the register file. A bubble has rd 0. What only
  // M knows cannot be had from X.
  logic x_late;
  assign x_late = x_unit_q == soc_pkg::UNIT_MEM || x_unit_q == soc_pkg::UNIT_CSR;
  always_comb begin
    d_a = '0;
    d_b = '0;
    hazard = 1'b0;
    if (d_valid_q) begin
      if (d_rs1 != 5'd0) begin
        if (d_rs1 == x_rd_q) begin
          d_a = x_result;
          hazard = x_late;
        end else if (d_rs1 == m_rd_q) begin
          d_a = m_value;
        end else begin
          d_a = regs_q[d_rs1];
        end
      end
      if (d_rs2 != 5'd0) begin
        if (d_rs2 == x_rd_q) begin
          d_b = x_result;
          if (x_late) hazard = 1'b1;
        end else if (d_rs2 == m_rd_q) begin
          d_b = m_value;
        end else begin
          d_b = regs_q[d_rs2];
        end
      end
      if (d_use_pc) d_a = d_pc_q;
      if (d_use_imm) d_b = d_imm;
    end
  end
  assign d_fire = !m_stall && x_done && !hazard;
  assign d_ready = !d_valid_q || d_fire;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      x_rd_q <= 5'd0;
      x_unit_q <= soc_pkg::UNIT_ALU;
      x_class_q <= soc_pkg::CLASS_BAD_FLUSH;
    end else if (redirect) begin
      x_valid_q <= 1'b0;
      x_rd_q <= 5'd0;
      x_unit_q <= soc_pkg::UNIT_ALU;
      x_class_q <= m_redirect ? m_flush_class : soc_pkg::CLASS_BAD_BRANCH;
    end else if (!m_stall && x_done) begin
      x_valid_q <= d_valid_q && !hazard;
      x_rd_q <= 5'd0;
      x_unit_q <= soc_pkg::UNIT_ALU;
      x_class_q <= d_valid_q ? soc_pkg::CLASS_CORE_LOAD_USE : d_class_q;
      if (d_valid_q && !hazard) begin
        x_pc_q <= d_pc_q;
        x_next_q <= d_next_q;
        x_insn_q <= d_insn_q;
        x_fields_q <= d_full[31:7];
        x_word_q <= d_word;
        x_op_q <= d_op;
        x_a_q <= d_a;
        x_b_q <= d_b;
        x_imm_q <= d_imm;
        x_bad_q <= d_bad_q;
        if (d_bad_q == BAD_NONE) begin
          if (d_illegal || (d_insn_q[1:0] != 2'b11 && d_illegal16)) begin
            x_bad_q <= BAD_ILLEGAL;
          end else begin
            x_unit_q <= d_unit;
            x_rd_q <= d_rd;
          end
        end
      end
    end
  end

  // ------------------------------------------------------------------ X
  logic [63:0] alu_result, mul_result, div_result, x_target;
  logic mul_done, div_done, x_ack;
  assign x_ack = x_valid_q && x_done && !m_stall;

  alu u_alu (
    .op_i    (x_op_q),
    .word_i  (x_word_q),
    .a_i     (x_a_q),
    .b_i     (x_b_q),
    .result_o(alu_result)
  );
  multiplier u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i (x_unit_q == soc_pkg::UNIT_MUL),
    .kill_i  (m_redirect),
    .ack_i   (x_ack),
    .op_i    (x_op_q[1:0]),
    .word_i  (x_word_q),
    .a_i     (x_a_q),
    .b_i     (x_b_q),
    .done_o  (mul_done),
    .result_o(mul_result)
  );
  divider u_divider (
    .clk_i,
    .rst_ni,
    .valid_i (x_unit_q == soc_pkg::UNIT_DIV),
    .kill_i  (m_redirect),
    .ack_i   (x_ack),
    .op_i    (x_op_q[1:0]),
    .word_i  (x_word_q),
    .a_i     (x_a_q),
    .b_i     (x_b_q),
    .done_o  (div_done),
    .result_o(div_result)
  );

  logic less;
  always_comb begin
    x_taken = 1'b0;
    x_kind = 2'd0;
    x_push = 1'b0;
    x_done = 1'b1;
    less = 1'b0;
    x_target = '0;
    x_seq = x_pc_q + (x_insn_q[1:0] == 2'b11 ? 64'd4 : 64'd2);
    x_actual = x_seq;
    x_result = alu_result;
    case (x_unit_q)
      soc_pkg::UNIT_ALU: x_result = alu_result;
      soc_pkg::UNIT_BRANCH: begin
        less = x_op_q[1] ? x_a_q < x_b_q : $signed(x_a_q) < $signed(x_b_q);
        x_taken = (x_op_q[2] ? less : x_a_q == x_b_q) != x_op_q[0];
        x_kind = 2'd1;
        if (x_taken) x_actual = x_pc_q + x_imm_q;
      end
      soc_pkg::UNIT_JUMP: begin
        x_taken = 1'b1;
        x_kind = 2'd2;
        x_result = x_seq;
        x_target = (x_op_q[0] ? x_a_q : x_pc_q) + x_imm_q;
        x_actual = {x_target[63:1], 1'b0};
        // Links and returns, as the manual's table of hints has them.
        x_push = x_rd_q == 5'd1 || x_rd_q == 5'd5;
        if (x_op_q[0] && (x_fields_q[12:8] == 5'd1 || x_fields_q[12:8] == 5'd5) &&
            x_rd_q != x_fields_q[12:8])
          x_kind = 2'd3;
      end
      soc_pkg::UNIT_MUL: begin
        x_done = mul_done;
        x_result = mul_result;
      end
      soc_pkg::UNIT_DIV: begin
        x_done = div_done;
        x_result = div_result;
      end
      soc_pkg::UNIT_MEM: x_result = x_a_q + x_imm_q;
      soc_pkg::UNIT_CSR: x_result = x_op_q[2] ? x_imm_q : x_a_q;
      default: x_result = x_a_q;
    endcase
  end
  assign x_redirect = x_ack && x_actual != x_next_q && x_bad_q == BAD_NONE;
  assign x_update = x_ack && !m_redirect && (x_kind != 2'd0 || x_redirect);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_valid_q <= 1'b0;
      m_rd_q <= 5'd0;
      m_unit_q <= soc_pkg::UNIT_ALU;
      m_class_q <= soc_pkg::CLASS_BAD_FLUSH;
      m_new_q <= 1'b0;
    end else if (m_redirect) begin
      m_valid_q <= 1'b0;
      m_rd_q <= 5'd0;
      m_unit_q <= soc_pkg::UNIT_ALU;
      m_class_q <= m_flush_class;
    end else if (m_stall) begin
      m_new_q <= 1'b0;
    end else begin
      m_valid_q <= x_ack;
      m_new_q <= x_ack;
      m_rd_q <= 5'd0;
      m_unit_q <= soc_pkg::UNIT_ALU;
      m_class_q <= x_class_q;
      if (x_valid_q) m_class_q <= x_unit_q == soc_pkg::UNIT_MUL ? soc_pkg::CLASS_CORE_MUL
                                                                : soc_pkg::CLASS_CORE_DIV;
      if (x_ack) begin
        m_pc_q <= x_pc_q;
        m_next_q <= x_seq;
        m_insn_q <= x_insn_q;
        m_fields_q <= x_fields_q;
        m_unit_q <= x_unit_q;
        m_op_q <= x_op_q;
        m_rd_q <= x_rd_q;
        m_result_q <= x_result;
        m_b_q <= x_b_q;
        m_bad_q <= x_bad_q;
      end
    end
  end

  // ------------------------------------------------------------------ M
  logic irq, wake, csr_illegal, csr_satp_we, csr_flush;
  logic wfi_illegal, sret_illegal, mret_illegal, sfence_illegal;
  logic [3:0] irq_cause;
  logic [63:0] csr_rdata, trap_pc, xret_pc, mem_value;
  logic mem_done, mem_fault, mem_still, mem_load, mem_store, mem_device;
  logic [3:0] mem_cause;
  logic [4:0] mem_class;
  logic [55:0] mem_pa;
  logic [63:0] mem_wdata;
  logic m_irq, m_try, m_mem, m_csr, m_sys;
  logic m_fault, m_mret, m_sret, m_wait;
  logic [3:0] m_cause;
  logic [63:0] m_tval;
  assign m_irq = irq && m_new_q && m_valid_q;
  assign m_try = m_valid_q && !m_irq && m_bad_q == BAD_NONE;
  assign m_mem = m_try && m_unit_q == soc_pkg::UNIT_MEM;
  assign m_csr = m_try && m_unit_q == soc_pkg::UNIT_CSR;
  assign m_sys = m_try && m_unit_q == soc_pkg::UNIT_SYS;

  logic m_walk, m_walk_done;
  logic [1:0] m_walk_access;
  logic walk_req, walk_ack;
  logic [55:0] walk_addr;
  logic [63:0] walk_data;
  memory u_memory (
    .clk_i,
    .rst_ni,
    .valid_i          (m_mem),
    .op_i             (m_op_q),
    .funct3_i         (m_fields_q[7:5]),
    .amo_i            (m_fields_q[24:20]),
    .va_i             (m_result_q),
    .data_i           (m_b_q),
    .done_o           (mem_done),
    .value_o          (mem_value),
    .fault_o          (mem_fault),
    .cause_o          (mem_cause),
    .class_o          (mem_class),
    .still_o          (mem_still),
    .unreserve_i      (m_trap || m_mret || m_sret),
    .load_o           (mem_load),
    .store_o          (mem_store),
    .device_o         (mem_device),
    .pa_o             (mem_pa),
    .wdata_o          (mem_wdata),
    .priv_i           (data_priv),
    .space_i          (data_space),
    .asid_i           (data_space == soc_pkg::SPACE_SV39 ? satp[59:44] : 16'd0),
    .sum_i            (sum),
    .mxr_i            (mxr),
    .tlb_flush_i      (tlb_flush),
    .tlb_flush_page_i (tlb_page),
    .tlb_flush_asid_i (tlb_asid),
    .tlb_flush_index_i(m_result_q[17:12]),
    .walk_o           (m_walk),
    .walk_access_o    (m_walk_access),
    .walk_done_i      (m_walk_done),
    .walk_fault_i     (walk_fault),
    .walk_fault_page_i(walk_fault_page),
    .walk_ppn_i       (walk_ppn),
    .walk_flags_i     (walk_flags),
    .walk_global_i    (walk_global),
    .walk_large_i     (walk_large),
    .walk_req_i       (walk_req),
    .walk_addr_i      (walk_addr),
    .walk_ack_o       (walk_ack),
    .walk_data_o      (walk_data),
    .device_valid_o,
    .device_ready_i,
    .device_error_i,
    .device_rdata_i,
    .dmem_req_o,
    .dmem_excl_o,
    .dmem_upgrade_o,
    .dmem_addr_o,
    .dmem_valid_i,
    .dmem_data_i,
    .dmem_excl_i,
    .dmem_dram_i,
    .wb_valid_o,
    .wb_addr_o,
    .wb_data_o,
    .probe_valid_i,
    .probe_addr_i,
    .probe_op_i,
    .probe_ack_o
  );
  assign device_addr_o = mem_pa;
  assign device_write_o = mem_store;
  assign device_size_o = m_fields_q[6:5];
  assign device_wdata_o = m_b_q;

  logic pmp_we;
  logic [11:0] pmp_addr;
  logic [63:0] pmp_wdata, pmp_rdata;
  csr u_csr (
    .clk_i,
    .rst_ni,
    .skip_i,
    .valid_i         (m_csr),
    .en_i            (m_csr && !csr_illegal),
    .addr_i          (m_fields_q[24:13]),
    .op_i            (m_op_q[1:0]),
    .write_i         (m_op_q[1:0] == 2'd1 || m_fields_q[12:8] != 5'd0),
    .operand_i       (m_result_q),
    .rdata_o         (csr_rdata),
    .illegal_o       (csr_illegal),
    .satp_we_o       (csr_satp_we),
    .flush_o         (csr_flush),
    .wfi_illegal_o   (wfi_illegal),
    .sret_illegal_o  (sret_illegal),
    .mret_illegal_o  (mret_illegal),
    .sfence_illegal_o(sfence_illegal),
    .trap_i          (m_trap),
    .trap_cause_i    (m_irq ? {1'b1, irq_cause} : {1'b0, m_cause}),
    .trap_tval_i     (m_tval),
    .trap_epc_i      (m_pc_q),
    .trap_pc_o       (trap_pc),
    .mret_i          (m_mret),
    .sret_i          (m_sret),
    .xret_pc_o       (xret_pc),
    .commit_i        (m_commit),
    .mtip_i,
    .msip_i,
    .meip_i,
    .seip_i,
    .irq_o           (irq),
    .irq_cause_o     (irq_cause),
    .wake_o          (wake),
    .mtime_i,
    .priv_o          (priv),
    .satp_o          (satp),
    .data_priv_o     (data_priv),
    .data_space_o    (data_space),
    .fetch_space_o   (fetch_space),
    .sum_o           (sum),
    .mxr_o           (mxr),
    .pmp_we_o        (pmp_we),
    .pmp_addr_o      (pmp_addr),
    .pmp_wdata_o     (pmp_wdata),
    .pmp_rdata_i     (pmp_rdata)
  );

  // What the instruction in M does: wait, fault, or commit; and where to.
  logic m_flush;
  always_comb begin
    m_wait = 1'b0;
    m_fault = 1'b0;
    m_cause = soc_pkg::CAUSE_ILLEGAL;
    m_tval = '0;
    m_value = m_result_q;
    m_mret = 1'b0;
    m_sret = 1'b0;
    m_flush = 1'b0;
    fence_i = 1'b0;
    tlb_flush = 1'b0;
    tlb_page = 1'b0;
    tlb_asid = 1'b0;
    m_stall_class = mem_class;
    if (m_try) begin
      case (m_unit_q)
        soc_pkg::UNIT_MEM: begin
          m_value = mem_value;
          m_wait = !mem_done && !mem_fault;
          if (mem_fault) begin
            m_fault = 1'b1;
            m_cause = mem_cause;
            m_tval = m_result_q;
          end
        end
        soc_pkg::UNIT_CSR: begin
          m_value = csr_rdata;
          m_flush = csr_flush && !csr_illegal;
          tlb_flush = m_flush && !csr_satp_we;
          if (csr_illegal) begin
            m_fault = 1'b1;
            m_tval = {32'd0, m_insn_q};
          end
        end
        soc_pkg::UNIT_SYS: begin
          m_tval = {32'd0, m_insn_q};
          case (m_op_q)
            soc_pkg::SYS_ECALL: begin
              m_fault = 1'b1;
              m_cause = {2'b10, priv};
              m_tval = '0;
            end
            soc_pkg::SYS_EBREAK: begin
              m_fault = 1'b1;
              m_cause = soc_pkg::CAUSE_BREAK;
              m_tval = m_pc_q;
            end
            soc_pkg::SYS_MRET: begin
              m_fault = mret_illegal;
              m_mret = !mret_illegal;
            end
            soc_pkg::SYS_SRET: begin
              m_fault = sret_illegal;
              m_sret = !sret_illegal;
            end
            soc_pkg::SYS_WFI: begin
              m_fault = wfi_illegal;
              m_wait = !wfi_illegal && !wake;
              m_stall_class = soc_pkg::CLASS_IDLE;
            end
            soc_pkg::SYS_SFENCE: begin
              m_fault = sfence_illegal;
              m_flush = !sfence_illegal;
              tlb_flush = m_flush;
              tlb_page = m_fields_q[12:8] != 5'd0;
              tlb_asid = m_fields_q[17:13] != 5'd0;
            end
            default: begin
              m_flush = 1'b1;
              fence_i = 1'b1;
            end
          endcase
        end
        default: m_value = m_result_q;
      endcase
    end else if (m_valid_q && !m_irq) begin
      m_fault = 1'b1;
      case (m_bad_q[2:1])
        2'd2: m_cause = soc_pkg::CAUSE_FETCH_ACCESS;
        2'd3: m_cause = soc_pkg::CAUSE_FETCH_PAGE;
        default: m_cause = soc_pkg::CAUSE_ILLEGAL;
      endcase
      if (m_bad_q[2]) m_tval = m_pc_q + {62'd0, m_bad_q[0], 1'b0};
      else m_tval = {32'd0, m_insn_q};
    end
  end
  assign m_trap = m_irq || m_fault;
  assign m_stall = m_wait;
  assign m_commit = m_valid_q && !m_trap && !m_wait;
  assign m_redirect = m_trap || m_mret || m_sret || m_flush;
  assign m_flush_class = m_trap ? soc_pkg::CLASS_BAD_TRAP : soc_pkg::CLASS_BAD_FLUSH;
  always_comb begin
    m_target = m_next_q;
    if (m_trap) m_target = trap_pc;
    else if (m_mret || m_sret) m_target = xret_pc;
  end
  assign flush = m_redirect;
  assign redirect = m_redirect || x_redirect;
  assign redirect_pc = m_redirect ? m_target : x_actual;

  always_ff @(posedge clk_i) begin
    if (m_commit && m_rd_q != 5'd0) regs_q[m_rd_q] <= m_value;
  end

  // ------------------------------------------------------------------ walker
  // One request at a time, with its operands; those of fetch are dropped by a
  // redirect, but finish.
  logic walk_busy_q, walk_fetch_q, walk_drop_q, walk_done, walker_busy;
  logic [63:0] walk_va_q;
  logic [1:0] walk_access_q, walk_size_q, walk_priv_q, walk_space_q;
  logic w_r, w_w, w_x, w_xr, w_user, w_super, w_device, w_once;
  logic pmp_valid, pmp_machine, pmp_r, pmp_w, pmp_x, pmp_split;
  logic [55:0] pmp_pa;
  logic [1:0] pmp_size;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_busy_q <= 1'b0;
    end else if (walk_busy_q) begin
      if (walk_done) walk_busy_q <= 1'b0;
      if (redirect) walk_drop_q <= 1'b1;
    end else if (m_walk || (f_walk && !redirect)) begin
      walk_busy_q <= 1'b1;
      walk_drop_q <= 1'b0;
      walk_fetch_q <= !m_walk;
      walk_va_q <= m_walk ? m_result_q : f_walk_va;
      walk_access_q <= m_walk ? m_walk_access : soc_pkg::ACCESS_FETCH;
      walk_size_q <= m_walk ? m_fields_q[6:5] : 2'd1;
      walk_priv_q <= m_walk ? data_priv : priv;
      walk_space_q <= m_walk ? data_space : fetch_space;
    end
  end
  assign m_walk_done = walk_done && !walk_fetch_q;
  assign f_walk_done = walk_done && walk_fetch_q && !walk_drop_q;
  assign walk_flags = {w_once, w_device, w_super, w_user, w_xr, w_x, w_w, w_r};

  walker u_walker (
    .clk_i,
    .rst_ni,
    .ram_size_i,
    .req_valid_i  (walk_busy_q),
    .req_va_i     (walk_va_q),
    .req_access_i (walk_access_q),
    .req_size_i   (walk_size_q),
    .req_priv_i   (walk_priv_q),
    .req_space_i  (walk_space_q),
    .req_sum_i    (sum),
    .req_mxr_i    (mxr),
    .req_root_i   (satp[43:0]),
    .kill_i       (1'b0),
    .busy_o       (walker_busy),
    .done_o       (walk_done),
    .fault_o      (walk_fault),
    .fault_page_o (walk_fault_page),
    .ppn_o        (walk_ppn),
    .r_o          (w_r),
    .w_o          (w_w),
    .x_o          (w_x),
    .xr_o         (w_xr),
    .user_o       (w_user),
    .super_o      (w_super),
    .global_o     (walk_global),
    .large_o      (walk_large),
    .device_o     (w_device),
    .once_o       (w_once),
    .mem_req_o    (walk_req),
    .mem_addr_o   (walk_addr),
    .mem_ack_i    (walk_ack),
    .mem_data_i   (walk_data),
    .pmp_valid_o  (pmp_valid),
    .pmp_pa_o     (pmp_pa),
    .pmp_size_o   (pmp_size),
    .pmp_machine_o(pmp_machine),
    .pmp_r_i      (pmp_r),
    .pmp_w_i      (pmp_w),
    .pmp_x_i      (pmp_x),
    .pmp_split_i  (pmp_split)
  );
  pmp u_pmp (
    .clk_i,
    .rst_ni,
    .we_i     (pmp_we),
    .addr_i   (pmp_addr),
    .wdata_i  (pmp_wdata),
    .rdata_o  (pmp_rdata),
    .valid_i  (pmp_valid),
    .pa_i     (pmp_pa),
    .size_i   (pmp_size),
    .machine_i(pmp_machine),
    .r_o      (pmp_r),
    .w_o      (pmp_w),
    .x_o      (pmp_x),
    .split_o  (pmp_split)
  );

  // ------------------------------------------------------------------ W
  trace_port #(
    .TRACE_PORT(TRACE_PORT)
  ) u_trace_port (
    .clk_i,
    .rst_ni,
    .valid_i      (m_valid_q),
    .commit_i     (m_commit),
    .trap_i       (m_trap),
    .stall_i      (m_stall),
    .class_i      (m_class_q),
    .stall_class_i(m_stall_class),
    .pc_i         (m_pc_q),
    .insn_i       (m_insn_q),
    .rd_i         (m_rd_q),
    .value_i      (m_value),
    .tval_i       (m_tval),
    .cause_i      (m_irq ? {1'b1, irq_cause} : {1'b0, m_cause}),
    .xret_i       (m_mret || m_sret),
    .satp_we_i    (csr_satp_we && !csr_illegal),
    .mem_i        (m_mem),
    .load_i       (mem_load),
    .store_i      (mem_store),
    .device_i     (mem_device),
    .size_i       (m_fields_q[6:5]),
    .addr_i       (mem_pa),
    .wdata_i      (mem_wdata),
    .priv_i       (priv),
    .satp_i       (satp),
    .trace_valid_o, .trace_trap_o, .trace_pc_o, .trace_insn_o, .trace_priv_o,
    .trace_next_priv_o, .trace_class_o, .trace_rd_o, .trace_value_o, .trace_cause_o,
    .trace_xret_o, .trace_satp_we_o, .trace_satp_o, .trace_load_o, .trace_store_o,
    .trace_device_o, .trace_size_o, .trace_addr_o, .trace_wdata_o
  );

  // Nothing moves: M waits for a line or in WFI, or the pipe is empty and so is
  // the fetch; and whatever the walker asks for is under way.
  logic empty, same_class, waits;
  always_comb begin
    idle_o = 1'b0;
    empty = 1'b0;
    same_class = 1'b0;
    waits = 1'b0;
    if (TRACE_PORT && !trace_valid_o && !trace_trap_o && f_still) begin
      empty = !d_valid_q && !x_valid_q && !m_valid_q && !f_valid;
      same_class = empty ? d_class_q == f_class && x_class_q == f_class &&
                               m_class_q == f_class && trace_class_o == f_class
                         : trace_class_o == m_stall_class;
      if (m_sys && m_wait && !m_new_q) waits = !walk_busy_q || mem_still;
      else if (m_mem && !m_new_q) waits = mem_still && m_wait;
      else waits = empty && (mem_still || (!walk_busy_q && !f_walk));
      idle_o = waits && same_class && x_done && (d_valid_q ? 1'b1 : !f_valid) &&
               (walk_busy_q ? walk_req || !walker_busy : !f_walk);
    end
  end

endmodule
