// SPDX-License-Identifier: Apache-2.0
// The registers of the disk: a block device of VIRTIO 1.2 behind virtio-mmio version 2, with
// one queue. sim/README.md describes what a driver sees.
//
// The controller, which reads and writes the queue and the data in memory, and the medium are
// outside of the SoC, as L2 and DRAM are: sim/verilated/disk_queue.h. After a store, event_o
// tells it for a cycle to look for requests, or that the queue is no longer that of before; then
// queue_o is constant while the queue is ready. answer_i says that a request has been served,
// for an interrupt, or that the driver has broken the rules. What the controller answered before
// it saw that the queue has ended is ignored.
//
// access_i is high for one cycle per access of 4 aligned bytes. rdata_o is valid in the next one,
// at whose end the access takes effect. Between two accesses there is at least one cycle.
// disk_clk_i is clk_i, but may be stopped in cycles in which clk_req_o is low, except in reset:
// then nothing changes. irq_o changes only in a cycle with clk_req_o. As in nic.sv, nothing
// outside depends on registers of disk_clk_i combinationally but rdata_o and the ports.

module disk (
  input logic        clk_i,
  input logic        disk_clk_i,
  input logic        rst_ni,
  input logic        on_i,       // 0: not there; constant from the first cycle of reset on
  input logic [63:0] sectors_i,  // of 512 bytes: sampled in reset

  input  logic        access_i,
  input  logic        write_i,
  input  logic [11:2] offset_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic irq_o,
  output logic clk_req_o,

  // Controller
  output device_pkg::disk_event_t  event_o,
  output device_pkg::disk_queue_t  queue_o,
  input  device_pkg::disk_answer_t answer_i
);

  // Byte offsets of the registers
  localparam logic [11:0] MagicValue = 12'h000;
  localparam logic [11:0] Version = 12'h004;
  localparam logic [11:0] DeviceId = 12'h008;
  localparam logic [11:0] VendorId = 12'h00c;
  localparam logic [11:0] DeviceFeatures = 12'h010;
  localparam logic [11:0] DeviceFeaturesSel = 12'h014;
  localparam logic [11:0] DriverFeatures = 12'h020;
  localparam logic [11:0] DriverFeaturesSel = 12'h024;
  localparam logic [11:0] QueueSel = 12'h030;
  localparam logic [11:0] QueueNumMax = 12'h034;
  localparam logic [11:0] QueueNum = 12'h038;
  localparam logic [11:0] QueueReady = 12'h044;
  localparam logic [11:0] QueueNotify = 12'h050;
  localparam logic [11:0] InterruptStatus = 12'h060;
  localparam logic [11:0] InterruptAck = 12'h064;
  localparam logic [11:0] Status = 12'h070;
  localparam logic [11:0] QueueDescLow = 12'h080;
  localparam logic [11:0] QueueDescHigh = 12'h084;
  localparam logic [11:0] QueueDriverLow = 12'h090;
  localparam logic [11:0] QueueDriverHigh = 12'h094;
  localparam logic [11:0] QueueDeviceLow = 12'h0a0;
  localparam logic [11:0] QueueDeviceHigh = 12'h0a4;
  localparam logic [11:0] Capacity = 12'h100;
  localparam logic [11:0] CapacityHigh = 12'h104;
  localparam logic [11:0] SegMax = 12'h10c;

  localparam logic [31:0] Entries = 32'd128;  // of the queue, at most
  localparam logic [31:0] OfferedLow = 32'h204;  // SEG_MAX, FLUSH
  localparam logic [31:0] OfferedHigh = 32'h1;  // VERSION_1
  localparam int unsigned DriverOk = 2;  // bits of Status
  localparam int unsigned FeaturesOk = 3;
  localparam int unsigned NeedsReset = 6;

  logic [31:0] offered_half_q, accepted_half_q, accepted_low_q, accepted_high_q, selected_q;
  logic [7:0] status_q, size_q;
  logic [1:0] interrupt_q;  // configuration, used ring
  logic ready_q;
  logic [63:0] descriptors_q, driver_q, device_q;

  // The access, a cycle later
  logic access_q, write_q;
  logic [11:2] offset_q;
  logic [31:0] wdata_q;
  logic [63:0] sectors_q;
  always_ff @(posedge disk_clk_i) begin
    access_q <= access_i && rst_ni;
    if (access_i) begin
      write_q <= write_i;
      offset_q <= offset_i;
      wdata_q <= wdata_i;
    end
    if (!rst_ni) sectors_q <= sectors_i;
  end

  logic [11:0] offset;
  logic write, clear, stop, notice, features_good, ready, set_queue, good_size;
  assign offset = {offset_q, 2'b00};
  assign write = access_q && write_q;
  assign clear = write && offset == Status && wdata_q == 32'd0;
  assign features_good = (accepted_low_q & ~OfferedLow) == 32'd0 && accepted_high_q == OfferedHigh;
  assign ready = wdata_q[0] && size_q != 8'd0;
  assign set_queue = selected_q == 32'd0 && !ready_q;
  assign good_size = wdata_q <= Entries && (wdata_q & (wdata_q - 32'd1)) == 32'd0;
  assign stop = clear || (write && offset == QueueReady && selected_q == 32'd0 && ready != ready_q);
  assign notice = write && offset == QueueNotify && wdata_q == 32'd0 && ready_q &&
                  status_q[DriverOk] && status_q[FeaturesOk] && !status_q[NeedsReset];

  // Reads
  always_comb begin
    rdata_o = 32'd0;
    unique case (offset)
      MagicValue: rdata_o = 32'h74726976;
      Version: rdata_o = 32'd2;
      DeviceId: rdata_o = 32'd2;
      VendorId: rdata_o = 32'h636f73;
      DeviceFeatures: begin
        if (offered_half_q == 32'd0) rdata_o = OfferedLow;
        if (offered_half_q == 32'd1) rdata_o = OfferedHigh;
      end
      QueueNumMax: if (selected_q == 32'd0) rdata_o = Entries;
      QueueReady: rdata_o = {31'd0, selected_q == 32'd0 && ready_q};
      InterruptStatus: rdata_o = {30'd0, interrupt_q};
      Status: rdata_o = {24'd0, status_q};
      12'h0b0, 12'h0b4, 12'h0b8, 12'h0bc: rdata_o = 32'hffffffff;  // no shared memory
      Capacity: rdata_o = sectors_q[31:0];
      CapacityHigh: rdata_o = sectors_q[63:32];
      SegMax: rdata_o = Entries - 32'd2;  // besides header and status
      default: ;
    endcase
  end

  // Events
  logic start_q, stop_q, stopped_q;
  always_ff @(posedge disk_clk_i) begin
    start_q <= notice && rst_ni;
    stop_q <= stop && rst_ni;
    stopped_q <= stop_q && rst_ni;
  end

  // Writes
  always_ff @(posedge disk_clk_i) begin
    if (write) begin
      unique case (offset)
        DeviceFeaturesSel: offered_half_q <= wdata_q;
        DriverFeatures: begin
          if (!status_q[FeaturesOk] && accepted_half_q == 32'd0) accepted_low_q <= wdata_q;
          if (!status_q[FeaturesOk] && accepted_half_q == 32'd1) accepted_high_q <= wdata_q;
        end
        DriverFeaturesSel: accepted_half_q <= wdata_q;
        QueueSel: selected_q <= wdata_q;
        QueueNum: if (set_queue) size_q <= good_size ? wdata_q[7:0] : 8'd0;
        QueueReady: if (selected_q == 32'd0) ready_q <= ready;
        InterruptAck: interrupt_q <= interrupt_q & ~wdata_q[1:0];
        Status: begin
          status_q <= wdata_q[7:0];
          status_q[NeedsReset] <= status_q[NeedsReset];
          status_q[FeaturesOk] <= wdata_q[FeaturesOk] && features_good;
        end
        QueueDescLow: if (set_queue) descriptors_q[31:0] <= wdata_q;
        QueueDescHigh: if (set_queue) descriptors_q[63:32] <= wdata_q;
        QueueDriverLow: if (set_queue) driver_q[31:0] <= wdata_q;
        QueueDriverHigh: if (set_queue) driver_q[63:32] <= wdata_q;
        QueueDeviceLow: if (set_queue) device_q[31:0] <= wdata_q;
        QueueDeviceHigh: if (set_queue) device_q[63:32] <= wdata_q;
        default: ;
      endcase
    end
    if (!stop_q && !stopped_q) begin
      if (answer_i.used) interrupt_q[0] <= 1'b1;
      if (answer_i.fault) begin
        interrupt_q[1] <= 1'b1;
        status_q[NeedsReset] <= 1'b1;
      end
    end
    if (clear || !rst_ni) begin
      offered_half_q <= 32'd0;
      accepted_half_q <= 32'd0;
      accepted_low_q <= 32'd0;
      accepted_high_q <= 32'd0;
      selected_q <= 32'd0;
      status_q <= 8'd0;
      interrupt_q <= 2'd0;
      size_q <= 8'd0;
      ready_q <= 1'b0;
      descriptors_q <= 64'd0;
      driver_q <= 64'd0;
      device_q <= 64'd0;
    end
  end

  // The clock and the interrupt
  logic awake_q, irq_q;
  always_comb begin
    clk_req_o = 1'b0;
    if (on_i) clk_req_o = access_i || answer_i != '0 || awake_q;
  end
  always_ff @(posedge clk_i) begin
    if (on_i) begin
      if (clk_req_o || !rst_ni) begin
        awake_q <= access_i || answer_i != '0 || access_q || start_q || stop_q || stopped_q ||
                   irq_q != (interrupt_q != 2'd0) || !rst_ni;
        irq_q <= interrupt_q != 2'd0;
      end
    end
  end
  assign irq_o = on_i && irq_q;
  assign event_o = {size_q, stop_q, start_q};
  assign queue_o = {descriptors_q, driver_q, device_q};

endmodule
