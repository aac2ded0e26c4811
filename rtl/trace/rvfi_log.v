// SPDX-License-Identifier: Apache-2.0
// Writes what a core commits as text, a line each, for simulators without DPI such as Icarus
// Verilog: rvfi_log.awk makes lines of it that `tr-text --encode` reads. Verilog of 2001.
//
// The signals are those of trace_sink.sv. Each hart has an instance and a file of its own:
//   cycle hart pc next_pc insn mode trap intr rd value satp cause
// The first two and the flags are decimal, the others hexadecimal.

module rvfi_log #(
  parameter NRET = 1,
  parameter XLEN = 32,
  parameter ILEN = 32,
  parameter FILE = "rvfi.log"
) (
  input                 clk_i,
  input [         31:0] hart_i,
  input [     NRET-1:0] valid_i,
  input [     NRET-1:0] trap_i,
  input [     NRET-1:0] intr_i,
  input [   2*NRET-1:0] mode_i,
  input [ILEN*NRET-1:0] insn_i,
  input [XLEN*NRET-1:0] pc_rdata_i,
  input [XLEN*NRET-1:0] pc_wdata_i,
  input [   5*NRET-1:0] rd_addr_i,
  input [XLEN*NRET-1:0] rd_wdata_i,
  input [XLEN*NRET-1:0] satp_i,
  input [XLEN*NRET-1:0] cause_i
);

  integer log, i;
  reg [63:0] cycle;

  initial begin
    cycle = 1;
    log = $fopen(FILE, "w");
  end

  always @(posedge clk_i) begin
    cycle <= cycle + 1;
    for (i = 0; i < NRET; i = i + 1)
      if (valid_i[i])
        $fdisplay(log, "%0d %0d %h %h %h %0d %b %b %0d %h %h %h", cycle, hart_i,
                  pc_rdata_i[i*XLEN+:XLEN], pc_wdata_i[i*XLEN+:XLEN], insn_i[i*ILEN+:ILEN],
                  mode_i[i*2+:2], trap_i[i], intr_i[i], rd_addr_i[i*5+:5],
                  rd_wdata_i[i*XLEN+:XLEN], satp_i[i*XLEN+:XLEN], cause_i[i*XLEN+:XLEN]);
  end

endmodule
