// SPDX-License-Identifier: Apache-2.0
// The crossbar with L1Ds and reservations around it, for its bench. With several Misses the L1Ds are
// non-blocking. Fields of one hart have 64 bits. owned_o and held_o have a bit for each of 16 lines
// that each L1D has in E or M, and in any state; line 0 is at address 0.

module caches #(
  parameter int unsigned Harts = 2,
  parameter int unsigned DmaIds = 8,
  parameter int unsigned Misses = 1,
  parameter int unsigned Sets = 2,
  parameter int unsigned Ways = 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic quiescent_o,

  // M and the walker of each hart, as in dcache.sv and reservation.sv
  input  logic [Harts-1:0]    req_i,
  input  logic [Harts-1:0]    write_i,
  input  logic [Harts-1:0]    store_i,
  input  logic [Harts-1:0]    amo_i,
  input  logic [Harts*64-1:0] addr_i,
  input  logic [Harts*64-1:0] wdata_i,
  input  logic [Harts*64-1:0] wmask_i,
  output logic [Harts-1:0]    hit_o,
  output logic [Harts*64-1:0] rdata_o,
  input  logic [Harts-1:0]    table_req_i,
  input  logic [Harts*64-1:0] table_addr_i,
  output logic [Harts-1:0]    table_ack_o,
  input  logic [Harts-1:0]    reserve_i,
  input  logic [Harts-1:0]    release_i,
  input  logic [Harts-1:0]    sc_i,
  output logic [Harts-1:0]    sc_fails_o,

  // L1Is
  input  logic [Harts-1:0]    imem_req_i,
  input  logic [Harts*64-1:0] imem_addr_i,
  output logic [Harts-1:0]    imem_valid_o,
  output logic [63:0]         imem_data_o,

  input  logic                    dma_valid_i,
  output logic                    dma_ready_o,
  input  mem_pkg::crossbar_req_t  dma_req_i,
  input  logic                    dma_write_valid_i,
  output logic                    dma_write_ready_o,
  input  mem_pkg::crossbar_word_t dma_write_i,
  output logic                    dma_rsp_valid_o,
  output mem_pkg::crossbar_rsp_t  dma_rsp_o,

  output logic               mem_read_valid_o,
  output mem_pkg::read_t     mem_read_o,
  input  logic               mem_rsp_valid_i,
  input  mem_pkg::read_rsp_t mem_rsp_i,
  output logic               mem_write_valid_o,
  output mem_pkg::write_t    mem_write_o,

  // To observe
  output logic [Harts-1:0]    probe_valid_o,
  output logic [Harts-1:0]    probe_ack_o,
  output logic [Harts-1:0]    probe_stall_o,
  output logic [Harts-1:0]    probe_writes_o,
  output logic [Harts*64-1:0] probe_addr_o,
  output logic [Harts-1:0]    filling_o,      // a miss waits for its first beat
  output logic [Harts*16-1:0] owned_o,
  output logic [Harts*16-1:0] held_o
);

  localparam int unsigned ReqBits = mem_pkg::LineReqBits;
  localparam int unsigned RspBits = mem_pkg::LineRspBits;
  localparam int unsigned WbBits = mem_pkg::WritebackBits;
  localparam int unsigned ProbeBits = mem_pkg::ProbeBits;

  logic [Harts*56-1:0] imem_addr;
  logic [Harts-1:0] req_valid, rsp_valid, rsp_ready, wb_valid, wb_ready, kept;
  logic [Harts*ReqBits-1:0] req;
  logic [Harts*RspBits-1:0] rsp;
  logic [Harts*WbBits-1:0] wb;
  logic [Harts*ProbeBits-1:0] probe;

  for (genvar h = 0; h < Harts; h++) begin : gen_harts
    mem_pkg::probe_t own;
    logic cache_kept, reserved;
    assign own = probe[ProbeBits*h+:ProbeBits];
    assign imem_addr[56*h+:56] = imem_addr_i[64*h+:56];
    if (Misses == 1) begin : gen_cache
      dcache #(
        .Sets(Sets),
        .Ways(Ways),
        .Coherent(1'b1)
      ) u_dcache (
        .clk_i,
        .rst_ni,
        .req_i           (req_i[h]),
        .write_i         (write_i[h]),
        .store_i         (store_i[h]),
        .amo_i           (amo_i[h]),
        .addr_i          (addr_i[64*h+:56]),
        .wdata_i         (wdata_i[64*h+:64]),
        .wmask_i         (wmask_i[64*h+:64]),
        .hit_o           (hit_o[h]),
        .rdata_o         (rdata_o[64*h+:64]),
        .table_req_i     (table_req_i[h]),
        .table_addr_i    (table_addr_i[64*h+:56]),
        .table_ack_o     (table_ack_o[h]),
        .quiescent_o     (filling_o[h]),
        .dram_o          (),
        .evict_o         (),
        .evict_line_o    (),
        .dmem_req_valid_o(req_valid[h]),
        .dmem_req_o      (req[ReqBits*h+:ReqBits]),
        .dmem_rsp_valid_i(rsp_valid[h]),
        .dmem_rsp_i      (rsp[RspBits*h+:RspBits]),
        .dmem_rsp_ready_o(rsp_ready[h]),
        .dmem_dram_i     (1'b0),
        .wb_valid_o      (wb_valid[h]),
        .wb_o            (wb[WbBits*h+:WbBits]),
        .wb_ready_i      (wb_ready[h]),
        .probe_valid_i   (probe_valid_o[h]),
        .probe_i         (own),
        .probe_stall_i   (probe_stall_o[h]),
        .probe_ack_o     (probe_ack_o[h]),
        .probe_kept_o    (cache_kept)
      );

      // A miss has given up its victim, whose tag stays until the new line comes.
      logic [15:0] line, owned, held;
      logic gone;
      always_comb begin
        owned = '0;
        held = '0;
        line = '0;
        gone = 1'b0;
        for (int unsigned w = 0; w < Ways; w++) begin
          for (int unsigned s = 0; s < Sets; s++) begin
            gone = (u_dcache.fsm_q == 3'd3 || u_dcache.fsm_q == 3'd5) && !u_dcache.upgrade_q &&
                   32'(u_dcache.way_q) == w && 32'(u_dcache.set_q) == s;
            line = 16'd1 << (32'(u_dcache.lines_q[s*Ways+w]) * Sets + s) % 16;
            if (u_dcache.lines_q[s*Ways+w][u_dcache.TagBits+:2] != 2'd0 && !gone) held = held | line;
            if (u_dcache.lines_q[s*Ways+w][u_dcache.TagBits+1] && !gone) owned = owned | line;
          end
        end
      end
      assign owned_o[16*h+:16] = owned;
      assign held_o[16*h+:16] = held;
    end else begin : gen_cache
      dcache_nonblocking #(
        .Sets(Sets),
        .Ways(Ways),
        .Misses(Misses),
        .Coherent(1'b1)
      ) u_dcache (
        .clk_i,
        .rst_ni,
        .req_i           (req_i[h]),
        .write_i         (write_i[h]),
        .store_i         (store_i[h]),
        .amo_i           (amo_i[h]),
        .addr_i          (addr_i[64*h+:56]),
        .wdata_i         (wdata_i[64*h+:64]),
        .wmask_i         (wmask_i[64*h+:64]),
        .hit_o           (hit_o[h]),
        .rdata_o         (rdata_o[64*h+:64]),
        .table_req_i     (table_req_i[h]),
        .table_addr_i    (table_addr_i[64*h+:56]),
        .table_ack_o     (table_ack_o[h]),
        .waits_o         (),
        .filled_o        (),
        .quiescent_o     (),
        .evict_o         (),
        .evict_line_o    (),
        .dram_o          (),
        .dmem_req_valid_o(req_valid[h]),
        .dmem_req_o      (req[ReqBits*h+:ReqBits]),
        .dmem_rsp_valid_i(rsp_valid[h]),
        .dmem_rsp_i      (rsp[RspBits*h+:RspBits]),
        .dmem_rsp_ready_o(rsp_ready[h]),
        .dmem_dram_i     (1'b0),
        .wb_valid_o      (wb_valid[h]),
        .wb_o            (wb[WbBits*h+:WbBits]),
        .wb_ready_i      (wb_ready[h]),
        .probe_valid_i   (probe_valid_o[h]),
        .probe_i         (own),
        .probe_stall_i   (probe_stall_o[h]),
        .probe_ack_o     (probe_ack_o[h]),
        .probe_kept_o    (cache_kept)
      );

      assign filling_o[h] = (u_dcache.pending_q & ~u_dcache.started_q) != '0;
      logic [15:0] line, owned, held;
      always_comb begin
        owned = '0;
        held = '0;
        line = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          for (int unsigned s = 0; s < Sets; s++) begin
            line = 16'd1 << (32'(u_dcache.lines_q[s*Ways+w]) * Sets + s) % 16;
            if (u_dcache.lines_q[s*Ways+w][u_dcache.TagBits+:2] != 2'd0) held = held | line;
            if (u_dcache.lines_q[s*Ways+w][u_dcache.TagBits+1]) owned = owned | line;
          end
        end
      end
      assign owned_o[16*h+:16] = owned;
      assign held_o[16*h+:16] = held;
    end
    reservation #(
      .Coherent(1'b1)
    ) u_reservation (
      .clk_i,
      .rst_ni,
      .reserve_i       (reserve_i[h]),
      .release_i       (release_i[h]),
      .sc_i            (sc_i[h]),
      .addr_i          (addr_i[64*h+:56]),
      .sc_fails_o      (sc_fails_o[h]),
      .probe_valid_i   (probe_valid_o[h]),
      .probe_i         (own),
      .probe_reserved_o(reserved),
      .probe_stall_o   (probe_stall_o[h]),
      .quiescent_o     ()
    );
    assign kept[h] = cache_kept || reserved;
    assign probe_writes_o[h] = own.op != mem_pkg::ProbeShare;
    assign probe_addr_o[64*h+:64] = {8'd0, own.addr};
  end

  crossbar #(
    .Harts (Harts),
    .DmaIds(DmaIds),
    .Misses(Misses)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .quiescent_o(quiescent_o),
    .imem_req_i,
    .imem_addr_i     (imem_addr),
    .imem_valid_o,
    .imem_data_o,
    .dmem_req_valid_i(req_valid),
    .dmem_req_i      (req),
    .dmem_rsp_valid_o(rsp_valid),
    .dmem_rsp_o      (rsp),
    .dmem_rsp_ready_i(rsp_ready),
    .wb_valid_i      (wb_valid),
    .wb_i            (wb),
    .wb_ready_o      (wb_ready),
    .probe_valid_o,
    .probe_o         (probe),
    .probe_ack_i     (probe_ack_o),
    .probe_kept_i    (kept),
    .dma_valid_i,
    .dma_ready_o,
    .dma_req_i,
    .dma_write_valid_i,
    .dma_write_ready_o,
    .dma_write_i,
    .dma_rsp_valid_o,
    .dma_rsp_o,
    .mem_read_valid_o,
    .mem_read_o,
    .mem_rsp_valid_i,
    .mem_rsp_i,
    .mem_write_valid_o,
    .mem_write_o
  );

endmodule
