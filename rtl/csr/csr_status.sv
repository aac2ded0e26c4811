// SPDX-License-Identifier: Apache-2.0
// The privilege mode, and mstatus, which holds the previous modes.
//
// A write, a trap or a return takes effect at the edge; at most one occurs at a
// time. The outputs follow the state in the same cycle.

module csr_status (
  input logic clk_i,
  input logic rst_ni,

  // CSR writes, by number
  input logic        we_i,
  input logic [11:0] addr_i,
  input logic [63:0] wdata_i,

  input logic           trap_i,
  input logic           trap_to_s_i,
  input soc_pkg::xret_e xret_i,
  input logic           float_on_i,  // F and D are available
  input logic           dirty_i,     // an instruction commits that makes FS dirty

  output soc_pkg::priv_e    priv_o,
  output soc_pkg::mstatus_t status_o,
  output soc_pkg::priv_e    data_priv_o  // for loads and stores
);

  soc_pkg::mstatus_t status_q, status_d;
  logic [22:0] mask;
  soc_pkg::priv_e priv_q, priv_d, data_priv_q, data_priv_d;
  assign status_o = status_q;
  assign priv_o = priv_q;
  assign data_priv_o = data_priv_q;

  logic change;
  assign change = we_i | trap_i | dirty_i | xret_i != soc_pkg::XretNone;

  always_comb begin
    status_d = status_q;
    priv_d = priv_q;
    data_priv_d = data_priv_q;
    mask = 23'd0;
    if (change) begin
      if (trap_i) begin
        if (trap_to_s_i) begin
          priv_d = soc_pkg::PrivS;
          status_d.spp = priv_q[0];
          status_d.spie = status_q.sie;
          status_d.sie = 1'b0;
        end else begin
          priv_d = soc_pkg::PrivM;
          status_d.mpp = priv_q;
          status_d.mpie = status_q.mie;
          status_d.mie = 1'b0;
        end
      end else if (xret_i == soc_pkg::XretM) begin
        priv_d = status_q.mpp;
        if (priv_d != soc_pkg::PrivM) status_d.mprv = 1'b0;
        status_d.mpp = soc_pkg::PrivU;
        status_d.mie = status_q.mpie;
        status_d.mpie = 1'b1;
      end else if (xret_i == soc_pkg::XretS) begin
        priv_d = status_q.spp ? soc_pkg::PrivS : soc_pkg::PrivU;
        status_d.mprv = 1'b0;
        status_d.spp = 1'b0;
        status_d.sie = status_q.spie;
        status_d.spie = 1'b1;
      end else begin
        if (we_i && addr_i == csr_pkg::CsrSstatus) mask = csr_pkg::SstatusMask;
        if (we_i && addr_i == csr_pkg::CsrMstatus) begin
          mask = csr_pkg::MstatusMask;
          // 2 is no privilege mode
          if (wdata_i[12:11] == 2'd2) mask[12:11] = 2'd0;
        end
        if (!float_on_i) mask[14:13] = 2'd0;
        status_d = (status_q & ~mask) | (wdata_i[22:0] & mask);
        if (we_i) begin
          if (addr_i[11:2] == 10'd0) status_d.fs = 2'd3;
        end else if (dirty_i) begin
          status_d.fs = 2'd3;
        end
      end
      data_priv_d = priv_d;
      if (status_d.mprv && priv_d == soc_pkg::PrivM) data_priv_d = status_d.mpp;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      status_q <= 23'd0;
      priv_q <= soc_pkg::PrivM;
      data_priv_q <= soc_pkg::PrivM;
    end else if (change) begin
      status_q <= status_d;
      priv_q <= priv_d;
      data_priv_q <= data_priv_d;
    end
  end

  // Bits without a field
  logic unused_bits;
  assign unused_bits = ^wdata_i[63:23];

endmodule
