// SPDX-License-Identifier: Apache-2.0
// What the loads and stores of the window have accessed, by slot, for the trace of what commits.
//
// Lane n is slot head_i + n. Its outputs are those of an access that has been done (done_i), and 0
// for other instructions and without trace_i. wdata_o is the data of a store, at its place in the
// aligned 8 bytes.

module access_record #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  input logic                        done_i,
  input ooo_pkg::slot_t              slot_i,
  input logic                        store_i,
  input logic           [      55:0] addr_i,
  input logic           [      63:0] data_i,
  input logic           [Window-1:0] squashed_i,

  input  logic                           trace_i,
  input  ooo_pkg::slot_t                 head_i,
  input  logic           [   Window-1:0] committed_i,
  output logic           [    Width-1:0] load_o,
  output logic           [    Width-1:0] store_o,
  output logic           [ Width*64-1:0] addr_o,
  output logic           [ Width*64-1:0] wdata_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [56:0] access_q[Window];  // {store, address}
  logic [63:0] data_q[Window];
  logic [Window-1:0] known_q, done;

  always_comb begin
    done = '0;
    if (done_i) done = Window'(1) << slot_i[SlotBits-1:0];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else known_q <= (known_q | done) & ~(squashed_i | committed_i);
    if (done_i) begin
      access_q[slot_i[SlotBits-1:0]] <= {store_i, addr_i};
      data_q[slot_i[SlotBits-1:0]] <= data_i;
    end
  end

  for (genvar lane = 0; lane < Width; lane++) begin : gen_lane
    logic [SlotBits-1:0] slot;
    logic [56:0] access;
    logic [63:0] data;
    always_comb begin
      slot = '0;
      access = '0;
      data = '0;
      load_o[lane] = 1'b0;
      store_o[lane] = 1'b0;
      if (trace_i) begin
        slot = head_i[SlotBits-1:0] + SlotBits'(lane);
        if (known_q[slot]) begin
          access = access_q[slot];
          load_o[lane] = !access[56];
          store_o[lane] = access[56];
          if (access[56]) data = data_q[slot] << {access[2:0], 3'd0};
        end
      end
    end
    assign addr_o[64*lane+:64] = {8'd0, access[55:0]};
    assign wdata_o[64*lane+:64] = data;
  end

endmodule
