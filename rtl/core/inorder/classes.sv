// SPDX-License-Identifier: Apache-2.0
// Classifies the cycles that commit nothing, by reason.
//
// A stage without an instruction holds a bubble and its class. The class moves down the
// pipeline with the bubble. trace_class_o describes the cycle that just ended, if nothing
// committed in it. The clock is class_clk_i of hart.sv, which may be stopped after reset
// while the classes are not needed.

module classes #(
  parameter int unsigned Commits = soc_pkg::Commits  // lanes of the trace port
) (
  input logic clk_i,
  input logic rst_ni,
  input logic on_i,  // update trace_class_o

  // F without an instruction: it waits for a walk, for the second half, for DRAM
  input logic f_valid_i,
  input logic f_walk_i,
  input logic f_crosses_i,
  input logic f_dram_i,

  // D and X: what they hold, and whether they accept the next instruction
  input logic           d_ready_i,
  input logic           d_valid_i,
  input logic           d_hazard_i,
  input logic           d_float_hazard_i,
  input logic           x_ready_i,
  input logic           x_valid_i,
  input logic           x_ack_i,
  input soc_pkg::unit_e x_unit_i,
  input logic           x_redirect_i,

  // M: the effect of its instruction
  input logic           m_commit_i,
  input logic           m_trap_i,
  input logic           m_redirect_i,
  input logic           m_stall_i,
  input soc_pkg::unit_e m_unit_i,

  // What a load or store waits for: a walk, a device, without hit a line, one from DRAM
  input logic mem_walk_i,
  input logic mem_device_i,
  input logic mem_hit_i,
  input logic mem_dram_i,

  output class_pkg::class_e d_class_o,
  output class_pkg::class_e x_class_o,
  output class_pkg::class_e m_class_o,
  // class_e of the first lane; the others are 0. All are one register: a simulator reads it as
  // the port of hart.sv, which Verilator does not keep if it is only a part.
  output logic [Commits*soc_pkg::TraceClassBits-1:0] trace_class_o
);

  logic waits_for_float;
  assign waits_for_float = d_float_hazard_i || x_unit_i == soc_pkg::UnitFma ||
                           x_unit_i == soc_pkg::UnitFpu;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_class_o <= class_pkg::ClassBadFlush;
      x_class_o <= class_pkg::ClassBadFlush;
      m_class_o <= class_pkg::ClassBadFlush;
    end else if (m_redirect_i) begin
      d_class_o <= class_pkg::ClassBadFlush;
      x_class_o <= class_pkg::ClassBadFlush;
      m_class_o <= class_pkg::ClassBadFlush;
      if (m_trap_i) begin
        d_class_o <= class_pkg::ClassBadTrap;
        x_class_o <= class_pkg::ClassBadTrap;
        m_class_o <= class_pkg::ClassBadTrap;
      end
    end else begin
      if (x_redirect_i) begin
        d_class_o <= class_pkg::ClassBadBranch;
        x_class_o <= class_pkg::ClassBadBranch;
      end else begin
        // Nested, since in most cycles each stage passes an instruction on: the first condition
        // is false.
        if (!f_valid_i) begin
          if (d_ready_i)
            d_class_o <= f_walk_i ? class_pkg::ClassFeItlb :
                         f_crosses_i ? class_pkg::ClassFeFetch :
                         f_dram_i ? class_pkg::ClassFeDram : class_pkg::ClassFeL2;
        end
        if (!d_valid_i) begin
          if (x_ready_i) x_class_o <= d_class_o;
        end else if (d_hazard_i) begin
          if (x_ready_i)
            x_class_o <= waits_for_float ? class_pkg::ClassCoreFloat : class_pkg::ClassCoreLoadUse;
        end
      end
      // Only multiplications, divisions and square roots stay in X for more than one cycle.
      if (!x_ack_i) begin
        if (!m_stall_i)
          m_class_o <= !x_valid_i ? x_class_o :
                       x_unit_i == soc_pkg::UnitMul ? class_pkg::ClassCoreMul :
                       x_unit_i == soc_pkg::UnitFpu ? class_pkg::ClassCoreFloat :
                                                       class_pkg::ClassCoreDiv;
      end
    end
  end

  // Returns the class of this cycle. Only memory accesses and WFI wait in M. The commit is
  // tested first, since most cycles have one.
  function automatic class_pkg::class_e class_of_cycle(input class_pkg::class_e bubble);
    class_of_cycle = class_pkg::ClassNone;
    if (!m_commit_i) begin
      class_of_cycle = m_trap_i ? class_pkg::ClassBadTrap : bubble;
      if (m_stall_i) begin
        class_of_cycle = class_pkg::ClassIdle;
        if (m_unit_i != soc_pkg::UnitSys)
          class_of_cycle = mem_walk_i ? class_pkg::ClassMemDtlb :
                mem_device_i ? class_pkg::ClassMemDevice :
                mem_hit_i ? class_pkg::ClassMemAtomic :
                mem_dram_i ? class_pkg::ClassMemDram : class_pkg::ClassMemL2;
      end
    end
  endfunction

  // Nested, since most cycles have a commit.
  always_ff @(posedge clk_i) begin
    if (!m_commit_i) begin
      if (on_i) trace_class_o <= (Commits * soc_pkg::TraceClassBits)'(class_of_cycle(m_class_o));
    end
  end

  // make copies the names into the header of traces (rtl.mk).
  `COVER_NAMED(class, "Cycles by class (none: an instruction commits)",
               class_of_cycle(m_class_o),
               {"none,frontend.icache-l2,frontend.icache-dram,frontend.itlb,frontend.fetch,",
                "badspec.branch,badspec.flush,badspec.trap,",
                "memory.l2,memory.dram,memory.dtlb,memory.device,memory.atomic,",
                "core.load-use,core.mul,core.div,idle.wfi,core.float"})

endmodule
