// SPDX-License-Identifier: Apache-2.0
// Interrupts: mip, mie and mideleg, and the choice of the interrupt to take.
//
// The outputs follow the lines and the state in the same cycle; a write takes effect
// at the edge. irq_cause_o is 0 without irq_o.

module csr_interrupt (
  input logic clk_i,
  input logic rst_ni,

  // CSR writes, by number
  input logic        we_i,
  input logic [11:0] addr_i,
  input logic [11:0] wdata_i,

  // Interrupt lines of the devices
  input device_pkg::irq_t irq_lines_i,

  // Privilege and global enables
  input soc_pkg::priv_e priv_i,
  input logic           mie_i,
  input logic           sie_i,

  output logic          irq_o,
  output csr_pkg::irq_e irq_cause_o,
  output logic          wake_o,  // one is pending and enabled in mie; ignores the global enables

  // Registers
  output logic [11:0] mip_o,
  output logic [11:0] soft_o,  // the software-written bits of mip
  output logic [11:0] enable_o,
  output logic [11:0] mideleg_o
);

  logic [11:0] soft_q, enable_q, mideleg_q;
  assign soft_o = soft_q;
  assign enable_o = enable_q;
  assign mideleg_o = mideleg_q;

  always_comb begin
    mip_o = soft_q;
    if (irq_lines_i != '0)
      mip_o = soft_q | {irq_lines_i.meip, 1'b0, irq_lines_i.seip, 1'b0, irq_lines_i.mtip, 3'd0,
                        irq_lines_i.msip, 3'd0};
  end
  assign wake_o = (mip_o & enable_q) != 12'd0;

  logic [11:0] selected, delegated;
  logic machine_on, supervisor_on;
  always_comb begin
    irq_o = 1'b0;
    irq_cause_o = csr_pkg::IrqNone;
    selected = 12'd0;
    delegated = 12'd0;
    machine_on = 1'b0;
    supervisor_on = 1'b0;
    if (wake_o) begin
      machine_on = priv_i != soc_pkg::PrivM || mie_i;
      supervisor_on = priv_i == soc_pkg::PrivU || (priv_i == soc_pkg::PrivS && sie_i);
      delegated = mip_o & enable_q & mideleg_q;
      if (machine_on) selected = mip_o & enable_q & ~mideleg_q;
      if (selected == 12'd0 && supervisor_on) selected = delegated;
      irq_o = selected != 12'd0;
      if (selected[csr_pkg::IrqMe]) irq_cause_o = csr_pkg::IrqMe;
      else if (selected[csr_pkg::IrqMs]) irq_cause_o = csr_pkg::IrqMs;
      else if (selected[csr_pkg::IrqMt]) irq_cause_o = csr_pkg::IrqMt;
      else if (selected[csr_pkg::IrqSe]) irq_cause_o = csr_pkg::IrqSe;
      else if (selected[csr_pkg::IrqSs]) irq_cause_o = csr_pkg::IrqSs;
      else if (irq_o) irq_cause_o = csr_pkg::IrqSt;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      soft_q <= 12'd0;
      enable_q <= 12'd0;
      mideleg_q <= 12'd0;
    end else if (we_i) begin
      case (addr_i)
        csr_pkg::CsrSie: enable_q <= (enable_q & ~mideleg_q) | (wdata_i & mideleg_q);
        csr_pkg::CsrSip: begin
          soft_q[csr_pkg::IrqSs] <= mideleg_q[csr_pkg::IrqSs] ? wdata_i[csr_pkg::IrqSs] :
              soft_q[csr_pkg::IrqSs];
        end
        csr_pkg::CsrMideleg: mideleg_q <= wdata_i & csr_pkg::IrqSupervisor;
        csr_pkg::CsrMie: enable_q <= wdata_i & csr_pkg::IrqAll;
        csr_pkg::CsrMip: soft_q <= wdata_i & csr_pkg::IrqSupervisor;
        default: ;
      endcase
    end
  end

endmodule
