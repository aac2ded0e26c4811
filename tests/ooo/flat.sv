// SPDX-License-Identifier: Apache-2.0
// The out-of-order core on flat memory, which answers in the same cycle unless *_no_i says that
// it does not. It has one port for loads and stores, and loads come first. Addresses wrap
// around, as loads of wrong paths may be anywhere; a store outside RAM is told, but not written.
//
// With check_i, what has committed in the last cycle is shown.

module flat #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64,
  parameter int unsigned Queue = 16,
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 16384,
  parameter int unsigned Ras = 8,
  localparam int unsigned WordBits = 21
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic float_clk_i,
  output logic float_clk_req_o,

  // Writes a word of memory: during reset, or as another agent, with a probe and without a store
  // in the same cycle
  input logic        write_i,
  input logic [20:0] write_word_i,
  input logic [63:0] write_data_i,

  input logic        check_i,
  input logic        fetch_no_i,
  input logic        load_no_i,
  input logic        store_no_i,
  input logic        partial_i,  // a block ends at halfword partial_last_i, or with its first
  input logic [2:0]  partial_last_i,
  input logic        probe_i,
  input logic [49:0] probe_line_i,
  input logic        evict_i,
  input logic [49:0] evict_line_i,
  input logic        chaos_predict_i,
  input logic        chaos_taken_i,
  input logic [2:0]  chaos_last_i,
  input logic [63:0] chaos_target_i,
  input logic        chaos_violate_i,

  // Writes fcsr, as in core_ooo.sv, if no instruction commits; csr_done_o: it has
  input logic        csr_we_i,
  input logic [11:0] csr_addr_i,
  input logic [7:0]  csr_wdata_i,

  output logic [21:0]         cases_o,  // as in lockstep.cc
  output logic [2:0]          count_o,
  output logic                unhandled_o,
  output logic                mispredicted_o,
  output logic                violated_o,
  output logic [64*Width-1:0] pc_o,
  output logic [32*Width-1:0] insn_o,
  output logic [64*Width-1:0] value_o,
  output logic [Width-1:0]    writes_o,       // a register: value_o
  output logic                csr_done_o,
  output logic                float_dirty_o,
  output logic [7:0]          fcsr_o,
  output logic                store_o,
  output logic [55:0]         store_addr_o,
  output logic [7:0]          store_bytes_o,
  output logic [63:0]         store_data_o,
  output logic [63:0]         head_pc_o,      // of the instruction that is unhandled
  output logic [31:0]         head_insn_o
);

  logic [63:0] mem_q[2**WordBits];  // 0 at the start
  initial for (int i = 0; i < 2 ** WordBits; i++) mem_q[i] = '0;

  localparam int unsigned SlotBits = $clog2(Window);

  logic fetch_req, load_req, store_valid, store_ready, store_write, unhandled;
  logic mispredicted, violated, float_dirty, csr_we;
  assign csr_we = csr_we_i && count == 3'd0;
  soc_pkg::bad_e fetch_bad;  // no instructions are outside RAM
  always_comb begin
    fetch_bad = soc_pkg::BadAccess;
    if (fetch_pc >> WordBits + 3 == 64'h80000000 >> WordBits + 3) fetch_bad = soc_pkg::BadNone;
  end
  logic [2:0] last;
  assign last = partial_last_i < fetch_pc[3:1] ? fetch_pc[3:1] : partial_last_i;
  logic [63:0] fetch_pc, store_data, mask;
  logic [127:0] fetch_data;
  logic [55:0] load_addr, store_addr;
  logic [63:0] load_data;
  logic [7:0] store_bytes;
  logic [2:0] count;
  logic [5:0] head;
  logic [7*Width-1:0] commit_rd;
  core_ooo #(
    .Width   (Width),
    .Window  (Window),
    .Queue   (Queue),
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Ras     (Ras)
  ) u_core (
    .clk_i, .rst_ni,
    .fetch_req_o    (fetch_req),
    .fetch_pc_o     (fetch_pc),
    .fetch_valid_i  (!fetch_no_i),
    .fetch_data_i   (fetch_data),
    .fetch_bad_i    (fetch_bad),
    .fetch_partial_i(partial_i),
    .fetch_last_i   (last),
    .load_req_o     (load_req),
    .load_addr_o    (load_addr),
    .load_valid_i   (!load_no_i),
    .load_data_i    (load_data),
    .store_valid_o  (store_valid),
    .store_addr_o   (store_addr),
    .store_bytes_o  (store_bytes),
    .store_data_o   (store_data),
    .store_ready_i  (store_ready),
    .store_write_o  (store_write),
    .probe_i, .probe_line_i, .evict_i, .evict_line_i,
    .float_clk_i, .float_clk_req_o,
    .float_on_i     (1'b1),
    .csr_we_i       (csr_we),
    .csr_addr_i, .csr_wdata_i,
    .float_dirty_o  (float_dirty),
    .frm_o          (fcsr_o[7:5]),
    .fflags_o       (fcsr_o[4:0]),
    .commit_count_o (count),
    .commit_rd_o    (commit_rd),
    .head_o         (head),
    .unhandled_o    (unhandled),
    .mispredicted_o (mispredicted),
    .violated_o     (violated),
    .chaos_predict_i, .chaos_taken_i, .chaos_last_i,
    .chaos_target_i (chaos_target_i[63:1]),
    .chaos_violate_i
  );

  always_comb begin
    fetch_data = '0;
    if (fetch_req)
      fetch_data = {mem_q[{fetch_pc[WordBits+2:4], 1'b1}], mem_q[{fetch_pc[WordBits+2:4], 1'b0}]};
    // What is behind a partial block is not to be used.
    if (partial_i) fetch_data = fetch_data ^ ~('1 >> (7'd112 - {last, 4'd0}));
    load_data = '0;
    if (load_req) load_data = mem_q[load_addr[WordBits+2:3]];
    store_ready = !load_req && !store_no_i;
    mask = '0;
    if (store_write)
      for (int i = 0; i < 8; i++) mask[8*i+:8] = {8{store_bytes[i]}};
  end
  always_ff @(posedge clk_i) begin
    if (write_i) mem_q[write_word_i] <= write_data_i;
    else if (store_write && store_addr[31])
      mem_q[store_addr[WordBits+2:3]] <=
          (mem_q[store_addr[WordBits+2:3]] & ~mask) | (store_data & mask);
  end

  always_ff @(posedge clk_i) begin
    count_o <= rst_ni ? count : 3'd0;
    unhandled_o <= rst_ni && unhandled;
    mispredicted_o <= mispredicted;
    violated_o <= violated;
    csr_done_o <= csr_we;
    float_dirty_o <= float_dirty;
    store_o <= rst_ni && store_write;
    if (store_write) begin
      store_addr_o <= store_addr;
      store_bytes_o <= store_bytes;
      store_data_o <= store_data;
    end
    if (unhandled) begin
      head_pc_o <= u_core.u_payload.pc_q[head[SlotBits-1:0]];
      head_insn_o <= u_core.u_payload.insn_q[head[SlotBits-1:0]][31:0];
    end
  end
  logic float_other, float_x_squashed, float_m_squashed;  // in X: no addition or multiply-add
  assign float_other = u_core.gen_float.u_float.valid_q && !u_core.gen_float.u_float.fused;
  assign float_x_squashed = u_core.squashed[u_core.gen_float.u_float.slot_q[SlotBits-1:0]];
  assign float_m_squashed = u_core.squashed[u_core.gen_float.u_float.slot_m_q[SlotBits-1:0]];
  logic [21:0] cases;
  always_comb begin
    cases = '0;
    if (check_i && rst_ni) cases = {
      (u_core.gen_float.u_float.u_status.told & u_core.squashed) != '0,
      float_other && u_core.gen_float.u_float.done && !u_core.gen_float.u_float.leaves,
      float_other && float_x_squashed && u_core.gen_float.u_float.live_m_q && !float_m_squashed,
      float_other && !u_core.gen_float.u_float.live_q,
      u_core.gen_float.u_float.live_m_q && float_m_squashed,
      u_core.float.valid && u_core.squashed[u_core.float.slot[SlotBits-1:0]],
      u_core.flush && u_core.wrong,
      u_core.u_redirect.violates_o && u_core.wrong,
      u_core.u_redirect.violation_i && u_core.wrong && !u_core.load_squashes,
      u_core.violation && u_core.wrong && u_core.again,
      u_core.again && !u_core.int0_extracted.torn,
      u_core.again && u_core.int0_extracted.torn,
      u_core.flush,
      (u_core.hold & u_core.u_commit.marked) != '0 && !u_core.flush,
      u_core.enter != '0 && u_core.u_group.held != u_core.enter,
      store_valid && !store_ready && u_core.hold[0],
      (u_core.u_commit.stores & ~u_core.u_commit.first) != '0 && store_write,
      u_core.u_integer.u_divide.valid_q && u_core.u_integer.u_divide.squashed,
      u_core.u_integer.multiplies && u_core.squashed[u_core.int1.slot[SlotBits-1:0]],
      u_core.mem.valid && u_core.squashed[u_core.mem.slot[SlotBits-1:0]],
      u_core.replay && !load_req,
      u_core.u_group.push_partial && u_core.u_group.push && u_core.u_group.push_jumps
    };
  end
  always_ff @(posedge clk_i) cases_o <= cases;

  for (genvar lane = 0; lane < Width; lane++) begin : gen_lane
    logic [SlotBits-1:0] slot;
    assign slot = head[SlotBits-1:0] + SlotBits'(lane);
    always_ff @(posedge clk_i) begin
      if (check_i && count > lane) begin
        pc_o[64*lane+:64] <= u_core.u_payload.pc_q[slot];
        insn_o[32*lane+:32] <= u_core.u_payload.insn_q[slot][31:0];
        value_o[64*lane+:64] <= u_core.u_registers.values_q[commit_rd[7*lane+:7]];
        writes_o[lane] <= commit_rd[7*lane+:7] != 7'd0;
      end
    end
  end

endmodule
