// SPDX-License-Identifier: Apache-2.0
// The address of a load, store or AMO: alignment, translation, permission, and the walk or
// the fault that follows. A core has one for each access that it translates in a cycle, each
// with a lookup of the data TLB; lsu_queue.sv does the access.
//
// Combinational. While valid_i is high, either fault_o is high, or access_o.valid with the
// translated address, or walk_o, which waits for a walk and is high until walk_done_i: then
// the walk has failed (fault_o), or the next lookup hits.

module lsu_address (
  // The access
  input logic           valid_i,
  input logic           write_i,  // a store or AMO
  input soc_pkg::size_e size_i,
  input logic [63:0]    va_i,

  // Its address space
  input soc_pkg::priv_e    priv_i,
  input soc_pkg::satp_t    satp_i,
  input soc_pkg::mstatus_t status_i,

  // The data TLB, as in tlb.sv
  output logic                lookup_o,
  output soc_pkg::space_e     space_o,
  output logic [15:0]         asid_o,
  input  logic                tlb_hit_i,
  input  soc_pkg::tlb_entry_t tlb_entry_i,

  // Walker
  output logic                  walk_o,
  output soc_pkg::walk_req_t    walk_req_o,
  input  logic                  walk_done_i,
  input  soc_pkg::walk_result_t walk_result_i,

  output soc_pkg::translated_t access_o,
  output logic                 fault_o,
  output soc_pkg::cause_e      cause_o    // without fault_o: that of an access fault
);

  logic misaligned;
  always_comb begin
    misaligned = 1'b0;
    if (valid_i) begin
      case (size_i)
        soc_pkg::SizeByte: misaligned = 1'b0;
        soc_pkg::SizeHalf: misaligned = va_i[0];
        soc_pkg::SizeWord: misaligned = va_i[1:0] != 2'd0;
        default: misaligned = va_i[2:0] != 3'd0;
      endcase
    end
  end

  soc_pkg::space_e space;
  always_comb begin
    space = soc_pkg::SpaceMachine;
    if (priv_i != soc_pkg::PrivM)
      space = satp_i.translates ? soc_pkg::SpaceSv39 : soc_pkg::SpaceBare;
  end
  logic lookup, allowed;
  assign lookup = valid_i && !misaligned;
  assign lookup_o = lookup;
  assign space_o = space;
  always_comb begin
    asid_o = '0;
    if (lookup)
      if (space == soc_pkg::SpaceSv39) asid_o = satp_i.asid;
  end
  always_comb begin
    allowed = 1'b0;
    if (tlb_hit_i) begin
      if (priv_i == soc_pkg::PrivU) allowed = tlb_entry_i.flags.user;
      else allowed = tlb_entry_i.flags.supervisor || (tlb_entry_i.flags.user && status_i.sum);
      if (write_i) allowed = allowed && tlb_entry_i.flags.w;
      else
        allowed = allowed && (tlb_entry_i.flags.r || (tlb_entry_i.flags.xr && status_i.mxr));
    end
  end
  always_comb begin
    access_o = '0;
    if (lookup) begin
      access_o.valid = allowed;
      access_o.device = tlb_entry_i.flags.device;
      access_o.single_use = tlb_entry_i.flags.single_use;
      access_o.pa = {tlb_entry_i.ppn, va_i[11:0]};
    end
  end
  assign walk_o = lookup && !allowed;
  assign walk_req_o.access = write_i ? soc_pkg::AccessStore : soc_pkg::AccessLoad;
  assign walk_req_o.size = size_i;
  assign walk_req_o.priv = priv_i;
  assign walk_req_o.space = space;
  assign walk_req_o.asid = asid_o;
  assign walk_req_o.va = va_i;

  always_comb begin
    fault_o = 1'b0;
    cause_o = write_i ? soc_pkg::CauseStoreAccess : soc_pkg::CauseLoadAccess;
    if (misaligned) begin
      fault_o = 1'b1;
      cause_o = write_i ? soc_pkg::CauseStoreMisaligned : soc_pkg::CauseLoadMisaligned;
    end else if (walk_o) begin
      fault_o = walk_done_i && walk_result_i.fault;
      if (walk_result_i.page_fault)
        cause_o = write_i ? soc_pkg::CauseStorePage : soc_pkg::CauseLoadPage;
    end
  end

endmodule
