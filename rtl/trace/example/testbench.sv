// SPDX-License-Identifier: Apache-2.0
// A testbench for the small core, with a few devices of QEMU's `virt` machine: RAM, UART
// (output only), the timer of the CLINT, and the power register.
//
// Plusargs: +program=FILE, words in hexadecimal for $readmemh; +wait=N, wait states of the
// memory (1); +max_cycles=N.

module testbench #(
  parameter logic [31:0] HartId = 32'd0,
  parameter int unsigned MoreWaits = 0
);

  localparam int unsigned RamWords = 1 << 16;  // 256 KiB at 0x8000_0000
  localparam logic [31:0] Uart = 32'h1000_0000;
  localparam logic [31:0] Power = 32'h0010_0000;
  localparam logic [31:0] Mtimecmp = 32'h0200_4000;
  localparam logic [31:0] Mtime = 32'h0200_bff8;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #1 clk = !clk;

  logic req, we, ack, error, is_ram;
  logic [3:0] be;
  logic [31:0] addr, wdata, rdata;
  logic [31:0] ram[RamWords];
  logic [63:0] mtime = 64'd0, mtimecmp = '1;

  small_core #(
    .HartId(HartId)
  ) u_core (
    .clk_i(clk),
    .rst_ni(rst_n),
    .mem_req_o(req),
    .mem_we_o(we),
    .mem_be_o(be),
    .mem_addr_o(addr),
    .mem_wdata_o(wdata),
    .mem_ack_i(ack),
    .mem_error_i(error),
    .mem_rdata_i(rdata),
    .irq_timer_i(mtime >= mtimecmp),
    .irq_external_i(1'b0),
    .rvfi_valid(),
    .rvfi_order(),
    .rvfi_insn(),
    .rvfi_trap(),
    .rvfi_intr(),
    .rvfi_mode(),
    .rvfi_rd_addr(),
    .rvfi_rd_wdata(),
    .rvfi_pc_rdata(),
    .rvfi_pc_wdata(),
    .rvfi_cause()
  );

  logic off = 1'b0;

  // The memory acknowledges after some wait states, and reads and writes then.
  int unsigned waits, waited = 0;
  assign ack = req && waited == waits;
  assign is_ram = addr >= 32'h8000_0000 && addr < 32'h8000_0000 + 4 * RamWords;

  always_comb begin
    error = 1'b0;
    rdata = 32'd0;
    if (is_ram) rdata = ram[addr[17:2]];
    else begin
      unique case (addr)
        Uart, Power: rdata = 32'd0;
        Uart + 4: rdata = 32'h0000_6000;  // the transmitter is empty
        Mtime: rdata = mtime[31:0];
        Mtime + 4: rdata = mtime[63:32];
        Mtimecmp: rdata = mtimecmp[31:0];
        Mtimecmp + 4: rdata = mtimecmp[63:32];
        default: error = 1'b1;
      endcase
    end
  end

  task automatic write();
    for (int unsigned i = 0; i < 4; i++)
      if (is_ram && be[i]) ram[addr[17:2]][8*i+:8] <= wdata[8*i+:8];
    if (addr == Mtimecmp) mtimecmp[31:0] <= wdata;
    if (addr == Mtimecmp + 4) mtimecmp[63:32] <= wdata;
    if (addr == Uart) $write("%c", wdata[7:0]);
    if (addr == Power) begin
      if (wdata[15:0] != 16'h5555) $display("status %0d", wdata[31:16]);
      off <= 1'b1;
    end
  endtask

  always_ff @(posedge clk) begin
    waited <= !req || ack ? 0 : waited + 1;
    mtime <= mtime + 64'd1;
    if (ack && we) write();
    if (off) $finish;  // RVFI has reported the store
  end

  string program_file;
  longint unsigned max_cycles;
  initial begin
    if ($value$plusargs("wait=%d", waits) == 0) waits = 1;
    waits += MoreWaits;
    if ($value$plusargs("max_cycles=%d", max_cycles) == 0) max_cycles = '1;
    if ($value$plusargs("program=%s", program_file) == 0) $fatal(1, "+program=FILE is missing");
    $readmemh(program_file, ram);
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    forever @(posedge clk) if (mtime >= max_cycles) begin
      $display("still running after %0d cycles", max_cycles);
      $finish;
    end
  end

endmodule
