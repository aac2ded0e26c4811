// SPDX-License-Identifier: Apache-2.0
// The memory port: the address of a load or store in the cycle of its issue, the access to
// memory_queue.sv in the next one. It takes an instruction a cycle. Dispatch, commit, probes and
// squashes are those of memory_queue.sv.
//
// A load that is not done there issues again (replay_o). A misaligned access has a fault and is
// not made. Physical addresses are virtual ones: there is no translation.
//
// learn_i: the load at learn_pc_i was executed before an older store to its bytes. Loads at
// addresses of its hash wait from then on until no older store may have their bytes.
//
// chaos_violate_i, for tests: a load that is done is told to have a wrong value.

module memory_port #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64,
  parameter int unsigned Queue = 16
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch
  input  logic [                  Width-1:0] load_i,
  input  logic [                  Width-1:0] store_i,
  output logic [                  Width-1:0] ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] load_index_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] store_index_o,
  input  logic [                  Width-1:0] dispatch_i,

  // Issue
  input ooo_pkg::issue_t              issue_i,
  input ooo_pkg::work_t               work_i,
  input logic            [63:0]       pc_i,
  input logic            [63:0]       rs1_i,
  input logic            [63:0]       rs2_i,
  input logic            [Window-1:0] squashed_i,

  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o,
  output logic                    replay_o,
  output ooo_pkg::slot_t          replay_slot_o,
  output logic                    violation_o,
  output ooo_pkg::slot_t          violation_slot_o,

  // The L1D
  output logic        load_req_o,
  output logic [55:0] load_addr_o,
  input  logic        load_valid_i,
  input  logic [63:0] load_data_i,

  // Commit
  input  logic [      2:0] commit_loads_i,
  input  logic             commit_store_i,
  output logic [Width-1:0] marked_o,
  output logic             store_valid_o,
  output logic [     55:0] store_addr_o,
  output logic [      7:0] store_bytes_o,
  output logic [     63:0] store_data_o,

  input logic           probe_i,
  input ooo_pkg::line_t probe_line_i,
  input logic           evict_i,
  input ooo_pkg::line_t evict_line_i,

  input logic            squash_i,
  input ooo_pkg::index_t squash_load_index_i,
  input ooo_pkg::index_t squash_store_index_i,

  input logic        learn_i,
  input logic [63:0] learn_pc_i,

  input logic chaos_violate_i
);

  logic valid_q, misaligned_q, store_q;
  logic [2:0] width_q;  // soc_pkg::width_t
  logic [4:0] load_index_q, store_index_q;  // ooo_pkg::index_t
  logic [5:0] slot_q;
  logic [6:0] rd_q;
  logic [7:0] hash_q;
  logic [55:0] addr_q;
  logic [63:0] data_q;
  logic [255:0] waits_q;

  logic [63:0] va;
  logic [2:0] low;  // address bits that must be 0
  always_comb begin
    va = '0;
    low = '0;
    if (issue_i.valid) begin
      va = rs1_i + {{32{work_i.imm[31]}}, work_i.imm};
      case (work_i.width[1:0])
        soc_pkg::SizeByte: low = 3'b000;
        soc_pkg::SizeHalf: low = 3'b001;
        soc_pkg::SizeWord: low = 3'b011;
        default: low = 3'b111;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= issue_i.valid && !squashed_i[issue_i.slot[$clog2(Window)-1:0]];
    if (issue_i.valid) begin
      misaligned_q <= (va[2:0] & low) != 3'd0;
      store_q <= work_i.store;
      width_q <= work_i.width;
      load_index_q <= work_i.load_index;
      store_index_q <= work_i.store_index;
      slot_q <= issue_i.slot;
      rd_q <= issue_i.tags.rd;
      hash_q <= pc_i[8:1];
      addr_q <= va[55:0];
      data_q <= rs2_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) waits_q <= '0;
    else if (learn_i) waits_q[learn_pc_i[8:1]] <= 1'b1;
  end

  logic access, done, violation;
  ooo_pkg::slot_t violation_slot;
  assign access = valid_q && !misaligned_q;
  assign load_addr_o = addr_q;
  memory_queue #(
    .Width(Width),
    .Queue(Queue)
  ) u_queue (
    .clk_i, .rst_ni,
    .load_i, .store_i, .ready_o, .load_index_o, .store_index_o, .dispatch_i,
    .access_i            (access),
    .access_store_i      (store_q),
    .access_load_index_i (load_index_q),
    .access_store_index_i(store_index_q),
    .access_slot_i       (slot_q),
    .access_addr_i       (addr_q),
    .access_width_i      (width_q),
    .access_data_i       (data_q),
    .access_wait_i       (waits_q[hash_q]),
    .done_o              (done),
    .value_o,
    .violation_o         (violation),
    .violation_slot_o    (violation_slot),
    /* verilator lint_off PINCONNECTEMPTY */
    .forwarded_o         (),
    /* verilator lint_on PINCONNECTEMPTY */
    .cache_req_o         (load_req_o),
    .cache_hit_i         (load_valid_i),
    .cache_rdata_i       (load_data_i),
    .commit_loads_i, .commit_store_i, .marked_o,
    .write_valid_o       (store_valid_o),
    .write_addr_o        (store_addr_o),
    .write_bytes_o       (store_bytes_o),
    .write_data_o        (store_data_o),
    .probe_i, .probe_line_i, .evict_i, .evict_line_i,
    .squash_i, .squash_load_index_i, .squash_store_index_i
  );

  assign replay_o = access && !done;
  assign replay_slot_o = slot_q;
  always_comb begin
    result_o = '0;
    violation_o = 1'b0;
    violation_slot_o = '0;
    if (valid_q) begin
      result_o.valid = misaligned_q || done;
      result_o.fault = misaligned_q;
      result_o.slot = slot_q;
      result_o.rd = rd_q;
      violation_o = violation;
      violation_slot_o = violation_slot;
      if (chaos_violate_i && done && !store_q) begin
        violation_o = 1'b1;
        violation_slot_o = slot_q;
      end
    end
  end

endmodule
