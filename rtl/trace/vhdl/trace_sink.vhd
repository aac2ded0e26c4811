-- SPDX-License-Identifier: Apache-2.0
-- Writes what a core in VHDL commits as a trace stream, as trace_sink.sv does, by VHPIDIRECT of
-- GHDL: trace_sink.c, built as tr_vhdl.so in the working directory. One commit in a cycle.
-- Instances are the harts of one stream.

package tr_vhdl is
  -- Opens the stream, or finds it open. Returns 0 if there is none.
  function tr_vhdl_open(xlen, harts, lacks : integer) return integer;
  attribute foreign of tr_vhdl_open : function is "VHPIDIRECT ./tr_vhdl.so tr_vhdl_open";
  -- Adds a commit. `flags`: rd, mode from bit 5, trap 7, intr 8, whether cause is valid 9.
  procedure tr_vhdl_commit(hart, cycle_high, cycle_low, pc_high, pc_low, next_high, next_low, insn,
                           value_high, value_low, satp_high, satp_low, cause_high, cause_low,
                           flags : integer);
  attribute foreign of tr_vhdl_commit : procedure is "VHPIDIRECT ./tr_vhdl.so tr_vhdl_commit";
end package;

package body tr_vhdl is
  function tr_vhdl_open(xlen, harts, lacks : integer) return integer is
  begin
    assert false report "tr_vhdl_open is in tr_vhdl.so" severity failure;
    return 0;
  end function;
  procedure tr_vhdl_commit(hart, cycle_high, cycle_low, pc_high, pc_low, next_high, next_low, insn,
                           value_high, value_low, satp_high, satp_low, cause_high, cause_low,
                           flags : integer) is
  begin
    assert false report "tr_vhdl_commit is in tr_vhdl.so" severity failure;
  end procedure;
end package body;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.tr_vhdl.all;

entity trace_sink is
  generic (
    XLEN      : positive := 32;
    HART      : natural  := 0;
    HARTS     : positive := 1;
    LACKS     : natural  := 0;     -- what the core cannot tell: TR_TRACE_NO_* of tr_trace.h
    HAS_CAUSE : boolean  := false  -- cause_i is valid
  );
  port (
    clk_i      : in std_logic;
    valid_i    : in std_logic;
    trap_i     : in std_logic := '0';
    intr_i     : in std_logic := '0';
    mode_i     : in std_logic_vector(1 downto 0) := "11";
    insn_i     : in std_logic_vector(31 downto 0);
    pc_rdata_i : in std_logic_vector(XLEN - 1 downto 0);
    pc_wdata_i : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    rd_addr_i  : in std_logic_vector(4 downto 0) := (others => '0');
    rd_wdata_i : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    satp_i     : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    cause_i    : in std_logic_vector(XLEN - 1 downto 0) := (others => '0')
  );
end entity;

architecture foreign_calls of trace_sink is
  function low(value : std_logic_vector) return integer is
    alias bits : std_logic_vector(value'length - 1 downto 0) is value;
  begin
    return to_integer(signed(bits(31 downto 0)));
  end function;

  function high(value : std_logic_vector) return integer is
    alias bits : std_logic_vector(value'length - 1 downto 0) is value;
  begin
    if value'length <= 32 then
      return 0;
    end if;
    return to_integer(signed(bits(bits'left downto bits'left - 31)));
  end function;
begin
  process (clk_i)
    variable cycle : unsigned(63 downto 0) := (0 => '1', others => '0');
    variable state : integer := -1;  -- not yet opened
    variable flags : std_logic_vector(9 downto 0);
  begin
    if rising_edge(clk_i) then
      if state < 0 then
        state := tr_vhdl_open(XLEN, HARTS, LACKS);
      end if;
      if valid_i = '1' and state > 0 then
        flags := "0" & intr_i & trap_i & mode_i & rd_addr_i;
        if HAS_CAUSE then
          flags(9) := '1';
        end if;
        tr_vhdl_commit(HART, high(std_logic_vector(cycle)), low(std_logic_vector(cycle)), high(pc_rdata_i),
                       low(pc_rdata_i), high(pc_wdata_i), low(pc_wdata_i), low(insn_i), high(rd_wdata_i),
                       low(rd_wdata_i), high(satp_i), low(satp_i), high(cause_i), low(cause_i),
                       to_integer(unsigned(flags)));
      end if;
      cycle := cycle + 1;
    end if;
  end process;
end architecture;
