// SPDX-License-Identifier: Apache-2.0
// Physical memory protection: the registers, and the check of one access.
//
// Registers: a write with we_i takes effect at the edge, except on locked fields;
// rdata_o follows addr_i in the same cycle. pmpcfg2 and pmpaddr8 to 15 read 0.
// Check: combinational, the outputs are 0 without valid_i. pa is aligned to the
// size. split: an entry covers part of the 4 KiB page, so the result holds for this
// access only.

module pmp (
  input logic clk_i,
  input logic rst_ni,

  // Registers, by CSR number
  input  logic        we_i,
  input  logic [11:0] addr_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,

  // Check
  input  logic                valid_i,
  input  soc_pkg::pmp_check_t check_i,
  output soc_pkg::pmp_allow_t allow_o
);

  localparam int unsigned Entries = 8;  // SOC_PMP_ENTRIES; pmpcfg0 has them all

  localparam logic [7:0] CsrAddrs = 8'h3b;  // the upper bits of pmpaddr0 to 15

  typedef enum logic [1:0] {
    ModeOff = 2'd0,
    ModeTor = 2'd1,
    ModeNa4 = 2'd2,
    ModeNapot = 2'd3
  } mode_e;

  // An address is 0 until written, so that 8 bits are reset instead of 432.
  logic [53:0] address_q[Entries];
  logic [ 7:0] written_q;
  logic [63:0] config_q;

  logic        at_address;
  logic [ 2:0] index;
  assign at_address = addr_i[11:3] == {CsrAddrs, 1'b0};
  assign index = addr_i[2:0];

  always_comb begin
    rdata_o = 64'd0;
    if (at_address && written_q[index]) rdata_o = {10'd0, address_q[index]};
    else if (addr_i == csr_pkg::CsrPmpcfg0) rdata_o = config_q;
  end

  // Writes. Locks hold until reset.
  logic [63:0] config_d;
  logic        config_we, address_we;
  always_comb begin
    config_d   = config_q;
    config_we  = 1'b0;
    address_we = 1'b0;
    if (we_i) begin
      config_we  = addr_i == csr_pkg::CsrPmpcfg0;
      // A locked TOR entry also locks its lower bound.
      address_we = at_address && !config_q[{index, 3'd7}] &&
          (index == 3'd7 || !config_q[{index + 3'd1, 3'd7}] ||
           config_q[{index+3'd1, 3'd3}+:2] != ModeTor);
      for (int unsigned i = 0; i < Entries; i++) begin
        if (!config_q[8*i+7]) begin
          config_d[8*i+:8] = wdata_i[8*i+:8] & 8'h9f;
          if (!wdata_i[8*i]) config_d[8*i+1] = 1'b0;  // W without R is reserved
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) config_q <= 64'd0;
    else if (config_we) config_q <= config_d;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= 8'd0;
    else if (address_we) written_q[index] <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (address_we) address_q[index] <= wdata_i[53:0];
  end

  // Below the granularity
  logic unused_low;
  assign unused_low = ^check_i.pa[1:0];

  // The check, in granules of four bytes: an aligned access of 8 bytes covers two,
  // any other lies within one.
  logic [53:0] word, other, address, below, mask;
  logic [1:0] mode;
  logic hit, first, last, part;
  always_comb begin
    allow_o.r = 1'b0;
    allow_o.w = 1'b0;
    allow_o.x = 1'b0;
    allow_o.split = 1'b0;
    word = 54'd0;
    other = 54'd0;
    address = 54'd0;
    below = 54'd0;
    mask = 54'd0;
    mode = ModeOff;
    hit = 1'b0;
    first = 1'b0;
    last = 1'b0;
    part = 1'b0;
    if (valid_i) begin
      word  = check_i.pa[55:2];
      other = word;
      if (check_i.size == soc_pkg::SizeDouble) other[0] = 1'b1;
      allow_o.r = check_i.machine;
      allow_o.w = check_i.machine;
      allow_o.x = check_i.machine;
      for (int unsigned i = 0; i < Entries; i++) begin
        below   = address;
        address = written_q[i] ? address_q[i] : 54'd0;
        mode    = config_q[8*i+3+:2];
        if (mode != ModeOff) begin
          if (mode == ModeTor) begin
            first = below <= word && word < address;
            last = below <= other && other < address;
            // A bound of a non-empty range lies within the page
            part = below < address &&
                ((below[53:10] == word[53:10] && below[9:0] != 10'd0) ||
                 (address[53:10] == word[53:10] && address[9:0] != 10'd0));
          end else begin
            mask = mode == ModeNa4 ? 54'd0 : address ^ (address + 54'd1);
            first = ((word ^ address) & ~mask) == 54'd0;
            last = ((other ^ address) & ~mask) == 54'd0;
            // The address of a range of 4 KiB or more ends in at least 9 ones
            part = address[53:10] == word[53:10] && !mask[9];
          end
          allow_o.split = allow_o.split | part;
          if (!hit && (first || last)) begin
            hit = 1'b1;
            if (!(first && last)) {allow_o.x, allow_o.w, allow_o.r} = 3'd0;
            else if (!check_i.machine || config_q[8*i+7])
              {allow_o.x, allow_o.w, allow_o.r} = config_q[8*i+:3];
          end
        end
      end
    end
  end

  for (genvar i = 0; i < Entries; i++) begin : gen_assertions
    `ASSERT_IF(lock_stands, config_d[8*i+:8] == config_q[8*i+:8], config_we && config_q[8*i+7])
    `ASSERT_IF(writable_is_readable, config_q[8*i], config_q[8*i+1])
  end
  `ASSERT_IF(address_is_unlocked, !config_q[{index, 3'd7}], address_we)
  `ASSERT_IF(aligned, (check_i.pa[2:0] & ~(3'b111 << check_i.size)) == 3'd0, valid_i)
  `ASSERT_IF(nothing_allowed, allow_o == '0, !valid_i)

endmodule
