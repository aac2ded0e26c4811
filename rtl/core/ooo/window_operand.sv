// SPDX-License-Identifier: Apache-2.0
// The slots that wait for one of the operands of their instruction.
//
// Plane b has bit b of the operand's physical register of all slots, so that a result is
// compared with all slots by seven operations on masks. A slot does not wait from the cycle
// after the result on.

module window_operand #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch: lane 0 goes to slot tail_i; the operand of each lane, 0 without an instruction
  input logic [ Window-1:0] slots_i,
  input logic [        5:0] tail_i,
  input logic [7*Width-1:0] tags_i,

  // Registers that have their value after results_i, as those who are dispatched see it
  input logic [      ooo_pkg::Tags-1:0] ready_i,
  input logic [32*ooo_pkg::Sources-1:0] results_i,  // ooo_pkg::result_t
  input logic                           rare_i,     // one is from RareSources on

  output logic [Window-1:0] waiting_o
);

  function automatic logic [Window-1:0] to_slots(input logic [Width-1:0] lanes);
    to_slots = Window'(ooo_pkg::rotate_left(64'(lanes), tail_i, 6'(Window)));
  endfunction

  // Bits 4*b+n are bit b of lane n. These are wires; shifts and masks simulate faster than a
  // bit at a time. Two lanes are in the lower half, two in the upper.
  function automatic logic [27:0] by_bit(input logic [27:0] tags);
    logic [63:0] even, odd;
    even = {25'd0, tags[13:7], 25'd0, tags[6:0]};
    odd = {25'd0, tags[27:21], 25'd0, tags[20:14]};
    even = (even | even << 12) & 64'h0007000f0007000f;
    even = (even | even << 6) & 64'h0103030301030303;
    even = (even | even << 3) & 64'h0111111101111111;
    odd = (odd | odd << 12) & 64'h0007000f0007000f;
    odd = (odd | odd << 6) & 64'h0103030301030303;
    odd = (odd | odd << 3) & 64'h0111111101111111;
    even = even | odd << 2;
    by_bit = even[27:0] | {even[58:32], 1'b0};
  endfunction

  logic [Width-1:0] enter;  // lanes that wait
  logic any;
  logic [27:0] bits;
  assign any = enter != '0;
  always_comb begin
    enter = '0;
    if (tags_i != '0)
      for (int lane = 0; lane < Width; lane++) enter[lane] = !ready_i[tags_i[7*lane+:7]];
    bits = '0;
    if (any) bits = by_bit(28'(tags_i));
  end

  for (genvar b = 0; b < ooo_pkg::TagBits; b++) begin : gen_plane
    logic [Window-1:0] q;
    always_ff @(posedge clk_i) if (any) q <= q & ~slots_i | to_slots(bits[4*b+:Width]);
  end

  function automatic logic [Window-1:0] differ(input logic [6:0] tag);
    differ = gen_plane[0].q ^ {Window{tag[0]}} | gen_plane[1].q ^ {Window{tag[1]}} |
             gen_plane[2].q ^ {Window{tag[2]}} | gen_plane[3].q ^ {Window{tag[3]}} |
             gen_plane[4].q ^ {Window{tag[4]}} | gen_plane[5].q ^ {Window{tag[5]}} |
             gen_plane[6].q ^ {Window{tag[6]}};
  endfunction

  logic [Window-1:0] waits;  // after the results: those of x0 wake none, since none waits for x0
  always_comb begin
    waits = waiting_o;
    if (waiting_o != '0) begin
      for (int source = 0; source < ooo_pkg::RareSources; source++)
        if (results_i[32*source+ooo_pkg::ResultValid])
          if (results_i[32*source+ooo_pkg::ResultRd+:7] != 7'd0)
            waits = waits & differ(results_i[32*source+ooo_pkg::ResultRd+:7]);
      if (rare_i)
        for (int source = ooo_pkg::RareSources; source < ooo_pkg::Sources; source++)
          if (results_i[32*source+ooo_pkg::ResultValid])
            waits = waits & differ(results_i[32*source+ooo_pkg::ResultRd+:7]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) waiting_o <= '0;
    else waiting_o <= waits & ~slots_i | to_slots(enter);
  end

endmodule
