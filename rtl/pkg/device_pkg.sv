// SPDX-License-Identifier: Apache-2.0
// Types of the bus, of the devices, and of the wires to and from them.

package device_pkg;

  // The devices, in the order of the address map in bus.sv.
  localparam int unsigned Devices = 6;
  typedef enum logic [2:0] {
    DeviceUart = 3'd0,
    DeviceClint = 3'd1,
    DevicePlic = 3'd2,
    DevicePower = 3'd3,
    DeviceNic = 3'd4,
    DeviceDisk = 3'd5
  } device_e;

  // A row of the address map.
  typedef struct packed {
    logic [3:0]  sizes;  // accepted access sizes, indexed by soc_pkg::size_e
    logic [55:0] base;
    logic [55:0] size;
  } region_t;

  // A request to a device, without the data of a write, and its response. Data are
  // right-aligned.
  localparam int unsigned DeviceReqBits = 59;
  typedef struct packed {
    logic        write;
    logic [1:0]  size;  // soc_pkg::size_e
    logic [55:0] addr;
  } device_req_t;

  typedef struct packed {
    logic        error;
    logic [63:0] rdata;
  } device_rsp_t;

  // Interrupt lines of a hart.
  localparam int unsigned IrqBits = 4;
  typedef struct packed {
    logic meip;
    logic seip;
    logic mtip;
    logic msip;
  } irq_t;

  // A byte of the serial line.
  typedef struct packed {
    logic       valid;
    logic [7:0] data;
  } serial_t;

  // What the registers of the disk tell its controller: entries of the queue, which has ended,
  // or which has requests; and its addresses, those of QueueDesc, QueueDriver and QueueDevice.
  typedef struct packed {
    logic [7:0] size;
    logic       stop;
    logic       start;
  } disk_event_t;

  typedef struct packed {
    logic [63:0] descriptors;
    logic [63:0] driver;
    logic [63:0] device;
  } disk_queue_t;

  // What the controller answers: a request is served, for an interrupt; the rules are broken.
  typedef struct packed {
    logic fault;
    logic used;
  } disk_answer_t;

  // The value that software wrote to the power register.
  typedef struct packed {
    logic        valid;
    logic [31:0] value;
  } power_t;

endpackage
