// SPDX-License-Identifier: Apache-2.0
// The events that counters can count, one bit each: this core commits one instruction in a cycle,
// so that csr_hpm.sv gets counts of one bit.
//
// Combinational but for two bits of state. An event is high in each cycle in which it
// holds; README.md defines each. Nothing is computed, and all are 0, unless on_i: an
// mhpmevent selects some. Cover points compute them on their own.

module events (
  input logic clk_i,
  input logic rst_ni,
  input logic on_i,

  // F and D: they have an instruction; D waits for a value known only in M
  input logic       f_valid_i,
  input logic       d_valid_i,
  input logic       d_ready_i,
  input logic       d_hazard_i,
  input logic       d_float_hazard_i,  // its hazard is of the FPU
  input soc_pkg::rd_t d_rs1_i,         // 0: none
  input soc_pkg::rd_t d_rs2_i,
  input soc_pkg::rd_t d_rs3_i,

  // X: can take an instruction, has finished its own, redirects F
  input logic           x_ready_i,
  input logic           x_done_i,
  input soc_pkg::unit_e x_unit_i,
  input soc_pkg::rd_t   x_rd_i,
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
  input soc_pkg::rd_t       m_rd_i,
  input logic               m_miss_i,  // its stall is for the L1D

  // Walker, and memory
  input logic       f_walk_i,
  input logic       walk_busy_i,
  input logic       imem_req_i,
  input logic       dmem_req_i,
  input logic       wb_valid_i,
  input logic [2:0] wb_beat_i,

  output csr_pkg::events_t events_o,
  output logic             quiescent_o  // without other changes the next cycle has the same events
);

  // From a redirect until D has an instruction of the new path; F had one a cycle ago.
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
  assign quiescent_o = f_valid_q == f_valid_i;

  // Returns whether the instruction in D reads rd, which an older one will write.
  function automatic logic needs(input soc_pkg::rd_t rd);
    needs = rd != '0 && (d_rs1_i == rd || d_rs2_i == rd || d_rs3_i == rd);
  endfunction

  // The first event of each set but set 0, and of F and D
  localparam int unsigned Float = csr_pkg::MixFloatLoad;
  localparam int unsigned Hazard = csr_pkg::HazardLoadUse;
  localparam int unsigned Miss = csr_pkg::MissIcache;
  localparam int unsigned Slot = csr_pkg::SlotIssued;

  // Each function returns the events of one set in this cycle. Verilator evaluates a call
  // whatever its condition, so the functions test the condition themselves.
  function automatic logic [10:0] mix(input logic on);
    mix = '0;
    if (on) begin
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
          soc_pkg::UnitFma, soc_pkg::UnitFpu, soc_pkg::UnitFloatMem: ;
          default: mix[csr_pkg::MixArith] = 1'b1;
        endcase
      end
    end
  endfunction

  // The events of F and D: set 0 from Float on.
  function automatic logic [6:0] float_mix(input logic on);
    float_mix = '0;
    if (on && m_unit_i[3]) begin
      if (m_commit_i) begin
        if (m_unit_i == soc_pkg::UnitFloatMem) begin
          float_mix[csr_pkg::MixFloatLoad-Float] = m_rd_i[5];
          float_mix[csr_pkg::MixFloatStore-Float] = !m_rd_i[5];
        end else begin
          case (m_uop_i.op.fpu)
            soc_pkg::FloatAdd: float_mix[csr_pkg::MixFloatAdd-Float] = 1'b1;
            soc_pkg::FloatMul: float_mix[csr_pkg::MixFloatMul-Float] = 1'b1;
            soc_pkg::FloatFma: float_mix[csr_pkg::MixFloatFma-Float] = 1'b1;
            soc_pkg::FloatDivide: float_mix[csr_pkg::MixFloatDivide-Float] = 1'b1;
            default: float_mix[csr_pkg::MixFloatOther-Float] = 1'b1;
          endcase
        end
      end
    end
  endfunction

  // Stalls of D for X, M or the FPU, stalls for the L1 caches, and redirects.
  function automatic logic [10:0] hazard(input logic on);
    logic needs_x;
    hazard  = '0;
    needs_x = 1'b0;
    if (on) begin
      if (!x_ready_i) begin
        if (d_valid_i) begin
          needs_x = needs(x_rd_i);
          if (!x_done_i && needs_x) begin
            hazard[csr_pkg::HazardFloat-Hazard] = x_unit_i == soc_pkg::UnitFpu;
            hazard[csr_pkg::HazardMulDiv-Hazard] = x_unit_i != soc_pkg::UnitFpu;
          end
          if (!needs_x) hazard[csr_pkg::HazardLong-Hazard] = m_mem_i && m_stall_i && needs(m_rd_i);
        end
        hazard[csr_pkg::HazardDcache-Hazard] = m_mem_i && m_stall_i && m_miss_i;
      end
      if (redirect) begin
        hazard[csr_pkg::HazardBranch-Hazard] = !m_redirect_i;
        hazard[csr_pkg::HazardTarget-Hazard] = !m_redirect_i && x_unit_i == soc_pkg::UnitJump;
        hazard[csr_pkg::HazardFlush-Hazard] = m_redirect_i && !m_trap_i;
      end else if (d_hazard_i && x_ready_i) begin
        if (d_float_hazard_i) begin
          hazard[csr_pkg::HazardFloat-Hazard] = 1'b1;
        end else begin
          case (x_unit_i)
            soc_pkg::UnitMem, soc_pkg::UnitFloatMem: hazard[csr_pkg::HazardLoadUse-Hazard] = 1'b1;
            soc_pkg::UnitCsr: hazard[csr_pkg::HazardCsr-Hazard] = 1'b1;
            default: hazard[csr_pkg::HazardFloat-Hazard] = 1'b1;
          endcase
        end
      end
      if (!f_valid_i) hazard[csr_pkg::HazardIcache-Hazard] = !f_valid_q;
    end
  endfunction

  function automatic logic [4:0] miss(input logic on);
    miss = '0;
    if (on) begin
      if (imem_req_i || dmem_req_i || wb_valid_i) begin
        miss[csr_pkg::MissIcache-Miss] = imem_req_i;
        miss[csr_pkg::MissDcache-Miss] = dmem_req_i;
        miss[csr_pkg::MissRelease-Miss] = wb_valid_i && wb_beat_i == 3'd7;
      end
      if ((f_walk_i || m_walk_i) && !walk_busy_i) begin
        miss[csr_pkg::MissItlb-Miss] = !m_walk_i && !redirect;
        miss[csr_pkg::MissDtlb-Miss] = m_walk_i;
      end
    end
  endfunction

  function automatic logic [3:0] slot(input logic on);
    slot = '0;
    if (on) begin
      if (redirect) begin
        slot[csr_pkg::SlotRecovery-Slot] = 1'b1;
        slot[csr_pkg::SlotFence-Slot] = m_redirect_i && !m_trap_i && m_unit_i == soc_pkg::UnitSys &&
            (m_uop_i.op.sys == soc_pkg::SysSfence || m_uop_i.op.sys == soc_pkg::SysFenceI);
      end else begin
        slot[csr_pkg::SlotRecovery-Slot] = recovering_q;
        if (x_ready_i) begin
          if (!d_valid_i) slot[csr_pkg::SlotFetchStall-Slot] = !recovering_q;
          else if (!d_hazard_i) slot[csr_pkg::SlotIssued-Slot] = 1'b1;
        end
      end
    end
  endfunction

  assign events_o = {slot(on_i), miss(on_i), hazard(on_i), float_mix(on_i), mix(on_i)};

  // README.md defines each.
  localparam int unsigned Retired = $bits(events_o.slot);
  `COVER_EVENTS(mix, Float, mix(1'b1))
  `COVER_EVENTS(float, $bits(events_o.mix) - Float, float_mix(1'b1))
  `COVER_EVENTS(hazard, $bits(events_o.hazard), hazard(1'b1))
  `COVER_EVENTS(miss, $bits(events_o.miss), miss(1'b1))
  `COVER_EVENTS(slot, $bits(events_o.slot) + 1, {m_commit_i, slot(1'b1)})
  `COVER_EVENT(instructions_retired, "Instructions that M commits", slot, Retired)
  `COVER_EVENT(exception, "Traps and interrupts that M enters", mix, csr_pkg::MixException)
  `COVER_EVENT(load, "Loads that commit", mix, csr_pkg::MixLoad)
  `COVER_EVENT(store, "Stores that commit", mix, csr_pkg::MixStore)
  `COVER_EVENT(amo, "AMOs and LR and SC that commit", mix, csr_pkg::MixAmo)
  `COVER_EVENT(system, "CSR and system instructions that commit", mix, csr_pkg::MixSystem)
  `COVER_EVENT(arith, "Other instructions that commit", mix, csr_pkg::MixArith)
  `COVER_EVENT(branch, "Branches that commit, taken or not", mix, csr_pkg::MixBranch)
  `COVER_EVENT(jal, "Direct jumps and calls (jal) that commit", mix, csr_pkg::MixJal)
  `COVER_EVENT(jalr, "Indirect jumps, calls and returns (jalr) that commit", mix, csr_pkg::MixJalr)
  `COVER_EVENT(mul, "Multiplications that commit", mix, csr_pkg::MixMul)
  `COVER_EVENT(div, "Divisions and remainders that commit", mix, csr_pkg::MixDiv)
  `COVER_EVENT(fp_load, "Floating-point loads that commit", float, csr_pkg::MixFloatLoad - Float)
  `COVER_EVENT(fp_store, "Floating-point stores that commit",
               float, csr_pkg::MixFloatStore - Float)
  `COVER_EVENT(fp_add, "Floating-point additions and subtractions that commit",
               float, csr_pkg::MixFloatAdd - Float)
  `COVER_EVENT(fp_mul, "Floating-point multiplications that commit",
               float, csr_pkg::MixFloatMul - Float)
  `COVER_EVENT(fp_fma, "Floating-point multiply-adds that commit",
               float, csr_pkg::MixFloatFma - Float)
  `COVER_EVENT(fp_div_sqrt, "Floating-point divisions and square roots that commit",
               float, csr_pkg::MixFloatDivide - Float)
  `COVER_EVENT(fp_other, "Other floating-point instructions that commit",
               float, csr_pkg::MixFloatOther - Float)
  `COVER_EVENT(load_use_interlock, "Cycles in which D waits for a load in X",
               hazard, csr_pkg::HazardLoadUse - Hazard)
  `COVER_EVENT(long_latency_interlock, "Cycles in which D needs the result that M waits for",
               hazard, csr_pkg::HazardLong - Hazard)
  `COVER_EVENT(csr_interlock, "Cycles in which D waits for a CSR read in X",
               hazard, csr_pkg::HazardCsr - Hazard)
  `COVER_EVENT(icache_blocked, "Cycles in which F has no instruction, nor had one a cycle ago",
               hazard, csr_pkg::HazardIcache - Hazard)
  `COVER_EVENT(dcache_blocked, "Cycles in which M waits for the L1D",
               hazard, csr_pkg::HazardDcache - Hazard)
  `COVER_EVENT(branch_miss, "Redirects by X: the successor was mispredicted",
               hazard, csr_pkg::HazardBranch - Hazard)
  `COVER_EVENT(target_miss, "Redirects by X for a jal or jalr",
               hazard, csr_pkg::HazardTarget - Hazard)
  `COVER_EVENT(flush, "Redirects by M other than traps: xrets, fences, satp and PMP writes",
               hazard, csr_pkg::HazardFlush - Hazard)
  `COVER_EVENT(mul_div_interlock, "Cycles in which D needs a product or quotient that is not ready",
               hazard, csr_pkg::HazardMulDiv - Hazard)
  `COVER_EVENT(fp_interlock, "Cycles in which D waits for the FPU, or for CSRs that F and D use",
               hazard, csr_pkg::HazardFloat - Hazard)
  `COVER_EVENT(icache_miss, "Lines that the L1I requests", miss, csr_pkg::MissIcache - Miss)
  `COVER_EVENT(dcache_miss, "Lines and upgrades that the L1D requests",
               miss, csr_pkg::MissDcache - Miss)
  `COVER_EVENT(dcache_release, "Dirty lines that the L1D writes back",
               miss, csr_pkg::MissRelease - Miss)
  `COVER_EVENT(itlb_miss, "Page-table walks for F", miss, csr_pkg::MissItlb - Miss)
  `COVER_EVENT(dtlb_miss, "Page-table walks for M", miss, csr_pkg::MissDtlb - Miss)
  `COVER_EVENT(instructions_issued, "Instructions that X takes from D",
               slot, csr_pkg::SlotIssued - Slot)
  `COVER_EVENT(fetch_stall, "Cycles in which X takes no instruction because D has none",
               slot, csr_pkg::SlotFetchStall - Slot)
  `COVER_EVENT(recovery, "Cycles from a redirect until D has an instruction of the new path",
               slot, csr_pkg::SlotRecovery - Slot)
  `COVER_EVENT(fence, "Redirects by M for a fence.i or sfence.vma", slot, csr_pkg::SlotFence - Slot)

endmodule
