// SPDX-License-Identifier: Apache-2.0
// The stores of the window, from dispatch to commit, which writes them to the L1D.
//
// enter_i: the store index_i has been executed; footprint_i and data_i are entered, data_i at its
// place in the 8 bytes. search_i: a load of footprint_i that is younger than the stores before
// index_i. Of those that were entered and touch its bytes the youngest decides: forward_o if it
// has all the bytes, which are then in data_o, at their place; else blocked_o. exposed_o has those
// that have not been entered and are younger than that store, if any: one of them may still turn
// out to be where the load should have read.
//
// Indexes run downwards in the arrays, so that in a mask that is rotated to begin with the
// youngest older store, age increases with the bit. An entry that is not in use has random state.

module store_queue #(
  parameter int unsigned Width = 4,
  parameter int unsigned Queue = 16,
  localparam int unsigned PlaceBits = $clog2(Queue)
) (
  input logic clk_i,
  input logic rst_ni,

  // As in queue_pointers.sv
  input  logic [Width-1:0]                    lane_i,
  output logic [Width-1:0]                    ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] index_o,
  input  logic [Width-1:0]                    dispatch_i,
  input  logic                                commit_i,
  input  logic                                squash_i,
  input  ooo_pkg::index_t                     squash_index_i,

  input  logic                  enter_i,
  input  logic                  search_i,
  input  ooo_pkg::index_t       index_i,
  input  ooo_pkg::footprint_t   footprint_i,
  input  logic [63:0]           data_i,
  output logic                  forward_o,
  output logic                  blocked_o,
  output logic [63:0]           data_o,
  output logic [Queue-1:0]      exposed_o,    // by place
  output logic [PlaceBits-1:0]  place_o,      // of index_i

  // The oldest store, if it has been entered
  output logic                head_valid_o,
  output ooo_pkg::footprint_t head_footprint_o,
  output logic [63:0]         head_data_o
);

  ooo_pkg::index_t head, count, taken;
  queue_pointers #(
    .Width(Width),
    .Queue(Queue)
  ) u_pointers (
    .clk_i, .rst_ni, .lane_i, .ready_o, .index_o, .dispatch_i,
    .commit_i({2'd0, commit_i}),
    .squash_i, .squash_index_i,
    .head_o  (head),
    .count_o (count),
    .taken_o (taken)
  );

  // What each accesses, as in ooo_pkg::footprint_t
  logic [52:0] groups_q[Queue];
  logic [7:0] bytes_q[Queue];
  logic [63:0] data_q[Queue];
  logic [Queue-1:0] entered_d, entered_q;
  logic [PlaceBits-1:0] place;
  assign place = ~index_i[PlaceBits-1:0];
  assign place_o = place;

  // Searches. Masks are by age, beginning with the store at place `first`, but for `in_group` and
  // `touches`.
  logic [PlaceBits-1:0] first, source_place;
  logic [Queue-1:0] older, entered, in_group, touches, sources, source, exposed;
  ooo_pkg::index_t distance;
  assign first = place + PlaceBits'(1);
  assign distance = index_i - head;
  always_comb begin
    older = '0;
    entered = '0;
    in_group = '0;
    touches = '0;
    sources = '0;
    source = '0;
    source_place = '0;
    exposed = '0;
    forward_o = 1'b0;
    blocked_o = 1'b0;
    data_o = '0;
    exposed_o = '0;
    if (search_i && distance != '0) begin
      older = Queue'((32'd1 << distance) - 32'd1);
      entered = Queue'({entered_q, entered_q} >> first) & older;
      exposed = older & ~entered;
      if (entered != '0) begin
        for (int unsigned i = 0; i < Queue; i++) in_group[i] = groups_q[i] == footprint_i.group;
        sources = Queue'({in_group, in_group} >> first) & entered;
        if (sources != '0) begin
          for (int unsigned i = 0; i < Queue; i++)
            touches[i] = (bytes_q[i] & footprint_i.bytes) != 8'd0;
          sources = sources & Queue'({touches, touches} >> first);
        end
        if (sources != '0) begin
          source = sources & -sources;
          exposed = exposed & (source - Queue'(1));
          source_place = first + PlaceBits'(ooo_pkg::number16(16'(source)));
          forward_o = (footprint_i.bytes & ~bytes_q[source_place]) == 8'd0;
          blocked_o = !forward_o;
          data_o = data_q[source_place];
        end
      end
      exposed_o = Queue'({exposed, exposed} >> -first);
    end
  end

  // The oldest store
  logic [PlaceBits-1:0] head_place;
  assign head_place = ~head[PlaceBits-1:0];
  assign head_valid_o = count != '0 && entered_q[head_place];
  always_comb begin
    head_footprint_o = '0;
    head_data_o = '0;
    if (head_valid_o) begin
      head_footprint_o = {groups_q[head_place], bytes_q[head_place]};
      head_data_o = data_q[head_place];
    end
  end

  // A new entry has not been entered. The places of those taken end before that of the tail.
  logic [Queue-1:0] new_by_age;
  logic [PlaceBits-1:0] last_new;
  always_comb begin
    entered_d = entered_q;
    new_by_age = '0;
    last_new = '0;
    if (taken != '0) begin
      new_by_age = Queue'((32'd1 << taken) - 32'd1);
      last_new = head_place - PlaceBits'(count + taken - 5'd1);
      entered_d = entered_d & Queue'({~new_by_age, ~new_by_age} >> -last_new);
    end
    if (enter_i) entered_d = entered_d | Queue'(1) << place;
  end
  always_ff @(posedge clk_i) begin
    entered_q <= entered_d;
    if (enter_i) begin
      groups_q[place] <= footprint_i.group;
      bytes_q[place] <= footprint_i.bytes;
      data_q[place] <= data_i;
    end
  end

  `ASSERT_IF(enters_a_store, distance < count && !entered_q[place], enter_i)
  `ASSERT_IF(searches_older_stores, distance <= count, search_i)

endmodule
