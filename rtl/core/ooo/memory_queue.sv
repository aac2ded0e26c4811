// SPDX-License-Identifier: Apache-2.0
// The loads and stores of the window: in which order they affect each other, whatever the order in
// which they are executed. Stores write the L1D when they commit, so that memory always has the
// state behind the oldest instruction of the window.
//
// Dispatch. load_i and store_i are the lanes with a load or a store. Each lane has two indexes,
// load_index_o and store_index_o: the numbers of loads and of stores before it. The core keeps
// them for its access, and to squash at it. ready_o: the lanes up to this one fit; dispatch_i: the
// lanes that dispatch at this edge.
//
// Access. At most one a cycle, of an instruction between dispatch and commit, with its physical
// address, which is aligned; answered in the same cycle. A store is always done_o, once. A load
// gets value_o, the register's value, if it is done_o; else the core tries again later. If an older
// store has all its bytes, the load gets those of the youngest store that has any of them
// (forwarded_o), else it reads the L1D, which answers cache_req_o in the same cycle with the aligned
// 8 bytes. A load waits while the youngest store with any of its bytes does not have all of them.
// It passes older stores that have no address yet, unless wait_i is set and one of them may have its
// bytes. If such a store then turns out to have them, the access of the store answers violation_o,
// with the oldest load that is wrong: the core must squash at that load, before it commits.
//
// Commit. The oldest store, if it has an address, is shown by write_valid_o with the bytes to
// write. commit_store_i removes the oldest store, after or while the L1D writes it;
// commit_loads_i, of the oldest loads, is a number. Accesses to devices do not use this module: their
// entries commit without an access.
//
// Marks. When a line leaves the L1D (probe_i, evict_i), loads that have read it, in this cycle or
// before, and have not committed may no longer be right; those that were forwarded too, since the
// store may commit first. marked_o has the oldest loads, the oldest first, and is to be read for the loads that
// commit: a load that is marked must not commit, but is squashed and executed again. A load that
// commits in the cycle in which its line leaves is not affected. Instructions that write memory
// otherwise than by a store, such as AMOs, tell their line in the same way.
//
// A squash removes the loads and stores from these indexes on: at the first instruction that leaves.

module memory_queue #(
  parameter int unsigned Width = 4,  // instructions that are dispatched or commit in a cycle, 1 to 4
  parameter int unsigned Queue = 16  // loads, and stores: 2, 4, 8 or 16
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch
  input  logic [Width-1:0]                    load_i,
  input  logic [Width-1:0]                    store_i,
  output logic [Width-1:0]                    ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] load_index_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] store_index_o,
  input  logic [Width-1:0]                    dispatch_i,

  // Access
  input  logic            access_i,
  input  logic            access_store_i,   // else a load
  input  ooo_pkg::index_t access_load_index_i,
  input  ooo_pkg::index_t access_store_index_i,
  input  ooo_pkg::slot_t  access_slot_i,
  input  logic [55:0]     access_addr_i,
  input  soc_pkg::width_t access_width_i,
  input  logic [63:0]     access_data_i,    // of a store
  input  logic            access_wait_i,
  output logic            done_o,
  output logic            forwarded_o,
  output logic [63:0]     value_o,
  output logic            violation_o,
  output ooo_pkg::slot_t  violation_slot_o,

  // The L1D: reads of loads
  output logic        cache_req_o,
  input  logic        cache_hit_i,
  input  logic [63:0] cache_rdata_i,

  // Commit; write_bytes_o are the bytes of write_data_o that are written
  input  logic [2:0]       commit_loads_i,
  input  logic             commit_store_i,
  output logic [Width-1:0] marked_o,
  output logic             write_valid_o,
  output logic [55:0]      write_addr_o,  // of the aligned 8 bytes
  output logic [7:0]       write_bytes_o,
  output logic [63:0]      write_data_o,

  // Lines that leave the L1D
  input logic           probe_i,
  input ooo_pkg::line_t probe_line_i,
  input logic           evict_i,
  input ooo_pkg::line_t evict_line_i,

  // Squash
  input logic            squash_i,
  input ooo_pkg::index_t squash_load_index_i,
  input ooo_pkg::index_t squash_store_index_i
);

  localparam int unsigned PlaceBits = $clog2(Queue);

  logic load, store;
  assign load = access_i && !access_store_i;
  assign store = access_i && access_store_i;

  // The bytes, and a store's data at its place
  ooo_pkg::footprint_t footprint;
  logic [5:0] shift;
  logic [63:0] data;
  assign shift = {access_addr_i[2:0], 3'd0};
  always_comb begin
    footprint = '0;
    data = '0;
    if (access_i) begin
      footprint.group = access_addr_i[55:3];
      case (access_width_i.size)
        soc_pkg::SizeByte: footprint.bytes = 8'h01 << access_addr_i[2:0];
        soc_pkg::SizeHalf: footprint.bytes = 8'h03 << access_addr_i[2:0];
        soc_pkg::SizeWord: footprint.bytes = 8'h0f << access_addr_i[2:0];
        default: footprint.bytes = 8'hff;
      endcase
      data = access_data_i << shift;
    end
  end

  logic forward, blocked, loaded;
  logic [63:0] forwarded;
  logic [Queue-1:0] exposed;
  logic [PlaceBits-1:0] store_place;
  logic [Width-1:0] loads_ready, stores_ready;
  ooo_pkg::footprint_t head_footprint;

  store_queue #(
    .Width(Width),
    .Queue(Queue)
  ) u_stores (
    .clk_i, .rst_ni,
    .lane_i          (store_i),
    .ready_o         (stores_ready),
    .index_o         (store_index_o),
    .dispatch_i,
    .commit_i        (commit_store_i),
    .squash_i,
    .squash_index_i  (squash_store_index_i),
    .enter_i         (store),
    .search_i        (load),
    .index_i         (access_store_index_i),
    .footprint_i     (footprint),
    .data_i          (data),
    .forward_o       (forward),
    .blocked_o       (blocked),
    .data_o          (forwarded),
    .exposed_o       (exposed),
    .place_o         (store_place),
    .head_valid_o    (write_valid_o),
    .head_footprint_o(head_footprint),
    .head_data_o     (write_data_o)
  );

  load_queue #(
    .Width(Width),
    .Queue(Queue)
  ) u_loads (
    .clk_i, .rst_ni,
    .lane_i        (load_i),
    .ready_o       (loads_ready),
    .index_o       (load_index_o),
    .dispatch_i,
    .commit_i      (commit_loads_i),
    .squash_i,
    .squash_index_i(squash_load_index_i),
    .index_i       (access_load_index_i),
    .footprint_i   (footprint),
    .enter_i       (loaded),
    .slot_i        (access_slot_i),
    .exposed_i     (exposed),
    .search_i      (store),
    .store_i       (store_place),
    .violation_o, .violation_slot_o,
    .probe_i, .probe_line_i, .evict_i, .evict_line_i, .marked_o
  );

  assign ready_o = loads_ready & stores_ready;
  assign write_addr_o = {head_footprint.group, 3'd0};
  assign write_bytes_o = head_footprint.bytes;

  // Loads
  logic waits;
  assign waits = blocked || (access_wait_i && exposed != '0);
  assign cache_req_o = load && !waits && !forward;
  assign loaded = load && !waits && (forward || cache_hit_i);
  assign forwarded_o = loaded && forward;
  assign done_o = loaded || store;

  logic [63:0] shifted;
  always_comb begin
    shifted = '0;
    value_o = '0;
    if (loaded) begin
      shifted = (forward ? forwarded : cache_rdata_i) >> shift;
      case (access_width_i)
        {1'b0, soc_pkg::SizeByte}: value_o = {{56{shifted[7]}}, shifted[7:0]};
        {1'b0, soc_pkg::SizeHalf}: value_o = {{48{shifted[15]}}, shifted[15:0]};
        {1'b0, soc_pkg::SizeWord}: value_o = {{32{shifted[31]}}, shifted[31:0]};
        {1'b1, soc_pkg::SizeByte}: value_o = {56'd0, shifted[7:0]};
        {1'b1, soc_pkg::SizeHalf}: value_o = {48'd0, shifted[15:0]};
        {1'b1, soc_pkg::SizeWord}: value_o = {32'd0, shifted[31:0]};
        default: value_o = shifted;
      endcase
    end
  end

  `ASSERT_IF(load_or_store, (load_i & store_i) == '0, 1'b1)
  `ASSERT_IF(aligned, access_addr_i[2:0] == 3'd0 || (footprint.bytes != 8'hff &&
             (access_addr_i[2:0] & ((3'd1 << access_width_i.size) - 3'd1)) == 3'd0), access_i)

endmodule
