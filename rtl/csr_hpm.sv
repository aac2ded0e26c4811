// SPDX-License-Identifier: Apache-2.0
// mhpmevent3 and on, mhpmcounter3 and on: counters of events that software chooses.
//
// A counter grows by 1 + skip_i at an edge at which an event that it selects is high,
// unless inhibited before the edge or written at it; so what an instruction reads is of
// the cycles before. It has Width bits, and no reset: software writes it first. rdata_o
// answers read_i in the same cycle and is 0 without it. on_o: some counter selects
// something, so events_i has a meaning.

module csr_hpm #(
  parameter int unsigned Counters = 6,
  parameter int unsigned Width = 40
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] skip_i,

  input  logic [csr_pkg::EVENTS-1:0] events_i,
  input  logic [       Counters-1:0] inhibit_i,
  output logic                       on_o,

  // CSR instruction, by number: any of the rows of counters and events
  input  logic        read_i,
  input  logic        we_i,
  input  logic [11:0] addr_i,
  input  logic [Width-1:0] wdata_i,
  output logic [63:0] rdata_o
);

  localparam logic [4:0] First = 5'd3;

  logic [ 1:0] set_q  [Counters];
  logic [10:0] mask_q [Counters];
  logic [Width-1:0] count_q[Counters];

  logic [4:0] number;
  logic present, is_event;
  assign number = addr_i[4:0] - First;
  assign present = {27'd0, number} < Counters;
  assign is_event = addr_i[11:5] == csr_pkg::ROW_EVENT;

  always_comb begin
    rdata_o = 64'd0;
    if (read_i && present) begin
      if (is_event) rdata_o = {45'd0, mask_q[number[2:0]], 6'd0, set_q[number[2:0]]};
      else rdata_o = {{(64 - Width) {1'b0}}, count_q[number[2:0]]};
    end
  end

  always_comb begin
    on_o = 1'b0;
    for (int unsigned i = 0; i < Counters; i++) on_o = on_o || mask_q[i] != '0;
  end

  // Which counters see one of their events
  logic [Counters-1:0] hit;
  always_comb begin
    hit = '0;
    if (on_o) begin
      for (int unsigned i = 0; i < Counters; i++) begin
        case (set_q[i])
          2'd0: hit[i] = (events_i[csr_pkg::EVENT_MIX+:11] & mask_q[i]) != '0;
          2'd1: hit[i] = (events_i[csr_pkg::EVENT_HAZARD+:10] & mask_q[i][9:0]) != '0;
          2'd2: hit[i] = (events_i[csr_pkg::EVENT_MISS+:5] & mask_q[i][4:0]) != '0;
          default: hit[i] = (events_i[csr_pkg::EVENT_SLOT+:4] & mask_q[i][3:0]) != '0;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Counters; i++) begin
        set_q[i] <= '0;
        mask_q[i] <= '0;
      end
    end else if (we_i && is_event && present) begin
      set_q[number[2:0]] <= wdata_i[1:0];
      mask_q[number[2:0]] <= wdata_i[18:8];
    end
  end

  logic we_count;
  logic [Width-1:0] cycles;
  assign we_count = we_i && present && addr_i[11:5] == csr_pkg::ROW_MCOUNTER;
  assign cycles = {{(Width - 16) {1'b0}}, skip_i} + {{(Width - 1) {1'b0}}, 1'b1};
  always_ff @(posedge clk_i) begin
    if (on_o) begin
      for (int unsigned i = 0; i < Counters; i++)
        if (hit[i] && !inhibit_i[i]) count_q[i] <= count_q[i] + cycles;
    end
    if (we_count) count_q[number[2:0]] <= wdata_i;
  end

endmodule
