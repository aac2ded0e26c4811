// SPDX-License-Identifier: Apache-2.0
// Which slots issue: of each port the oldest that is ready.
//
// IssueInt0 takes PortBranch, IssueInt1 PortMul, IssueInt2 PortDiv, and each PortAlu if there
// is none. The outputs are combinational on registers and on *_free_i. A slot can issue from
// the cycle after its dispatch on, or after its replay, by which it may become one of PortHead, or
// wait for mem_wake_i, in the cycle of which it can issue.

module window_select #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch: lane 0 goes to slot tail_i; slots_i enter
  input logic                dispatch_i,
  input logic [  Window-1:0] slots_i,
  input logic [         5:0] tail_i,
  input logic [32*Width-1:0] lanes_i,  // ooo_pkg::dispatch_t

  input logic              replay_i,
  input logic              replay_head_i,
  input logic              replay_wait_i,
  input logic [       5:0] replay_slot_i,
  input logic              mem_wake_i,
  input logic [Window-1:0] squashed_i,

  input logic [Window-1:0] waiting_i,
  input logic [       5:0] head_i,
  input logic              div_free_i,
  input logic              mem_free_i,
  input logic              float_free_i,
  input logic              head_free_i,

  // The slot that issues, by port: one bit at most
  output logic [Window-1:0] int0_o,
  output logic [Window-1:0] int1_o,
  output logic [Window-1:0] int2_o,
  output logic [Window-1:0] mem_o,
  output logic [Window-1:0] float_o,
  output logic [Window-1:0] head_o,

  output logic quiescent_o  // no issue, and no wake
);

  localparam int unsigned Port = ooo_pkg::DispatchPort;

  function automatic logic [Window-1:0] to_slots(input logic [Width-1:0] lanes);
    to_slots = Window'(ooo_pkg::rotate_left(64'(lanes), tail_i, 6'(Window)));
  endfunction

  logic [Window-1:0] pending_q, port2_q, port1_q, port0_q;  // to issue; bits of port_e
  logic [Window-1:0] held_q;  // until mem_wake_i

  logic [Window-1:0] from_head;
  assign from_head = {Window{1'b1}} << head_i;

  function automatic logic [Window-1:0] oldest(input logic [Window-1:0] slots);
    logic [Window-1:0] above;
    above = slots & from_head;
    if (above == '0) above = slots;
    oldest = above & -above;
  endfunction

  // What is ready, by class, and what issues
  logic [Window-1:0] ready, alu, branch, mul, div, mem, float, head, issues;
  always_comb begin
    ready = pending_q & ~waiting_i;
    alu = ready & ~port2_q & ~port1_q & ~port0_q;
    branch = ready & ~port2_q & ~port1_q & port0_q;
    mul = ready & ~port2_q & port1_q & ~port0_q;
    div = ready & ~port2_q & port1_q & port0_q;
    mem = ready & port2_q & ~port1_q & ~port0_q;
    float = ready & port2_q & ~port1_q & port0_q;
    head = ready & port2_q & port1_q;
    if (!mem_wake_i) mem = mem & ~held_q;

    int0_o = oldest(branch != '0 ? branch : alu);
    alu = alu & ~int0_o;
    int1_o = oldest(mul != '0 ? mul : alu);
    alu = alu & ~int1_o;
    int2_o = oldest(div != '0 && div_free_i ? div : alu);
    mem_o = mem_free_i ? oldest(mem) : '0;
    float_o = '0;
    if (float != '0)
      if (float_free_i) float_o = oldest(float);
    head_o = '0;
    if (head != '0)
      if (head_free_i) head_o = head & from_head & ~(from_head << 1);
    issues = int0_o | int1_o | int2_o | mem_o | float_o | head_o;
  end

  logic [Window-1:0] replayed;
  assign replayed = replay_i ? Window'(1) << replay_slot_i[$clog2(Window)-1:0] : '0;

  // Bits of port_e of all lanes, into slots that are free or enter
  logic [Window-1:0] group;
  logic [Width-1:0] port2, port1, port0;
  always_comb begin
    group = '0;
    port2 = '0;
    port1 = '0;
    port0 = '0;
    if (dispatch_i) begin
      group = Window'(ooo_pkg::rotate_left(64'({Width{1'b1}}), tail_i, 6'(Window)));
      for (int lane = 0; lane < Width; lane++) begin
        port2[lane] = lanes_i[32*lane+Port+2];
        port1[lane] = lanes_i[32*lane+Port+1];
        port0[lane] = lanes_i[32*lane+Port];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
    end else begin
      pending_q <= (pending_q & ~issues | replayed | slots_i) & ~squashed_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else
      held_q <= ((mem_wake_i ? '0 : held_q) | (replay_wait_i ? replayed : '0)) & ~squashed_i;
  end
  assign quiescent_o = issues == '0 && !(mem_wake_i && held_q != '0);
  always_ff @(posedge clk_i) begin
    if (dispatch_i) begin
      port2_q <= port2_q & ~group | to_slots(port2);
      port0_q <= port0_q & ~group | to_slots(port0);
    end
    if (dispatch_i || (replay_i && replay_head_i))
      port1_q <= port1_q & ~group | to_slots(port1) | (replay_head_i ? replayed : '0);
  end

  `ASSERT_IF(replays_memory, (port2_q & ~port1_q & ~port0_q & ~pending_q & replayed) != '0,
             replay_i)

endmodule
