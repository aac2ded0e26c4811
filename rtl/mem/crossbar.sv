// SPDX-License-Identifier: Apache-2.0
// The snooping crossbar: the L1Ds and L1Is of the harts and a DMA port share one memory
// port, and every reader gets the data last written.
//
// Each miss of an L1D, each L1I and each id of DMA has one transaction at a time (crossbar_slot.sv).
// Those of the same line happen one after the other, in the order in which they get their
// places; others at the same time. There is no directory: each transaction probes all L1Ds
// but its own, and one that will write ends their reservations too, even of lines that
// they no longer have. A line that another L1D keeps, or has reserved, is granted shared.
//
// An L1D writes dirty data back to memory before it answers a probe, and the line is read
// from memory after the last answer. So data is stored in one place, and fetches and DMA
// need no path of their own; an L1D that reads another's dirty line waits 8 cycles longer
// than for a clean one. A request is on the memory port 4 cycles after the L1D sent it, if
// no probe is delayed.
//
// Every transaction ends: an L1D answers probes while it waits for a line (dcache.sv, with
// Coherent), a beat for it waits in its own FIFO, memory takes each write at once, and all
// arbiters take turns.
//
// Memory sees at most one request for a line and one write of 8 bytes in a cycle. It
// answers a request with 8 beats of ascending addresses, in any order among ids, and with
// the data of all writes of earlier cycles.

module crossbar #(
  parameter int unsigned Harts = 2,
  parameter int unsigned DmaIds = 1,  // at most 8
  parameter int unsigned Misses = 1,  // of each L1D at a time: 1, 2, 4 or 8
  localparam int unsigned Slots = Harts * Misses + Harts + DmaIds  // at most 32
) (
  input  logic clk_i,        // may be stopped while quiescent_o is high, but not in reset
  input  logic rst_ni,
  output logic quiescent_o,  // nothing changes before an input does

  // L1Is, as in fetch.sv
  input  logic [Harts-1:0]    imem_req_i,
  input  logic [Harts*56-1:0] imem_addr_i,
  output logic [Harts-1:0]    imem_valid_o,
  output logic [63:0]         imem_data_o,

  // L1Ds, as in dcache.sv, or dcache_nonblocking.sv, with Coherent
  input  logic [Harts-1:0]                        dmem_req_valid_i,
  input  logic [Harts*mem_pkg::LineReqBits-1:0]   dmem_req_i,
  output logic [Harts-1:0]                        dmem_rsp_valid_o,
  output logic [Harts*mem_pkg::LineRspBits-1:0]   dmem_rsp_o,
  input  logic [Harts-1:0]                        dmem_rsp_ready_i,
  input  logic [Harts-1:0]                        wb_valid_i,
  input  logic [Harts*mem_pkg::WritebackBits-1:0] wb_i,
  output logic [Harts-1:0]                        wb_ready_o,
  output logic [Harts-1:0]                        probe_valid_o,
  output logic [Harts*mem_pkg::ProbeBits-1:0]     probe_o,
  input  logic [Harts-1:0]                        probe_ack_i,
  input  logic [Harts-1:0]                        probe_kept_i,

  // DMA, as in crossbar_dma.sv
  input  logic                    dma_valid_i,
  output logic                    dma_ready_o,
  input  mem_pkg::crossbar_req_t  dma_req_i,
  input  logic                    dma_write_valid_i,
  output logic                    dma_write_ready_o,
  input  mem_pkg::crossbar_word_t dma_write_i,
  output logic                    dma_rsp_valid_o,
  output mem_pkg::crossbar_rsp_t  dma_rsp_o,

  // Memory. The ids are those of the transactions: misses of the L1D of hart 0, 1 and so on, then
  // L1Is, DMA.
  output logic               mem_read_valid_o,
  output mem_pkg::read_t     mem_read_o,
  input  logic               mem_rsp_valid_i,
  input  mem_pkg::read_rsp_t mem_rsp_i,
  output logic               mem_write_valid_o,
  output mem_pkg::write_t    mem_write_o
);

  localparam int unsigned LineBits = mem_pkg::LineBits;
  localparam int unsigned ReqBits = mem_pkg::LineReqBits;
  localparam int unsigned RspBits = mem_pkg::LineRspBits;
  localparam int unsigned ProbeBits = mem_pkg::ProbeBits;
  localparam int unsigned FirstL1i = Harts * Misses;
  localparam int unsigned First = FirstL1i + Harts;  // of DMA

  // The transactions
  logic [DmaIds-1:0] dma_alloc;
  mem_pkg::claim_t dma_claim;
  logic [Slots-1:0] free, alloc, upgrade_lost, unordered, order_grant, older, ordered, blocked;
  logic [Slots-1:0] done, excl, read, read_ack, upgraded, grant_ack, write, beat, rsp_last;
  logic [Slots-1:0] write_rsp, write_rsp_ack, quiescent, owns;
  logic [Slots*LineBits-1:0] lines;
  logic [Slots*Harts-1:0] probe_req, probe_grant, probe_sent;  // Harts bits for each transaction
  logic [Harts*Slots-1:0] probe_req_of, probe_grant_of, probe_sent_of;  // Slots bits for each L1D
  for (genvar s = 0; s < Slots; s++) begin : gen_slots
    mem_pkg::claim_t claim;
    if (s < FirstL1i) begin : gen_dmem
      // The identifier is in the highest bits of a request.
      localparam int unsigned Hart = s / Misses;
      logic [mem_pkg::LineIdBits-1:0] id;
      assign id = dmem_req_i[ReqBits*(Hart+1)-1-:mem_pkg::LineIdBits];
      assign alloc[s] = dmem_req_valid_i[Hart] && (Misses == 1 || 32'(id) == s % Misses);
      crossbar_claim u_claim (
        .req_i  (dmem_req_i[ReqBits*Hart+:ReqBits]),
        .claim_o(claim)
      );
    end else if (s < First) begin : gen_imem
      assign alloc[s] = imem_req_i[s-FirstL1i];
      crossbar_claim u_claim (
        // To read, no upgrade
        .req_i  ({mem_pkg::LineIdBits'(0), 2'b00, imem_addr_i[56*(s-FirstL1i)+:56]}),
        .claim_o(claim)
      );
    end else begin : gen_dma
      assign alloc[s] = dma_alloc[s-First];
      assign claim = dma_claim;
    end
    crossbar_slot #(
      .Harts(Harts),
      .Slots(Slots),
      .Targets(s < FirstL1i ? ~(Harts'(1) << s / Misses) : '1)
    ) u_slot (
      .clk_i,
      .rst_ni,
      .free_o         (free[s]),
      .alloc_i        (alloc[s]),
      .claim_i        (claim),
      .upgrade_lost_i (upgrade_lost[s]),
      .unordered_o    (unordered[s]),
      .order_grant_i  (order_grant[s]),
      .older_i        (older),
      .ordered_o      (ordered[s]),
      .line_o         (lines[LineBits*s+:LineBits]),
      .owns_o         (owns[s]),
      .blocked_o      (blocked[s]),
      .done_i         (done),
      .probe_req_o    (probe_req[Harts*s+:Harts]),
      .probe_grant_i  (probe_grant[Harts*s+:Harts]),
      .probe_sent_i   (probe_sent[Harts*s+:Harts]),
      .probe_ack_i    (probe_ack_i),
      .probe_kept_i   (probe_kept_i),
      .excl_o         (excl[s]),
      .read_o         (read[s]),
      .read_ack_i     (read_ack[s]),
      .grant_o        (upgraded[s]),
      .grant_ack_i    (grant_ack[s]),
      .write_o        (write[s]),
      .beat_i         (beat[s]),
      .rsp_last_o     (rsp_last[s]),
      .write_rsp_o    (write_rsp[s]),
      .write_rsp_ack_i(write_rsp_ack[s]),
      .quiescent_o    (quiescent[s])
    );
    for (genvar h = 0; h < Harts; h++) begin : gen_probes
      assign probe_req_of[Slots*h+s] = probe_req[Harts*s+h];
      assign probe_grant[Harts*s+h] = probe_grant_of[Slots*h+s];
      assign probe_sent[Harts*s+h] = probe_sent_of[Slots*h+s];
    end
  end

  // Order: one transaction in a cycle gets its place, behind those of its line.
  round_robin #(
    .Requests(Slots)
  ) u_order (
    .clk_i,
    .rst_ni,
    .request_i(unordered),
    .grant_o  (order_grant)
  );
  mem_pkg::line_t next;
  always_comb begin
    older = '0;
    next = '0;
    if (unordered != '0) begin
      for (int unsigned s = 0; s < Slots; s++)
        if (order_grant[s]) next = lines[LineBits*s+:LineBits];
      for (int unsigned s = 0; s < Slots; s++)
        older[s] = ordered[s] && lines[LineBits*s+:LineBits] == next;
    end
  end

  // The transaction to which a beat from memory belongs, those that have a beat, and those that
  // are done, which matters only to others that wait
  logic [Slots-1:0] rsp_owner;
  logic [FirstL1i-1:0] dmem_beat;
  logic [DmaIds-1:0] write_beat;
  always_comb begin
    rsp_owner = '0;
    if (mem_rsp_valid_i) rsp_owner = Slots'(32'd1 << mem_rsp_i.id);
  end
  assign beat = {rsp_owner[Slots-1:First] | write_beat, rsp_owner[First-1:FirstL1i], dmem_beat};
  logic any_blocked;
  always_comb begin
    any_blocked = 1'b0;
    for (int unsigned s = 0; s < Slots; s++) if (blocked[s]) any_blocked = 1'b1;
  end
  always_comb begin
    done = '0;
    if (any_blocked) done = (rsp_last & beat) | write_rsp_ack;
  end

  // The harts
  logic [Harts-1:0] hart_quiescent;
  for (genvar h = 0; h < Harts; h++) begin : gen_harts
    crossbar_hart #(
      .Slots (Slots),
      .Misses(Misses)
    ) u_hart (
      .clk_i,
      .rst_ni,
      .imem_valid_o       (imem_valid_o[h]),
      .dmem_rsp_valid_o   (dmem_rsp_valid_o[h]),
      .dmem_rsp_o         (dmem_rsp_o[RspBits*h+:RspBits]),
      .dmem_rsp_ready_i   (dmem_rsp_ready_i[h]),
      .probe_valid_o      (probe_valid_o[h]),
      .probe_o            (probe_o[ProbeBits*h+:ProbeBits]),
      .probe_ack_i        (probe_ack_i[h]),
      .dmem_lines_i       (lines[LineBits*Misses*h+:LineBits*Misses]),
      .dmem_upgrade_lost_o(upgrade_lost[Misses*h+:Misses]),
      .dmem_excl_i        (excl[Misses*h+:Misses]),
      .dmem_grant_i       (upgraded[Misses*h+:Misses]),
      .dmem_grant_ack_o   (grant_ack[Misses*h+:Misses]),
      .dmem_beat_o        (dmem_beat[Misses*h+:Misses]),
      .imem_beat_i        (rsp_owner[FirstL1i+h]),
      .dmem_beat_i        (rsp_owner[Misses*h+:Misses]),
      .data_i             (mem_rsp_i.data),
      .probe_req_i        (probe_req_of[Slots*h+:Slots]),
      .lines_i            (lines),
      .owns_i             (owns),
      .probe_grant_o      (probe_grant_of[Slots*h+:Slots]),
      .probe_sent_o       (probe_sent_of[Slots*h+:Slots]),
      .quiescent_o        (hart_quiescent[h])
    );
  end
  assign upgrade_lost[Slots-1:FirstL1i] = '0;
  assign grant_ack[Slots-1:FirstL1i] = '0;
  assign write_rsp_ack[First-1:0] = '0;

  // Reads of memory
  mem_pkg::line_t read_line;
  round_robin #(
    .Requests(Slots)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .request_i(read),
    .grant_o  (read_ack)
  );
  assign mem_read_valid_o = read != '0;
  always_comb begin
    mem_read_o = '0;
    read_line = '0;
    if (read != '0) begin
      for (int unsigned s = 0; s < Slots; s++) begin
        if (read_ack[s]) begin
          read_line = lines[LineBits*s+:LineBits];
          mem_read_o = {5'(s), read_line, 6'd0};
        end
      end
    end
  end
  // The L1Is take a beat in the next cycle.
  logic [63:0] imem_data_q;
  always_ff @(posedge clk_i) begin
    if (mem_rsp_valid_i) imem_data_q <= mem_rsp_i.data;
  end
  assign imem_data_o = imem_data_q;

  // DMA
  logic dma_quiescent, dma_beat, dma_beat_ready;
  logic [2:0] dma_id, dma_at;
  mem_pkg::line_t dma_line;
  mem_pkg::write_t dma_write;
  crossbar_dma #(
    .Ids(DmaIds)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .dma_valid_i,
    .dma_ready_o,
    .dma_req_i,
    .dma_write_valid_i,
    .dma_write_ready_o,
    .dma_rsp_valid_o,
    .dma_rsp_o,
    .free_i         (free[Slots-1:First]),
    .unordered_i    (unordered[Slots-1:First]),
    .alloc_o        (dma_alloc),
    .claim_o        (dma_claim),
    .write_i        (write[Slots-1:First]),
    .write_beat_o   (write_beat),
    .write_rsp_i    (write_rsp[Slots-1:First]),
    .write_rsp_ack_o(write_rsp_ack[Slots-1:First]),
    .beat_i         (rsp_owner[Slots-1:First]),
    .data_i         (mem_rsp_i.data),
    .write_valid_o  (dma_beat),
    .write_ready_i  (dma_beat_ready),
    .write_id_o     (dma_id),
    .write_beat_at_o(dma_at),
    .quiescent_o    (dma_quiescent)
  );
  always_comb begin
    dma_line = '0;
    dma_write = '0;
    if (dma_beat) begin
      for (int unsigned i = 0; i < DmaIds; i++)
        if (dma_id == 3'(i)) dma_line = lines[LineBits*(First+i)+:LineBits];
      dma_write = {1'b1, dma_line, dma_at, dma_write_i.strb, dma_write_i.data};
    end
  end

  crossbar_writes #(
    .Harts(Harts)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .wb_valid_i,
    .wb_i,
    .wb_ready_o,
    .dma_valid_i  (dma_beat),
    .dma_i        (dma_write),
    .dma_ready_o  (dma_beat_ready),
    .write_valid_o(mem_write_valid_o),
    .write_o      (mem_write_o)
  );

  // What only transactions of L1Ds, or only those of DMA, show
  logic unused;
  assign unused = ^{excl[Slots-1:FirstL1i], upgraded[Slots-1:FirstL1i], free[First-1:0],
                    write[First-1:0], write_rsp[First-1:0]};

  // In a block of its own, which a simulator evaluates only after an edge of the clock.
  logic all_quiescent;
  always_comb begin
    all_quiescent = dma_quiescent;
    for (int unsigned s = 0; s < Slots; s++) if (!quiescent[s]) all_quiescent = 1'b0;
    for (int unsigned h = 0; h < Harts; h++) if (!hart_quiescent[h]) all_quiescent = 1'b0;
  end
  assign quiescent_o = all_quiescent && !(|dmem_req_valid_i || |imem_req_i || |wb_valid_i ||
                                          mem_rsp_valid_i);

endmodule
