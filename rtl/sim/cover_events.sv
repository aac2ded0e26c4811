// SPDX-License-Identifier: Apache-2.0
// Counts up to 63 one-bit events, seven with one addition. Simulation only; instantiated by
// `COVER_EVENTS in cover.svh.
//
// A word of lanes_q has an 8-bit lane for each of seven events. All lanes are added to
// count_q before one can overflow, so the count of an event is count_q plus its lane.

`ifdef COVER_POINTS
module cover_events #(
  parameter int unsigned Width = 1
);

  localparam int unsigned PerWord = 7;
  localparam int unsigned Words = (Width + PerWord - 1) / PerWord;
  localparam logic [63:0] Ones = 64'h0001_0101_0101_0101;
  // Multiplication by this copies bit i of seven bits to bit 8 * i. There are no carries,
  // since no two terms of the product share a position.
  localparam logic [63:0] Spread = 64'h0000_0408_1020_4081;

  logic [63:0] count_q[64]  /*verilator public_flat_rd*/;
  logic [63:0] lanes_q[16]  /*verilator public_flat_rd*/;
  logic [7:0] edges_q;  // edges with an event since the last flush

  if (Width > 63) begin : gen_too_wide
    $error("a group of more than 63 events");
  end

  // Blocking assignments: only the simulator reads the counts, between edges.
  /* verilator lint_off BLKSEQ */
  task automatic flush();
    for (int unsigned i = 0; i < Words; i++) begin
      for (int unsigned k = 0; k < PerWord; k++)
        count_q[6'(PerWord*i+k)] = count_q[6'(PerWord*i+k)] + 64'(lanes_q[4'(i)][8*k+:8]);
      lanes_q[4'(i)] = '0;
    end
    edges_q = 8'd1;
  endtask

  // Called in each cycle that counts.
  task automatic add(input logic [Width-1:0] bits);
    logic [PerWord*Words-1:0] all;
    all = (PerWord * Words)'(bits);
    if (bits != '0) begin
      edges_q = edges_q + 8'd1;
      if (edges_q == '0) flush();
      for (int unsigned i = 0; i < Words; i++)
        lanes_q[4'(i)] = lanes_q[4'(i)] + ((64'(all[PerWord*i+:PerWord]) * Spread) & Ones);
    end
  endtask
  /* verilator lint_on BLKSEQ */

endmodule
`endif
