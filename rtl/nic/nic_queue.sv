// SPDX-License-Identifier: Apache-2.0
// A queue. data_o is its first entry while valid_o is high; pop_i removes it at the edge.
// An entry pushed while the queue is full is lost. clear_i empties the queue and wins.

module nic_queue #(
  parameter int unsigned Width = 64,
  parameter int unsigned Entries = 64  // a power of two
) (
  input logic clk_i,
  input logic rst_ni,
  input logic clear_i,

  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,

  input  logic             pop_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,

  output logic [$clog2(Entries):0] count_o
);

  localparam int unsigned Bits = $clog2(Entries);

  logic [Width-1:0] entries_q[Entries];
  logic [Bits-1:0] first_q, next_q;
  logic [Bits:0] count_q;

  logic push, pop;
  assign push = push_i && !full_o;
  assign pop = pop_i && valid_o;

  always_ff @(posedge clk_i) begin
    if (push) begin
      entries_q[next_q] <= data_i;
      next_q <= next_q + 1'b1;
    end
    if (pop) first_q <= first_q + 1'b1;
    count_q <= count_q + (Bits + 1)'(push) - (Bits + 1)'(pop);
    if (!rst_ni || clear_i) begin
      first_q <= '0;
      next_q  <= '0;
      count_q <= '0;
    end
  end

  assign full_o = count_q[Bits];
  assign valid_o = count_q != '0;
  assign data_o = entries_q[first_q];
  assign count_o = count_q;

  `ASSERT_IF(pop_of_an_entry, valid_o, pop_i && !clear_i)

endmodule
