// SPDX-License-Identifier: Apache-2.0
// Why a cycle commits nothing: the class of the reason.
//
// A stage without an instruction holds the class of the bubble that it has in its place,
// and which travels along with it from where it began. trace_class_o is of the cycle that
// just ended, if nothing committed in it. The clock may stand still after reset while
// nobody wants to know.

module classes (
  input logic clk_i,
  input logic rst_ni,

  // F has none: a walk, half of one, a line that comes from DRAM
  input logic f_valid_i,
  input logic f_walk_i,
  input logic f_half_i,
  input logic f_dram_i,

  // D and X: what they hold, and whether they take the next
  input logic       d_ready_i,
  input logic       d_valid_i,
  input logic       d_hazard_i,
  input logic       x_take_i,
  input logic       x_valid_i,
  input logic       x_ack_i,
  input logic [2:0] x_unit_i,
  input logic       x_redirect_i,

  // M: what its instruction does
  input logic       m_commit_i,
  input logic       m_trap_i,
  input logic       m_redirect_i,
  input logic       m_stall_i,
  input logic [2:0] m_unit_i,

  // While a load or store waits: for a walk, a device, a line if not hit, one from DRAM
  input logic mem_walk_i,
  input logic mem_device_i,
  input logic mem_hit_i,
  input logic mem_dram_i,

  output logic [4:0] d_class_o,
  output logic [4:0] x_class_o,
  output logic [4:0] m_class_o,
  output logic [4:0] trace_class_o
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_class_o <= soc_pkg::CLASS_BAD_FLUSH;
      x_class_o <= soc_pkg::CLASS_BAD_FLUSH;
      m_class_o <= soc_pkg::CLASS_BAD_FLUSH;
    end else if (m_redirect_i) begin
      d_class_o <= soc_pkg::CLASS_BAD_FLUSH;
      x_class_o <= soc_pkg::CLASS_BAD_FLUSH;
      m_class_o <= soc_pkg::CLASS_BAD_FLUSH;
      if (m_trap_i) begin
        d_class_o <= soc_pkg::CLASS_BAD_TRAP;
        x_class_o <= soc_pkg::CLASS_BAD_TRAP;
        m_class_o <= soc_pkg::CLASS_BAD_TRAP;
      end
    end else begin
      if (x_redirect_i) begin
        d_class_o <= soc_pkg::CLASS_BAD_BRANCH;
        x_class_o <= soc_pkg::CLASS_BAD_BRANCH;
      end else begin
        if (d_ready_i && !f_valid_i)
          d_class_o <= f_walk_i ? soc_pkg::CLASS_FE_ITLB :
                       f_half_i ? soc_pkg::CLASS_FE_FETCH :
                       f_dram_i ? soc_pkg::CLASS_FE_DRAM : soc_pkg::CLASS_FE_L2;
        if (x_take_i && !d_valid_i) x_class_o <= d_class_o;
        else if (x_take_i && d_hazard_i) x_class_o <= soc_pkg::CLASS_CORE_LOAD_USE;
      end
      // Of those that stay in X for longer than a cycle, only two kinds are to be told apart.
      if (!m_stall_i && !x_ack_i)
        m_class_o <= !x_valid_i ? x_class_o :
                     x_unit_i == soc_pkg::UNIT_MUL ? soc_pkg::CLASS_CORE_MUL :
                                                     soc_pkg::CLASS_CORE_DIV;
    end
  end

  // Only memory and WFI wait in M.
  function automatic logic [4:0] why(input logic [4:0] bubble);
    if (m_stall_i && m_unit_i != soc_pkg::UNIT_MEM) why = soc_pkg::CLASS_IDLE;
    else if (m_stall_i)
      why = mem_walk_i ? soc_pkg::CLASS_MEM_DTLB :
            mem_device_i ? soc_pkg::CLASS_MEM_DEVICE :
            mem_hit_i ? soc_pkg::CLASS_MEM_ATOMIC :
            mem_dram_i ? soc_pkg::CLASS_MEM_DRAM : soc_pkg::CLASS_MEM_L2;
    else why = m_trap_i ? soc_pkg::CLASS_BAD_TRAP : bubble;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!m_commit_i) trace_class_o <= why(m_class_o);
  end

  // The names, of which make takes a copy for the header of traces.
  `COVER_NAMED(class, "Cycles by class (none: an instruction commits)",
               m_commit_i ? soc_pkg::CLASS_NONE : why(m_class_o),
               {"none,frontend.icache-l2,frontend.icache-dram,frontend.itlb,frontend.fetch,",
                "badspec.branch,badspec.flush,badspec.trap,",
                "memory.l2,memory.dram,memory.dtlb,memory.device,memory.atomic,",
                "core.load-use,core.mul,core.div,idle.wfi"})

endmodule
