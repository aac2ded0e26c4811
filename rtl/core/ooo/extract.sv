// SPDX-License-Identifier: Apache-2.0
// Extracts instructions from fetch blocks: a FIFO of 4 raw blocks, and in each cycle with
// take_i up to Width instructions, in program order from lane 0 upwards.
//
// A block, pushed with push_i while ready_o is high, can be used from the next cycle on. Its
// first halfword is the one at its pc. Its last is halfword push_last_i if it jumps, to
// push_target_i, or if it is partial, since the next halfword has to be translated or checked
// by PMP by itself; else it is halfword 7. The next block begins at the target, or at the next
// halfword. Of a bad block, whose fetch failed, only pc, bad and snapshot are used.
// redirect_i empties the FIFO, and a block pushed with it is dropped.
//
// Lanes are valid only with take_i, and then all of them leave. They begin in the oldest two
// blocks; the last may end in the third. The successor of an instruction that contains the last
// halfword of a block that jumps is the target. If that is the first half of 32 bits, the
// prediction is stale: the second half is the next halfword in memory, not the one at the
// target. If the block does not contain it, the instruction is torn and has to be fetched
// again without prediction. A bad block is an instruction at its pc, or the second half of the
// one that precedes it, whose fault it is. An instruction that is torn or bad has insn_o 0,
// and next_pc_o is meaningless if it is bad.

module extract #(
  parameter int unsigned Width = 4  // 1 to 4
) (
  input logic clk_i,
  input logic rst_ni,

  input logic redirect_i,

  // A block
  input  logic               push_i,
  output logic               ready_o,
  input  logic [63:1]        push_pc_i,
  input  logic [127:0]       push_data_i,
  input  soc_pkg::bad_e      push_bad_i,       // BadNone, BadAccess or BadPage
  input  logic               push_jumps_i,
  input  logic               push_partial_i,   // may jump as well
  input  ooo_pkg::halfword_t push_last_i,
  input  logic [63:1]        push_target_i,
  input  ooo_pkg::snapshot_t push_snapshot_i,

  // Instructions; insn_o is raw, with upper half 0 if it has 16 bits
  input  logic                                    take_i,
  output logic [Width-1:0]                        valid_o,
  output logic [Width*32-1:0]                     insn_o,
  output logic [Width*64-1:0]                     pc_o,
  output logic [Width*64-1:0]                     next_pc_o,   // as predicted
  output logic [Width*ooo_pkg::ExtractedBits-1:0] extracted_o  // extracted_t
);

  // Of a block, beside data, pc and target.
  typedef struct packed {
    logic [ooo_pkg::SnapshotBits-1:0] snapshot;  // ooo_pkg::snapshot_t
    logic [2:0]  bad;  // soc_pkg::bad_e
    logic        jumps;
    logic        cut;  // the halfword behind last is not in the block
    logic [2:0]  last;
  } info_t;

  logic [63:0] data_q[8];  // two for each block
  logic [63:0] pc_q[4];
  logic [63:0] target_q[4];
  logic [ooo_pkg::SnapshotBits+7:0] info_q[4];  // info_t
  logic [1:0] head_q;
  logic [2:0] count_q;
  // The next instruction begins at halfword begin_q of the head, else where the head begins.
  logic begun_q;
  ooo_pkg::halfword_t begin_q;

  assign ready_o = !count_q[2];

  info_t push_info;
  ooo_pkg::halfword_t push_last;
  always_comb begin
    push_last = 3'd7;
    if (push_jumps_i || push_partial_i) push_last = push_last_i;
    if (push_bad_i != soc_pkg::BadNone) push_last = push_pc_i[3:1];
  end
  assign push_info.snapshot = push_snapshot_i;
  assign push_info.bad = push_bad_i;
  assign push_info.jumps = push_jumps_i;
  assign push_info.cut = push_partial_i || push_last == 3'd7;
  assign push_info.last = push_last;

  // One lane after the other. Most instructions end before the last halfword of their block:
  // all else is computed only at the end of a block.
  logic [1:0] slot;
  info_t info;
  logic [63:0] pc, next_pc;
  logic [4:0] first, second;  // {slot, halfword}
  logic [31:0] insn;
  logic wide;
  logic [3:0] last;  // halfword of slot: 8 if it is in the next block
  ooo_pkg::extracted_t extracted;
  logic found;
  logic more;  // the next instruction begins in one of the blocks to extract from
  logic begun;  // it begins where this one ends, in the same block
  logic [1:0] done;  // blocks that leave
  always_comb begin
    valid_o = '0;
    insn_o = '0;
    pc_o = '0;
    next_pc_o = '0;
    extracted_o = '0;
    slot = head_q;
    info = '0;
    pc = '0;
    next_pc = '0;
    first = '0;
    second = '0;
    insn = '0;
    wide = 1'b0;
    last = '0;
    extracted = '0;
    found = 1'b0;
    more = 1'b0;
    begun = 1'b0;
    done = 2'd0;
    if (take_i && count_q != 3'd0) begin
      more = 1'b1;
      pc = pc_q[head_q];
      if (begun_q) pc[3:1] = begin_q;
      for (int unsigned l = 0; l < Width; l++) begin
        if (more) begin
          info = info_q[slot];
          first = {slot, pc[3:1]};
          second = first + 5'd1;
          insn[15:0] = 16'(data_q[first[4:2]] >> {first[1:0], 4'd0});
          insn[31:16] = 16'(data_q[second[4:2]] >> {second[1:0], 4'd0});
          wide = insn[1:0] == 2'b11;
          insn = insn & {{16{wide}}, 16'hffff};
          next_pc = pc + 64'd2 + {62'd0, wide, 1'b0};
          last = {1'b0, pc[3:1]} + {3'd0, wide};
          extracted = '0;
          found = 1'b1;
          begun = last < {1'b0, info.last};
          if (!begun) begin
            if (info.bad != soc_pkg::BadNone) begin
              extracted.bad = info.bad;
              insn = '0;
            end else if (info.jumps) begin
              extracted.predicted = 1'b1;
              next_pc = target_q[slot];
              if (info.cut && last != {1'b0, info.last}) begin
                extracted.torn = 1'b1;
                insn = '0;
              end
            end else if (last != {1'b0, info.last}) begin
              // The second half is the first halfword of the next block.
              found = {1'b0, done} + 3'd1 < count_q;
              begun = 1'b1;
              more = 1'b0;
              if (found) begin
                done = done + 2'd1;
                more = !done[1];
                slot = slot + 2'd1;
                info = info_q[slot];
                second = {slot, pc_q[slot][3:1]};
                insn[31:16] = 16'(data_q[second[4:2]] >> {second[1:0], 4'd0});
                begun = second[2:0] != info.last;
                if (info.bad != soc_pkg::BadNone) begin
                  extracted.bad = info.bad | 3'd1;
                  insn = '0;
                end else if (!begun && info.jumps) begin
                  extracted.predicted = 1'b1;
                  next_pc = target_q[slot];
                end
              end
            end
          end
          if (found) begin
            extracted.snapshot = info.snapshot;
            valid_o[l] = 1'b1;
            insn_o[32*l+:32] = insn;
            pc_o[64*l+:64] = pc;
            next_pc_o[64*l+:64] = next_pc;
            extracted_o[64*l+:64] = extracted;
            pc = next_pc;
            if (!begun) begin
              done = done + 2'd1;
              slot = slot + 2'd1;
              pc = pc_q[slot];
              more = done == 2'd1 && count_q != 3'd1;
            end
          end
        end
      end
    end
  end

  logic [1:0] tail;
  assign tail = head_q + count_q[1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i) begin
      head_q <= 2'd0;
      count_q <= 3'd0;
      begun_q <= 1'b0;
    end else begin
      count_q <= count_q + {2'd0, push_i} - {1'b0, done};
      if (valid_o[0]) begin
        head_q <= head_q + done;
        begun_q <= begun;
        begin_q <= pc[3:1];
      end
    end
    if (push_i) begin
      data_q[{tail, 1'd0}] <= push_data_i[63:0];
      data_q[{tail, 1'd1}] <= push_data_i[127:64];
      pc_q[tail] <= {push_pc_i, 1'b0};
      target_q[tail] <= {push_target_i, 1'b0};
      info_q[tail] <= push_info;
    end
  end

`ifdef ASSERTIONS
  logic pushed_q;  // a good block since the last redirect
  logic [63:1] successor_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i) pushed_q <= 1'b0;
    else if (push_i) pushed_q <= push_bad_i == soc_pkg::BadNone;
    if (push_i)
      successor_q <= push_jumps_i ? push_target_i : {push_pc_i[63:4], push_last} + 63'd1;
  end
`endif
  `ASSERT_IF(push_when_ready, ready_o, push_i)
  `ASSERT_IF(blocks_follow, push_pc_i == successor_q, push_i && pushed_q)
  `ASSERT_IF(ends_in_block, push_last >= push_pc_i[3:1], push_i)
  `ASSERT_IF(bad_fetch, !push_bad_i[0] && (push_bad_i[2] || !push_bad_i[1]), push_i)
  `ASSERT_IF(lanes_in_order, (valid_o & (valid_o + 1'b1)) == '0, 1'b1)

endmodule
