// SPDX-License-Identifier: Apache-2.0
// The SoC: one hart with its L1 caches, and the devices. L2 and DRAM are outside.
//
// skip_i is an aid of simulation and 0 in hardware: while idle_o says that the next
// edge changes nothing but time (if no input changes), that edge may stand for
// 1 + skip_i cycles, up to the next step of mtime, tick_o cycles away.
//
// All inputs but skip_i, trace_on_i and trace_full_i are registered first: of the others
// nothing is combinational from input to output, which also spares a simulator the logic
// between inputs and registers.

module soc #(
  // 0: no trace port, to measure what it costs. What it does not keep anyway is 0.
  parameter bit TracePort = 1'b1,
  parameter bit Pmu = 1'b1  // 0: no counters of events, to measure what they cost
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] skip_i,
  output logic        idle_o,
  output logic [11:0] tick_o,
  input  logic [63:0] ram_size_i,  // bytes, from SOC_RAM_BASE: a strap

  // Lines for the L1I: 8 beats of ascending addresses after a request
  output logic        imem_req_o,
  output logic [55:0] imem_addr_o,
  input  logic        imem_valid_i,
  input  logic [63:0] imem_data_i,
  input  logic        imem_dram_i,  // the request has gone on to DRAM

  // Lines for the L1D; an upgrade takes one beat, without data
  output logic               dmem_req_valid_o,
  output soc_pkg::line_req_t dmem_req_o,
  input  logic               dmem_rsp_valid_i,
  input  soc_pkg::line_rsp_t dmem_rsp_i,
  input  logic               dmem_dram_i,

  // What the L1D gives back: victims before their request, data of probes
  output logic                wb_valid_o,
  output soc_pkg::writeback_t wb_o,

  // Probes: held until the ack; requests are answered without waiting for it
  input  logic            probe_valid_i,
  input  soc_pkg::probe_t probe_i,
  output logic            probe_ack_o,

  // Serial line: a byte is taken in a cycle with valid and ready; the one under way counts
  output logic       uart_tx_valid_o,
  output logic [7:0] uart_tx_data_o,
  input  logic       uart_rx_valid_i,
  input  logic [7:0] uart_rx_data_i,
  output logic       uart_rx_ready_o,

  output logic        power_valid_o,  // the target wrote the power register
  output logic [31:0] power_value_o,

  // Trace port, as in core.sv
  input  logic                   trace_clk_i,
  input  logic                   trace_on_i,
  input  logic                   trace_full_i,
  output logic                   trace_valid_o,
  output logic                   trace_trap_o,
  output logic                   trace_full_o,
  output logic [63:0]            trace_pc_o,
  output logic [31:0]            trace_insn_o,
  output soc_pkg::trace_detail_t trace_detail_o,
  output logic [63:0]            trace_value_o,  // of rd; tval of a trap
  output logic [55:0]            trace_addr_o,   // physical
  output logic [63:0]            trace_wdata_o,
  output soc_pkg::priv_e         trace_next_priv_o,
  output soc_pkg::class_e        trace_class_o,
  output logic [63:0]            trace_satp_o
);

  logic core_idle, devices_idle, uart_rx_ready;
  soc_pkg::irq_t irq_lines;
  logic [63:0] mtime;
  logic device_valid, device_ready;
  logic device_write;
  logic [55:0] device_addr;
  soc_pkg::size_e device_size;
  logic [63:0] device_wdata;
  soc_pkg::device_rsp_t device_rsp;

  logic rst_nq;
  logic [63:0] ram_size_q, imem_data_q;
  logic imem_valid_q, dmem_rsp_valid_q;
  soc_pkg::line_rsp_t dmem_rsp_q;
  logic probe_valid_q, uart_rx_valid_q;
  soc_pkg::probe_t probe_q;
  logic [7:0] uart_rx_data_q;
  always_ff @(posedge clk_i) begin
    rst_nq <= rst_ni;
    ram_size_q <= ram_size_i;
    imem_valid_q <= imem_valid_i && rst_ni;
    dmem_rsp_valid_q <= dmem_rsp_valid_i && rst_ni;
    probe_valid_q <= probe_valid_i && !probe_ack_o && rst_ni;
    uart_rx_valid_q <= uart_rx_valid_i && rst_ni;
    if (imem_valid_i) imem_data_q <= imem_data_i;
    if (dmem_rsp_valid_i) dmem_rsp_q <= dmem_rsp_i;
    if (probe_valid_i) probe_q <= probe_i;
    if (uart_rx_valid_i) uart_rx_data_q <= uart_rx_data_i;
  end
  always_comb begin
    idle_o = 1'b0;
    if (core_idle)
      idle_o = devices_idle && !imem_valid_q && !dmem_rsp_valid_q && !probe_valid_q &&
               !uart_rx_valid_q;
  end

  assign uart_rx_ready_o = uart_rx_ready && !uart_rx_valid_q;

  core #(
    .TracePort(TracePort),
    .Pmu(Pmu)
  ) u_core (
    .clk_i,
    .rst_ni(rst_nq),
    .skip_i,
    .ram_size_i(ram_size_q),
    .idle_o        (core_idle),
    .irq_lines_i   (irq_lines),
    .mtime_i       (mtime),
    .imem_req_o,
    .imem_addr_o,
    .imem_valid_i(imem_valid_q),
    .imem_data_i(imem_data_q),
    .imem_dram_i,
    .dmem_req_valid_o,
    .dmem_req_o,
    .dmem_rsp_valid_i(dmem_rsp_valid_q),
    .dmem_rsp_i(dmem_rsp_q),
    .dmem_dram_i,
    .wb_valid_o,
    .wb_o,
    .probe_valid_i(probe_valid_q),
    .probe_i(probe_q),
    .probe_ack_o,
    .device_valid_o(device_valid),
    .device_addr_o(device_addr),
    .device_write_o(device_write),
    .device_size_o(device_size),
    .device_wdata_o(device_wdata),
    .device_ready_i(device_ready),
    .device_rsp_i(device_rsp),
    .trace_valid_o,
    .trace_clk_i,
    .trace_on_i,
    .trace_full_i,
    .trace_trap_o,
    .trace_full_o,
    .trace_pc_o,
    .trace_insn_o,
    .trace_detail_o,
    .trace_value_o,
    .trace_addr_o,
    .trace_wdata_o,
    .trace_next_priv_o,
    .trace_class_o,
    .trace_satp_o
  );

  devices u_devices (
    .clk_i,
    .rst_ni(rst_nq),
    .skip_i,
    .idle_o (devices_idle),
    .valid_i(device_valid),
    .addr_i(device_addr),
    .write_i(device_write),
    .size_i(device_size),
    .wdata_i(device_wdata),
    .ready_o(device_ready),
    .rsp_o(device_rsp),
    .irq_lines_o(irq_lines),
    .mtime_o(mtime),
    .tick_o,
    .uart_tx_valid_o,
    .uart_tx_data_o,
    .uart_rx_valid_i(uart_rx_valid_q),
    .uart_rx_data_i(uart_rx_data_q),
    .uart_rx_ready_o(uart_rx_ready),
    .power_valid_o,
    .power_value_o
  );

endmodule
