// SPDX-License-Identifier: Apache-2.0
// fcsr, and what the instructions of the window do to it and to mstatus.FS when they commit.
//
// Instructions that write an f register are noted at dispatch, flags of a result until its slot
// commits: five masks, one for each flag. A slot that leaves by a squash leaves nothing here.
// fflags_o has the flags of an instruction from the cycle after its commit on. dirty_o: one that
// commits in this cycle writes an f register or raises a flag.
//
// busy_o: the state may change at the next clock edge. Without it nothing is computed.

module float_status #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic busy_o,

  // Dispatch: lane n is in slot slot_i + n, modulo Window
  input logic           [   Width-1:0] dispatch_i,
  input logic           [32*Width-1:0] lanes_i,  // ooo_pkg::dispatch_t
  input ooo_pkg::slot_t                slot_i,

  // A result
  input logic             valid_i,
  input ooo_pkg::slot_t   valid_slot_i,
  input soc_pkg::fflags_t flags_i,

  input  logic           [Window-1:0] squashed_i,
  input  ooo_pkg::slot_t              head_i,
  input  logic           [       2:0] commit_count_i,
  output logic                        dirty_o,

  // A CSR instruction writes
  input  logic                    csr_we_i,
  input  logic             [11:0] csr_addr_i,
  input  logic             [ 7:0] csr_wdata_i,
  output soc_pkg::frm_t           frm_o,
  output soc_pkg::fflags_t        fflags_o
);

  localparam int unsigned Flags = 5;

  function automatic logic [Window-1:0] to_slots(input logic [Width-1:0] lanes,
                                                 input ooo_pkg::slot_t slot);
    to_slots = Window'(ooo_pkg::rotate_left(64'(lanes), slot, 6'(Window)));
  endfunction

  logic [Window-1:0] writes_q;  // slots of instructions that write an f register
  logic [Window-1:0] noted, entered, committed, told;
  logic [Width-1:0] writes;
  logic csr;
  soc_pkg::fflags_t flags;  // of the slots that commit
  assign noted = writes_q | gen_flag[0].q | gen_flag[1].q | gen_flag[2].q | gen_flag[3].q |
                 gen_flag[4].q;
  assign csr = csr_we_i && csr_addr_i[11:2] == 10'd0;
  assign busy_o = writes != '0 || valid_i || noted != '0 || csr;
  always_comb begin
    writes = '0;
    if (dispatch_i[0])
      for (int lane = 0; lane < Width; lane++)
        writes[lane] = dispatch_i[lane] && lanes_i[32*lane+ooo_pkg::DispatchRd+5];
    entered = '0;
    if (writes != '0) entered = to_slots(writes, slot_i);
    committed = '0;
    if (noted != '0) committed = to_slots(~({Width{1'b1}} << commit_count_i), head_i);
    told = '0;
    if (valid_i && flags_i != '0)
      told = Window'(1) << valid_slot_i[$clog2(Window)-1:0];
    dirty_o = 1'b0;
    flags = '0;
    if (noted != '0) begin
      dirty_o = (noted & committed) != '0;
      flags = {
        (gen_flag[4].q & committed) != '0,
        (gen_flag[3].q & committed) != '0,
        (gen_flag[2].q & committed) != '0,
        (gen_flag[1].q & committed) != '0,
        (gen_flag[0].q & committed) != '0
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) writes_q <= '0;
    else if (busy_o) writes_q <= (writes_q & ~committed | entered) & ~squashed_i;
  end
  for (genvar flag = 0; flag < Flags; flag++) begin : gen_flag
    logic [Window-1:0] q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) q <= '0;
      else if (busy_o)
        q <= (q & ~committed | (flags_i[flag] ? told : '0)) & ~squashed_i;
    end
  end

  // A CSR instruction commits alone.
  soc_pkg::frm_t frm_q;
  soc_pkg::fflags_t fflags_q;
  assign frm_o = frm_q;
  assign fflags_o = fflags_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      frm_q <= '0;
      fflags_q <= '0;
    end else if (csr) begin
      case (csr_addr_i[1:0])
        csr_pkg::CsrFflags[1:0]: fflags_q <= csr_wdata_i[4:0];
        csr_pkg::CsrFrm[1:0]: frm_q <= csr_wdata_i[2:0];
        default: begin
          frm_q <= csr_wdata_i[7:5];
          fflags_q <= csr_wdata_i[4:0];
        end
      endcase
    end else if (noted != '0) begin
      fflags_q <= fflags_q | flags;
    end
  end

  `ASSERT_IF(csr_commits_alone, flags == '0, csr)

endmodule
