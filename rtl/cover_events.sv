// SPDX-License-Identifier: Apache-2.0
// Counts up to 63 events of one bit each: a cycle adds to seven at once. Simulation only;
// cover.svh has the macro that makes one.
//
// A word of lanes_q has a lane of 8 bits for each of seven events. Before a lane can
// overflow all are added to the counts, so an event was counted count_q + its lane times.

`ifdef COVER_POINTS
module cover_events #(
  parameter int unsigned Width = 1
);

  localparam int unsigned PerWord = 7;
  localparam int unsigned Words = (Width + PerWord - 1) / PerWord;
  localparam logic [63:0] Ones = 64'h0001_0101_0101_0101;
  // The product of this and seven bits has bit i of them at bit 8 * i: no two of its terms
  // are at the same place.
  localparam logic [63:0] Spread = 64'h0000_0408_1020_4081;

  logic [63:0] count_q[64]  /*verilator public_flat_rd*/;
  logic [63:0] lanes_q[16]  /*verilator public_flat_rd*/;
  logic [7:0] edges_q;  // since the last flush, with some event

  if (Width > 63) begin : gen_too_wide
    $error("a group of more than 63 events");
  end

  // Only the simulator reads the counts, between edges.
  /* verilator lint_off BLKSEQ */
  task automatic flush();
    for (int unsigned i = 0; i < Words; i++) begin
      for (int unsigned k = 0; k < PerWord; k++)
        count_q[6'(PerWord*i+k)] = count_q[6'(PerWord*i+k)] + 64'(lanes_q[4'(i)][8*k+:8]);
      lanes_q[4'(i)] = '0;
    end
    edges_q = 8'd1;
  endtask

  // In each cycle that counts.
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
