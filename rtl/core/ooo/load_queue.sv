// SPDX-License-Identifier: Apache-2.0
// The loads of the window, from dispatch to commit: which have been executed, and whether their
// values are still right.
//
// enter_i: the load index_i has its value; what it read, its slot, and the stores that it is
// exposed to (store_queue.sv) are entered. search_i: a store of footprint_i, at place store_i,
// that is older than the loads from index_i on. violation_o: a load was exposed to it and touches
// its bytes, so that its value is wrong; the oldest of those is told. A load that was forwarded
// from a younger store than this one was not exposed to it.
//
// A load is marked when its line leaves the L1D, by a probe or by an eviction, in the cycle in which
// it is executed or later. marked_o has the oldest loads, the oldest first; an entry that is not in
// use has random state.

module load_queue #(
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
  input  logic [2:0]                          commit_i,
  input  logic                                squash_i,
  input  ooo_pkg::index_t                     squash_index_i,

  input  ooo_pkg::index_t      index_i,
  input  ooo_pkg::footprint_t  footprint_i,
  input  logic                 enter_i,
  input  ooo_pkg::slot_t       slot_i,
  input  logic [Queue-1:0]     exposed_i,
  input  logic                 search_i,
  input  logic [PlaceBits-1:0] store_i,
  output logic                 violation_o,
  output ooo_pkg::slot_t       violation_slot_o,

  input  logic             probe_i,
  input  ooo_pkg::line_t   probe_line_i,
  input  logic             evict_i,
  input  ooo_pkg::line_t   evict_line_i,
  output logic [Width-1:0] marked_o
);

  ooo_pkg::index_t head, count, taken;
  queue_pointers #(
    .Width(Width),
    .Queue(Queue)
  ) u_pointers (
    .clk_i, .rst_ni, .lane_i, .ready_o, .index_o, .dispatch_i, .commit_i, .squash_i,
    .squash_index_i,
    .head_o (head),
    .count_o(count),
    .taken_o(taken)
  );
  // What each accesses, as in ooo_pkg::footprint_t
  logic [52:0] groups_q[Queue];
  logic [7:0] bytes_q[Queue];
  logic [5:0] slots_q[Queue];  // ooo_pkg::slot_t
  logic [Queue-1:0] exposed_q[Queue];
  logic [Queue-1:0] executed_d, executed_q, marked_d, marked_q;
  logic [PlaceBits-1:0] place, head_place;
  assign place = index_i[PlaceBits-1:0];
  assign head_place = head[PlaceBits-1:0];

  // Searches. The masks `younger` and `wrong` are by age, beginning with the oldest load.
  logic [Queue-1:0] younger, in_group, touches, wrong, oldest;
  logic [PlaceBits-1:0] number;  // of the oldest, from the head on
  ooo_pkg::index_t distance;
  assign distance = index_i - head;
  always_comb begin
    younger = '0;
    in_group = '0;
    touches = '0;
    wrong = '0;
    oldest = '0;
    number = '0;
    violation_o = 1'b0;
    violation_slot_o = '0;
    if (search_i && distance != count) begin
      younger = Queue'({executed_q, executed_q} >> head_place) &
                Queue'((32'd1 << count) - (32'd1 << distance));
      if (younger != '0) begin
        for (int unsigned i = 0; i < Queue; i++) in_group[i] = groups_q[i] == footprint_i.group;
        if (in_group != '0) begin
          for (int unsigned i = 0; i < Queue; i++)
            touches[i] = (bytes_q[i] & footprint_i.bytes) != 8'd0 && exposed_q[i][store_i];
          touches = touches & in_group;
          wrong = Queue'({touches, touches} >> head_place) & younger;
          oldest = wrong & -wrong;
          number = PlaceBits'(ooo_pkg::number16(16'(oldest)));
          violation_o = wrong != '0;
          violation_slot_o = slots_q[head_place+number];
        end
      end
    end
  end

  // Marks
  logic [Queue-1:0] on_line;
  logic enters_on_line;
  always_comb begin
    on_line = '0;
    enters_on_line = 1'b0;
    if (probe_i) begin
      enters_on_line = footprint_i.group[52:3] == probe_line_i;
      for (int unsigned i = 0; i < Queue; i++)
        on_line[i] = groups_q[i][52:3] == probe_line_i;
    end
    if (evict_i) begin
      enters_on_line = enters_on_line || footprint_i.group[52:3] == evict_line_i;
      for (int unsigned i = 0; i < Queue; i++)
        on_line[i] = on_line[i] || groups_q[i][52:3] == evict_line_i;
    end
  end
  always_comb begin
    marked_o = '0;
    if (marked_q != '0) marked_o = Width'({marked_q, marked_q} >> head_place);
  end

  // A new entry has neither been executed nor marked.
  logic [Queue-1:0] taken_by_age, kept;
  logic [PlaceBits-1:0] tail_place;
  always_comb begin
    kept = '1;
    taken_by_age = '0;
    tail_place = '0;
    if (taken != '0) begin
      taken_by_age = Queue'((32'd1 << taken) - 32'd1);
      tail_place = head_place + count[PlaceBits-1:0];
      kept = Queue'({~taken_by_age, ~taken_by_age} >> -tail_place);
    end
    executed_d = executed_q & kept;
    marked_d = (marked_q | (executed_q & on_line)) & kept;
    if (enter_i) begin
      executed_d = executed_d | Queue'(1) << place;
      marked_d = marked_d | Queue'(enters_on_line) << place;
    end
  end
  always_ff @(posedge clk_i) begin
    executed_q <= executed_d;
    marked_q <= marked_d;
    if (enter_i) begin
      groups_q[place] <= footprint_i.group;
      bytes_q[place] <= footprint_i.bytes;
      slots_q[place] <= slot_i;
      exposed_q[place] <= exposed_i;
    end
  end

  `ASSERT_IF(enters_a_load, distance < count && !executed_q[place], enter_i)
  `ASSERT_IF(searches_younger_loads, distance <= count, search_i)

endmodule
