// SPDX-License-Identifier: Apache-2.0
// Interrupts: which are pending, enabled and delegated, and the one to take.
//
// The outputs follow the lines and the state in the same cycle; a write takes place
// at the edge. irq_cause_o is 0 without irq_o.

module csr_interrupt (
    input logic clk_i,
    input logic rst_ni,

    // Writes, by CSR number
    input logic        we_i,
    input logic [11:0] addr_i,
    input logic [11:0] wdata_i,

    // Lines of the devices
    input logic mtip_i,
    input logic msip_i,
    input logic meip_i,
    input logic seip_i,

    // Privilege and global enables
    input logic [1:0] priv_i,
    input logic       mie_i,
    input logic       sie_i,

    output logic       irq_o,
    output logic [3:0] irq_cause_o,
    output logic       wake_o,       // pending and enabled, if not globally

    // Registers
    output logic [11:0] mip_o,
    output logic [11:0] soft_o,     // the bits of mip that software wrote
    output logic [11:0] enable_o,
    output logic [11:0] mideleg_o
);

  logic [11:0] soft_q, enable_q, mideleg_q;
  assign soft_o = soft_q;
  assign enable_o = enable_q;
  assign mideleg_o = mideleg_q;

  assign mip_o = soft_q | {meip_i, 1'b0, seip_i, 1'b0, mtip_i, 3'd0, msip_i, 3'd0};
  assign wake_o = (mip_o & enable_q) != 12'd0;

  logic [11:0] due, lower;
  logic machine_on, supervisor_on;
  always_comb begin
    irq_o = 1'b0;
    irq_cause_o = 4'd0;
    due = 12'd0;
    lower = 12'd0;
    machine_on = 1'b0;
    supervisor_on = 1'b0;
    if (wake_o) begin
      machine_on = priv_i != soc_pkg::PRIV_M || mie_i;
      supervisor_on = priv_i == soc_pkg::PRIV_U || (priv_i == soc_pkg::PRIV_S && sie_i);
      lower = mip_o & enable_q & mideleg_q;
      if (machine_on) due = mip_o & enable_q & ~mideleg_q;
      if (due == 12'd0 && supervisor_on) due = lower;
      irq_o = due != 12'd0;
      if (due[csr_pkg::IRQ_ME]) irq_cause_o = csr_pkg::IRQ_ME;
      else if (due[csr_pkg::IRQ_MS]) irq_cause_o = csr_pkg::IRQ_MS;
      else if (due[csr_pkg::IRQ_MT]) irq_cause_o = csr_pkg::IRQ_MT;
      else if (due[csr_pkg::IRQ_SE]) irq_cause_o = csr_pkg::IRQ_SE;
      else if (due[csr_pkg::IRQ_SS]) irq_cause_o = csr_pkg::IRQ_SS;
      else if (irq_o) irq_cause_o = csr_pkg::IRQ_ST;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      soft_q <= 12'd0;
      enable_q <= 12'd0;
      mideleg_q <= 12'd0;
    end else if (we_i) begin
      case (addr_i)
        csr_pkg::SIE: enable_q <= (enable_q & ~mideleg_q) | (wdata_i & mideleg_q);
        csr_pkg::SIP: begin
          soft_q[csr_pkg::IRQ_SS] <= mideleg_q[csr_pkg::IRQ_SS] ? wdata_i[csr_pkg::IRQ_SS] :
              soft_q[csr_pkg::IRQ_SS];
        end
        csr_pkg::MIDELEG: mideleg_q <= wdata_i & csr_pkg::IRQ_SUPERVISOR;
        csr_pkg::MIE: enable_q <= wdata_i & csr_pkg::IRQ_ALL;
        csr_pkg::MIP: soft_q <= wdata_i & csr_pkg::IRQ_SUPERVISOR;
        default: ;
      endcase
    end
  end

endmodule
