// SPDX-License-Identifier: Apache-2.0
// What happens in the core, as single bits: the events that counters can count.
//
// Combinational but for two bits of state. An event is high in each cycle in which it
// holds; README.md says when that is. Nothing is computed, and all are 0, unless a
// counter looks: on_i, for those that software reads, or the simulator's.

module events (
  input logic clk_i,
  input logic rst_ni,
  input logic on_i,

  // F and D: they have an instruction; D waits for what only M will know
  input logic       f_valid_i,
  input logic       d_valid_i,
  input logic       d_ready_i,
  input logic       d_hazard_i,
  input logic [4:0] d_rs1_i,  // 0: none read
  input logic [4:0] d_rs2_i,

  // X: takes an instruction, has finished the one it has; it redirects F
  input logic           x_take_i,
  input logic           x_done_i,
  input soc_pkg::unit_e x_unit_i,
  input logic [4:0]     x_rd_i,
  input logic           x_redirect_i,

  // M
  input logic               m_commit_i,
  input logic               m_trap_i,
  input logic               m_redirect_i,
  input logic               m_stall_i,
  input logic               m_mem_i,
  input logic               m_walk_i,
  input soc_pkg::unit_e     m_unit_i,
  input soc_pkg::executed_t m_uop_i,
  input logic [4:0]         m_rd_i,
  input logic               m_missing_i,  // it stalls for the L1D

  // Walker, and memory
  input logic       f_walk_i,
  input logic       walk_busy_i,
  input logic       imem_req_i,
  input logic       dmem_req_i,
  input logic       wb_valid_i,
  input logic [2:0] wb_beat_i,

  output csr_pkg::events_t events_o,
  output logic             still_o  // the next cycle has the same, if nothing moves
);

  // From a redirect until an instruction from there is in D; and whether F had one.
  logic redirect, recovering_q, f_valid_q;
  assign redirect = m_redirect_i || x_redirect_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      recovering_q <= 1'b0;
      f_valid_q <= 1'b0;
    end else begin
      if (redirect) recovering_q <= 1'b1;
      else if (recovering_q) recovering_q <= !f_valid_i || !d_ready_i;
      f_valid_q <= f_valid_i;
    end
  end
  assign still_o = f_valid_q == f_valid_i;

  logic look;
  assign look = on_i || `COVER_ON;

  // The instruction in D reads the register rd, which one before it will write.
  function automatic logic needs(input logic [4:0] rd);
    needs = d_valid_i && rd != 5'd0 && (d_rs1_i == rd || d_rs2_i == rd);
  endfunction

  logic recovery, flush, needs_x;
  logic [10:0] mix;
  logic [9:0] hazard;
  logic [4:0] miss;
  logic [3:0] slots;
  always_comb begin
    recovery = 1'b0;
    flush = 1'b0;
    needs_x = 1'b0;
    mix = '0;
    hazard = '0;
    miss = '0;
    slots = '0;
    if (look) begin
      mix[csr_pkg::MixException] = m_trap_i;
      if (m_commit_i) begin
        case (m_unit_i)
          soc_pkg::UnitBranch: mix[csr_pkg::MixBranch] = 1'b1;
          soc_pkg::UnitJump: begin
            mix[csr_pkg::MixJal] = m_uop_i.op.jump == soc_pkg::JumpJal;
            mix[csr_pkg::MixJalr] = m_uop_i.op.jump == soc_pkg::JumpJalr;
          end
          soc_pkg::UnitMul: mix[csr_pkg::MixMul] = 1'b1;
          soc_pkg::UnitDiv: mix[csr_pkg::MixDiv] = 1'b1;
          soc_pkg::UnitMem: begin
            case (m_uop_i.op.mem)
              soc_pkg::MemLoad: mix[csr_pkg::MixLoad] = 1'b1;
              soc_pkg::MemStore: mix[csr_pkg::MixStore] = 1'b1;
              default: mix[csr_pkg::MixAmo] = 1'b1;
            endcase
          end
          soc_pkg::UnitCsr, soc_pkg::UnitSys: mix[csr_pkg::MixSystem] = 1'b1;
          default: mix[csr_pkg::MixArith] = 1'b1;
        endcase
      end

      if (!x_done_i || m_stall_i) begin
        needs_x = needs(x_rd_i);
        hazard[csr_pkg::HazardMulDiv] = !x_done_i && needs_x;
        hazard[csr_pkg::HazardLong] = m_mem_i && m_stall_i && !needs_x && needs(m_rd_i);
        hazard[csr_pkg::HazardDcache] = m_mem_i && m_stall_i && m_missing_i;
      end
      if (d_hazard_i && x_take_i && !redirect) begin
        hazard[csr_pkg::HazardLoadUse] = x_unit_i == soc_pkg::UnitMem;
        hazard[csr_pkg::HazardCsr] = x_unit_i == soc_pkg::UnitCsr;
      end
      if (redirect) begin
        flush = m_redirect_i && !m_trap_i;
        hazard[csr_pkg::HazardBranch] = !m_redirect_i;
        hazard[csr_pkg::HazardTarget] = !m_redirect_i && x_unit_i == soc_pkg::UnitJump;
        hazard[csr_pkg::HazardFlush] = flush;
        slots[csr_pkg::SlotFence] = flush && m_unit_i == soc_pkg::UnitSys &&
            (m_uop_i.op.sys == soc_pkg::SysSfence || m_uop_i.op.sys == soc_pkg::SysFenceI);
      end
      hazard[csr_pkg::HazardIcache] = !f_valid_i && !f_valid_q;

      if (imem_req_i || dmem_req_i || wb_valid_i) begin
        miss[csr_pkg::MissIcache] = imem_req_i;
        miss[csr_pkg::MissDcache] = dmem_req_i;
        miss[csr_pkg::MissRelease] = wb_valid_i && wb_beat_i == 3'd7;
      end
      if ((f_walk_i || m_walk_i) && !walk_busy_i) begin
        miss[csr_pkg::MissItlb] = !m_walk_i && !redirect;
        miss[csr_pkg::MissDtlb] = m_walk_i;
      end

      recovery = redirect || recovering_q;
      slots[csr_pkg::SlotRecovery] = recovery;
      slots[csr_pkg::SlotIssued] = d_valid_i && !d_hazard_i && x_take_i && !redirect;
      slots[csr_pkg::SlotFetchStall] = x_take_i && !d_valid_i && !recovery;
    end
  end
  assign events_o = {slots, miss, hazard, mix};

  // What each means is in README.md. Counters of rare events have one condition together:
  // most cycles skip them all at once. An event whose bit is not in its condition
  // would be counted only beside another.
  localparam logic [10:0] RareMix =
      11'(1 << csr_pkg::MixException | 1 << csr_pkg::MixAmo | 1 << csr_pkg::MixSystem |
          1 << csr_pkg::MixMul | 1 << csr_pkg::MixDiv);
  `COVER(instructions_retired, "Instructions that M commits", m_commit_i)
  `COVER(exception, "Traps and interrupts that M enters",
         mix[csr_pkg::MixException], (mix & RareMix) != '0)
  `COVER(load, "Loads that commit", mix[csr_pkg::MixLoad])
  `COVER(store, "Stores that commit", mix[csr_pkg::MixStore])
  `COVER(amo, "AMOs and LR and SC that commit", mix[csr_pkg::MixAmo], (mix & RareMix) != '0)
  `COVER(system, "CSR and system instructions that commit",
         mix[csr_pkg::MixSystem], (mix & RareMix) != '0)
  `COVER(arith, "Other instructions that commit", mix[csr_pkg::MixArith])
  `COVER(branch, "Branches that commit, taken or not", mix[csr_pkg::MixBranch])
  `COVER(jal, "Direct jumps and calls (jal) that commit", mix[csr_pkg::MixJal])
  `COVER(jalr, "Indirect jumps, calls and returns (jalr) that commit", mix[csr_pkg::MixJalr])
  `COVER(mul, "Multiplications that commit", mix[csr_pkg::MixMul], (mix & RareMix) != '0)
  `COVER(div, "Divisions and remainders that commit", mix[csr_pkg::MixDiv], (mix & RareMix) != '0)
  `COVER(load_use_interlock, "Cycles in which D waits for a load in X",
         hazard[csr_pkg::HazardLoadUse], hazard != '0)
  `COVER(long_latency_interlock, "Cycles in which D needs what M waits for",
         hazard[csr_pkg::HazardLong], hazard != '0)
  `COVER(csr_interlock, "Cycles in which D waits for a CSR read in X",
         hazard[csr_pkg::HazardCsr], hazard != '0)
  `COVER(icache_blocked, "Cycles without an instruction in F and one cycle before",
         hazard[csr_pkg::HazardIcache], hazard != '0)
  `COVER(dcache_blocked, "Cycles in which M waits for the L1D",
         hazard[csr_pkg::HazardDcache], hazard != '0)
  `COVER(branch_miss, "Redirects by X: another instruction was predicted to follow",
         hazard[csr_pkg::HazardBranch], hazard != '0)
  `COVER(target_miss, "Redirects by X for a jal or jalr",
         hazard[csr_pkg::HazardTarget], hazard != '0)
  `COVER(flush, "Redirects by M but for traps: returns from traps, fences, satp, PMP",
         hazard[csr_pkg::HazardFlush], hazard != '0)
  `COVER(mul_div_interlock, "Cycles in which D needs a product or quotient that is not there",
         hazard[csr_pkg::HazardMulDiv], hazard != '0)
  `COVER(icache_miss, "Lines that the L1I asks for", miss[csr_pkg::MissIcache], miss != '0)
  `COVER(dcache_miss, "Lines and upgrades that the L1D asks for",
         miss[csr_pkg::MissDcache], miss != '0)
  `COVER(dcache_release, "Dirty lines that leave the L1D", miss[csr_pkg::MissRelease], miss != '0)
  `COVER(itlb_miss, "Page-table walks for F", miss[csr_pkg::MissItlb], miss != '0)
  `COVER(dtlb_miss, "Page-table walks for M", miss[csr_pkg::MissDtlb], miss != '0)
  `COVER(instructions_issued, "Instructions that X takes", slots[csr_pkg::SlotIssued])
  `COVER(fetch_stall, "Cycles in which X lacks an instruction because F does",
         slots[csr_pkg::SlotFetchStall])
  `COVER(recovery, "Cycles from a redirect until an instruction from there is in D",
         slots[csr_pkg::SlotRecovery])
  `COVER(fence, "Redirects by M for a fence.i or sfence.vma", slots[csr_pkg::SlotFence])

endmodule
