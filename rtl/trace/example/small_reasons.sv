// SPDX-License-Identifier: Apache-2.0
// What the small core does in each cycle, at the time of its RVFI, which is a cycle later, for
// trace_sink.sv. A `bind` attaches it, so that the files of the core stay as they are.

module small_reasons (
  input logic        clk_i,
  input logic [ 4:0] lost_class_i,
  input logic        fetched_i,  // a word of code has come
  input logic        second_i,  // the second half of an instruction has come, from the next word
  input logic        memory_i,  // a load or store uses the memory
  input logic        done_i,  // its last cycle
  input logic        load_i,
  input logic [31:0] address_i,

  output logic [4:0] lost_class_o,
  output logic [2:0][63:0] counters_o,  // words of code, loads, stores
  output logic split_o,  // the instruction came in two halves
  output logic load_o,
  output logic [31:0] load_addr_o,
  output logic [31:0] load_cycles_o
);

  logic [31:0] cycles_q = 32'd0;
  logic [2:0][63:0] counters_q = '0;
  logic split_q = 1'b0;

  assign counters_o = counters_q;
  assign split_o = split_q;

  always_ff @(posedge clk_i) begin
    lost_class_o <= lost_class_i;
    cycles_q <= memory_i && !done_i ? cycles_q + 32'd1 : 32'd0;
    if (fetched_i) split_q <= second_i;
    if (fetched_i) counters_q[0] <= counters_q[0] + 64'd1;
    if (done_i && load_i) counters_q[1] <= counters_q[1] + 64'd1;
    if (done_i && !load_i) counters_q[2] <= counters_q[2] + 64'd1;
    load_o <= done_i && load_i;
    load_addr_o <= address_i;
    load_cycles_o <= cycles_q + 32'd1;
  end

endmodule
