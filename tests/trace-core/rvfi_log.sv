// SPDX-License-Identifier: Apache-2.0
// Writes the address of each instruction that retires, for a count that shares nothing with
// the sink: +rvfi_log=FILE, to which the number of the hart is added.

module rvfi_log #(
  parameter logic [31:0] HartId = 32'd0
) (
  input logic        clk_i,
  input logic        valid_i,
  input logic        trap_i,
  input logic [31:0] pc_i
);

  string name;
  int log = 0;

  initial
    if ($value$plusargs("rvfi_log=%s", name) != 0)
      log = $fopen({name, HartId == 0 ? "0" : "1"}, "w");

  always @(posedge clk_i) if (log != 0 && valid_i && !trap_i) $fdisplay(log, "%08x", pc_i);

endmodule

bind small_core rvfi_log #(
  .HartId(HartId)
) u_rvfi_log (
  .clk_i,
  .valid_i(rvfi_valid),
  .trap_i(rvfi_trap),
  .pc_i(rvfi_pc_rdata)
);
