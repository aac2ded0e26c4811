// SPDX-License-Identifier: Apache-2.0
// The side of the crossbar that one hart sees: probes of all transactions go to the L1D, and
// beats to L1D and L1I. The L1D has a transaction for each of its misses; a beat for it is from
// memory, or grants one of its upgrades.

module crossbar_hart #(
  parameter int unsigned Slots = 4,
  parameter int unsigned Misses = 1
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

  // The transactions of the L1D
  input  logic [Misses*mem_pkg::LineBits-1:0] dmem_lines_i,
  output logic [Misses-1:0]                   dmem_upgrade_lost_o,
  input  logic [Misses-1:0]                   dmem_excl_i,
  input  logic [Misses-1:0]                   dmem_grant_i,
  output logic [Misses-1:0]                   dmem_grant_ack_o,
  output logic [Misses-1:0]                   dmem_beat_o,

  // Beats from memory
  input  logic              imem_beat_i,
  input  logic [Misses-1:0] dmem_beat_i,
  input  logic [63:0]       data_i,

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
  logic [Misses-1:0] invalidates;  // lines of dmem_lines_i
  always_comb begin
    invalidates = '0;
    if (probe_valid_o) begin
      if (probe_o.op != mem_pkg::ProbeShare)
        for (int unsigned m = 0; m < Misses; m++)
          invalidates[m] = probe_o.addr[55:6] == dmem_lines_i[mem_pkg::LineBits*m+:mem_pkg::LineBits];
    end
  end
  assign dmem_upgrade_lost_o = probe_ack_i ? invalidates : '0;

  if (Misses == 1) begin : gen_beats
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
    assign dmem_grant_ack_o = 1'b1;
    assign dmem_rsp_o = {mem_pkg::LineIdBits'(0), dmem_excl_i, data};
    assign dmem_beat_o = dmem_rsp_valid_o && dmem_rsp_ready_i;
  end else begin : gen_beats
    localparam int unsigned IdBits = $clog2(Misses);
    logic [Misses-1:0] beat;
    logic [IdBits-1:0] id_in, id;
    logic [63:0] data;
    always_comb begin
      dmem_grant_ack_o = '0;
      if (dmem_beat_i == '0) dmem_grant_ack_o = dmem_grant_i & -dmem_grant_i;
      beat = dmem_beat_i | dmem_grant_ack_o;
      id_in = '0;
      if (beat != '0) for (int unsigned m = 0; m < Misses; m++) if (beat[m]) id_in = IdBits'(m);
    end
    crossbar_fifo #(
      .Lines(Misses),
      .Width(64 + IdBits)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i (beat != '0),
      .data_i ({id_in, data_i}),
      .valid_o(dmem_rsp_valid_o),
      .data_o ({id, data}),
      .ready_i(dmem_rsp_ready_i)
    );
    always_comb begin
      dmem_rsp_o = '0;
      dmem_beat_o = '0;
      if (dmem_rsp_valid_o) begin
        dmem_rsp_o = {mem_pkg::LineIdBits'(id), dmem_excl_i[id], data};
        dmem_beat_o[id] = dmem_rsp_ready_i;
      end
    end
  end

  logic imem_valid_q;
  always_ff @(posedge clk_i) imem_valid_q <= rst_ni && imem_beat_i;
  assign imem_valid_o = imem_valid_q;
  assign quiescent_o = !imem_valid_q && !dmem_rsp_valid_o;

endmodule
