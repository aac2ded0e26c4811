-- SPDX-License-Identifier: Apache-2.0
-- Writes what a core in VHDL commits as text, a line each, as rvfi_log.v does: rvfi_log.awk
-- makes lines of it that `tr-text --encode` reads. VHDL of 2008, for any simulator. With
-- several commits in a cycle each channel has an instance and a file; see rvfi_log.awk.

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use std.textio.all;

entity rvfi_log is
  generic (
    XLEN     : positive := 32;
    ILEN     : positive := 32;
    HART     : natural  := 0;
    LOG_FILE : string   := "rvfi.log"
  );
  port (
    clk_i      : in std_logic;
    valid_i    : in std_logic;
    trap_i     : in std_logic := '0';
    intr_i     : in std_logic := '0';
    mode_i     : in std_logic_vector(1 downto 0) := "11";
    insn_i     : in std_logic_vector(ILEN - 1 downto 0);
    pc_rdata_i : in std_logic_vector(XLEN - 1 downto 0);
    pc_wdata_i : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    rd_addr_i  : in std_logic_vector(4 downto 0) := (others => '0');
    rd_wdata_i : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    satp_i     : in std_logic_vector(XLEN - 1 downto 0) := (others => '0');
    cause_i    : in std_logic_vector(XLEN - 1 downto 0) := (others => '0')
  );
end entity;

architecture log of rvfi_log is
  -- VHDL may write the digits of hexadecimal numbers in capitals.
  function lower(text : string) return string is
    variable result : string(text'range) := text;
  begin
    for i in result'range loop
      if result(i) >= 'A' and result(i) <= 'F' then
        result(i) := character'val(character'pos(result(i)) + 32);
      end if;
    end loop;
    return result;
  end function;

  function flag(value : std_logic) return string is
  begin
    if value = '1' then
      return "1";
    end if;
    return "0";
  end function;
begin
  process (clk_i)
    file log        : text open write_mode is LOG_FILE;
    variable row    : line;
    variable cycle  : unsigned(63 downto 0) := (0 => '1', others => '0');
    variable digits : string(1 to 20);

    -- Decimal, also beyond the range of VHDL's integers.
    procedure write_cycle is
      variable rest : unsigned(63 downto 0) := cycle;
      variable i    : natural := digits'high;
    begin
      loop
        digits(i) := character'val(character'pos('0') + to_integer(rest mod 10));
        rest := rest / 10;
        exit when rest = 0;
        i := i - 1;
      end loop;
      write(row, digits(i to digits'high));
    end procedure;
  begin
    if rising_edge(clk_i) then
      if valid_i = '1' then
        write_cycle;
        write(row, " " & integer'image(HART) & " " & lower(to_hstring(pc_rdata_i)) & " " &
              lower(to_hstring(pc_wdata_i)) & " " & lower(to_hstring(insn_i)) & " " &
              integer'image(to_integer(unsigned(mode_i))) & " " & flag(trap_i) & " " &
              flag(intr_i) & " " & integer'image(to_integer(unsigned(rd_addr_i))) & " " &
              lower(to_hstring(rd_wdata_i)) & " " & lower(to_hstring(satp_i)) & " " &
              lower(to_hstring(cause_i)));
        writeline(log, row);
      end if;
      cycle := cycle + 1;
    end if;
  end process;
end architecture;
