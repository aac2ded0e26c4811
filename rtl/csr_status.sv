// SPDX-License-Identifier: Apache-2.0
// The privilege, and mstatus, which keeps the privileges before it.
//
// A write, a trap or a return takes place at the edge; at most one is there at a
// time. The outputs follow the state in the same cycle.

module csr_status (
    input logic clk_i,
    input logic rst_ni,

    // Writes, by CSR number
    input logic        we_i,
    input logic [11:0] addr_i,
    input logic [63:0] wdata_i,

    input logic trap_i,
    input logic trap_to_s_i,
    input logic mret_i,
    input logic sret_i,

    input  logic        translate_i,   // satp is not Bare
    output logic [ 1:0] priv_o,
    output logic [22:0] status_o,
    output logic [ 1:0] data_priv_o,   // of loads and stores
    output logic [ 1:0] data_space_o,
    output logic [ 1:0] fetch_space_o,

    // May this privilege not execute them?
    output logic wfi_illegal_o,
    output logic sret_illegal_o,
    output logic mret_illegal_o,
    output logic sfence_illegal_o
);

  localparam int unsigned Sie = csr_pkg::STATUS_SIE;
  localparam int unsigned Mie = csr_pkg::STATUS_MIE;
  localparam int unsigned Spie = csr_pkg::STATUS_SPIE;
  localparam int unsigned Mpie = csr_pkg::STATUS_MPIE;
  localparam int unsigned Spp = csr_pkg::STATUS_SPP;
  localparam int unsigned Mpp = csr_pkg::STATUS_MPP;
  localparam int unsigned Mprv = csr_pkg::STATUS_MPRV;

  logic [22:0] status_q, status_d, mask;
  logic [1:0] priv_d, data_priv_q, data_priv_d;
  assign status_o = status_q;
  assign data_priv_o = data_priv_q;

  logic change;
  assign change = we_i | trap_i | mret_i | sret_i;

  always_comb begin
    status_d = status_q;
    priv_d = priv_o;
    data_priv_d = data_priv_q;
    mask = 23'd0;
    if (change) begin
      if (trap_i) begin
        if (trap_to_s_i) begin
          priv_d = soc_pkg::PRIV_S;
          status_d[Spp] = priv_o[0];
          status_d[Spie] = status_q[Sie];
          status_d[Sie] = 1'b0;
        end else begin
          priv_d = soc_pkg::PRIV_M;
          status_d[Mpp+:2] = priv_o;
          status_d[Mpie] = status_q[Mie];
          status_d[Mie] = 1'b0;
        end
      end else if (mret_i) begin
        priv_d = status_q[Mpp+:2];
        if (priv_d != soc_pkg::PRIV_M) status_d[Mprv] = 1'b0;
        status_d[Mpp+:2] = soc_pkg::PRIV_U;
        status_d[Mie] = status_q[Mpie];
        status_d[Mpie] = 1'b1;
      end else if (sret_i) begin
        priv_d = {1'b0, status_q[Spp]};
        status_d[Mprv] = 1'b0;
        status_d[Spp] = 1'b0;
        status_d[Sie] = status_q[Spie];
        status_d[Spie] = 1'b1;
      end else begin
        if (addr_i == csr_pkg::SSTATUS) mask = csr_pkg::SSTATUS_MASK;
        if (addr_i == csr_pkg::MSTATUS) begin
          mask = csr_pkg::MSTATUS_MASK;
          // No privilege has this number
          if (wdata_i[Mpp+:2] == 2'd2) mask[Mpp+:2] = 2'd0;
        end
        status_d = (status_q & ~mask) | (wdata_i[22:0] & mask);
      end
      data_priv_d = priv_d;
      if (status_d[Mprv] && priv_d == soc_pkg::PRIV_M) data_priv_d = status_d[Mpp+:2];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      status_q <= 23'd0;
      priv_o <= soc_pkg::PRIV_M;
      data_priv_q <= soc_pkg::PRIV_M;
    end else if (change) begin
      status_q <= status_d;
      priv_o <= priv_d;
      data_priv_q <= data_priv_d;
    end
  end

  logic [1:0] below;  // the space of S and U
  assign below = translate_i ? soc_pkg::SPACE_SV39 : soc_pkg::SPACE_BARE;
  assign data_space_o = data_priv_q == soc_pkg::PRIV_M ? soc_pkg::SPACE_MACHINE : below;
  assign fetch_space_o = priv_o == soc_pkg::PRIV_M ? soc_pkg::SPACE_MACHINE : below;

  // M-mode may do all of these; S-mode, if mstatus does not forbid it.
  logic user, supervisor;
  assign user = priv_o == soc_pkg::PRIV_U;
  assign supervisor = priv_o == soc_pkg::PRIV_S;
  assign wfi_illegal_o = user | (supervisor & status_q[csr_pkg::STATUS_TW]);
  assign sret_illegal_o = user | (supervisor & status_q[csr_pkg::STATUS_TSR]);
  assign sfence_illegal_o = user | (supervisor & status_q[csr_pkg::STATUS_TVM]);
  assign mret_illegal_o = user | supervisor;

  // Bits that no field has
  logic unused_bits;
  assign unused_bits = ^wdata_i[63:23];

endmodule
