// SPDX-License-Identifier: Apache-2.0
// The accesses of loads, stores, LR, SC, AMOs and copies, whose addresses lsu_address.sv
// translates: reservation, and the paths to the L1D, to devices and to the copy unit. Here
// the queue has one entry, the oldest instruction of the core, which a fault or an interrupt
// can no longer drop.
//
// valid_i is held with its operands until done_o or fault_o, which are combinational; the
// core ends it, too, if the address has a fault (end_i). lookup_o: the address of this cycle
// is wanted, for write_o or else to read. A hit takes one cycle, an AMO two. While done_o and
// fault_o are low and the address is translated, the access waits for a device
// (device_valid_o), for the copy unit, or else for the L1D.
//
// A copy has the address of its source and, as data, that of its destination. Its length is
// known in the second cycle. Then the source is translated as for a load, and after it the
// destination as for a store (destination_o); then the copy unit begins. Without a length
// nothing is translated. What copies need is registered, so that the others cost a simulator
// little.

module lsu_queue #(
  parameter bit Coherent = 1'b0  // other harts have caches
) (
  input logic clk_i,
  input logic rst_ni,

  // The instruction
  input  logic               valid_i,
  input  soc_pkg::executed_t executed_i,
  input  logic               end_i,
  output logic               done_o,
  output logic [63:0]        value_o,              // for rd
  output logic               fault_o,              // an access fault
  input  logic               reservation_clear_i,  // a trap or xret ends the reservation
  output logic               copy_o,               // a copy
  input  logic [63:0]        length_i,             // of a copy, from its second cycle on

  // Its address; used_o: the translation is of no more use
  output logic                 lookup_o,
  output logic                 write_o,
  output logic                 destination_o,
  output logic                 used_o,
  input  soc_pkg::translated_t access_i,

  // Valid with done_o: the access; also operands of the L1D. wdata_o is shifted to its
  // place in the aligned 8 bytes.
  output logic        load_o,
  output logic        store_o,
  output logic [63:0] wdata_o,

  // Devices, as in devices.sv
  output logic                    device_valid_o,
  input  logic                    device_ready_i,
  input  device_pkg::device_rsp_t device_rsp_i,

  // The copy unit, as in copy_unit.sv
  output logic                              copy_valid_o,
  output mem_pkg::copy_t                    copy_req_o,
  input  logic                              copy_done_i,
  input  logic [mem_pkg::CopyCountBits-1:0] copy_count_i,

  // The L1D, as in dcache.sv, with address access_i.pa and data wdata_o; and its probes, which
  // may end a reservation
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

  logic is_amo, is_sc, writes, atomic_or_copy, copy;
  // A copy: its length is not 0; its source is translated; it is done
  logic copy_nonzero_q, source_translated_q, copy_done_q;
  soc_pkg::size_e size;
  assign writes = executed_i.op.bits[0] || source_translated_q;
  assign atomic_or_copy = executed_i.op.bits[2:1] != 2'd0;
  always_comb begin
    is_amo = 1'b0;
    is_sc = 1'b0;
    copy = 1'b0;
    if (valid_i) begin
      if (atomic_or_copy) begin
        is_amo = executed_i.op.mem == soc_pkg::MemAmo;
        is_sc = executed_i.op.mem == soc_pkg::MemSc;
        copy = executed_i.op.bits[2:1] == 2'd3;
      end
    end
  end
  assign copy_o = copy;
  assign size = executed_i.fields.width.size;

  // The address
  logic ready;
  assign lookup_o = valid_i && (!copy || copy_nonzero_q);
  assign write_o = writes;
  assign destination_o = source_translated_q;
  assign used_o = done_o || fault_o || end_i || (copy && ready && !source_translated_q);
  assign ready = access_i.valid;

  // Reservation
  logic sc_fails;
  reservation #(
    .Coherent(Coherent)
  ) u_reservation (
    .clk_i,
    .rst_ni,
    .reserve_i       (done_o && executed_i.op.mem == soc_pkg::MemLr),
    .release_i       (reservation_clear_i || (done_o && writes)),
    .sc_i            (is_sc),
    .addr_i          (access_i.pa),
    .sc_fails_o      (sc_fails),
    .probe_valid_i,
    .probe_i,
    .probe_reserved_o(probe_reserved_o),
    .probe_stall_o   (probe_stall_o),
    .quiescent_o     (reservation_quiescent_o)
  );

  // Atomic accesses to devices are faults, and so are copies.
  logic device;
  assign device = ready && access_i.device;
  assign device_valid_o = device && !atomic_or_copy;

  // Copies
  logic length_valid_q, source_splits_q, copy_valid_q;
  logic [55:0] source_q;
  logic [mem_pkg::CopyCountBits-1:0] count_q;
  mem_pkg::copy_t copy_q;
  assign copy_valid_o = copy_valid_q;
  assign copy_req_o = copy_q;
  always_ff @(posedge clk_i) begin
    if (copy || !rst_ni) begin
      length_valid_q <= 1'b1;
      copy_nonzero_q <= length_valid_q && length_i != 64'd0;
      copy_done_q <= copy_done_i || (length_valid_q && length_i == 64'd0);
      copy_valid_q <= source_translated_q && ready && !device && !copy_done_i;
      if (ready && !device) begin
        source_translated_q <= 1'b1;
        if (source_translated_q) begin
          copy_q <= {source_splits_q, access_i.single_use, length_i, source_q, access_i.pa};
        end else begin
          source_q <= access_i.pa;
          source_splits_q <= access_i.single_use;
        end
      end
      if (copy_done_i) count_q <= copy_count_i;
      if (!rst_ni || done_o || fault_o || end_i) begin
        length_valid_q <= 1'b0;
        copy_nonzero_q <= 1'b0;
        source_translated_q <= 1'b0;
        copy_valid_q <= 1'b0;
        copy_done_q <= 1'b0;
      end
    end
  end

  // Cache
  logic [63:0] wdata;
  logic amo_read_q, amo_read_d;  // the old value of an AMO has been read
  assign cache_req_o = ready && !device && !sc_fails && !copy;
  assign cache_write_o = writes || (Coherent && executed_i.op.mem == soc_pkg::MemLr);
  assign cache_store_o = writes && (!is_amo || amo_read_q);
  assign cache_amo_o = is_amo && !amo_read_q;

  // Loads
  logic [63:0] shifted, loaded;
  always_comb begin
    shifted = '0;
    loaded = '0;
    if (ready) begin
      shifted = device ? device_rsp_i.rdata : cache_rdata_i >> {executed_i.result[2:0], 3'd0};
      case (executed_i.fields.width)
        {1'b0, soc_pkg::SizeByte}: loaded = {{56{shifted[7]}}, shifted[7:0]};
        {1'b0, soc_pkg::SizeHalf}: loaded = {{48{shifted[15]}}, shifted[15:0]};
        {1'b0, soc_pkg::SizeWord}: loaded = {{32{shifted[31]}}, shifted[31:0]};
        {1'b1, soc_pkg::SizeByte}: loaded = {56'd0, shifted[7:0]};
        {1'b1, soc_pkg::SizeHalf}: loaded = {48'd0, shifted[15:0]};
        {1'b1, soc_pkg::SizeWord}: loaded = {32'd0, shifted[31:0]};
        default: loaded = shifted;
      endcase
    end
  end

  // AMOs: the old value is kept for one cycle; if the line is lost in that cycle, the
  // value is read again.
  logic [63:0] amo_old_q, combined;
  amo_unit u_amo (
    .valid_i (amo_read_q),
    .op_i    (executed_i.fields.amo),
    .word_i  (size == soc_pkg::SizeWord),
    .old_i   (amo_old_q),
    .data_i  (executed_i.b),
    .result_o(combined)
  );
  always_comb begin
    amo_read_d = 1'b0;
    if (is_amo) amo_read_d = cache_hit_i && !amo_read_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) amo_read_q <= 1'b0;
    else amo_read_q <= amo_read_d;
    if (amo_read_d) amo_old_q <= loaded;
  end

  // Stores
  logic [63:0] unshifted;
  assign unshifted = is_amo ? combined : executed_i.b;
  always_comb begin
    wdata = '0;
    cache_wmask_o = '0;
    if (ready)
      if (writes) begin
        wdata = unshifted << {executed_i.result[2:0], 3'd0};
        case (size)
          soc_pkg::SizeByte: cache_wmask_o = 64'hff << {executed_i.result[2:0], 3'd0};
          soc_pkg::SizeHalf: cache_wmask_o = 64'hffff << {executed_i.result[2:0], 3'd0};
          soc_pkg::SizeWord: cache_wmask_o = 64'hffff_ffff << {executed_i.result[2:0], 3'd0};
          default: cache_wmask_o = '1;
        endcase
      end
  end

  // Results
  always_comb begin
    done_o = copy_done_q;
    fault_o = 1'b0;
    value_o = loaded;
    if (atomic_or_copy) begin
      if (is_sc) value_o = {63'd0, sc_fails};
      if (is_amo) value_o = amo_old_q;
      if (copy) value_o = copy_nonzero_q ? {51'd0, count_q} : 64'd0;
    end
    if (device) begin
      if (atomic_or_copy) begin
        fault_o = 1'b1;
      end else begin
        done_o = device_ready_i && !device_rsp_i.error;
        fault_o = device_ready_i && device_rsp_i.error;
      end
    end else if (ready) begin
      done_o = copy_done_q || sc_fails || (cache_hit_i && (!is_amo || amo_read_q));
    end
  end

  assign load_o = (!writes && !copy) || is_amo;
  assign store_o = writes && !sc_fails;
  assign wdata_o = wdata;

  `ASSERT_HELD(access_stands, valid_i, done_o || fault_o || end_i, executed_i)
  `ASSERT_HELD(device_access_stands, device_valid_o, device_ready_i, {access_i, executed_i.b})
  `ASSERT_HELD(copy_stands, copy_valid_o, copy_done_i, copy_req_o)
  `ASSERT_IF(ends_alone, !done_o && !fault_o, end_i)

endmodule
