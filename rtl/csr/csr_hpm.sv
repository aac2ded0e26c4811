// SPDX-License-Identifier: Apache-2.0
// The event counters: mhpmevent3 and up, mhpmcounter3 and up.
//
// A counter is incremented by 1 + skip_i at each edge at which an event that it selects is
// high, unless inhibited before the edge or written at it; so a read includes the cycles
// before its own. Counters have Width bits and no reset: software must initialize them. An
// mhpmevent that selects no event reads 0. rdata_o answers read_i in the same cycle and
// is 0 without it. on_o: a counter selects an event, so events_i is used.

module csr_hpm #(
  parameter int unsigned Counters = 6,
  parameter int unsigned Width = 40
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] skip_i,

  input  csr_pkg::events_t    events_i,
  input  logic [Counters-1:0] inhibit_i,
  output logic                on_o,

  // CSR access, by number, in any of the rows of counters and events
  input  logic             read_i,
  input  logic             we_i,
  input  logic [11:0]      addr_i,
  input  logic [Width-1:0] wdata_i,
  output logic [63:0]      rdata_o
);

  localparam logic [4:0] First = 5'd3;

  logic [4:0] number;
  logic present, is_event;
  assign number = addr_i[4:0] - First;
  assign present = {27'd0, number} < Counters;
  assign is_event = addr_i[11:5] == csr_pkg::RowEvent;

  logic we_event, we_count;
  always_comb begin
    we_event = 1'b0;
    we_count = 1'b0;
    if (we_i) begin
      we_event = present && is_event;
      we_count = present && addr_i[11:5] == csr_pkg::RowMcounter;
    end
  end

  // The selections, {events, set}, valid where on_q is set
  logic [19:0] event_q[Counters];
  logic [Counters-1:0] on_q;
  assign on_o = on_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) on_q <= '0;
    else if (we_event) on_q[number[2:0]] <= wdata_i[25:8] != '0;
    if (we_event) event_q[number[2:0]] <= {wdata_i[25:8], wdata_i[1:0]};
  end

  // Counters of which a selected event is high
  logic [Counters-1:0] hit;
  always_comb begin
    hit = '0;
    if (on_o) begin
      for (int unsigned i = 0; i < Counters; i++) begin
        case (event_q[i][1:0])
          2'd0: hit[i] = (events_i.mix & event_q[i][19:2]) != '0;
          2'd1: hit[i] = (events_i.hazard & event_q[i][12:2]) != '0;
          2'd2: hit[i] = (events_i.miss & event_q[i][6:2]) != '0;
          default: hit[i] = (events_i.slot & event_q[i][5:2]) != '0;
        endcase
      end
      hit = hit & on_q & ~inhibit_i;
    end
  end

  logic [Width-1:0] cycles;
  assign cycles = {{(Width - 16) {1'b0}}, skip_i} + {{(Width - 1) {1'b0}}, 1'b1};
  for (genvar i = 0; i < Counters; i++) begin : gen_counter
    logic [Width-1:0] count_q, read;
    always_ff @(posedge clk_i) begin
      if (on_o || we_i) begin
        if (hit[i]) count_q <= count_q + cycles;
        if (we_count && {29'd0, number[2:0]} == i) count_q <= wdata_i;
      end
    end

    // Read multiplexer: this counter if selected, else a lower one
    if (i == 0) begin : gen_first
      assign read = count_q;
    end else begin : gen_next
      assign read = {29'd0, number[2:0]} == i ? count_q : gen_counter[i-1].read;
    end
  end

  always_comb begin
    rdata_o = 64'd0;
    if (read_i) begin
      if (present && is_event && on_q[number[2:0]])
        rdata_o = {38'd0, event_q[number[2:0]][19:2], 6'd0, event_q[number[2:0]][1:0]};
      else if (present && !is_event)
        rdata_o = {{(64 - Width) {1'b0}}, gen_counter[Counters-1].read};
    end
  end

endmodule
