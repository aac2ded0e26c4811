// SPDX-License-Identifier: Apache-2.0
// The SoC: one hart with its L1 caches, and the devices. L2 and DRAM are outside.
//
// skip_i is a simulation aid, 0 in hardware: while idle_o says that the next
// edge changes nothing but time (if no input changes), that edge may stand for
// 1 + skip_i cycles, up to the next increment of mtime, tick_o cycles away.
//
// All inputs but skip_i, the straps float_on_i, mac_i and disk_sectors_i, the settings of the trace
// port and mem_dram_i are registered here, so that no output depends on them combinationally.
// This also saves a simulator the logic between inputs and registers. The copy unit registers
// its answers itself.

module soc #(
  // 0: no trace port, to measure its cost; outputs that nothing else needs are 0
  parameter bit TracePort = 1'b1,
  parameter bit Pmu = 1'b1,  // 0: no event counters, to measure their cost
  parameter bit Float = 1'b1,  // 0: no F and D: RV64IMAC
  parameter int unsigned Commits = soc_pkg::Commits,  // lanes of the trace port
  // The harts, as in config_pkg.sv
  parameter int unsigned Cores = 32'(config_pkg::CoreInorder),  // bit 0: the core_e of the hart
  parameter int unsigned L1iSets = config_pkg::L1iSets,
  parameter int unsigned L1iWays = config_pkg::L1iWays,
  parameter int unsigned L1dSets = config_pkg::L1dSets,
  parameter int unsigned L1dWays = config_pkg::L1dWays,
  parameter int unsigned L1dMisses = 1,
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
  input  logic [63:0] ram_size_i,  // bytes, from SOC_RAM_BASE: a strap, sampled in reset
  input  logic        float_on_i,  // F and D can be used, with Float: a strap, sampled in reset
  input  logic        float_clk_i,  // clk_i; may be stopped while float_clk_req_o is low
  output logic        float_clk_req_o,
  input  logic        copy_on_i,  // cpy can be used: a strap, sampled in reset
  input  logic        copy_clk_i,  // clk_i; may be stopped while copy_clk_req_o is low
  output logic        copy_clk_req_o,

  // Lines for the L1I: 8 beats of ascending addresses after a request
  output logic        imem_req_o,
  output logic [55:0] imem_addr_o,
  input  logic        imem_valid_i,
  input  logic [63:0] imem_data_i,

  // Lines for the L1D; an upgrade takes one beat, without data
  output logic               dmem_req_valid_o,
  output mem_pkg::line_req_t dmem_req_o,
  input  logic               dmem_rsp_valid_i,
  input  mem_pkg::line_rsp_t dmem_rsp_i,

  input mem_pkg::mem_dram_t mem_dram_i,

  // Write-backs of the L1D: victims, before the request of the new line or, with several misses
  // at a time, from that cycle on; probed data
  output logic                wb_valid_o,
  output mem_pkg::writeback_t wb_o,

  // Probes: held until the ack; requests are answered without waiting for it
  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
  output logic            probe_ack_o,

  // DMA at the L2, of the network interface and the copy unit, as in README.md: requests for
  // lines to read and write, beats of the lines written with the request or after it, beats of
  // the lines read, lines that are written
  output logic                          dma_req_valid_o,
  output mem_pkg::dma_req_t             dma_req_o,
  output logic                          dma_beat_valid_o,
  output mem_pkg::dma_beat_t            dma_beat_o,
  input  mem_pkg::dma_rsp_t             dma_rsp_i,
  input  logic [mem_pkg::DmaIdBits-1:0] dma_done_id_i,

  // The network interface: nic_on_i is a strap, sampled in reset, which enables it; its clock, which
  // is clk_i, and may be stopped while nic_clk_req_o is low
  input  logic nic_on_i,
  input  logic nic_clk_i,
  output logic nic_clk_req_o,

  // Its link: a word of a frame in each cycle with valid. A word is sent only if the link was
  // ready three cycles before. mac_i is a strap, sampled in reset
  input  logic [47:0]     mac_i,
  output logic            link_tx_valid_o,
  output nic_pkg::link_t  link_tx_o,
  input  nic_pkg::link_t  link_rx_i,
  input  nic_pkg::input_t nic_i,  // what is valid: dma_rsp_i, dma_done_id_i, link_rx_i

  // Serial line: a byte is taken in a cycle with valid and ready
  output device_pkg::serial_t uart_tx_o,
  input  device_pkg::serial_t uart_rx_i,
  output logic                uart_rx_ready_o,

  output device_pkg::power_t power_o,

  // The disk, as in disk.sv: disk_on_i and disk_sectors_i are straps, sampled in reset; its clock,
  // which is clk_i, and may be stopped while disk_clk_req_o is low; its controller, whose answers
  // are registered here
  input  logic                     disk_on_i,
  input  logic                     disk_clk_i,
  output logic                     disk_clk_req_o,
  input  logic [63:0]              disk_sectors_i,
  output device_pkg::disk_event_t  disk_event_o,
  output device_pkg::disk_queue_t  disk_queue_o,
  input  device_pkg::disk_answer_t disk_answer_i,

  // Trace port, as in hart.sv
  input  logic                                        trace_clk_i,
  input  logic                                        class_clk_i,
  input  soc_pkg::trace_mode_t                        trace_mode_i,
  output logic [Commits*soc_pkg::TraceEventBits-1:0]  trace_event_o,
  output logic [Commits-1:0]                          trace_full_o,
  output logic [Commits*soc_pkg::TraceTokenBits-1:0]  trace_token_o,
  output logic [Commits*soc_pkg::TraceDetailBits-1:0] trace_detail_o,
  output logic [Commits*soc_pkg::TraceClassBits-1:0]  trace_class_o
);

  localparam int unsigned LineBits = mem_pkg::DmaLineBits;
  localparam int unsigned MasterBits = mem_pkg::DmaMasterBits;

  logic core_idle, devices_idle, uart_rx_ready;
  device_pkg::irq_t irq_lines;
  logic [63:0] mtime;
  logic device_valid, device_ready;
  device_pkg::device_req_t device_req;
  logic [63:0] device_wdata;
  device_pkg::device_rsp_t device_rsp;

  logic rst_nq;
  logic [63:0] ram_size_q, imem_data_q;
  logic imem_valid_q, dmem_rsp_valid_q;
  mem_pkg::line_rsp_t dmem_rsp_q;
  logic probe_valid_q;
  mem_pkg::probe_t probe_q;
  device_pkg::serial_t uart_rx_q;
  logic nic_on_q, copy_on_q;
  nic_pkg::input_t nic_q;
  mem_pkg::dma_rsp_t dma_rsp_q;
  logic [mem_pkg::DmaIdBits-1:0] dma_done_id_q;
  nic_pkg::link_t link_rx_q;
  logic disk_on_q;
  device_pkg::disk_answer_t disk_answer_q;
  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    if (!rst_nq) begin  // straps
      ram_size_q <= ram_size_i;
      nic_on_q <= nic_on_i;
      copy_on_q <= copy_on_i;
      disk_on_q <= disk_on_i;
    end
    if (disk_on_q) disk_answer_q <= disk_answer_i;
    imem_valid_q <= imem_valid_i && rst_ni;
    dmem_rsp_valid_q <= dmem_rsp_valid_i && rst_ni;
    probe_valid_q <= probe_valid_i && !probe_ack_o && rst_ni;
    uart_rx_q <= {uart_rx_i.valid && rst_ni, uart_rx_i.data};
    if (imem_valid_i) imem_data_q <= imem_data_i;
    if (dmem_rsp_valid_i) dmem_rsp_q <= dmem_rsp_i;
    if (probe_valid_i) probe_q <= probe_i;
    if (nic_on_q) begin
      nic_q <= nic_i;
      if (nic_i.dma_rsp || nic_i.dma_done || nic_i.link_rx) begin
        dma_rsp_q <= dma_rsp_i;
        dma_done_id_q <= dma_done_id_i;
        link_rx_q <= link_rx_i;
        // Answers to the copy unit are not for the network interface
        if (dma_rsp_i.id[LineBits+:MasterBits] != mem_pkg::DmaMasterNic) nic_q.dma_rsp <= 1'b0;
        if (dma_done_id_i[LineBits+:MasterBits] != mem_pkg::DmaMasterNic) nic_q.dma_done <= 1'b0;
      end
    end
  end
  always_comb begin
    idle_o = 1'b0;
    if (core_idle)
      idle_o = devices_idle && !imem_valid_q && !dmem_rsp_valid_q && !probe_valid_q &&
               !uart_rx_q.valid;
  end

  assign uart_rx_ready_o = uart_rx_ready && !uart_rx_q.valid;

  hart #(
    .Core(Cores[0]),
    .TracePort(TracePort),
    .Pmu(Pmu),
    .Float(Float),
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
    .clk_i,
    .time_clk_i(clk_i),
    .rst_ni(rst_nq),
    .skip_i,
    .hart_id_i(64'd0),
    .ram_size_i(ram_size_q),
    .float_on_i,
    .float_clk_i,
    .float_clk_req_o,
    .copy_on_i(copy_on_q),
    .idle_o        (core_idle),
    .irq_lines_i   (irq_lines),
    .mtime_i       (mtime),
    .imem_req_o,
    .imem_addr_o,
    .imem_valid_i(imem_valid_q),
    .imem_data_i(imem_data_q),
    .dmem_req_valid_o,
    .dmem_req_o,
    .dmem_rsp_valid_i(dmem_rsp_valid_q),
    .dmem_rsp_i(dmem_rsp_q),
    .dmem_rsp_ready_o(rsp_ready),
    .mem_dram_i,
    .wb_valid_o,
    .wb_o,
    .wb_ready_i(1'b1),
    .probe_valid_i(probe_valid_q),
    .probe_i(probe_q),
    .probe_ack_o,
    .probe_kept_o(probe_kept),
    .device_valid_o(device_valid),
    .device_req_o(device_req),
    .device_wdata_o(device_wdata),
    .device_ready_i(device_ready),
    .device_rsp_i(device_rsp),
    .copy_valid_o(copy_clk_req_o),
    .copy_o(copy),
    .copy_done_i(copy_done),
    .copy_count_i(copy_count),
    .trace_clk_i,
    .class_clk_i,
    .trace_mode_i,
    .trace_event_o,
    .trace_full_o,
    .trace_token_o,
    .trace_detail_o,
    .trace_class_o
  );

  // Copies, and the DMA port, which the copy unit shares with the network interface
  mem_pkg::copy_t copy;
  logic copy_done;
  logic [mem_pkg::CopyCountBits-1:0] copy_count;
  logic nic_req_valid, nic_beat_valid, nic_ready, copy_req_valid, copy_beat_valid, copy_ready;
  mem_pkg::dma_req_t nic_req, copy_req;
  mem_pkg::dma_beat_t nic_beat, copy_beat;
  copy_unit u_copy (
    .clk_i(copy_clk_i),
    .rst_ni(rst_nq),
    .valid_i(copy_clk_req_o),
    .copy_i(copy),
    .done_o(copy_done),
    .count_o(copy_count),
    .dma_req_valid_o(copy_req_valid),
    .dma_req_o(copy_req),
    .dma_beat_valid_o(copy_beat_valid),
    .dma_beat_o(copy_beat),
    .dma_ready_i(copy_ready),
    .dma_rsp_valid_i(nic_i.dma_rsp),
    .dma_rsp_i,
    .dma_done_valid_i(nic_i.dma_done),
    .dma_done_id_i
  );
  dma_arbiter u_dma_arbiter (
    .clk_i(copy_clk_i),
    .rst_ni(rst_nq),
    .a_req_valid_i(nic_req_valid),
    .a_req_i(nic_req),
    .a_beat_valid_i(nic_beat_valid),
    .a_beat_i(nic_beat),
    .a_ready_o(nic_ready),
    .b_req_valid_i(copy_req_valid),
    .b_req_i(copy_req),
    .b_beat_valid_i(copy_beat_valid),
    .b_beat_i(copy_beat),
    .b_ready_o(copy_ready),
    .req_valid_o(dma_req_valid_o),
    .req_o(dma_req_o),
    .beat_valid_o(dma_beat_valid_o),
    .beat_o(dma_beat_o),
    .ready_i(1'b1)
  );

  // For more harts only
  logic rsp_ready, probe_kept, unused;
  assign unused = ^{rsp_ready, probe_kept};

  // The bus in here is that of the devices, whose only master is the hart.
  devices #(
    .Harts(soc_map_pkg::SOC_HARTS[31:0]),
    .Masters(soc_map_pkg::SOC_HARTS[31:0]),
    .Disk(1'b1)
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
    .nic_clk_req_o,
    .dma_req_valid_o(nic_req_valid),
    .dma_req_o(nic_req),
    .dma_beat_valid_o(nic_beat_valid),
    .dma_beat_o(nic_beat),
    .dma_ready_i(nic_ready),
    .dma_rsp_i(dma_rsp_q),
    .dma_done_id_i(dma_done_id_q),
    .mac_i,
    .link_tx_valid_o,
    .link_tx_o,
    .link_rx_i(link_rx_q),
    .nic_i(nic_q),
    .disk_on_i(disk_on_q),
    .disk_clk_i,
    .disk_clk_req_o,
    .disk_sectors_i,
    .disk_event_o,
    .disk_queue_o,
    .disk_answer_i(disk_answer_q),
    .power_o
  );

endmodule
