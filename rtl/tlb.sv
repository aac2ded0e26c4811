// SPDX-License-Identifier: Apache-2.0
// A direct-mapped TLB of 64 pages of 4 KiB, tagged with the address space.
//
// The lookup is combinational, computed while lookup_i is high. A fill writes the
// entry of the page under lookup. Superpages are held a 4 KiB page at a time, so a
// flush by address also drops all pages of superpages. Flushes may drop more than
// was asked for, never less, and win over a fill.

module tlb (
  input logic clk_i,
  input logic rst_ni,

  // Lookup
  input  logic                lookup_i,
  input  logic [51:0]         vpn_i,
  input  soc_pkg::space_e     space_i,
  input  logic [15:0]         asid_i,  // 0 in physical spaces
  output logic                hit_o,
  output soc_pkg::tlb_entry_t entry_o,

  // Fill of the page under lookup; drop forgets it again
  input logic                  fill_i,
  input soc_pkg::walk_result_t fill_result_i,
  input logic                  drop_i,

  // Flush
  input logic                flush_i,
  input soc_pkg::tlb_flush_t flush_scope_i
);

  logic [63:0] tag_q[64];  // soc_pkg::tlb_key_t
  logic [51:0] data_q[64];  // soc_pkg::tlb_entry_t
  logic [63:0] valid_q, global_q, large_q;

  logic [5:0] index;
  soc_pkg::tlb_key_t key, miss_bits;
  assign index = vpn_i[5:0];

  always_comb begin
    hit_o = 1'b0;
    entry_o = '0;
    key = '0;
    miss_bits = '0;
    if (lookup_i) begin
      key = {space_i, asid_i, vpn_i[51:6]};
      miss_bits = tag_q[index] ^ key;
      if (global_q[index]) miss_bits.asid = '0;
      hit_o = valid_q[index] && miss_bits == '0;
      entry_o = data_q[index];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else if (flush_i) begin
      if (flush_scope_i.page) valid_q <= valid_q & ~large_q & ~(64'd1 << flush_scope_i.index);
      else if (flush_scope_i.asid) valid_q <= valid_q & global_q;
      else valid_q <= '0;
    end else if (fill_i) begin
      valid_q[index] <= 1'b1;
    end else if (drop_i) begin
      valid_q[index] <= 1'b0;
    end
    if (fill_i) begin
      tag_q[index] <= key;
      data_q[index] <= fill_result_i.entry;
      global_q[index] <= fill_result_i.is_global;
      large_q[index] <= fill_result_i.superpage;
    end
  end

endmodule
