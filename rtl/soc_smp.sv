// SPDX-License-Identifier: Apache-2.0
// The SoC with several harts: each with its L1 caches, the crossbar that makes them
// coherent, and the devices, whose DMA passes through it. L2 and DRAM are outside, behind
// the memory port of crossbar.sv. soc.sv is the SoC with one hart.
//
// Signals of the harts are vectors of Harts fields, that of hart 0 in the lowest bits.
// skip_i, idle_o and tick_o are as in soc.sv; idle_o is high only if all harts are idle. A
// trace port for each hart is as in hart.sv.
//
// mem_rsp_i reaches registers only, and so do the other inputs, as in soc.sv.

module soc_smp #(
  parameter int unsigned Harts = 2,  // at most 4
  parameter bit TracePort = 1'b1,
  parameter bit Pmu = 1'b1,
  parameter bit Float = 1'b1,
  parameter int unsigned DmaIds = 8,  // lines that DMA has in the crossbar
  parameter int unsigned Commits = soc_pkg::Commits,  // lanes of each trace port
  parameter int unsigned L1dMisses = 1,  // of each L1D at a time, in the crossbar

  // The harts, as in config_pkg.sv
  parameter int unsigned Cores = {32{config_pkg::CoreInorder}},  // bit h: the core_e of hart h
  parameter int unsigned L1iSets = config_pkg::L1iSets,
  parameter int unsigned L1iWays = config_pkg::L1iWays,
  parameter int unsigned L1dSets = config_pkg::L1dSets,
  parameter int unsigned L1dWays = config_pkg::L1dWays,
  parameter int unsigned ItlbSets = config_pkg::ItlbSets,
  parameter int unsigned ItlbWays = config_pkg::ItlbWays,
  parameter int unsigned DtlbSets = config_pkg::DtlbSets,
  parameter int unsigned DtlbWays = config_pkg::DtlbWays,
  parameter int unsigned BtbEntries = config_pkg::BtbEntries,
  parameter int unsigned BhtEntries = config_pkg::BhtEntries,
  parameter int unsigned RasEntries = config_pkg::RasEntries,
  parameter int unsigned OooWindow = config_pkg::OooWindow,
  parameter int unsigned OooQueue = config_pkg::OooQueue,
  parameter int unsigned OooBtbSets = config_pkg::OooBtbSets,
  parameter int unsigned OooBranches = config_pkg::OooBranches
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] skip_i,
  output logic        idle_o,
  output logic [11:0] tick_o,
  input  logic [63:0] ram_size_i,
  input  logic        float_on_i,
  input  logic        float_clk_i,     // clk_i; may be stopped while float_clk_req_o is low
  output logic        float_clk_req_o,
  input  logic [Harts-1:0] hart_clk_i,     // clk_i, for each hart; may be stopped while its
  output logic [Harts-1:0] hart_clk_req_o,  // bit of hart_clk_req_o is low
  input  logic        crossbar_clk_i,  // clk_i; may be stopped while crossbar_clk_req_o is low
  output logic        crossbar_clk_req_o,
  input  logic        copy_on_i,       // as in soc.sv, for the copy units of all harts
  input  logic        copy_clk_i,
  output logic        copy_clk_req_o,
  input  logic        dma_clk_i,       // of the way of DMA to the crossbar: the same
  output logic        dma_clk_req_o,

  // Memory, as in crossbar.sv; requests that missed the L2 and wait for DRAM, a mem_dram_t
  // for each hart
  output logic               mem_read_valid_o,
  output mem_pkg::read_t     mem_read_o,
  input  logic               mem_rsp_valid_i,
  input  mem_pkg::read_rsp_t mem_rsp_i,
  output logic               mem_write_valid_o,
  output mem_pkg::write_t    mem_write_o,
  input  logic [2*Harts-1:0] mem_dram_i,

  // The network interface and its link, as in soc.sv, without the inputs of DMA in nic_i.
  input  logic            nic_on_i,
  input  logic            nic_clk_i,
  output logic            nic_clk_req_o,
  input  logic [47:0]     mac_i,
  output logic            link_tx_valid_o,
  output nic_pkg::link_t  link_tx_o,
  input  nic_pkg::link_t  link_rx_i,
  input  nic_pkg::input_t nic_i,

  // Serial line and power, as in soc.sv
  output device_pkg::serial_t uart_tx_o,
  input  device_pkg::serial_t uart_rx_i,
  output logic                uart_rx_ready_o,
  output device_pkg::power_t  power_o,

  // Trace ports
  input  logic                                              trace_clk_i,
  input  logic                                              class_clk_i,
  input  soc_pkg::trace_mode_t                              trace_mode_i,
  output logic [Harts*Commits*soc_pkg::TraceEventBits-1:0]  trace_event_o,
  output logic [Harts*Commits-1:0]                          trace_full_o,
  output logic [Harts*Commits*soc_pkg::TraceTokenBits-1:0]  trace_token_o,
  output logic [Harts*Commits*soc_pkg::TraceDetailBits-1:0] trace_detail_o,
  output logic [Harts*Commits*soc_pkg::TraceClassBits-1:0]  trace_class_o
);

  localparam int unsigned IrqBits = device_pkg::IrqBits;
  localparam int unsigned DevBits = device_pkg::DeviceReqBits;
  localparam int unsigned ReqBits = mem_pkg::LineReqBits;
  localparam int unsigned RspBits = mem_pkg::LineRspBits;
  localparam int unsigned WbBits = mem_pkg::WritebackBits;
  localparam int unsigned ProbeBits = mem_pkg::ProbeBits;
  localparam int unsigned CopyBits = mem_pkg::CopyBits;
  localparam int unsigned CountBits = mem_pkg::CopyCountBits;
  localparam int unsigned DmaReqBits = mem_pkg::DmaReqBits;
  localparam int unsigned DmaBeatBits = mem_pkg::DmaBeatBits;
  localparam int unsigned LineBits = mem_pkg::DmaLineBits;
  localparam int unsigned MasterBits = mem_pkg::DmaMasterBits;
  localparam int unsigned EventBits = Commits * soc_pkg::TraceEventBits;
  localparam int unsigned TokenBits = Commits * soc_pkg::TraceTokenBits;
  localparam int unsigned DetailBits = Commits * soc_pkg::TraceDetailBits;
  localparam int unsigned ClassBits = Commits * soc_pkg::TraceClassBits;

  logic rst_nq;
  logic [63:0] ram_size_q;
  device_pkg::serial_t uart_rx_q;
  logic nic_on_q, copy_on_q;
  nic_pkg::input_t nic_q, nic;
  nic_pkg::link_t link_rx_q;
  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    if (!rst_nq) begin  // straps
      ram_size_q <= ram_size_i;
      nic_on_q <= nic_on_i;
      copy_on_q <= copy_on_i;
    end
    uart_rx_q <= {uart_rx_i.valid && rst_ni, uart_rx_i.data};
    if (nic_on_q) begin
      nic_q <= nic_i;
      if (nic_i.link_rx) link_rx_q <= link_rx_i;
    end
  end

  // Harts
  logic [Harts-1:0] core_idle, float_clk_req;
  assign float_clk_req_o = float_clk_req != '0;
  logic [Harts*IrqBits-1:0] irq_lines;
  logic [63:0] mtime, imem_data;
  logic [Harts-1:0] imem_req, imem_valid;
  logic [Harts*56-1:0] imem_addr;
  logic [Harts-1:0] dmem_req_valid, dmem_rsp_valid, dmem_rsp_ready;
  logic [Harts*ReqBits-1:0] dmem_req;
  logic [Harts*RspBits-1:0] dmem_rsp;
  logic [Harts-1:0] wb_valid, wb_ready, probe_valid, probe_ack, probe_kept;
  logic [Harts*WbBits-1:0] wb;
  logic [Harts*ProbeBits-1:0] probe;
  logic [Harts-1:0] device_valid, device_ready;
  logic [Harts*DevBits-1:0] device_req;
  logic [Harts*64-1:0] device_wdata;
  device_pkg::device_rsp_t device_rsp;
  logic [Harts-1:0] copy_valid, copy_done;
  logic [Harts*CountBits-1:0] copy_count;
  logic [Harts*CopyBits-1:0] copies;
  for (genvar h = 0; h < Harts; h++) begin : gen_harts
    // Only passed on while they are valid, which costs a simulator less
    mem_pkg::writeback_t wb_data;
    device_pkg::device_req_t request;
    logic [63:0] wdata;
    always_comb begin
      wb[WbBits*h+:WbBits] = '0;
      if (wb_valid[h]) wb[WbBits*h+:WbBits] = wb_data;
    end
    always_comb begin
      device_req[DevBits*h+:DevBits] = '0;
      device_wdata[64*h+:64] = '0;
      if (device_valid[h]) begin
        device_req[DevBits*h+:DevBits] = request;
        device_wdata[64*h+:64] = wdata;
      end
    end
    hart #(
      .Core(Cores[h]),
      .TracePort(TracePort),
      .Pmu(Pmu),
      .Float(Float),
      .Coherent(1'b1),
      .Commits(Commits),
      .L1iSets(L1iSets),
      .L1iWays(L1iWays),
      .L1dSets(L1dSets),
      .L1dWays(L1dWays),
      .L1dMisses(L1dMisses),
      .ItlbSets(ItlbSets),
      .ItlbWays(ItlbWays),
      .DtlbSets(DtlbSets),
      .DtlbWays(DtlbWays),
      .BtbEntries(BtbEntries),
      .BhtEntries(BhtEntries),
      .RasEntries(RasEntries),
      .OooWindow(OooWindow),
      .OooQueue(OooQueue),
      .OooBtbSets(OooBtbSets),
      .OooBranches(OooBranches)
    ) u_hart (
      .clk_i            (hart_clk_i[h]),
      .time_clk_i       (clk_i),
      .rst_ni           (rst_nq),
      .skip_i,
      .hart_id_i        (64'(h)),
      .ram_size_i       (ram_size_q),
      .float_on_i,
      .float_clk_i,
      .float_clk_req_o  (float_clk_req[h]),
      .copy_on_i        (copy_on_q),
      .idle_o           (core_idle[h]),
      .irq_lines_i      (irq_lines[IrqBits*h+:IrqBits]),
      .mtime_i          (mtime),
      .imem_req_o       (imem_req[h]),
      .imem_addr_o      (imem_addr[56*h+:56]),
      .imem_valid_i     (imem_valid[h]),
      .imem_data_i      (imem_data),
      .dmem_req_valid_o (dmem_req_valid[h]),
      .dmem_req_o       (dmem_req[ReqBits*h+:ReqBits]),
      .dmem_rsp_valid_i (dmem_rsp_valid[h]),
      .dmem_rsp_i       (dmem_rsp[RspBits*h+:RspBits]),
      .dmem_rsp_ready_o (dmem_rsp_ready[h]),
      .mem_dram_i       (mem_dram_i[2*h+:2]),
      .wb_valid_o       (wb_valid[h]),
      .wb_o             (wb_data),
      .wb_ready_i       (wb_ready[h]),
      .probe_valid_i    (probe_valid[h]),
      .probe_i          (probe[ProbeBits*h+:ProbeBits]),
      .probe_ack_o      (probe_ack[h]),
      .probe_kept_o     (probe_kept[h]),
      .device_valid_o   (device_valid[h]),
      .device_req_o     (request),
      .device_wdata_o   (wdata),
      .device_ready_i   (device_ready[h]),
      .device_rsp_i     (device_rsp),
      .copy_valid_o     (copy_valid[h]),
      .copy_o           (copies[CopyBits*h+:CopyBits]),
      .copy_done_i      (copy_done[h]),
      .copy_count_i     (copy_count[CountBits*h+:CountBits]),
      .trace_clk_i,
      .class_clk_i,
      .trace_mode_i,
      .trace_event_o    (trace_event_o[EventBits*h+:EventBits]),
      .trace_full_o     (trace_full_o[Commits*h+:Commits]),
      .trace_token_o    (trace_token_o[TokenBits*h+:TokenBits]),
      .trace_detail_o   (trace_detail_o[DetailBits*h+:DetailBits]),
      .trace_class_o    (trace_class_o[ClassBits*h+:ClassBits])
    );
    hart_sleep u_sleep (
      .clk_i           (hart_clk_i[h]),
      .rst_ni          (rst_nq),
      .idle_i          (core_idle[h]),
      .imem_valid_i    (imem_valid[h]),
      .dmem_rsp_valid_i(dmem_rsp_valid[h]),
      .probe_valid_i   (probe_valid[h]),
      .device_valid_i  (device_valid[h]),
      .irq_lines_i     (irq_lines[IrqBits*h+:IrqBits]),
      .mem_dram_i      (mem_dram_i[2*h+:2]),
      .clk_req_o       (hart_clk_req_o[h])
    );
  end

  // The masters of DMA, by number: what master m and those before it want together
  localparam int unsigned Nic = 32'(mem_pkg::DmaMasterNic);
  localparam int unsigned Copy = 32'(mem_pkg::DmaMasterCopy);  // of hart 0
  localparam int unsigned Masters = Copy + Harts;
  logic [Masters-1:0] dma_req_valid, dma_beat_valid, dma_ready;
  logic [Masters*DmaReqBits-1:0] dma_req;
  logic [Masters*DmaBeatBits-1:0] dma_beat;
  mem_pkg::dma_req_t nic_req;
  mem_pkg::dma_beat_t nic_beat;
  mem_pkg::dma_rsp_t dma_rsp;
  logic dma_rsp_valid, dma_done_valid;
  logic [mem_pkg::DmaIdBits-1:0] dma_done_id;
  assign dma_req[DmaReqBits*Nic+:DmaReqBits] = nic_req;
  assign dma_beat[DmaBeatBits*Nic+:DmaBeatBits] = nic_beat;
  assign dma_ready[Masters-1] = 1'b1;
  for (genvar h = 0; h < Harts; h++) begin : gen_copies
    localparam int unsigned Master = Copy + h;
    logic req_valid, beat_valid, ready;
    mem_pkg::dma_req_t req, merged_req;
    mem_pkg::dma_beat_t beat, merged_beat;
    copy_unit #(
      .Master(MasterBits'(Master))
    ) u_copy (
      .clk_i           (copy_clk_i),
      .rst_ni          (rst_nq),
      .valid_i         (copy_valid[h]),
      .copy_i          (copies[CopyBits*h+:CopyBits]),
      .done_o          (copy_done[h]),
      .count_o         (copy_count[CountBits*h+:CountBits]),
      .dma_req_valid_o (req_valid),
      .dma_req_o       (req),
      .dma_beat_valid_o(beat_valid),
      .dma_beat_o      (beat),
      .dma_ready_i     (ready),
      .dma_rsp_valid_i (dma_rsp_valid),
      .dma_rsp_i       (dma_rsp),
      .dma_done_valid_i(dma_done_valid),
      .dma_done_id_i   (dma_done_id)
    );
    dma_arbiter u_arbiter (
      .clk_i         (dma_clk_i),
      .rst_ni        (rst_nq),
      .a_req_valid_i (dma_req_valid[Master-1]),
      .a_req_i       (dma_req[DmaReqBits*(Master-1)+:DmaReqBits]),
      .a_beat_valid_i(dma_beat_valid[Master-1]),
      .a_beat_i      (dma_beat[DmaBeatBits*(Master-1)+:DmaBeatBits]),
      .a_ready_o     (dma_ready[Master-1]),
      .b_req_valid_i (req_valid),
      .b_req_i       (req),
      .b_beat_valid_i(beat_valid),
      .b_beat_i      (beat),
      .b_ready_o     (ready),
      .req_valid_o   (dma_req_valid[Master]),
      .req_o         (merged_req),
      .beat_valid_o  (dma_beat_valid[Master]),
      .beat_o        (merged_beat),
      .ready_i       (dma_ready[Master])
    );
    assign dma_req[DmaReqBits*Master+:DmaReqBits] = merged_req;
    assign dma_beat[DmaBeatBits*Master+:DmaBeatBits] = merged_beat;
  end

  // Its way to the crossbar
  logic gather_busy, devices_nic_clk_req;
  logic line_valid, line_ready, word_valid, word_ready, answer_valid, crossbar_quiescent;
  mem_pkg::crossbar_req_t line;
  mem_pkg::crossbar_word_t word;
  mem_pkg::crossbar_rsp_t answer;
  crossbar_gather #(
    .Ids   (DmaIds),
    .IdBits(LineBits + $clog2(Masters))
  ) u_gather (
    .clk_i            (dma_clk_i),
    .rst_ni           (rst_nq),
    .req_valid_i      (dma_req_valid[Masters-1]),
    .req_i            (dma_req[DmaReqBits*(Masters-1)+:DmaReqBits]),
    .beat_valid_i     (dma_beat_valid[Masters-1]),
    .beat_i           (dma_beat[DmaBeatBits*(Masters-1)+:DmaBeatBits]),
    .rsp_valid_o      (dma_rsp_valid),
    .rsp_o            (dma_rsp),
    .done_valid_o     (dma_done_valid),
    .done_id_o        (dma_done_id),
    .dma_valid_o      (line_valid),
    .dma_ready_i      (line_ready),
    .dma_req_o        (line),
    .dma_write_valid_o(word_valid),
    .dma_write_ready_i(word_ready),
    .dma_write_o      (word),
    .dma_rsp_valid_i  (answer_valid),
    .dma_rsp_i        (answer),
    .busy_o           (gather_busy)
  );
  logic nic_rsp, nic_done;
  assign nic_rsp = dma_rsp.id[LineBits+:MasterBits] == mem_pkg::DmaMasterNic;
  assign nic_done = dma_done_id[LineBits+:MasterBits] == mem_pkg::DmaMasterNic;
  always_comb begin
    nic = '0;
    if (nic_on_q)
      nic = {
        dma_rsp_valid && nic_rsp,
        dma_done_valid && nic_done,
        nic_q.link_rx,
        nic_q.link_up,
        nic_q.link_ready
      };
  end
  assign nic_clk_req_o = devices_nic_clk_req;
  assign copy_clk_req_o = copy_valid != '0;
  assign dma_clk_req_o = nic_clk_req_o || copy_clk_req_o || gather_busy;
  logic unused;
  assign unused = ^{nic_q.dma_rsp, nic_q.dma_done};

  crossbar #(
    .Harts (Harts),
    .DmaIds(DmaIds),
    .Misses(L1dMisses)
  ) u_crossbar (
    .clk_i            (crossbar_clk_i),
    .rst_ni           (rst_nq),
    .quiescent_o      (crossbar_quiescent),
    .imem_req_i       (imem_req),
    .imem_addr_i      (imem_addr),
    .imem_valid_o     (imem_valid),
    .imem_data_o      (imem_data),
    .dmem_req_valid_i (dmem_req_valid),
    .dmem_req_i       (dmem_req),
    .dmem_rsp_valid_o (dmem_rsp_valid),
    .dmem_rsp_o       (dmem_rsp),
    .dmem_rsp_ready_i (dmem_rsp_ready),
    .wb_valid_i       (wb_valid),
    .wb_i             (wb),
    .wb_ready_o       (wb_ready),
    .probe_valid_o    (probe_valid),
    .probe_o          (probe),
    .probe_ack_i      (probe_ack),
    .probe_kept_i     (probe_kept),
    .dma_valid_i      (line_valid),
    .dma_ready_o      (line_ready),
    .dma_req_i        (line),
    .dma_write_valid_i(word_valid),
    .dma_write_ready_o(word_ready),
    .dma_write_i      (word),
    .dma_rsp_valid_o  (answer_valid),
    .dma_rsp_o        (answer),
    .mem_read_valid_o,
    .mem_read_o,
    .mem_rsp_valid_i,
    .mem_rsp_i,
    .mem_write_valid_o,
    .mem_write_o
  );

  assign crossbar_clk_req_o = !crossbar_quiescent || !rst_nq;

  logic devices_idle, uart_rx_ready, unused_disk;
  device_pkg::disk_event_t no_disk_event;
  device_pkg::disk_queue_t no_disk_queue;
  logic no_disk_clk_req;
  assign unused_disk = ^{no_disk_clk_req, no_disk_event, no_disk_queue};
  devices #(
    .Harts(Harts),
    .Masters(Harts)
  ) u_devices (
    .clk_i,
    .rst_ni(rst_nq),
    .skip_i,
    .idle_o (devices_idle),
    .valid_i(device_valid),
    .req_i(device_req),
    .wdata_i(device_wdata),
    .ready_o(device_ready),
    .rsp_o(device_rsp),
    .irq_lines_o(irq_lines),
    .mtime_o(mtime),
    .tick_o,
    .uart_tx_o,
    .uart_rx_i(uart_rx_q),
    .uart_rx_ready_o(uart_rx_ready),
    .nic_on_i(nic_on_q),
    .nic_clk_i,
    .nic_clk_req_o(devices_nic_clk_req),
    .dma_req_valid_o(dma_req_valid[Nic]),
    .dma_req_o(nic_req),
    .dma_beat_valid_o(dma_beat_valid[Nic]),
    .dma_beat_o(nic_beat),
    .dma_ready_i(dma_ready[Nic]),
    .dma_rsp_i(dma_rsp),
    .dma_done_id_i(dma_done_id),
    .mac_i,
    .link_tx_valid_o,
    .link_tx_o,
    .link_rx_i(link_rx_q),
    .nic_i(nic),
    .disk_on_i(1'b0),  // its controller has no way to the crossbar
    .disk_clk_i(1'b0),
    .disk_clk_req_o(no_disk_clk_req),
    .disk_sectors_i(64'd0),
    .disk_event_o(no_disk_event),
    .disk_queue_o(no_disk_queue),
    .disk_answer_i('0),
    .power_o
  );
  assign uart_rx_ready_o = uart_rx_ready && !uart_rx_q.valid;

  always_comb begin
    idle_o = 1'b0;
    if (core_idle == '1)
      idle_o = devices_idle && crossbar_quiescent && !uart_rx_q.valid && !dma_clk_req_o;
  end

endmodule
