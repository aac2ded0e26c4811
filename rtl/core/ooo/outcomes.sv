// SPDX-License-Identifier: Apache-2.0
// Outcomes of jumps and branches, from their execution until the predictor is trained with them.
//
// It is trained when they have committed, the oldest first, one a cycle: those of wrong paths would
// spoil it. What is no jump but was predicted as one is fetched again instead of committing; its
// outcome (again_i) trains in the cycle in which it is executed, before any other.
//
// An outcome that still waits when the slot's next instruction has one is lost.

module outcomes #(
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  // Execution of the instruction in a slot
  input logic                       update_i,
  input logic                       again_i,
  input ooo_pkg::slot_t             slot_i,
  input ooo_pkg::outcome_t          outcome_i,
  input logic                [63:0] target_i,

  // Slots that leave the window
  input logic           [Window-1:0] squashed_i,
  input logic           [Window-1:0] committed_i,
  input ooo_pkg::slot_t              head_i,

  output logic                       train_o,
  output ooo_pkg::outcome_t          outcome_o,
  output logic                [63:0] target_o,
  output logic                       quiescent_o  // none waits to train
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [63:0] outcomes_q[Window];  // ooo_pkg::outcome_t
  logic [63:0] targets_q[Window];
  logic [Window-1:0] known_q, ready_q;  // of instructions in the window; of those that committed

  logic keeps;
  logic [Window-1:0] entered, trained, known_d, ready_d;
  logic [63:0] oldest, by_age;
  logic [SlotBits-1:0] slot;
  assign keeps = update_i && !again_i;
  always_comb begin
    train_o = update_i && again_i;
    outcome_o = outcome_i;
    target_o = target_i;
    trained = '0;
    by_age = '0;
    oldest = '0;
    slot = '0;
    if (ready_q != '0 && !train_o) begin
      by_age = 64'(Window'(ooo_pkg::rotate_right(64'(ready_q), head_i, 6'(Window))));
      oldest = by_age & -by_age;
      slot = SlotBits'(ooo_pkg::number_of(oldest)) + head_i[SlotBits-1:0];
      train_o = 1'b1;
      trained = Window'(1) << slot;
      outcome_o = outcomes_q[slot];
      target_o = targets_q[slot];
    end
  end
  always_comb begin
    entered = '0;
    if (keeps) entered = Window'(1) << slot_i[SlotBits-1:0];
    known_d = (known_q | entered) & ~(committed_i | squashed_i);
    ready_d = ready_q & ~(trained | entered) | known_q & committed_i;
  end
  assign quiescent_o = ready_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      ready_q <= '0;
    end else begin
      known_q <= known_d;
      ready_q <= ready_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (keeps) begin
      outcomes_q[slot_i[SlotBits-1:0]] <= outcome_i;
      targets_q[slot_i[SlotBits-1:0]] <= target_i;
    end
  end

  `ASSERT(commits_after_execution, (entered & committed_i) == '0)
  `ASSERT(trains_once, (known_q & ready_q) == '0)

endmodule
