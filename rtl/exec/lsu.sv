// SPDX-License-Identifier: Apache-2.0
// Loads, stores, LR, SC, AMOs and copies, one at a time, in two parts: lsu_address.sv translates the
// address, lsu_queue.sv does the access.
//
// valid_i is held with its operands until done_o or fault_o, which are
// combinational. A hit takes one cycle, an AMO two. While both are low, the access waits
// for a walk (walk_o), for a device (device_o), for the copy unit, or else for the L1D.

module lsu #(
  parameter bit Coherent = 1'b0  // other harts have caches
) (
  input logic clk_i,
  input logic rst_ni,

  // The instruction
  input  logic               valid_i,
  input  soc_pkg::executed_t executed_i,
  output logic               done_o,
  output logic [63:0]        value_o,              // for rd
  output logic               fault_o,
  output soc_pkg::cause_e    cause_o,
  input  logic               reservation_clear_i,  // a trap or xret ends the reservation
  output logic               copy_o,               // a copy
  output logic [63:0]        address_o,            // virtual, of the access or of the end of a copy
  input  logic [63:0]        length_i,             // of a copy, from its second cycle on

  // Valid with done_o: the access; also operands of the L1D. wdata_o is shifted to its
  // place in the aligned 8 bytes. Not a struct, which costs the simulator 1 % of all
  // instructions.
  output logic        load_o,
  output logic        store_o,
  output logic        device_o,
  output logic [55:0] pa_o,
  output logic [63:0] wdata_o,

  // The address space
  input soc_pkg::priv_e      priv_i,
  input soc_pkg::satp_t      satp_i,
  input soc_pkg::mstatus_t   status_i,

  // The data TLB, as in tlb.sv: a lookup of address_o
  output logic                tlb_lookup_o,
  output soc_pkg::space_e     space_o,
  output logic [15:0]         asid_o,
  input  logic                tlb_hit_i,
  input  soc_pkg::tlb_entry_t tlb_entry_i,
  output logic                tlb_drop_o,

  // Walker: walk_o is high until walk_done_i
  output logic                  walk_o,
  output soc_pkg::walk_req_t    walk_req_o,
  input  logic                  walk_done_i,
  input  soc_pkg::walk_result_t walk_result_i,

  // Devices, as in devices.sv
  output logic                    device_valid_o,
  input  logic                    device_ready_i,
  input  device_pkg::device_rsp_t device_rsp_i,

  // The copy unit, as in copy_unit.sv
  output logic                              copy_valid_o,
  output mem_pkg::copy_t                    copy_req_o,
  input  logic                              copy_done_i,
  input  logic [mem_pkg::CopyCountBits-1:0] copy_count_i,

  // The L1D, as in dcache.sv, with address pa_o and data wdata_o; and its probes, which may
  // end a reservation
  output logic            cache_req_o,
  output logic            cache_write_o,
  output logic            cache_store_o,
  output logic            cache_amo_o,
  output logic [63:0]     cache_wmask_o,
  input  logic            cache_hit_i,
  input  logic [63:0]     cache_rdata_i,
  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
  output logic            probe_reserved_o,   // as in reservation.sv
  output logic            probe_stall_o,
  output logic            reservation_quiescent_o
);

  // The address: of a copy first that of its source, then that of its destination
  logic address_valid, write, destination, used;
  logic [63:0] va;
  always_comb begin
    va = executed_i.result;
    if (destination) va = executed_i.b;
  end
  assign address_o = va;

  soc_pkg::translated_t access;
  assign tlb_drop_o = access.single_use && used;

  logic address_fault, access_fault;
  lsu_address u_address (
    .valid_i      (address_valid),
    .write_i      (write),
    .size_i       (executed_i.fields.width.size),
    .va_i         (va),
    .priv_i, .satp_i, .status_i,
    .lookup_o     (tlb_lookup_o),
    .space_o, .asid_o, .tlb_hit_i, .tlb_entry_i,
    .walk_o, .walk_req_o, .walk_done_i, .walk_result_i,
    .access_o     (access),
    .fault_o      (address_fault),
    .cause_o
  );

  lsu_queue #(
    .Coherent(Coherent)
  ) u_queue (
    .clk_i, .rst_ni,
    .valid_i, .executed_i,
    .end_i        (address_fault),
    .done_o, .value_o,
    .fault_o      (access_fault),
    .reservation_clear_i, .copy_o, .length_i,
    .lookup_o     (address_valid),
    .write_o      (write),
    .destination_o(destination),
    .used_o       (used),
    .access_i     (access),
    .load_o, .store_o, .wdata_o,
    .device_valid_o, .device_ready_i, .device_rsp_i,
    .copy_valid_o, .copy_req_o, .copy_done_i, .copy_count_i,
    .cache_req_o, .cache_write_o, .cache_store_o, .cache_amo_o, .cache_wmask_o,
    .cache_hit_i, .cache_rdata_i,
    .probe_valid_i, .probe_i, .probe_reserved_o, .probe_stall_o, .reservation_quiescent_o
  );

  assign fault_o = address_fault || access_fault;
  assign device_o = access.device;
  assign pa_o = access.pa;

  `ASSERT_HELD(walk_stands, walk_o, walk_done_i, walk_req_o)
  `ASSERT_IF(no_walk_with_answer, !done_o, walk_o)

endmodule
