// SPDX-License-Identifier: Apache-2.0
// The CSRs and the privilege mode of the hart.
//
// valid_i: a CSR instruction is about to commit. rdata_o, illegal_o, satp_we_o and flush_o answer
// in the same cycle and are 0 without it. A legal instruction commits, and the new
// value is visible after the edge. Traps, returns and commits take effect at the edge;
// at most one of a legal valid_i, trap_i and xret_i occurs at a time. The state and
// interrupt outputs follow the registers in the same cycle. The PMP registers are in
// pmp.sv, and accessed through pmp_*.

module csr #(
  parameter bit Pmu = 1'b1,  // 0: no event counters, see csr_counter.sv
  parameter int unsigned Commits = soc_pkg::Commits,  // instructions that commit in a cycle, at most
  parameter int unsigned EventBits = csr_pkg::EventBits,  // as in csr_hpm.sv
  localparam int unsigned CountBits = $clog2(Commits + 1)
) (
  input logic        clk_i,
  input logic        time_clk_i,  // of csr_counter.sv
  input logic        rst_ni,
  input logic [15:0] skip_i,
  input logic [63:0] hart_id_i,

  // The instruction that commits or traps next; valid_i: it is a CSR instruction, with the field
  // rs1, which is the operand itself or names it. Set and clear write nothing if the field is 0.
  input  logic [63:0]        pc_i,
  input  logic               valid_i,
  input  logic [11:0]        addr_i,
  input  soc_pkg::csr_op_e   op_i,
  input  logic [4:0]         rs1_i,
  input  logic [63:0]        operand_i,
  output logic [63:0]        rdata_o,
  output logic               illegal_o,
  output logic               satp_we_o,  // writes satp, with a supported mode
  output logic               flush_o,    // may change what F fetches

  // Traps and returns
  input  logic                 trap_i,
  input  soc_pkg::trap_cause_t trap_cause_i,
  input  logic [63:0]          trap_tval_i,
  input  soc_pkg::xret_e       xret_i,
  output logic [63:0]          target_o,  // 0 without a trap or return
  input  logic [CountBits-1:0] commit_i,  // how many instructions commit

  // Interrupts
  input  device_pkg::irq_t irq_lines_i,
  output logic             irq_o,
  output csr_pkg::irq_e    irq_cause_o,
  output logic             wake_o,
  input  logic [63:0]      mtime_i,

  // Floating point: F and D are available, sampled in reset; the instruction in M makes FS
  // dirty; writes of CSRs, and the fields of fcsr, as in float_unit.sv
  input  logic             float_on_i,
  input  logic             float_dirty_i,
  output logic             csr_we_o,
  output logic [7:0]       csr_wdata_o,
  input  soc_pkg::frm_t    frm_i,
  input  soc_pkg::fflags_t fflags_i,

  // Events of the core, as in csr_hpm.sv; hpm_on_o: a counter needs them
  input  logic [CountBits*EventBits-1:0] events_i,
  output logic                                          hpm_on_o,

  // State
  output soc_pkg::priv_e priv_o,
  output soc_pkg::satp_t    satp_o,
  output soc_pkg::priv_e    data_priv_o,  // for loads and stores; fetches use priv_o
  output soc_pkg::mstatus_t status_o,

  // PMP
  output logic        pmp_we_o,
  output logic [11:0] pmp_addr_o,
  output logic [63:0] pmp_wdata_o,
  input  logic [63:0] pmp_rdata_i
);

  logic write, we;
  logic [63:0] wdata;
  always_comb begin
    write = 1'b0;
    if (valid_i)
      write = op_i == soc_pkg::CsrWrite || rs1_i != 5'd0;
  end
  assign we = write && !illegal_o;

  logic float_on_q;  // sampled in reset
  assign csr_we_o = we;
  assign csr_wdata_o = wdata[7:0];

  logic        trap_to_s;
  csr_status u_status (
    .clk_i,
    .rst_ni,
    .we_i       (we),
    .addr_i     (addr_i),
    .wdata_i    (wdata),
    .trap_i,
    .trap_to_s_i(trap_to_s),
    .xret_i,
    .float_on_i (float_on_q),
    .dirty_i    (float_dirty_i && commit_i != '0),
    .priv_o,
    .status_o,
    .data_priv_o
  );

  logic [63:0] mtvec, stvec, mepc, sepc, mcause, scause, mtval, stval;
  logic [15:0] medeleg;
  logic [11:0] mideleg;
  csr_trap u_trap (
    .clk_i,
    .rst_ni,
    .we_i     (we),
    .addr_i   (addr_i),
    .wdata_i  (wdata),
    .trap_i,
    .cause_i  (trap_cause_i),
    .tval_i   (trap_tval_i),
    .epc_i    (pc_i),
    .machine_i(priv_o == soc_pkg::PrivM),
    .mideleg_i(mideleg),
    .to_s_o   (trap_to_s),
    .xret_i,
    .target_o,
    .medeleg_o(medeleg),
    .mtvec_o  (mtvec),
    .stvec_o  (stvec),
    .mepc_o   (mepc),
    .sepc_o   (sepc),
    .mcause_o (mcause),
    .scause_o (scause),
    .mtval_o  (mtval),
    .stval_o  (stval)
  );

  logic [11:0] mip, soft_mip, mie;
  csr_interrupt u_interrupt (
    .clk_i,
    .rst_ni,
    .we_i     (we),
    .addr_i   (addr_i),
    .wdata_i  (wdata[11:0]),
    .irq_lines_i,
    .priv_i   (priv_o),
    .mie_i    (status_o.mie),
    .sie_i    (status_o.sie),
    .irq_o,
    .irq_cause_o,
    .wake_o,
    .mip_o    (mip),
    .soft_o   (soft_mip),
    .enable_o (mie),
    .mideleg_o(mideleg)
  );

  logic [63:0] mcycle, minstret, hpm;
  logic [31:0] inhibit;
  csr_counter #(
    .Pmu      (Pmu),
    .Commits  (Commits),
    .EventBits(EventBits)
  ) u_counter (
    .clk_i     (time_clk_i),
    .rst_ni,
    .skip_i,
    .commit_i,
    .events_i,
    .hpm_on_o,
    .read_i    (valid_i),
    .we_i      (we),
    .addr_i     (addr_i),
    .wdata_i   (wdata),
    .mcycle_o  (mcycle),
    .minstret_o(minstret),
    .hpm_o     (hpm),
    .inhibit_o (inhibit)
  );

  // Registers that only CSR instructions change
  logic [31:0] mcounteren_q, scounteren_q;
  logic [63:0] mscratch_q, sscratch_q;
  logic mfiom_q, sfiom_q;
  soc_pkg::satp_t satp_q;
  assign satp_o = satp_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mcounteren_q <= 32'd0;
      scounteren_q <= 32'd0;
      mscratch_q <= 64'd0;
      sscratch_q <= 64'd0;
      satp_q <= 64'd0;
      mfiom_q <= 1'b0;
      sfiom_q <= 1'b0;
      float_on_q <= float_on_i;
    end else if (we) begin
      case (addr_i)
        csr_pkg::CsrScounteren: scounteren_q <= wdata[31:0];
        csr_pkg::CsrSenvcfg: sfiom_q <= wdata[0];
        csr_pkg::CsrSscratch: sscratch_q <= wdata;
        csr_pkg::CsrSatp: if (satp_we_o) satp_q <= wdata;
        csr_pkg::CsrMcounteren: mcounteren_q <= wdata[31:0];
        csr_pkg::CsrMenvcfg: mfiom_q <= wdata[0];
        csr_pkg::CsrMscratch: mscratch_q <= wdata;
        default: ;
      endcase
    end
  end

  // denied: this mode may not access the CSR number, implemented or not.
  logic denied, counter_on;
  always_comb begin
    denied = 1'b0;
    counter_on = 1'b0;
    if (valid_i) begin
      if (addr_i[11:2] == 10'd0) denied = status_o.fs == 2'd0;
      else denied = priv_o < addr_i[9:8] || (write && addr_i[11:10] == 2'd3);
      if (priv_o != soc_pkg::PrivM) begin
        if (addr_i == csr_pkg::CsrSatp && status_o.tvm) denied = 1'b1;
        if (addr_i[11:5] == csr_pkg::RowCounter) begin
          counter_on = mcounteren_q[addr_i[4:0]] &&
              (priv_o == soc_pkg::PrivS || scounteren_q[addr_i[4:0]]);
          if (!counter_on) denied = 1'b1;
        end
      end
    end
  end


  logic unimplemented;
  always_comb begin
    rdata_o = 64'd0;
    unimplemented = 1'b0;
    if (valid_i) begin
      case (addr_i)
        csr_pkg::CsrFflags: rdata_o = {59'd0, fflags_i};
        csr_pkg::CsrFrm: rdata_o = {61'd0, frm_i};
        csr_pkg::CsrFcsr: rdata_o = {56'd0, frm_i, fflags_i};
        csr_pkg::CsrSstatus:
        rdata_o = {status_o.fs == 2'd3, 40'd0, status_o & csr_pkg::SstatusMask} | csr_pkg::Uxl;
        csr_pkg::CsrSie: rdata_o = {52'd0, mie & mideleg};
        csr_pkg::CsrStvec: rdata_o = stvec;
        csr_pkg::CsrScounteren: rdata_o = {32'd0, scounteren_q};
        csr_pkg::CsrSenvcfg: rdata_o = {63'd0, sfiom_q};
        csr_pkg::CsrSscratch: rdata_o = sscratch_q;
        csr_pkg::CsrSepc: rdata_o = sepc;
        csr_pkg::CsrScause: rdata_o = scause;
        csr_pkg::CsrStval: rdata_o = stval;
        csr_pkg::CsrSip: rdata_o = {52'd0, mip & mideleg};
        csr_pkg::CsrSatp: rdata_o = satp_q;
        csr_pkg::CsrMstatus:
        rdata_o = {status_o.fs == 2'd3, 40'd0, status_o} | csr_pkg::Uxl | csr_pkg::Sxl;
        csr_pkg::CsrMisa:
        rdata_o = csr_pkg::MisaValue | (float_on_q ? csr_pkg::MisaFloat : 64'd0);
        csr_pkg::CsrMedeleg: rdata_o = {48'd0, medeleg};
        csr_pkg::CsrMideleg: rdata_o = {52'd0, mideleg};
        csr_pkg::CsrMie: rdata_o = {52'd0, mie};
        csr_pkg::CsrMtvec: rdata_o = mtvec;
        csr_pkg::CsrMcounteren: rdata_o = {32'd0, mcounteren_q};
        csr_pkg::CsrMenvcfg: rdata_o = {63'd0, mfiom_q};
        csr_pkg::CsrMcountinhibit: rdata_o = {32'd0, inhibit};
        csr_pkg::CsrMscratch: rdata_o = mscratch_q;
        csr_pkg::CsrMepc: rdata_o = mepc;
        csr_pkg::CsrMcause: rdata_o = mcause;
        csr_pkg::CsrMtval: rdata_o = mtval;
        csr_pkg::CsrMip: rdata_o = {52'd0, mip};
        csr_pkg::CsrPmpcfg0, csr_pkg::CsrPmpcfg2: rdata_o = pmp_rdata_i;
        csr_pkg::CsrMcycle, csr_pkg::CsrCycle: rdata_o = mcycle;
        csr_pkg::CsrMinstret, csr_pkg::CsrInstret: rdata_o = minstret;
        csr_pkg::CsrTime: rdata_o = mtime_i;
        csr_pkg::CsrMvendorid, csr_pkg::CsrMarchid, csr_pkg::CsrMimpid, csr_pkg::CsrMconfigptr:
        rdata_o = 64'd0;
        csr_pkg::CsrMhartid: rdata_o = hart_id_i;
        default: unimplemented = 1'b1;
      endcase
      // CSRs decoded by row
      if (unimplemented) begin
        rdata_o = hpm;
        case (addr_i[11:5])
          csr_pkg::RowPmp: begin
            unimplemented = !addr_i[4];  // pmpaddr0 to 15
            if (addr_i[4]) rdata_o = pmp_rdata_i;
          end
          csr_pkg::RowEvent, csr_pkg::RowMcounter: unimplemented = addr_i[4:0] < 5'd3;
          csr_pkg::RowCounter: unimplemented = 1'b0;
          default: ;
        endcase
      end
    end
  end
  assign illegal_o = denied | unimplemented;

  // The value to write. Set and clear use the software-written bits of mip,
  // not the lines of the devices.
  logic [63:0] old;
  logic mode_supported;
  always_comb begin
    old = 64'd0;
    wdata = 64'd0;
    mode_supported = 1'b0;
    satp_we_o = 1'b0;
    flush_o = 1'b0;
    if (valid_i && write) begin
      old = addr_i == csr_pkg::CsrMip || addr_i == csr_pkg::CsrSip ? {52'd0, soft_mip} : rdata_o;
      case (op_i)
        soc_pkg::CsrSet: wdata = old | operand_i;
        soc_pkg::CsrClear: wdata = old & ~operand_i;
        default: wdata = operand_i;
      endcase
      // Supported modes: Bare and Sv39
      mode_supported = wdata[62:60] == 3'd0;
      satp_we_o = addr_i == csr_pkg::CsrSatp && mode_supported;
      flush_o   = satp_we_o || addr_i[11:5] == csr_pkg::RowPmp;
    end
  end
  assign pmp_we_o = we && addr_i[11:5] == csr_pkg::RowPmp;
  assign pmp_addr_o = valid_i ? addr_i : 12'd0;
  assign pmp_wdata_o = wdata;

  `ASSERT(one_change,
          $onehot0({valid_i && !illegal_o, trap_i, xret_i != soc_pkg::XretNone}))
  `ASSERT(no_commit_with_trap, commit_i == '0 || !trap_i)

endmodule
