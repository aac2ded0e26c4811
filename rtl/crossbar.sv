// SPDX-License-Identifier: Apache-2.0
// The snooping crossbar: the L1Ds and L1Is of the harts and a DMA port share one memory
// port, and every reader gets the data last written.
//
// Each L1D, each L1I and each id of DMA has one transaction at a time (crossbar_slot.sv).
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
  localparam int unsigned Slots = 2 * Harts + DmaIds  // at most 32
) (
  input  logic clk_i,    // may be stopped while still_o is high, but not in reset
  input  logic rst_ni,
  output logic still_o,  // nothing changes before an input does

  // L1Is, as in fetch.sv
  input  logic [Harts-1:0]    imem_req_i,
  input  logic [Harts*56-1:0] imem_addr_i,
  output logic [Harts-1:0]    imem_valid_o,
  output logic [63:0]         imem_data_o,

  // L1Ds, as in dcache.sv with Coherent
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

  // Memory. The ids are those of the transactions: L1Ds, L1Is, DMA.
  output logic               mem_read_valid_o,
  output mem_pkg::read_t     mem_read_o,
  input  logic               mem_rsp_valid_i,
  input  mem_pkg::read_rsp_t mem_rsp_i,
  output logic               mem_write_valid_o,
  output mem_pkg::write_t    mem_write_o
);

  localparam int unsigned ClaimBits = mem_pkg::ClaimBits;
  localparam int unsigned ReqBits = mem_pkg::LineReqBits;
  localparam int unsigned RspBits = mem_pkg::LineRspBits;
  localparam int unsigned ProbeBits = mem_pkg::ProbeBits;

  // The transactions
  logic [DmaIds-1:0] dma_arrive;
  logic [Slots-1:0] free, arrive, lost, arrived, order, older, placed, waits, done, excl;
  logic [Slots-1:0] read, read_ack, upgraded, write, beat, ends, reply, reply_ack, still;
  logic [Slots*ClaimBits-1:0] claims;
  logic [Slots*Harts-1:0] ask, asked, mine;  // Harts bits for each transaction
  logic [Harts*Slots-1:0] ask_of, asked_of, sent_of;  // Slots bits for each L1D
  for (genvar s = 0; s < Slots; s++) begin : gen_slots
    mem_pkg::claim_t wanted;
    if (s < Harts) begin : gen_dmem
      logic [ReqBits-1:0] req;  // line_req_t: excl, upgrade, address
      assign req = dmem_req_i[ReqBits*s+:ReqBits];
      assign arrive[s] = dmem_req_valid_i[s];
      assign wanted = {req[57] || req[56], req[56], 1'b0, req[55:6]};
    end else if (s < 2 * Harts) begin : gen_imem
      assign arrive[s] = imem_req_i[s-Harts];
      assign wanted = {3'b000, imem_addr_i[56*(s-Harts)+6+:50]};
    end else begin : gen_dma
      assign arrive[s] = dma_arrive[s-2*Harts];
      assign wanted = {dma_req_i.write, 1'b0, dma_req_i.write, dma_req_i.addr[55:6]};
    end
    crossbar_slot #(
      .Harts(Harts),
      .Slots(Slots),
      .Targets(s < Harts ? ~(Harts'(1) << s) : '1)
    ) u_slot (
      .clk_i,
      .rst_ni,
      .free_o     (free[s]),
      .arrive_i   (arrive[s]),
      .claim_i    (wanted),
      .lost_i     (lost[s]),
      .arrived_o  (arrived[s]),
      .order_i    (order[s]),
      .older_i    (older),
      .placed_o   (placed[s]),
      .claim_o    (claims[ClaimBits*s+:ClaimBits]),
      .waits_o    (waits[s]),
      .done_i     (done),
      .ask_o      (ask[Harts*s+:Harts]),
      .asked_i    (asked[Harts*s+:Harts]),
      .mine_i     (mine[Harts*s+:Harts]),
      .ack_i      (probe_ack_i),
      .kept_i     (probe_kept_i),
      .excl_o     (excl[s]),
      .read_o     (read[s]),
      .read_ack_i (read_ack[s]),
      .grant_o    (upgraded[s]),
      .write_o    (write[s]),
      .beat_i     (beat[s]),
      .ends_o     (ends[s]),
      .reply_o    (reply[s]),
      .reply_ack_i(reply_ack[s]),
      .still_o    (still[s])
    );
    for (genvar h = 0; h < Harts; h++) begin : gen_probes
      assign ask_of[Slots*h+s] = ask[Harts*s+h];
      assign asked[Harts*s+h] = asked_of[Slots*h+s];
      assign mine[Harts*s+h] = sent_of[Slots*h+s];
    end
  end

  // Order: one transaction in a cycle gets its place, behind those of its line.
  round_robin #(
    .Requests(Slots)
  ) u_order (
    .clk_i,
    .rst_ni,
    .request_i(arrived),
    .grant_o  (order)
  );
  mem_pkg::claim_t next, other;
  always_comb begin
    older = '0;
    next = '0;
    other = '0;
    if (arrived != '0) begin
      for (int unsigned s = 0; s < Slots; s++)
        if (order[s]) next = claims[ClaimBits*s+:ClaimBits];
      for (int unsigned s = 0; s < Slots; s++) begin
        other = claims[ClaimBits*s+:ClaimBits];
        older[s] = placed[s] && other.line == next.line;
      end
    end
  end

  // The transaction to which a beat from memory belongs, those that have a beat, and those that
  // are done, which matters only to others that wait
  logic [Slots-1:0] from;
  logic [Harts-1:0] dmem_beat;
  logic [DmaIds-1:0] write_beat;
  always_comb begin
    from = '0;
    if (mem_rsp_valid_i) from = Slots'(32'd1 << mem_rsp_i.id);
  end
  assign beat = {from[Slots-1:2*Harts] | write_beat, from[2*Harts-1:Harts], dmem_beat};
  logic any_waits;
  always_comb begin
    any_waits = 1'b0;
    for (int unsigned s = 0; s < Slots; s++) if (waits[s]) any_waits = 1'b1;
  end
  always_comb begin
    done = '0;
    if (any_waits) done = (ends & beat) | reply_ack;
  end

  // The harts
  logic [Harts-1:0] hart_still;
  for (genvar h = 0; h < Harts; h++) begin : gen_harts
    crossbar_hart #(
      .Slots(Slots)
    ) u_hart (
      .clk_i,
      .rst_ni,
      .imem_valid_o    (imem_valid_o[h]),
      .dmem_rsp_valid_o(dmem_rsp_valid_o[h]),
      .dmem_rsp_o      (dmem_rsp_o[RspBits*h+:RspBits]),
      .dmem_rsp_ready_i(dmem_rsp_ready_i[h]),
      .probe_valid_o   (probe_valid_o[h]),
      .probe_o         (probe_o[ProbeBits*h+:ProbeBits]),
      .probe_ack_i     (probe_ack_i[h]),
      .dmem_placed_i   (claims[ClaimBits*h+:ClaimBits]),
      .dmem_lost_o     (lost[h]),
      .dmem_excl_i     (excl[h]),
      .dmem_grant_i    (upgraded[h]),
      .dmem_beat_o     (dmem_beat[h]),
      .imem_beat_i     (from[Harts+h]),
      .dmem_beat_i     (from[h]),
      .data_i          (mem_rsp_i.data),
      .ask_i           (ask_of[Slots*h+:Slots]),
      .claims_i        (claims),
      .asked_o         (asked_of[Slots*h+:Slots]),
      .sent_o          (sent_of[Slots*h+:Slots]),
      .still_o         (hart_still[h])
    );
    assign lost[Harts+h] = 1'b0;
    assign reply_ack[h] = 1'b0;
    assign reply_ack[Harts+h] = 1'b0;
  end

  // Reads of memory
  mem_pkg::claim_t read_claim;
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
    read_claim = '0;
    if (read != '0) begin
      for (int unsigned s = 0; s < Slots; s++) begin
        if (read_ack[s]) begin
          read_claim = claims[ClaimBits*s+:ClaimBits];
          mem_read_o = {5'(s), read_claim.line, 6'd0};
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
  localparam int unsigned First = 2 * Harts;
  logic dma_still, dma_beat, dma_beat_ready;
  logic [2:0] dma_id, dma_at;
  mem_pkg::claim_t dma_claim;
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
    .arrived_i      (arrived[Slots-1:First]),
    .arrive_o       (dma_arrive),
    .write_i        (write[Slots-1:First]),
    .write_beat_o   (write_beat),
    .reply_i        (reply[Slots-1:First]),
    .reply_ack_o    (reply_ack[Slots-1:First]),
    .beat_i         (from[Slots-1:First]),
    .data_i         (mem_rsp_i.data),
    .write_valid_o  (dma_beat),
    .write_ready_i  (dma_beat_ready),
    .write_id_o     (dma_id),
    .write_beat_at_o(dma_at),
    .still_o        (dma_still)
  );
  for (genvar i = 0; i < DmaIds; i++) begin : gen_dma
    assign lost[First+i] = 1'b0;
  end
  always_comb begin
    dma_claim = '0;
    dma_write = '0;
    if (dma_beat) begin
      for (int unsigned i = 0; i < DmaIds; i++)
        if (dma_id == 3'(i)) dma_claim = claims[ClaimBits*(First+i)+:ClaimBits];
      dma_write = {1'b1, dma_claim.line, dma_at, dma_write_i.strb, dma_write_i.data};
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

  // In a block of its own, which a simulator evaluates only after an edge of the clock.
  logic all_still;
  always_comb begin
    all_still = dma_still;
    for (int unsigned s = 0; s < Slots; s++) if (!still[s]) all_still = 1'b0;
    for (int unsigned h = 0; h < Harts; h++) if (!hart_still[h]) all_still = 1'b0;
  end
  assign still_o = all_still && !(|dmem_req_valid_i || |imem_req_i || |wb_valid_i || mem_rsp_valid_i);

endmodule
