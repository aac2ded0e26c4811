// SPDX-License-Identifier: Apache-2.0
// Branch prediction for one aligned block of 16 bytes a cycle: a BTB of two ways, the predictors of
// directions and of targets, which look up the path to the block as well, and a return stack (RAS).
//
// The lookup is combinational on the address at which the block is entered. It finds the
// first jump or taken branch at or after that halfword. Jumps have the place of their last
// halfword, since that decides where the block ends. Code changes, so an entry may be
// wrong in any way; its user checks the prediction.
//
// advance_i moves path and RAS past the block; redirect_i restores the snapshot of a
// block and moves them past an instruction of it, and advance_i is ignored in that cycle.
// Of the RAS the snapshot has the top entry, since a wrong path that returns and then calls
// replaces it; entries below, which need more returns, stay wrong.
// update_i trains predictors and BTB. It may be about another instruction than redirect_i,
// and both take effect at the end of the cycle. It removes wrong entries of both halfwords
// of an instruction; if these are in two blocks, the entry of the first takes an update of
// its own, of KindNone at that halfword.
//
// After reset the arrays are cleared, one entry of each per cycle. Until ready_o nothing is
// predicted, and all other inputs are ignored.
//
// Addresses are those of halfwords: bit 0 is ignored. BTB and RAS have bits 39:0, of which
// bit 39 is the sign.

module block_predictor #(
  parameter int unsigned BtbSets = 256,  // all powers of two; at least 2
  parameter int unsigned Counters = 4096,  // as in direction_predictor.sv
  parameter int unsigned Branches = 1024,  // its entries
  parameter int unsigned Targets = 128,  // as in target_predictor.sv
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
  input logic [1:0]         redirect_kind_i,  // soc_pkg::kind_e
  input logic               redirect_push_i,  // a call; redirect_link_i is the return address
  input logic               redirect_taken_i,
  input logic [63:0]        redirect_pc_i,  // of its last halfword
  input logic [63:0]        redirect_target_i,
  input logic [63:0]        redirect_link_i,

  // Outcome of a jump or branch, or of another instruction predicted as one (KindNone)
  input logic              update_i,
  input ooo_pkg::history_t update_history_i,  // in the snapshot of its block
  input logic [1:0]        update_kind_i,  // soc_pkg::kind_e
  input logic              update_push_i,
  input logic              update_indirect_i,
  input logic              update_taken_i,
  input logic              update_long_i,  // 4 bytes
  input logic [63:0]       update_pc_i,  // of its last halfword
  input logic [63:0]       update_target_i
);

  localparam int unsigned SetBits = $clog2(BtbSets);
  localparam int unsigned RasBits = $clog2(Ras);
  localparam int unsigned TagBits = 36 - SetBits;
  localparam int unsigned KeyBits = TagBits + 4;
  // Of the largest array
  localparam int unsigned WordBits = $clog2(Counters) - 5;
  localparam int unsigned EntryBits = $clog2(Branches > Targets ? Branches : Targets);
  localparam int unsigned ArrayBits = SetBits > WordBits ? SetBits : WordBits;
  localparam int unsigned ClearBits = ArrayBits > EntryBits ? ArrayBits : EntryBits;

  typedef struct packed {
    logic [TagBits-1:0] tag;  // pc[39:4+SetBits]
    logic               valid;
    logic [2:0]         last;
  } key_t;

  typedef struct packed {
    logic        push;
    logic        indirect;
    logic [38:0] target;  // bits 39:1
    logic [1:0]  kind;  // soc_pkg::kind_e
  } jump_t;

  logic [2*KeyBits-1:0] keys_q[BtbSets];  // key_t of way 1, of way 0
  logic [42:0] jumps_q[2*BtbSets];  // jump_t of {set, way}
  logic victim_q[BtbSets];  // the way to replace, if both are valid: written with the second
  logic [38:0] ras_q[Ras];  // bits 39:1
  logic [RasBits-1:0] top_q;
  logic [ClearBits:0] clear_q;  // entries cleared since reset; the upper bit: all of them
  logic clears;
  ooo_pkg::history_t history;

  assign ready_o = clear_q[ClearBits];
  assign clears = !ready_o;
  assign snapshot_o = {ras_q[top_q], history, 3'(top_q)};

  // The path to the block, and to that of an update
  logic moves, jumps, old_paths;
  ooo_pkg::path_t path, old_path;
  logic [7:0] place;
  logic [8:0] target;
  assign old_paths = update_i && !clears;
  path_history u_history (
    .clk_i,
    .rst_ni,
    .clear_i          (clears),
    .path_o           (path),
    .number_o         (history),
    .redirect_i       (redirect_i && !clears),
    .redirect_number_i(redirect_snapshot_i.history),
    .jumps_i          (jumps && !clears),
    .from_i           (place),
    .to_i             (target),
    .old_i            (old_paths),
    .old_number_i     (update_history_i),
    .old_path_o       (old_path)
  );

  // Lookup
  key_t key0, key1;
  jump_t jump0, jump1, jump;
  logic ahead0, ahead1, branch0, branch1;
  always_comb begin
    key0 = '0;
    key1 = '0;
    jump0 = '0;
    jump1 = '0;
    ahead0 = 1'b0;
    ahead1 = 1'b0;
    branch0 = 1'b0;
    branch1 = 1'b0;
    if (lookup_i && !clears) begin
      {key1, key0} = keys_q[pc_i[3+SetBits:4]];
      if ({key0.tag, key0.valid} == {pc_i[39:4+SetBits], 1'b1} && key0.last >= pc_i[3:1]) begin
        jump0 = jumps_q[{pc_i[3+SetBits:4], 1'b0}];
        ahead0 = 1'b1;
        branch0 = jump0.kind == soc_pkg::KindBranch;
      end
      if ({key1.tag, key1.valid} == {pc_i[39:4+SetBits], 1'b1} && key1.last >= pc_i[3:1]) begin
        jump1 = jumps_q[{pc_i[3+SetBits:4], 1'b1}];
        ahead1 = 1'b1;
        branch1 = jump1.kind == soc_pkg::KindBranch;
      end
    end
  end

  logic branch_taken0, branch_taken1, update_direction, update_indirect;
  always_comb begin
    update_direction = 1'b0;
    update_indirect = 1'b0;
    if (update_i && !clears) begin
      update_direction = update_kind_i == soc_pkg::KindBranch;
      update_indirect = update_kind_i == soc_pkg::KindJump && update_indirect_i;
    end
  end
  direction_predictor #(
    .Counters(Counters),
    .Entries (Branches)
  ) u_directions (
    .clk_i,
    .rst_ni,
    .clear_i       (clears),
    .clear_entry_i (clear_q[$clog2(Branches)-1:0]),
    .clear_word_i  (clear_q[WordBits-1:0]),
    .branch_i      ({branch1, branch0}),
    .at_i          ({pc_i[20:4], key1.last, pc_i[20:4], key0.last}),
    .path_i        (path),
    .taken_o       ({branch_taken1, branch_taken0}),
    .update_i      (update_direction),
    .update_at_i   (update_pc_i[20:1]),
    .update_path_i (old_path),
    .update_taken_i(update_taken_i)
  );

  logic taken0, taken1;
  always_comb begin
    taken0 = ahead0 && (!branch0 || branch_taken0);
    taken1 = ahead1 && (!branch1 || branch_taken1);
    last_o = 3'd0;
    jump = '0;
    if (taken0 || taken1) begin
      last_o = key0.last;
      jump = jump0;
      if (!taken0 || (taken1 && key1.last < key0.last)) begin
        last_o = key1.last;
        jump = jump1;
      end
    end
  end
  assign taken_o = taken0 || taken1;

  logic indirect, target_known;
  logic [38:0] known_target, last_target, jump_target;
  assign indirect = taken_o && jump.indirect && jump.kind == soc_pkg::KindJump;
  target_predictor #(
    .Entries(Targets)
  ) u_targets (
    .clk_i,
    .rst_ni,
    .clear_i        (clears),
    .clear_entry_i  (clear_q[$clog2(Targets)-1:0]),
    .lookup_i       (indirect),
    .at_i           ({pc_i[20:4], last_o}),
    .path_i         (path),
    .hit_o          (target_known),
    .target_o       (known_target),
    .update_i       (update_indirect),
    .update_at_i    (update_pc_i[20:1]),
    .update_path_i  (old_path),
    .update_last_i  (last_target),
    .update_target_i(update_target_i[39:1])
  );
  always_comb begin
    jump_target = '0;
    target_o = '0;
    if (taken_o) begin
      jump_target = jump.target;
      if (target_known) jump_target = known_target;
      if (jump.kind == soc_pkg::KindReturn) jump_target = ras_q[top_q];
      target_o = {{24{jump_target[38]}}, jump_target, 1'b0};
    end
  end

  // Path and RAS. The path of a jump is where its last halfword and its target are.
  logic pops, pushes;
  logic [RasBits-1:0] top_d;
  logic [38:0] link;
  always_comb begin
    moves = 1'b0;
    jumps = 1'b0;
    pops = 1'b0;
    pushes = 1'b0;
    top_d = top_q;
    place = '0;
    target = '0;
    link = '0;
    if (redirect_i) begin
      moves = 1'b1;
      jumps = redirect_taken_i;
      pops = redirect_kind_i == soc_pkg::KindReturn;
      pushes = redirect_push_i;
      top_d = redirect_snapshot_i.ras[RasBits-1:0];
      place = redirect_pc_i[8:1];
      target = redirect_target_i[9:1];
      link = redirect_link_i[39:1];
    end else if (advance_i && taken_o) begin
      moves = 1'b1;
      jumps = 1'b1;
      pops = jump.kind == soc_pkg::KindReturn;
      pushes = jump.push;
      place = {pc_i[8:4], last_o};
      target = target_o[9:1];
      link = {pc_i[39:4], last_o} + 39'd1;
    end
    if (jumps) top_d = top_d - RasBits'(pops) + RasBits'(pushes);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q <= '0;
      top_q <= '0;
    end else if (!clear_q[ClearBits]) begin
      clear_q <= clear_q + 1'b1;
    end else if (moves) begin
      top_q <= top_d;
      if (redirect_i)
        ras_q[redirect_snapshot_i.ras[RasBits-1:0]] <= redirect_snapshot_i.top;
      if (pushes) ras_q[top_d] <= link;
    end
  end

  // Update of the BTB: the entry of an instruction is that of its last halfword, but a
  // wrong one may have its other halfword. At most one entry of both remains.
  logic writes_keys, enters, way;
  logic last0, last1, covered0, covered1;  // of its last halfword, of any
  logic drops0, drops1;
  logic [1:0] old_kind0, old_kind1;
  logic [SetBits-1:0] key_set;
  key_t old0, old1, new_key;
  logic [2*KeyBits-1:0] keys_d;
  always_comb begin
    writes_keys = 1'b0;
    enters = 1'b0;
    way = 1'b0;
    key_set = '0;
    old0 = '0;
    old1 = '0;
    old_kind0 = '0;
    old_kind1 = '0;
    last0 = 1'b0;
    last1 = 1'b0;
    covered0 = 1'b0;
    covered1 = 1'b0;
    drops0 = 1'b0;
    drops1 = 1'b0;
    last_target = '0;
    new_key = '0;
    keys_d = '0;
    if (clears) begin
      writes_keys = 1'b1;
      key_set = clear_q[SetBits-1:0];
    end else if (update_i) begin
      writes_keys = 1'b1;
      key_set = update_pc_i[3+SetBits:4];
      {old1, old0} = keys_q[update_pc_i[3+SetBits:4]];
      // Adding one to a key gives that of the next halfword of the block, if there is one.
      new_key = {update_pc_i[39:4+SetBits], 1'b1, update_pc_i[3:1]};
      last0 = old0 == new_key;
      last1 = old1 == new_key;
      covered0 = last0 || (update_long_i && old0 + 1'b1 == new_key);
      covered1 = last1 || (update_long_i && old1 + 1'b1 == new_key);
      if (update_taken_i) begin
        enters = 1'b1;
        way = !covered0 && (covered1 || (old0.valid && (!old1.valid || victim_q[key_set])));
        keys_d = way ? {new_key, old0} : {covered1 ? '0 : old1, new_key};
        if (update_indirect && (last0 || last1)) last_target = jumps_q[{key_set, way}][40:2];
      end else begin
        old_kind0 = jumps_q[{key_set, 1'b0}][1:0];
        old_kind1 = jumps_q[{key_set, 1'b1}][1:0];
        drops0 = covered0 && !(last0 && update_kind_i == old_kind0);
        drops1 = covered1 && !(last1 && update_kind_i == old_kind1);
        keys_d = {drops1 ? '0 : old1, drops0 ? '0 : old0};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (writes_keys) keys_q[key_set] <= keys_d;
    if (enters) begin
      jumps_q[{key_set, way}] <= {
        update_push_i, update_indirect_i, update_target_i[39:1], update_kind_i
      };
      victim_q[key_set] <= !way;
    end
  end

`ifdef ASSERTIONS
  logic update_jumps, redirect_jumps;
  assign update_jumps = update_kind_i == soc_pkg::KindJump || update_kind_i == soc_pkg::KindReturn;
  assign redirect_jumps =
      redirect_kind_i == soc_pkg::KindJump || redirect_kind_i == soc_pkg::KindReturn;
`endif
  `ASSERT_HELD(cleared_once, ready_o, 1'b0, ready_o)
  `ASSERT_IF(jump_is_taken, update_taken_i, update_i && update_jumps)
  `ASSERT_IF(call_is_a_jump, update_jumps, update_i && update_push_i)
  `ASSERT_IF(indirect_is_a_jump, update_jumps, update_i && update_indirect_i)
  `ASSERT_IF(nothing_is_not_taken, update_kind_i != soc_pkg::KindNone, update_i && update_taken_i)
  `ASSERT_IF(redirecting_jump_is_taken, redirect_taken_i, redirect_i && redirect_jumps)
  `ASSERT_IF(redirecting_call_is_a_jump, redirect_jumps, redirect_i && redirect_push_i)
  `ASSERT_IF(one_entry_of_a_jump, key0 != key1, taken0 && taken1)
  `ASSERT_IF(block_is_entered_before, last_o >= pc_i[3:1], taken_o)

endmodule
