// SPDX-License-Identifier: Apache-2.0
// Writes to memory: 8 bytes a cycle, from one L1D or from DMA, in turn.

module crossbar_writes #(
  parameter int unsigned Harts = 2
) (
  input logic clk_i,
  input logic rst_ni,

  // Write-backs of the L1Ds
  input  logic [Harts-1:0]                        wb_valid_i,
  input  logic [Harts*mem_pkg::WritebackBits-1:0] wb_i,
  output logic [Harts-1:0]                        wb_ready_o,

  // DMA
  input  logic            dma_valid_i,
  input  mem_pkg::write_t dma_i,
  output logic            dma_ready_o,

  // Memory, which always takes them
  output logic            write_valid_o,
  output mem_pkg::write_t write_o
);

  localparam int unsigned Bits = mem_pkg::WritebackBits;

  logic [Harts:0] grant;
  mem_pkg::writeback_t wb;
  round_robin #(
    .Requests(Harts + 1)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .request_i({dma_valid_i, wb_valid_i}),
    .grant_o  (grant)
  );
  assign {dma_ready_o, wb_ready_o} = grant;
  assign write_valid_o = grant != '0;
  always_comb begin
    wb = '0;
    write_o = '0;
    if (grant != '0) begin
      for (int unsigned h = 0; h < Harts; h++) if (grant[h]) wb = wb_i[Bits*h+:Bits];
      write_o = {1'b0, wb.addr[55:3], 8'hff, wb.data};
      if (dma_ready_o) write_o = dma_i;
    end
  end

endmodule
