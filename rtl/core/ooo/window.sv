// SPDX-License-Identifier: Apache-2.0
// The window: reorder buffer and scheduler in one.
//
// It renames the instructions of a dispatch group, wakes and selects them, commits them in
// order, and removes those of a wrong path. What else is known of an instruction is outside,
// in arrays indexed by slot. Slots are taken in a circle; the oldest is head_o.
//
// There is no free list: each slot owns a spare physical register. An instruction that
// writes a register takes that of its slot; when it commits, the register that it displaced
// becomes the slot's. A squash leaves the slots what they own: only the map must be undone,
// by a walk from the youngest slot, WalkSlots of them in a cycle, which begins in the next
// cycle. No group is dispatched until it ends. Older instructions issue and commit meanwhile.
//
// An instruction issues in the cycle after its dispatch or later. Each that was issued has one
// result, also if it writes no register (tag 0): in the cycle of the issue or later. From the
// next cycle on, instructions that read the register do not wait, and the slot can commit. A
// slot that leaves by a squash has no result after that cycle: the units compare with
// squashed_o, also for an instruction that issues in the cycle.
//
// After reset the map and the spare registers are set, an entry a cycle; ready_o is 0 until
// then. A simulator gets the map of what has committed if it undoes the slots from the
// youngest to head_o: map_q[areg] = old of ooo_pkg::entry_t.

module window #(
  parameter int unsigned Width = 4,  // 1 to 4
  parameter int unsigned Window = 64  // 8, 16, 32 or 64, at least twice Width
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch: valid lanes from 0 on enter if ready_o, except in the cycle of a squash. Lane n
  // is in slot slot_o + n, modulo Window.
  input  logic           [32*Width-1:0] dispatch_i,  // ooo_pkg::dispatch_t of each lane
  output logic                          ready_o,
  output ooo_pkg::slot_t                slot_o,

  // Issue
  input  logic            div_free_i,
  input  logic            mem_free_i,
  input  logic            float_free_i,
  input  logic            head_free_i,
  output ooo_pkg::issue_t int0_o,  // PortBranch, else PortAlu
  output ooo_pkg::issue_t int1_o,  // PortMul, else PortAlu
  output ooo_pkg::issue_t int2_o,  // PortDiv, else PortAlu
  output ooo_pkg::issue_t mem_o,
  output ooo_pkg::issue_t float_o,
  output ooo_pkg::issue_t head_issue_o,

  // Results; replay_i instead of one: the memory instruction issues again, with replay_head_i as one
  // of PortHead that commits alone, with replay_wait_i not before mem_wake_i, in whose cycle it can
  input logic           [32*ooo_pkg::Sources-1:0] results_i,  // result_t, indexed by source_e
  input logic                                     replay_i,
  input logic                                     replay_head_i,
  input logic                                     replay_wait_i,
  input ooo_pkg::slot_t                           replay_slot_i,
  input logic                                     mem_wake_i,

  // Squash: slots younger than squash_slot_i leave, with inclusive that one, too; none of them
  // may commit in the same cycle (hold_i). By flush_all_i all leave that do not.
  input  logic                        squash_i,
  input  logic                        squash_inclusive_i,
  input  ooo_pkg::slot_t              squash_slot_i,
  input  logic                        flush_all_i,
  output logic           [Window-1:0] squashed_o,  // these slots leave if they are in use
  output logic                        walking_o,

  // Commit: the oldest commit_count_o slots. A lane of hold_i and those above do not. By
  // head_commit_i the oldest commits alone, with its result of this cycle
  input  logic           [  Width-1:0] hold_i,
  input  logic                         head_commit_i,
  output logic           [        2:0] commit_count_o,
  output logic           [7*Width-1:0] commit_rd_o,  // their physical registers
  output logic           [6*Width-1:0] commit_areg_o,  // the architectural ones
  output logic           [  Width-1:0] commit_o,  // as lanes
  output logic           [ Window-1:0] committed_o,  // as slots
  output ooo_pkg::slot_t               head_o,
  output logic                         empty_o,
  output logic           [        6:0] count_o,

  // Of each slot with an instruction: it has its result, commits alone, waits for operands
  output logic           [ Window-1:0] done_o,
  output logic           [ Window-1:0] alone_o,
  output logic           [ Window-1:0] waiting_o,

  output logic quiescent_o  // nothing changes here without a squash
);

  localparam int unsigned SlotBits = $clog2(Window);
  typedef logic [SlotBits-1:0] index_t;

  // Slots from head_q on: count_q instructions, and up to used_q those that the walk undoes.
  index_t head_q, tail;
  logic [6:0] count_q, used_q;
  logic [Window-1:0] done_q, alone_q;  // of instructions only
  logic [Window-1:0] waiting;

  assign tail = head_q + used_q[SlotBits-1:0];

  function automatic logic [Window-1:0] to_slots(input logic [Width-1:0] lanes,
                                                 input index_t slot);
    to_slots = Window'(ooo_pkg::rotate_left(64'(lanes), 6'(slot), 6'(Window)));
  endfunction
  function automatic logic [Width-1:0] to_lanes(input logic [Window-1:0] slots);
    to_lanes = Width'(ooo_pkg::rotate_right(64'(slots), 6'(head_q), 6'(Window)));
  endfunction

  function automatic logic [Window-1:0] bit_of(input logic [5:0] slot);
    bit_of = Window'(1) << slot[SlotBits-1:0];
  endfunction

  // Commit
  logic [Width-1:0] commit, commit_alone;
  logic [2:0] commit_count;
  logic [Window-1:0] committed;
  always_comb begin
    commit = to_lanes(done_q) & ~hold_i;
    commit_alone = '0;
    if (alone_q != '0) begin
      commit_alone = to_lanes(alone_q);
      commit = commit & (commit_alone[0] ? Width'(1) : ~commit_alone);
    end
    // A lane commits if all before it do.
    commit = commit & ~(commit + Width'(1));
    if (head_commit_i) commit = Width'(1);
    commit_count = ooo_pkg::count4(4'(commit));
    committed = to_slots(commit, head_q);
  end
  assign commit_count_o = commit_count;
  assign commit_o = commit;
  assign committed_o = committed;
  assign head_o = 6'(head_q);
  assign empty_o = count_q == 7'd0;
  assign count_o = count_q;
  assign done_o = done_q;
  assign alone_o = alone_q;
  assign waiting_o = waiting;

  // Squash
  index_t squash_age;
  logic squash;
  logic [Window-1:0] younger;  // in the order of age
  assign squash_age = squash_slot_i[SlotBits-1:0] - head_q;
  assign squash = squash_i || flush_all_i;
  always_comb begin
    younger = '0;
    squashed_o = '0;
    if (flush_all_i) begin
      squashed_o = '1;
    end else if (squash_i) begin
      younger = {Window{1'b1}} << squash_age;
      if (!squash_inclusive_i) younger = younger << 1;
      squashed_o = Window'(ooo_pkg::rotate_left(64'(younger), 6'(head_q), 6'(Window)));
    end
  end

  // Walk
  logic [6:0] extra;
  logic [3:0] undo_count;
  logic [ooo_pkg::WalkSlots-1:0] undo;
  assign extra = used_q - count_q;
  assign walking_o = extra != 7'd0;
  assign undo_count = extra > 7'(ooo_pkg::WalkSlots) ? 4'(ooo_pkg::WalkSlots) : extra[3:0];
  always_comb begin
    undo = '0;
    if (walking_o)
      for (int slot = 0; slot < ooo_pkg::WalkSlots; slot++) undo[slot] = 4'(slot) < undo_count;
  end

  // Dispatch
  logic initialised;
  logic [Width-1:0] enter, enter_alone;
  logic [2:0] enter_count;
  logic [Window-1:0] entered;
  assign ready_o = initialised && !walking_o && used_q <= 7'(Window - Width);
  assign slot_o = 6'(tail);
  always_comb begin
    enter = '0;
    enter_alone = '0;
    if (ready_o && !squash)
      for (int lane = 0; lane < Width; lane++) begin
        enter[lane] = dispatch_i[32*lane+ooo_pkg::DispatchValid];
        enter_alone[lane] = dispatch_i[32*lane+ooo_pkg::DispatchAlone];
      end
    enter_count = ooo_pkg::count4(4'(enter));
    enter_alone = enter_alone & enter;
    entered = to_slots(enter, tail);
  end

  logic [7*Width-1:0] rd, rs1, rs2, rs3;
  logic [Window-1:0] issue_int0, issue_int1, issue_int2, issue_mem, issue_float, issue_head;
  window_rename #(
    .Width(Width),
    .Window(Window)
  ) u_rename (
    .clk_i,
    .rst_ni,
    .ready_o(initialised),
    .dispatch_i(enter),
    .lanes_i(dispatch_i),
    .slots_i(entered),
    .tail_i(6'(tail)),
    .rd_o(rd),
    .rs1_o(rs1),
    .rs2_o(rs2),
    .rs3_o(rs3),
    .undo_i(undo),
    .commit_i(commit),
    .committed_i(committed),
    .head_i(6'(head_q)),
    .commit_rd_o,
    .commit_areg_o,
    .int0_i(issue_int0),
    .int1_i(issue_int1),
    .int2_i(issue_int2),
    .mem_i(issue_mem),
    .float_i(issue_float),
    .issue_head_i(issue_head),
    .int0_o,
    .int1_o,
    .int2_o,
    .mem_o,
    .float_o,
    .head_o(head_issue_o)
  );


  logic rare;  // results_i has one of the rare sources
  always_comb begin
    rare = 1'b0;
    for (int source = ooo_pkg::RareSources; source < ooo_pkg::Sources; source++)
      rare = rare || results_i[32*source+ooo_pkg::ResultValid];
  end

  logic selects_none;
  window_wake #(
    .Width(Width),
    .Window(Window)
  ) u_wake (
    .clk_i,
    .rst_ni,
    .slots_i(entered),
    .tail_i(6'(tail)),
    .rd_i(rd),
    .rs1_i(rs1),
    .rs2_i(rs2),
    .rs3_i(rs3),
    .results_i,
    .rare_i(rare),
    .waiting_o(waiting)
  );

  window_select #(
    .Width(Width),
    .Window(Window)
  ) u_select (
    .clk_i,
    .rst_ni,
    .dispatch_i(enter[0]),
    .lanes_i(dispatch_i),
    .slots_i(entered),
    .tail_i(6'(tail)),
    .replay_i,
    .replay_head_i,
    .replay_wait_i,
    .replay_slot_i,
    .mem_wake_i,
    .squashed_i(squashed_o),
    .waiting_i(waiting),
    .head_i(6'(head_q)),
    .div_free_i,
    .mem_free_i,
    .float_free_i,
    .head_free_i,
    .int0_o(issue_int0),
    .int1_o(issue_int1),
    .int2_o(issue_int2),
    .mem_o(issue_mem),
    .float_o(issue_float),
    .head_o(issue_head),
    .quiescent_o(selects_none)
  );

  // Results
  logic [Window-1:0] done;
  always_comb begin
    done = '0;
    for (int source = 0; source < ooo_pkg::RareSources; source++)
      if (results_i[32*source+ooo_pkg::ResultValid])
        done = done | bit_of(results_i[32*source+ooo_pkg::ResultSlot+:6]);
    if (rare)
      for (int source = ooo_pkg::RareSources; source < ooo_pkg::Sources; source++)
        if (results_i[32*source+ooo_pkg::ResultValid])
          done = done | bit_of(results_i[32*source+ooo_pkg::ResultSlot+:6]);
  end

  always_comb begin
    quiescent_o = 1'b0;
    if (done == '0 && commit == '0 && enter == '0)
      quiescent_o = selects_none && !replay_i && !walking_o && initialised;
  end

  // What stays after the cycle
  logic [6:0] count;
  logic [Window-1:0] stays, alone;
  always_comb begin
    count = count_q + 7'(enter_count);
    if (squash_i) count = 7'(squash_age) + 7'(!squash_inclusive_i);
    count = count - 7'(commit_count);
    if (flush_all_i) count = 7'd0;
    stays = ~(committed | squashed_o);
    alone = '0;
    if (enter_alone != '0) alone = to_slots(enter_alone, tail);
    if (replay_i && replay_head_i) alone = alone | bit_of(replay_slot_i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      count_q <= '0;
      used_q <= '0;
      done_q <= '0;
      alone_q <= '0;
    end else begin
      head_q <= head_q + SlotBits'(commit_count);
      count_q <= count;
      used_q <= used_q + 7'(enter_count) - 7'(commit_count) - 7'(undo_count);
      done_q <= (done_q | done) & stays;
      alone_q <= (alone_q | alone) & stays;
    end
  end

  `ASSERT(lanes_are_filled_from_zero, (enter & (enter + 1'b1)) == '0)
  `ASSERT_IF(squash_of_an_instruction, 7'(squash_age) < count_q, squash_i && !flush_all_i)
  `ASSERT_IF(squashed_do_not_commit, (committed & squashed_o) == '0, squash_i && !flush_all_i)
  `ASSERT_IF(oldest_does_not_wait, !waiting[head_q], count_q != 7'd0)
  `ASSERT_IF(head_commits_alone, hold_i[0] && count_q != 7'd0, head_commit_i)
  `ASSERT(count_in_use, count_q <= used_q && used_q <= 7'(Window))
`ifdef ASSERTIONS
  // Slots of instructions that were issued and have no result
  logic [Window-1:0] busy_q, issued;
  assign issued = issue_int0 | issue_int1 | issue_int2 | issue_mem | issue_float | issue_head;
  logic [Window-1:0] replayed;
  assign replayed = replay_i ? bit_of(replay_slot_i) : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= '0;
    else busy_q <= (busy_q | issued) & ~(done | replayed) & stays;
  end
`endif
  `ASSERT(results_of_issued, (done & ~(busy_q | issued)) == '0)
  `ASSERT(replays_of_issued, (replayed & ~busy_q) == '0)

endmodule
