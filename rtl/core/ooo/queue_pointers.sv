// SPDX-License-Identifier: Apache-2.0
// The pointers of a queue whose entries are taken at dispatch, in the order of the program, and
// given back at commit, or by a squash. Indexes count all entries, modulo 32.
//
// index_o has for each lane the number of entries that are older than it: the index of its own
// entry if it takes one. ready_o: the lanes up to this one fit. Both depend on lane_i, but not on
// dispatch_i. A squash sets the index that is dispatched next; nothing is dispatched in its cycle,
// and what commits in it is older.

module queue_pointers #(
  parameter int unsigned Width = 4,  // lanes, 1 to 4
  parameter int unsigned Queue = 16  // entries: 2, 4, 8 or 16
) (
  input logic clk_i,
  input logic rst_ni,

  input  logic [Width-1:0]                    lane_i,      // needs an entry
  output logic [Width-1:0]                    ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] index_o,
  input  logic [Width-1:0]                    dispatch_i,  // these lanes dispatch, from the lowest on

  input logic [2:0]      commit_i,  // the number of entries that leave, the oldest first
  input logic            squash_i,
  input ooo_pkg::index_t squash_index_i,

  // The oldest entry, the entries in use, and those that are taken at this edge
  output ooo_pkg::index_t head_o,
  output ooo_pkg::index_t count_o,
  output ooo_pkg::index_t taken_o
);

  localparam int unsigned IndexBits = ooo_pkg::IndexBits;
  localparam ooo_pkg::index_t Full = Queue[IndexBits-1:0];
  localparam ooo_pkg::index_t Width5 = Width[IndexBits-1:0];

  ooo_pkg::index_t head_q, tail_q, count, taken;
  assign count = tail_q - head_q;
  assign head_o = head_q;
  assign count_o = count;
  assign taken_o = taken;

  // A lane counts those before it; it fits if there is room for those and for itself.
  logic [3:0] lanes;
  assign lanes = 4'(lane_i);
  always_comb begin
    index_o = {Width{tail_q}};
    if (lane_i != '0) begin
      for (int unsigned i = 1; i < Width; i++)
        index_o[IndexBits*i+:IndexBits] = tail_q + {2'd0, ooo_pkg::count4(lanes & ~(4'hf << i))};
    end
  end
  always_comb begin
    ready_o = '1;
    if (count + Width5 > Full) begin
      for (int unsigned i = 0; i < Width; i++)
        ready_o[i] = count + {2'd0, ooo_pkg::count4(lanes & ~(4'he << i))} <= Full;
    end
  end
  always_comb begin
    taken = '0;
    if (dispatch_i != '0) taken = {2'd0, ooo_pkg::count4(lanes & 4'(dispatch_i))};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      head_q <= head_q + {2'd0, commit_i};
      tail_q <= squash_i ? squash_index_i : tail_q + taken;
    end
  end

  `ASSERT(dispatches_what_fits, (dispatch_i & ~ready_o) == '0)
  `ASSERT(dispatches_from_the_lowest, (dispatch_i & (dispatch_i + Width'(1))) == '0)
  `ASSERT(commits_what_it_has, {2'd0, commit_i} <= count_o)
  `ASSERT_IF(squash_is_younger_than_commit, squash_index_i - head_q >= {2'd0, commit_i} &&
             squash_index_i - head_q <= count_o, squash_i)
  `ASSERT_IF(squash_stops_dispatch, dispatch_i == '0, squash_i)

endmodule
