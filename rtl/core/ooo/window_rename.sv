// SPDX-License-Identifier: Apache-2.0
// Renaming, and what the window keeps of each slot (ooo_pkg::entry_t).
//
// The map has the physical register of each architectural one, in program order up to the
// last instruction that was dispatched. Renaming is combinational on the lanes, each of which
// sees those below it. The map changes at the clock edge: by dispatch, or by the walk, whose
// lane 0 is the youngest instruction to undo. After reset, entry n of the map takes the
// number n, and each slot a spare register from 64 on, one of each in a cycle.

module window_rename #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic ready_o,  // the arrays are set

  // Dispatch: lane n goes to slot tail_i + n. Lanes that dispatch_i does not name yield 0.
  input  logic [   Width-1:0] dispatch_i,
  input  logic [32*Width-1:0] lanes_i,  // ooo_pkg::dispatch_t
  input  logic [  Window-1:0] slots_i,
  input  logic [         5:0] tail_i,
  output logic [ 7*Width-1:0] rd_o,
  output logic [ 7*Width-1:0] rs1_o,
  output logic [ 7*Width-1:0] rs2_o,
  output logic [ 7*Width-1:0] rs3_o,

  // Walk: undoes the youngest slots, which are those below tail_i
  input logic [ooo_pkg::WalkSlots-1:0] undo_i,

  // Commit: lane n is slot head_i + n
  input  logic [  Width-1:0] commit_i,
  input  logic [ Window-1:0] committed_i,
  input  logic [        5:0] head_i,
  output logic [7*Width-1:0] commit_rd_o,
  output logic [6*Width-1:0] commit_areg_o,

  // Issue, as in window_select.sv
  input  logic            [Window-1:0] int0_i,
  input  logic            [Window-1:0] int1_i,
  input  logic            [Window-1:0] int2_i,
  input  logic            [Window-1:0] mem_i,
  input  logic            [Window-1:0] float_i,
  input  logic            [Window-1:0] issue_head_i,
  output ooo_pkg::issue_t              int0_o,
  output ooo_pkg::issue_t              int1_o,
  output ooo_pkg::issue_t              int2_o,
  output ooo_pkg::issue_t              mem_o,
  output ooo_pkg::issue_t              float_o,
  output ooo_pkg::issue_t              head_o
);

  localparam int unsigned SlotBits = $clog2(Window);
  localparam int unsigned Rd = ooo_pkg::DispatchRd;

  logic [6:0] map_q[64];
  logic [ooo_pkg::EntryBits-1:0] entry_q[Window];  // ooo_pkg::entry_t
  // The instruction that was last in the slot committed: old is the spare register, not own
  logic [Window-1:0] freed_q;
  logic [6:0] init_q;  // entries that were set since reset; bit 6: all of them

  assign ready_o = init_q[6];

  // The lanes, in order: each has the spare register of its slot, if it writes one, and sees those
  // of the lanes below it. The third operand is rare.
  logic thirds;
  logic [7*Width-1:0] own;
  logic [64*Width-1:0] entries;  // a word for each lane
  logic [SlotBits-1:0] slot;
  logic [5:0] rd, rs1, rs2, rs3;  // architectural
  logic [6:0] spare, old, tag, tag1, tag2, tag3;
  always_comb begin
    thirds = 1'b0;
    own = '0;
    entries = '0;
    rd_o = '0;
    rs1_o = '0;
    rs2_o = '0;
    rs3_o = '0;
    slot = '0;
    rd = '0;
    rs1 = '0;
    rs2 = '0;
    rs3 = '0;
    spare = '0;
    old = '0;
    tag = '0;
    tag1 = '0;
    tag2 = '0;
    tag3 = '0;
    if (dispatch_i[0]) begin
      for (int lane = 0; lane < Width; lane++)
        if (lanes_i[32*lane+ooo_pkg::DispatchRs3+:6] != 6'd0) thirds = 1'b1;
      for (int lane = 0; lane < Width; lane++)
        if (dispatch_i[lane]) begin
          slot = tail_i[SlotBits-1:0] + SlotBits'(lane);
          spare = entry_q[slot][ooo_pkg::EntryOwn+:7];
          if (freed_q[slot]) spare = entry_q[slot][ooo_pkg::EntryOld+:7];
          {rd, rs1, rs2, rs3} = lanes_i[32*lane+:24];
          tag1 = map_q[rs1];
          tag2 = map_q[rs2];
          tag3 = '0;
          tag = rd == 6'd0 ? 7'd0 : spare;
          old = rd == 6'd0 ? spare : map_q[rd];
          for (int below = 0; below < lane; below++) begin
            if (lanes_i[32*below+Rd+:6] != 6'd0) begin
              if (rs1 == lanes_i[32*below+Rd+:6]) tag1 = own[7*below+:7];
              if (rs2 == lanes_i[32*below+Rd+:6]) tag2 = own[7*below+:7];
              if (rd == lanes_i[32*below+Rd+:6]) old = own[7*below+:7];
            end
          end
          if (thirds) begin
            tag3 = map_q[rs3];
            for (int below = 0; below < lane; below++)
              if (lanes_i[32*below+Rd+:6] != 6'd0 && rs3 == lanes_i[32*below+Rd+:6])
                tag3 = own[7*below+:7];
          end
          own[7*lane+:7] = spare;
          rd_o[7*lane+:7] = tag;
          rs1_o[7*lane+:7] = tag1;
          rs2_o[7*lane+:7] = tag2;
          rs3_o[7*lane+:7] = tag3;
          entries[64*lane+:64] = 64'({spare, old, rd, tag, tag1, tag2, tag3});
        end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!init_q[6]) begin
      entry_q[init_q[SlotBits-1:0]] <= {1'b1, init_q[5:0], {ooo_pkg::EntryBits - 7{1'b0}}};
    end else begin
      for (int lane = 0; lane < Width; lane++)
        if (dispatch_i[lane])
          entry_q[SlotBits'(tail_i+6'(lane))] <= entries[64*lane+:ooo_pkg::EntryBits];
    end
  end

  // Writes of the map, by dispatch or by the walk: a later one prevails. Of the walk, the youngest
  // instruction is the first.
  logic [7*ooo_pkg::WalkSlots-1:0] undone_tags;
  logic [6*ooo_pkg::WalkSlots-1:0] undone;
  logic [SlotBits-1:0] undone_slot;
  always_comb begin
    undone = '0;
    undone_tags = '0;
    undone_slot = '0;
    if (undo_i[0])
      for (int port = 0; port < ooo_pkg::WalkSlots; port++)
        if (undo_i[port]) begin
          undone_slot = SlotBits'(tail_i - 6'(port + 1));
          undone[6*port+:6] = entry_q[undone_slot][ooo_pkg::EntryAreg+:6];
          undone_tags[7*port+:7] = entry_q[undone_slot][ooo_pkg::EntryOld+:7];
        end
  end
  always_ff @(posedge clk_i) begin
    if (dispatch_i[0]) begin
      for (int lane = 0; lane < Width; lane++)
        if (dispatch_i[lane] && lanes_i[32*lane+Rd+:6] != 6'd0)
          map_q[lanes_i[32*lane+Rd+:6]] <= own[7*lane+:7];
    end else if (undo_i[0]) begin
      for (int port = 0; port < ooo_pkg::WalkSlots; port++)
        if (undone[6*port+:6] != 6'd0) map_q[undone[6*port+:6]] <= undone_tags[7*port+:7];
    end else if (!init_q[6]) begin
      map_q[init_q[5:0]] <= {1'b0, init_q[5:0]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      init_q <= '0;
      freed_q <= '0;
    end else begin
      if (!init_q[6]) init_q <= init_q + 7'd1;
      freed_q <= (freed_q | committed_i) & ~slots_i;
    end
  end

  logic [SlotBits-1:0] commit_slot;
  always_comb begin
    commit_rd_o = '0;
    commit_areg_o = '0;
    commit_slot = '0;
    if (commit_i[0])
      for (int lane = 0; lane < Width; lane++)
        if (commit_i[lane]) begin
          commit_slot = SlotBits'(head_i + 6'(lane));
          commit_rd_o[7*lane+:7] = entry_q[commit_slot][ooo_pkg::EntryRd+:7];
          commit_areg_o[6*lane+:6] = entry_q[commit_slot][ooo_pkg::EntryAreg+:6];
        end
  end

  logic [Window-1:0] issues[ooo_pkg::IssuePorts];
  assign issues[ooo_pkg::IssueInt0] = int0_i;
  assign issues[ooo_pkg::IssueInt1] = int1_i;
  assign issues[ooo_pkg::IssueInt2] = int2_i;
  assign issues[ooo_pkg::IssueMem] = mem_i;
  assign issues[ooo_pkg::IssueFloat] = float_i;
  assign issues[ooo_pkg::IssueHead] = issue_head_i;
  for (genvar port = 0; port < ooo_pkg::IssuePorts; port++) begin : gen_issue
    logic [5:0] number;
    logic [34:0] issued;  // ooo_pkg::issue_t
    always_comb begin
      number = '0;
      issued = '0;
      if (issues[port] != '0) begin
        number = ooo_pkg::number_of(64'(issues[port]));
        issued = {1'b1, number, entry_q[number[SlotBits-1:0]][ooo_pkg::TagsBits-1:0]};
      end
    end
  end
  assign int0_o = gen_issue[ooo_pkg::IssueInt0].issued;
  assign int1_o = gen_issue[ooo_pkg::IssueInt1].issued;
  assign int2_o = gen_issue[ooo_pkg::IssueInt2].issued;
  assign mem_o = gen_issue[ooo_pkg::IssueMem].issued;
  assign float_o = gen_issue[ooo_pkg::IssueFloat].issued;
  assign head_o = gen_issue[ooo_pkg::IssueHead].issued;

endmodule
