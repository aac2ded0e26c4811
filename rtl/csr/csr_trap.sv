// SPDX-License-Identifier: Apache-2.0
// Trap registers: vectors, delegation, and the state that a trap saves for M and
// for S.
//
// target_o is the target of a trap or return in the same cycle, 0 without either.
// Traps and writes take effect at the edge.

module csr_trap (
  input logic clk_i,
  input logic rst_ni,

  // CSR writes, by number
  input logic        we_i,
  input logic [11:0] addr_i,
  input logic [63:0] wdata_i,

  // Traps
  input  logic                 trap_i,
  input  soc_pkg::trap_cause_t cause_i,
  input  logic [63:0]          tval_i,
  input  logic [63:0]          epc_i,
  input  logic                 machine_i,  // taken in M-mode
  input  logic [11:0]          mideleg_i,
  output logic                 to_s_o,

  input  soc_pkg::xret_e xret_i,
  output logic [63:0]    target_o,

  // Registers
  output logic [15:0] medeleg_o,
  output logic [63:0] mtvec_o,
  output logic [63:0] stvec_o,
  output logic [63:0] mepc_o,
  output logic [63:0] sepc_o,
  output logic [63:0] mcause_o,
  output logic [63:0] scause_o,
  output logic [63:0] mtval_o,
  output logic [63:0] stval_o
);

  logic [15:0] medeleg_q;
  logic [63:0] mtvec_q, stvec_q, mepc_q, sepc_q, mcause_q, scause_q, mtval_q, stval_q;
  assign medeleg_o = medeleg_q;
  assign mtvec_o   = mtvec_q;
  assign stvec_o   = stvec_q;
  assign mepc_o    = mepc_q;
  assign sepc_o    = sepc_q;
  assign mcause_o  = mcause_q;
  assign scause_o  = scause_q;
  assign mtval_o   = mtval_q;
  assign stval_o   = stval_q;

  logic [31:0] delegated;
  logic [63:0] vector, cause;
  always_comb begin
    to_s_o = 1'b0;
    delegated = 32'd0;
    vector = 64'd0;
    cause = 64'd0;
    target_o = 64'd0;
    if (trap_i) begin
      delegated = cause_i.irq ? {20'd0, mideleg_i} : {16'd0, medeleg_q};
      to_s_o = !machine_i && delegated[cause_i.code];
      cause = {cause_i.irq, 58'd0, cause_i.code};
      vector = to_s_o ? stvec_q : mtvec_q;
      target_o = {vector[63:1], 1'b0};  // bit 1 is always 0
      // Vectored mode: one entry per interrupt
      if (vector[0] && cause_i.irq) target_o = target_o + {57'd0, cause_i.code, 2'd0};
    end else if (xret_i != soc_pkg::XretNone) begin
      target_o = xret_i == soc_pkg::XretM ? mepc_q : sepc_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      medeleg_q <= 16'd0;
      mtvec_q   <= 64'd0;
      stvec_q   <= 64'd0;
      mepc_q    <= 64'd0;
      sepc_q    <= 64'd0;
      mcause_q  <= 64'd0;
      scause_q  <= 64'd0;
      mtval_q   <= 64'd0;
      stval_q   <= 64'd0;
    end else if (trap_i) begin
      if (to_s_o) begin
        sepc_q   <= epc_i;
        scause_q <= cause;
        stval_q  <= tval_i;
      end else begin
        mepc_q   <= epc_i;
        mcause_q <= cause;
        mtval_q  <= tval_i;
      end
    end else if (we_i) begin
      case (addr_i)
        csr_pkg::CsrStvec: stvec_q <= {wdata_i[63:2], 1'b0, wdata_i[0]};
        csr_pkg::CsrSepc: sepc_q <= {wdata_i[63:1], 1'b0};
        csr_pkg::CsrScause: scause_q <= wdata_i;
        csr_pkg::CsrStval: stval_q <= wdata_i;
        csr_pkg::CsrMedeleg: medeleg_q <= wdata_i[15:0] & csr_pkg::Delegable;
        csr_pkg::CsrMtvec: mtvec_q <= {wdata_i[63:2], 1'b0, wdata_i[0]};
        csr_pkg::CsrMepc: mepc_q <= {wdata_i[63:1], 1'b0};
        csr_pkg::CsrMcause: mcause_q <= wdata_i;
        csr_pkg::CsrMtval: mtval_q <= wdata_i;
        default: ;
      endcase
    end
  end

endmodule
