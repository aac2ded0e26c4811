// SPDX-License-Identifier: Apache-2.0
// A TLB of 4 KiB pages, tagged with the address space; by default direct-mapped, 64 entries.
//
// The lookup is combinational; hit_o and entry_o are 0 without lookup_i. A fill needs no
// lookup: it writes its page to the entry that the page has, else to a free one, else to the
// next in round-robin order. A superpage is stored as 4 KiB pages, so a flush by address also
// drops all pages of superpages. A flush may drop more than requested, never less. It has
// priority over a fill, which then has no effect. A fill has priority over a drop.

module tlb #(
  parameter int unsigned Sets = 64,  // a power of two, from 2 to 64
  parameter int unsigned Ways = 1    // a power of two
) (
  input logic clk_i,
  input logic rst_ni,

  // Lookup
  input  logic                lookup_i,
  input  logic [51:0]         vpn_i,
  input  soc_pkg::space_e     space_i,
  input  logic [15:0]         asid_i,  // 0 in physical spaces
  output logic                hit_o,
  output soc_pkg::tlb_entry_t entry_o,

  input  logic                drop_i,  // invalidates the entry of the page under lookup

  // Fill of a page
  input logic                  fill_i,
  input logic [51:0]           fill_vpn_i,
  input soc_pkg::space_e       fill_space_i,
  input logic [15:0]           fill_asid_i,
  input soc_pkg::walk_result_t fill_result_i,

  // Flush
  input logic                flush_i,
  input soc_pkg::tlb_flush_t flush_scope_i
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned IndexBits = $clog2(Ways * Sets);
  localparam int unsigned KeyBits = 2 + 16 + 52 - SetBits;

  // The tag of an entry
  typedef struct packed {
    logic [1:0]          space;  // soc_pkg::space_e
    logic [15:0]         asid;
    logic [51-SetBits:0] vpn;  // without the set
  } key_t;

  // An index is {way, set}.
  logic [KeyBits-1:0] key_q[Ways*Sets];  // key_t
  logic [51:0] data_q[Ways*Sets];  // soc_pkg::tlb_entry_t
  logic [Ways*Sets-1:0] valid_d, valid_q, global_q, superpage_q;

  logic [SetBits-1:0] set;
  logic [IndexBits-1:0] index;  // of the hit, else in the last way
  key_t key, key_diff;
  assign set = vpn_i[SetBits-1:0];

  always_comb begin
    hit_o = 1'b0;
    entry_o = '0;
    index = '0;
    key = '0;
    key_diff = '0;
    if (lookup_i) begin
      key = {space_i, asid_i, vpn_i[51:SetBits]};
      for (int unsigned w = 0; w < Ways; w++) begin
        if (!hit_o) begin
          index = IndexBits'({w, set});
          key_diff = key_q[index] ^ key;
          if (global_q[index]) key_diff.asid = '0;
          hit_o = valid_q[index] && key_diff == '0;
        end
      end
      entry_o = data_q[index];
    end
  end

  // The entry that a fill writes
  logic [SetBits-1:0] fill_set;
  logic [IndexBits-1:0] fill_index;
  assign fill_set = fill_vpn_i[SetBits-1:0];
  if (Ways == 1) begin : gen_direct
    assign fill_index = fill_set;
  end else begin : gen_ways
    logic [IndexBits-SetBits-1:0] replace_way_d, replace_way_q;
    logic [IndexBits-1:0] way_index;
    key_t fill_key, fill_diff;
    logic present;
    always_comb begin
      fill_index = '0;
      way_index = '0;
      fill_key = '0;
      fill_diff = '0;
      present = 1'b0;
      replace_way_d = replace_way_q;
      if (fill_i) begin
        fill_key = {fill_space_i, fill_asid_i, fill_vpn_i[51:SetBits]};
        fill_index = {replace_way_q, fill_set};
        for (int unsigned i = 1; i <= Ways; i++)
          if (!valid_q[IndexBits'({Ways - i, fill_set})])
            fill_index = IndexBits'({Ways - i, fill_set});
        for (int unsigned w = 0; w < Ways; w++) begin
          way_index = IndexBits'({w, fill_set});
          fill_diff = key_q[way_index] ^ fill_key;
          if (global_q[way_index]) fill_diff.asid = '0;
          if (!present && valid_q[way_index] && fill_diff == '0) begin
            present = 1'b1;
            fill_index = way_index;
          end
        end
        if (!present && !flush_i) replace_way_d = replace_way_q + 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) replace_way_q <= '0;
      else replace_way_q <= replace_way_d;
    end
  end

  logic update;
  logic [Sets-1:0] flushed;
  assign update = flush_i || fill_i || drop_i;
  always_comb begin
    valid_d = '0;
    flushed = '0;
    if (update) begin
      valid_d = valid_q;
      flushed[flush_scope_i.index[SetBits-1:0]] = 1'b1;
      if (drop_i) valid_d[index] = 1'b0;
      if (flush_i) begin
        if (flush_scope_i.page) valid_d = valid_d & ~superpage_q & ~{Ways{flushed}};
        else if (flush_scope_i.asid) valid_d = valid_d & global_q;
        else valid_d = '0;
      end else if (fill_i) begin
        valid_d[fill_index] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (update) valid_q <= valid_d;
    if (fill_i && !flush_i) begin
      key_q[fill_index] <= {fill_space_i, fill_asid_i, fill_vpn_i[51:SetBits]};
      data_q[fill_index] <= fill_result_i.entry;
      global_q[fill_index] <= fill_result_i.is_global;
      superpage_q[fill_index] <= fill_result_i.superpage;
    end
  end

  `ASSERT_IF(page_is_looked_up, lookup_i, drop_i)
  `ASSERT_IF(fault_fills_nothing, !fill_result_i.fault, fill_i)

endmodule
