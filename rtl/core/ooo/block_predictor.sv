// SPDX-License-Identifier: Apache-2.0
// Branch prediction for one aligned block of 16 bytes a cycle: a BTB of two ways, two-bit
// counters that a history of taken branches helps to index, and a return stack (RAS).
//
// The lookup is combinational on the address at which the block is entered. It finds the
// first jump or taken branch at or after that halfword. Jumps have the place of their last
// halfword, since that decides where the block ends. Code changes, so an entry may be
// wrong in any way; its user checks the prediction.
//
// advance_i moves history and RAS past the block; redirect_i restores the snapshot of a
// block and moves them past an instruction of it, and advance_i is ignored in that cycle.
// The RAS entry itself is not restored if a wrong path has removed and replaced it.
// update_i trains counters and BTB. It may be about another instruction than redirect_i,
// and both take effect at the end of the cycle.
//
// After reset the arrays are cleared, one word of each per cycle. Until ready_o nothing is
// predicted, and all other inputs are ignored.
//
// Addresses are those of halfwords: bit 0 is ignored. The BTB has bits 39:0, of which
// bit 39 is the sign.

module block_predictor #(
  parameter int unsigned BtbSets = 256,  // all powers of two; at least 2
  parameter int unsigned Counters = 16384,  // 64 to 16384
  parameter int unsigned Ras = 8  // 2 to 8
) (
  input logic clk_i,
  input logic rst_ni,

  output logic ready_o,  // clearing is done

  // Lookup
  input  logic               lookup_i,
  input  logic [63:0]        pc_i,
  output logic               taken_o,
  output logic [2:0]         last_o,  // the last halfword of the jump
  output logic [63:0]        target_o,
  output ooo_pkg::snapshot_t snapshot_o,
  input  logic               advance_i,  // the block is used, with its prediction

  // Restores a snapshot, and applies the outcome of an instruction of its block: not taken
  // if there is none
  input logic               redirect_i,
  input ooo_pkg::snapshot_t redirect_snapshot_i,
  input soc_pkg::kind_e     redirect_kind_i,
  input logic               redirect_push_i,  // a call; redirect_link_i is the return address
  input logic               redirect_taken_i,
  input logic [63:0]        redirect_pc_i,  // of its last halfword
  input logic [63:0]        redirect_target_i,
  input logic [63:0]        redirect_link_i,

  // Outcome of a jump or branch, or of another instruction predicted as one (KindNone)
  input logic              update_i,
  input ooo_pkg::history_t update_history_i,  // in the snapshot of its block
  input soc_pkg::kind_e    update_kind_i,
  input logic              update_push_i,
  input logic              update_taken_i,
  input logic              update_long_i,  // 4 bytes
  input logic [63:0]       update_pc_i,  // of its last halfword
  input logic [63:0]       update_target_i
);

  localparam int unsigned SetBits = $clog2(BtbSets);
  localparam int unsigned CounterBits = $clog2(Counters);
  localparam int unsigned RasBits = $clog2(Ras);
  localparam int unsigned TagBits = 36 - SetBits;
  localparam int unsigned WordBits = CounterBits - 5;  // 32 counters in a word
  localparam int unsigned ClearBits = SetBits > WordBits ? SetBits : WordBits;

  typedef struct packed {
    logic [TagBits-1:0] tag;  // pc[39:4+SetBits]
    logic               valid;
    logic [2:0]         last;
  } key_t;

  typedef struct packed {
    logic        push;
    logic [38:0] target;  // bits 39:1
    logic [1:0]  kind;  // soc_pkg::kind_e
  } jump_t;

  logic [TagBits+3:0] key0_q[BtbSets], key1_q[BtbSets];  // key_t, by way
  logic [41:0] jump0_q[BtbSets], jump1_q[BtbSets];  // jump_t
  logic victim_q[BtbSets];  // the way to replace
  logic [63:0] counters_q[Counters/32];  // 2 and 3 predict that a branch is taken
  logic [63:0] ras_q[Ras];
  ooo_pkg::history_t history_q;
  logic [RasBits-1:0] top_q;
  logic [ClearBits:0] clear_q;  // words cleared since reset; the upper bit: all of them

  assign ready_o = clear_q[ClearBits];
  assign snapshot_o = {history_q, 3'(top_q)};

  // The counter of a branch; place is bits 14:1 of the address of its last halfword.
  function automatic logic [CounterBits-1:0] counter_of(input logic [13:0] place,
                                                        input ooo_pkg::history_t history);
    counter_of = CounterBits'(place ^ history);
  endfunction

  // The history after a jump; place is bits 8:1, target bits 9:1.
  function automatic logic [13:0] next_history(input ooo_pkg::history_t history,
                                               input logic [7:0] place, input logic [8:0] target);
    next_history = (history << 1) ^ {6'd0, place} ^ {5'd0, target};
  endfunction

  // Lookup
  key_t key0, key1;
  jump_t jump0, jump1, jump;
  logic taken0, taken1;
  logic [CounterBits-1:0] index0, index1;
  logic [63:0] word0, word1;
  always_comb begin
    key0 = '0;
    key1 = '0;
    jump0 = '0;
    jump1 = '0;
    jump = '0;
    index0 = '0;
    index1 = '0;
    word0 = '0;
    word1 = '0;
    taken0 = 1'b0;
    taken1 = 1'b0;
    last_o = 3'd0;
    target_o = '0;
    if (lookup_i && clear_q[ClearBits]) begin
      key0 = key0_q[pc_i[3+SetBits:4]];
      key1 = key1_q[pc_i[3+SetBits:4]];
      if ({key0.tag, key0.valid} == {pc_i[39:4+SetBits], 1'b1} && key0.last >= pc_i[3:1]) begin
        jump0 = jump0_q[pc_i[3+SetBits:4]];
        taken0 = 1'b1;
        if (jump0.kind == soc_pkg::KindBranch) begin
          index0 = counter_of({pc_i[14:4], key0.last}, history_q);
          word0 = counters_q[index0[CounterBits-1:5]];
          taken0 = word0[{index0[4:0], 1'b1}];
        end
      end
      if ({key1.tag, key1.valid} == {pc_i[39:4+SetBits], 1'b1} && key1.last >= pc_i[3:1]) begin
        jump1 = jump1_q[pc_i[3+SetBits:4]];
        taken1 = 1'b1;
        if (jump1.kind == soc_pkg::KindBranch) begin
          index1 = counter_of({pc_i[14:4], key1.last}, history_q);
          word1 = counters_q[index1[CounterBits-1:5]];
          taken1 = word1[{index1[4:0], 1'b1}];
        end
      end
      if (taken0 || taken1) begin
        last_o = key0.last;
        jump = jump0;
        if (!taken0 || (taken1 && key1.last < key0.last)) begin
          last_o = key1.last;
          jump = jump1;
        end
        target_o = {{24{jump.target[38]}}, jump.target, 1'b0};
        if (jump.kind == soc_pkg::KindReturn) target_o = ras_q[top_q];
      end
    end
  end
  assign taken_o = taken0 || taken1;

  // History and RAS
  logic moves, pops, pushes;
  ooo_pkg::history_t history_d;
  logic [RasBits-1:0] top_d;
  logic [63:0] link;
  always_comb begin
    moves = 1'b0;
    pops = 1'b0;
    pushes = 1'b0;
    history_d = history_q;
    top_d = top_q;
    link = '0;
    if (redirect_i) begin
      moves = 1'b1;
      history_d = redirect_snapshot_i.history;
      top_d = redirect_snapshot_i.ras[RasBits-1:0];
      if (redirect_taken_i) begin
        pops = redirect_kind_i == soc_pkg::KindReturn;
        pushes = redirect_push_i;
        history_d = next_history(redirect_snapshot_i.history, redirect_pc_i[8:1],
                                 redirect_target_i[9:1]);
        link = redirect_link_i;
      end
    end else if (advance_i && taken_o) begin
      moves = 1'b1;
      pops = jump.kind == soc_pkg::KindReturn;
      pushes = jump.push;
      history_d = next_history(history_q, {pc_i[8:4], last_o}, target_o[9:1]);
      link = {pc_i[63:4], 4'd0} + {60'd0, last_o, 1'b0} + 64'd2;
    end
    top_d = top_d - RasBits'(pops) + RasBits'(pushes);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q <= '0;
      history_q <= '0;
      top_q <= '0;
    end else if (!clear_q[ClearBits]) begin
      clear_q <= clear_q + 1'b1;
    end else if (moves) begin
      history_q <= history_d;
      top_q <= top_d;
      if (pushes) ras_q[top_d] <= link;
    end
  end

  // Update of the BTB: the entry of an instruction is that of its last halfword, but a
  // wrong one may have its other halfword. At most one entry of both remains.
  logic [SetBits-1:0] update_set;
  key_t old0, old1, new_key;
  logic [1:0] old_kind0, old_kind1;
  logic last0, last1, covered0, covered1;  // of its last halfword, of any
  logic enters0, enters1, drops0, drops1;
  assign update_set = update_pc_i[3+SetBits:4];
  always_comb begin
    old0 = '0;
    old1 = '0;
    old_kind0 = '0;
    old_kind1 = '0;
    last0 = 1'b0;
    last1 = 1'b0;
    covered0 = 1'b0;
    covered1 = 1'b0;
    enters0 = 1'b0;
    enters1 = 1'b0;
    drops0 = 1'b0;
    drops1 = 1'b0;
    new_key = '0;
    if (update_i) begin
      // Adding one to a key gives that of the next halfword of the block, if there is one.
      new_key = {update_pc_i[39:4+SetBits], 1'b1, update_pc_i[3:1]};
      old0 = key0_q[update_set];
      old1 = key1_q[update_set];
      last0 = old0 == new_key;
      last1 = old1 == new_key;
      covered0 = last0 || (update_long_i && old0 + 1'b1 == new_key);
      covered1 = last1 || (update_long_i && old1 + 1'b1 == new_key);
      if (update_taken_i) begin
        enters1 = !covered0 && (covered1 || (old0.valid && (!old1.valid || victim_q[update_set])));
        enters0 = !enters1;
        drops1 = enters0 && covered1;
      end else begin
        old_kind0 = jump0_q[update_set][1:0];
        old_kind1 = jump1_q[update_set][1:0];
        drops0 = covered0 && !(last0 && update_kind_i == old_kind0);
        drops1 = covered1 && !(last1 && update_kind_i == old_kind1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!clear_q[ClearBits]) begin
      key0_q[clear_q[SetBits-1:0]] <= '0;
      key1_q[clear_q[SetBits-1:0]] <= '0;
      victim_q[clear_q[SetBits-1:0]] <= 1'b0;
    end else if (update_i) begin
      if (enters0) jump0_q[update_set] <= {update_push_i, update_target_i[39:1], update_kind_i};
      if (enters1) jump1_q[update_set] <= {update_push_i, update_target_i[39:1], update_kind_i};
      if (enters0 || drops0) key0_q[update_set] <= enters0 ? new_key : '0;
      if (enters1 || drops1) key1_q[update_set] <= enters1 ? new_key : '0;
      if (update_taken_i) victim_q[update_set] <= enters0;
    end
  end

  // Update of the counter
  logic counts;
  logic [CounterBits-1:0] index;
  logic [1:0] count, count_d, change;
  logic [63:0] word, word_d;
  always_comb begin
    counts = 1'b0;
    index = '0;
    word = '0;
    count = 2'd0;
    count_d = 2'd0;
    change = 2'd0;
    word_d = '0;
    if (update_i && update_kind_i == soc_pkg::KindBranch) begin
      index = counter_of(update_pc_i[14:1], update_history_i);
      word = counters_q[index[CounterBits-1:5]];
      count = 2'(word >> {index[4:0], 1'b0});
      count_d = count;
      if (update_taken_i && count != 2'd3) count_d = count + 2'd1;
      if (!update_taken_i && count != 2'd0) count_d = count - 2'd1;
      change = count ^ count_d;
      counts = change != 2'd0;
      word_d = word ^ ({62'd0, change} << {index[4:0], 1'b0});
    end
  end

  always_ff @(posedge clk_i) begin
    if (!clear_q[ClearBits]) counters_q[clear_q[WordBits-1:0]] <= {32{2'd2}};
    else if (counts) counters_q[index[CounterBits-1:5]] <= word_d;
  end

`ifdef ASSERTIONS
  logic jumps, redirect_jumps;
  assign jumps = update_kind_i == soc_pkg::KindJump || update_kind_i == soc_pkg::KindReturn;
  assign redirect_jumps =
      redirect_kind_i == soc_pkg::KindJump || redirect_kind_i == soc_pkg::KindReturn;
`endif
  `ASSERT_HELD(cleared_once, ready_o, 1'b0, ready_o)
  `ASSERT_IF(jump_is_taken, update_taken_i, update_i && jumps)
  `ASSERT_IF(call_is_a_jump, jumps, update_i && update_push_i)
  `ASSERT_IF(nothing_is_not_taken, update_kind_i != soc_pkg::KindNone, update_i && update_taken_i)
  `ASSERT_IF(redirecting_jump_is_taken, redirect_taken_i, redirect_i && redirect_jumps)
  `ASSERT_IF(redirecting_call_is_a_jump, redirect_jumps, redirect_i && redirect_push_i)
  `ASSERT_IF(one_entry_of_a_jump, key0 != key1, taken0 && taken1)
  `ASSERT_IF(block_is_entered_before, last_o >= pc_i[3:1], taken_o)

endmodule
