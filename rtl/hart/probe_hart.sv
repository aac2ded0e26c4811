// SPDX-License-Identifier: Apache-2.0
// What a hart shows the simulator beside its core: see probe_pkg.sv. It names signals of the
// modules beside it. Functions read a signal only when they are called.

`ifdef PROBES
module probe_hart #(
  parameter bit Core = 1'b0,  // config_pkg::core_e
  parameter int unsigned L1iSets = 64,
  parameter int unsigned L1iWays = 4,
  parameter int unsigned L1dSets = 64,
  parameter int unsigned L1dWays = 4,
  parameter int unsigned DtlbSets = 64,
  parameter int unsigned DtlbWays = 1
);

  // sim/verilated/tlb.h repeats the data TLB.
  if (DtlbSets != 64 || DtlbWays != 1) begin : gen_dtlb
    $error("probe_hart: soc-sim knows a data TLB of 64 sets and one way only");
  end

  // CSRs
  `PROBE(priv, u_csr.u_status, priv_q)
  `PROBE(data_priv, u_csr.u_status, data_priv_q)
  `PROBE(mstatus, u_csr.u_status, status_q)
  `PROBE(satp, u_csr, satp_q)
  `PROBE(mcounteren, u_csr, mcounteren_q)
  `PROBE(scounteren, u_csr, scounteren_q)
  `PROBE(menvcfg, u_csr, mfiom_q)
  `PROBE(senvcfg, u_csr, sfiom_q)
  `PROBE(mscratch, u_csr, mscratch_q)
  `PROBE(sscratch, u_csr, sscratch_q)
  `PROBE(medeleg, u_csr.u_trap, medeleg_q)
  `PROBE(mtvec, u_csr.u_trap, mtvec_q)
  `PROBE(stvec, u_csr.u_trap, stvec_q)
  `PROBE(mepc, u_csr.u_trap, mepc_q)
  `PROBE(sepc, u_csr.u_trap, sepc_q)
  `PROBE(mcause, u_csr.u_trap, mcause_q)
  `PROBE(scause, u_csr.u_trap, scause_q)
  `PROBE(mtval, u_csr.u_trap, mtval_q)
  `PROBE(stval, u_csr.u_trap, stval_q)
  `PROBE(mideleg, u_csr.u_interrupt, mideleg_q)
  `PROBE(mie, u_csr.u_interrupt, enable_q)
  `PROBE(mip, u_csr.u_interrupt, soft_q)
  `PROBE(mcountinhibit, u_csr.u_counter, inhibit_q)
  `PROBE(mcycle, u_csr.u_counter, mcycle_q)
  `PROBE(minstret, u_csr.u_counter, minstret_q)
  `PROBE(hpm_event, u_csr.u_counter.gen_hpm.u_hpm, event_q)
  `PROBE(hpm_on, u_csr.u_counter.gen_hpm.u_hpm, on_q)
  `PROBE(mhpmcounter3, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[0], count_q)
  `PROBE(mhpmcounter4, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[1], count_q)
  `PROBE(mhpmcounter5, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[2], count_q)
  `PROBE(mhpmcounter6, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[3], count_q)
  `PROBE(mhpmcounter7, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[4], count_q)
  `PROBE(mhpmcounter8, u_csr.u_counter.gen_hpm.u_hpm.gen_counter[5], count_q)
  `PROBE(pmpcfg, u_pmp, config_q)
  `PROBE(pmpaddr, u_pmp, address_q)
  `PROBE(pmp_written, u_pmp, written_q)

  // The L1s
  `PROBE(l1i_tag, u_icache, tag_q)
  `PROBE(l1i_valid, u_icache, valid_q)
  `PROBE(l1i_even, u_icache, even_q)
  `PROBE(l1i_odd, u_icache, odd_q)
  `PROBE(l1d_lines, gen_dcache.u_dcache, lines_q)
  `PROBE(l1d_data, gen_dcache.u_dcache, data_q)
  // Without a hierarchical name: the other core has another L1D.
  if (Core == config_pkg::CoreOoo) begin : gen_probe_clear
    initial probe_pkg::probe_declare("l1d_clear", "gen_dcache.u_dcache", "clears_q", 0, 1);
  end else begin : gen_probe_clear
    initial probe_pkg::probe_declare("l1d_state", "gen_dcache.u_dcache", "fsm_q", 0, 3);
  end
  export "DPI-C" function probe_l1_sizes;
  function automatic void probe_l1_sizes(output int unsigned l1i_sets, output int unsigned l1i_ways,
                                         output int unsigned l1d_sets, output int unsigned l1d_ways);
    l1i_sets = L1iSets;
    l1i_ways = L1iWays;
    l1d_sets = L1dSets;
    l1d_ways = L1dWays;
  endfunction

  // Walks, and the data TLB
  `PROBE(tlb_valid, u_dtlb, valid_q)
  `PROBE(walks, u_ptw_arbiter, busy_q)

  // Gets a CSR, but for those of floating point. Returns 0 if it holds no state.
  export "DPI-C" function probe_csr;
  function automatic bit probe_csr(input int unsigned number, output longint unsigned value);
    automatic soc_pkg::mstatus_t mstatus = u_csr.u_status.status_q;
    automatic logic dirty = mstatus.fs == 2'd3;
    automatic int unsigned event_number = 32'(number[4:0]) - 3;

    value = '0;
    probe_csr = 1'b1;
    case (number[11:0])
      csr_pkg::CsrSstatus: value = {dirty, 40'd0, mstatus & csr_pkg::SstatusMask} | csr_pkg::Uxl;
      csr_pkg::CsrMstatus: value = {dirty, 40'd0, mstatus} | csr_pkg::Uxl | csr_pkg::Sxl;
      csr_pkg::CsrSie:
      value = {52'd0, u_csr.u_interrupt.enable_q & u_csr.u_interrupt.mideleg_q};
      csr_pkg::CsrSip:
      value = {52'd0, u_csr.u_interrupt.mip_o & u_csr.u_interrupt.mideleg_q};
      csr_pkg::CsrMie: value = 64'(u_csr.u_interrupt.enable_q);
      csr_pkg::CsrMip: value = 64'(u_csr.u_interrupt.mip_o);
      csr_pkg::CsrMideleg: value = 64'(u_csr.u_interrupt.mideleg_q);
      csr_pkg::CsrMedeleg: value = 64'(u_csr.u_trap.medeleg_q);
      csr_pkg::CsrMtvec: value = u_csr.u_trap.mtvec_q;
      csr_pkg::CsrStvec: value = u_csr.u_trap.stvec_q;
      csr_pkg::CsrMepc: value = u_csr.u_trap.mepc_q;
      csr_pkg::CsrSepc: value = u_csr.u_trap.sepc_q;
      csr_pkg::CsrMcause: value = u_csr.u_trap.mcause_q;
      csr_pkg::CsrScause: value = u_csr.u_trap.scause_q;
      csr_pkg::CsrMtval: value = u_csr.u_trap.mtval_q;
      csr_pkg::CsrStval: value = u_csr.u_trap.stval_q;
      csr_pkg::CsrSatp: value = u_csr.satp_q;
      csr_pkg::CsrMcounteren: value = 64'(u_csr.mcounteren_q);
      csr_pkg::CsrScounteren: value = 64'(u_csr.scounteren_q);
      csr_pkg::CsrMenvcfg: value = 64'(u_csr.mfiom_q);
      csr_pkg::CsrSenvcfg: value = 64'(u_csr.sfiom_q);
      csr_pkg::CsrMscratch: value = u_csr.mscratch_q;
      csr_pkg::CsrSscratch: value = u_csr.sscratch_q;
      csr_pkg::CsrMcountinhibit: value = 64'(u_csr.u_counter.inhibit_q);
      csr_pkg::CsrMcycle: value = u_csr.u_counter.mcycle_q;
      csr_pkg::CsrMinstret: value = u_csr.u_counter.minstret_q;
      csr_pkg::CsrPmpcfg0: value = u_pmp.config_q;
      default: begin
        if (number[11:4] == 8'h3b) begin  // pmpaddr
          if (!number[3] && u_pmp.written_q[number[2:0]])
            value = 64'(u_pmp.address_q[number[2:0]]);
        end else if (number[11:5] == csr_pkg::RowEvent && number[4:0] >= 5'd3) begin
          if (event_number < 6 && u_csr.u_counter.gen_hpm.u_hpm.on_q[event_number[2:0]])
            value = hpm_event(u_csr.u_counter.gen_hpm.u_hpm.event_q[event_number[2:0]]);
        end else begin
          probe_csr = 1'b0;
        end
      end
    endcase
  endfunction
  function automatic logic [63:0] hpm_event(input logic [19:0] selection);
    hpm_event = {38'd0, selection[19:2], 6'd0, selection[1:0]};
  endfunction

  // Gets the 8 bytes at this physical address in the L1D. Returns 0 if memory has them.
  export "DPI-C" function probe_l1d_word;
  function automatic bit probe_l1d_word(input longint unsigned address, output longint unsigned data);
    {probe_l1d_word, data} = gen_dcache.u_dcache.probe_word(address[55:3]);
  endfunction

  // Gets the physical address of a line that the L1D has modified; its number is {set, way}, or
  // 2**16 for one that is being written back. Returns 0 if there is none of this number.
  export "DPI-C" function probe_l1d_modified;
  function automatic bit probe_l1d_modified(input int unsigned number, output longint unsigned address);
    address = '0;
    {probe_l1d_modified, address[55:0]} = gen_dcache.u_dcache.probe_modified(number);
  endfunction

  // The data TLB, which is direct-mapped: the tag of an entry is {space, ASID, page}. Returns
  // whether an entry is used with this ASID; the physical page of an entry.
  localparam int unsigned AsidLow = 52 - $clog2(DtlbSets);  // in a tag: tlb.key_t
  export "DPI-C" function probe_tlb_serves;
  function automatic bit probe_tlb_serves(input int unsigned entry, input int unsigned asid);
    return u_dtlb.valid_q[entry[5:0]] &&
        (u_dtlb.global_q[entry[5:0]] || u_dtlb.key_q[entry[5:0]][AsidLow+:16] == asid[15:0]);
  endfunction
  export "DPI-C" function probe_tlb_page;
  function automatic longint unsigned probe_tlb_page(input int unsigned entry);
    return 64'(u_dtlb.data_q[entry[5:0]][43:0]);
  endfunction
  // Returns whether an entry is of this virtual page.
  export "DPI-C" function probe_tlb_has;
  function automatic bit probe_tlb_has(input longint unsigned va);
    return u_dtlb.valid_q[va[17:12]] && u_dtlb.key_q[va[17:12]][AsidLow-1:0] == va[63:18];
  endfunction

  // The walk for the data TLB: the virtual address, and whether it reads an entry, and where.
  // Returns 0 if there is none.
  export "DPI-C" function probe_walk;
  function automatic bit probe_walk(output longint unsigned va, output bit reads,
                                    output longint unsigned address);
    va = u_ptw_arbiter.req_q.va;
    reads = u_ptw_arbiter.u_walker.state_q == soc_pkg::WalkRead;
    address = 64'(u_ptw_arbiter.u_walker.addr_q);
    return u_ptw_arbiter.busy_q && !u_ptw_arbiter.fetch_q;
  endfunction

endmodule
`endif
