// SPDX-License-Identifier: Apache-2.0
// The side of the crossbar that one hart sees: probes of all transactions go to the L1D, and
// beats to L1D and L1I.

module crossbar_hart #(
  parameter int unsigned Slots = 4
) (
  input logic clk_i,
  input logic rst_ni,

  // L1I
  output logic imem_valid_o,  // a cycle after imem_beat_i

  // L1D
  output logic               dmem_rsp_valid_o,
  output mem_pkg::line_rsp_t dmem_rsp_o,
  input  logic               dmem_rsp_ready_i,
  output logic               probe_valid_o,
  output mem_pkg::probe_t    probe_o,
  input  logic               probe_ack_i,

  // The transactions of the two
  input  mem_pkg::line_t dmem_line_i,  // the line of the L1D's transaction
  output logic           dmem_upgrade_lost_o,
  input  logic           dmem_excl_i,
  input  logic           dmem_grant_i,
  output logic           dmem_beat_o,

  // Beats from memory for each
  input  logic        imem_beat_i,
  input  logic        dmem_beat_i,
  input  logic [63:0] data_i,

  // The probes of all transactions
  input  logic [Slots-1:0]                   probe_req_i,
  input  logic [Slots*mem_pkg::LineBits-1:0] lines_i,
  input  logic [Slots-1:0]                   owns_i,
  output logic [Slots-1:0]                   probe_grant_o,
  output logic [Slots-1:0]                   probe_sent_o,

  output logic quiescent_o  // no beat is on its way
);

  crossbar_prober #(
    .Slots(Slots)
  ) u_prober (
    .clk_i,
    .rst_ni,
    .probe_req_i,
    .lines_i,
    .owns_i,
    .probe_grant_o,
    .probe_sent_o,
    .probe_valid_o,
    .probe_o,
    .probe_ack_i
  );
  // In a block of its own, as quiescent_o in crossbar.sv
  logic invalidates;  // dmem_line_i
  always_comb begin
    invalidates = 1'b0;
    if (probe_valid_o)
      invalidates = probe_o.op != mem_pkg::ProbeShare && probe_o.addr[55:6] == dmem_line_i;
  end
  assign dmem_upgrade_lost_o = probe_ack_i && invalidates;

  logic [63:0] data;
  crossbar_fifo u_fifo (
    .clk_i,
    .rst_ni,
    .push_i (dmem_grant_i || dmem_beat_i),
    .data_i,
    .valid_o(dmem_rsp_valid_o),
    .data_o (data),
    .ready_i(dmem_rsp_ready_i)
  );
  assign dmem_rsp_o = {mem_pkg::LineIdBits'(0), dmem_excl_i, data};
  assign dmem_beat_o = dmem_rsp_valid_o && dmem_rsp_ready_i;

  logic imem_valid_q;
  always_ff @(posedge clk_i) imem_valid_q <= rst_ni && imem_beat_i;
  assign imem_valid_o = imem_valid_q;
  assign quiescent_o = !imem_valid_q && !dmem_rsp_valid_o;

endmodule
