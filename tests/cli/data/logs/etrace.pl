# SPDX-License-Identifier: Apache-2.0
# Writes the text of a trace of one hart (tr-text --tokens) as E-Trace's packets, as the
# specification's algorithm does, an instruction at a time. Arguments, NAME=NUMBER:
#
#   the encoder's parameters, of the same names as in --encoder
#   full_address, implicit_return, implicit_exception, branch_prediction,
#   jump_target_cache, sijump: the modes
#   resync=N    synchronise again after N packets
#   notify=N    report every Nth instruction
#   pause=N     do not trace N instructions after the first 1000
#   lost=N      lose the packets of N instructions after the first 1000
#   nulls=N     a run of empty packets before every Nth packet
#   source=N    the number of the hart
#   time=1      a timestamp in every packet
#   records=1   records of PULP's rv_tracer
#   ecalls=1    ecall and ebreak are reported as retired
use strict;
use warnings;
no warnings 'portable';

my %p = (bpred_size => 0, cache_size => 0, call_counter_size => 0, return_stack_size => 0,
	context_width => 1, time_width => 1, ecause_width => 4, f0s_width => 0, iaddress_lsb => 1,
	iaddress_width => 64, nocontext => 1, notime => 1, privilege_width => 2, sijump => 0,
	srcid_width => 0, type_width => 0, inst_type => 0, timestamp_width => 0, resync => 0,
	notify => 0, pause => 0, lost => 0, nulls => 0, source => 0, time => 0, records => 0, ecalls => 0,
	full_address => 0, implicit_return => 0, implicit_exception => 0, branch_prediction => 0,
	jump_target_cache => 0, delta_address => 1);
for (@ARGV) {
	/^(\w+)=(\d+)$/ && exists $p{$1} or die "no parameter: $_\n";
	$p{$1} = $2;
}
my $mask = $p{iaddress_width} == 64 ? ~0 : (1 << $p{iaddress_width}) - 1;
my $max_depth = $p{return_stack_size} ? 1 << $p{return_stack_size} : 1 << $p{call_counter_size};
my %mode = (U => 0, S => 1, M => 3);
my ($packets, $since_sync, $address, $fields) = (0, 0, 0);
my ($map, $branches, $all_right, $fails) = ('', 0, 1, 0); # of the branches not yet reported
my (@counters, @cache, @stack);
my ($returns, $calls_since, $branch_since) = (0, 1, 1);
my $cycle = 0; # of the current row
my $first = 0; # an instruction that ran
my $rv32 = 0;
my $zcmp = 0;

sub bits { my ($value, $width) = @_; return substr(unpack('b64', pack('Q<', $value)), 0, $width) }

# --- Packets

sub wrap {
	my ($payload) = @_; # bits, the first one first
	if ($p{records}) {
		$payload .= '0' x (-length($payload) % 8);
		my $record = chr(0x80 | length($payload) / 8) . ($p{time} ? pack('Q<', $cycle) : "\0" x 8) . pack('b*', $payload);
		print scalar reverse $record . "\0" x (40 - length $record);
		return;
	}
	$payload =~ s/(.)\1*$/$1/;
	$payload .= substr($payload, -1) x (-length($payload) % 8);
	print "\0" x (40 + $p{timestamp_width} / 8) if $p{nulls} && $packets && $packets % $p{nulls} == 0;
	print chr(0x80) if $p{nulls} && $packets % $p{nulls} == 1;
	my $behind = bits($p{source}, $p{srcid_width});
	$behind .= bits($cycle, $p{timestamp_width}) if $p{time};
	$behind .= bits($p{inst_type}, $p{type_width}) . $payload;
	$behind .= '1' x (-length($behind) % 8); # without a meaning
	my $length = length($behind) / 8 - int($p{srcid_width} / 8) - ($p{time} ? $p{timestamp_width} / 8 : 0);
	print chr($length | ($p{time} ? 0x80 : 0)), pack('b*', $behind);
}
my $mute = 0;
sub packet {
	my ($payload) = @_;
	wrap($payload) unless $mute;
	$packets++;
	$since_sync++;
	($map, $branches, $all_right, $fails) = ('', 0, 1, 0);
}
sub address_bits { # of a whole address or a change
	my ($value) = @_;
	return bits($value >> $p{iaddress_lsb}, $p{iaddress_width} - $p{iaddress_lsb}) unless $p{records};
	my $all = bits($value, 64);
	$all .= $p{signed} ? substr($all, -1) : '0';
	(my $short = $all) =~ s/(.)\1*$/$1/;
	my $bytes = int((length($short) + 7) / 8);
	$bytes = 8 if $bytes > 8;
	return substr($all, 0, 8 * $bytes + 1);
}
sub support {
	my ($enabled, $status) = @_;
	my @order = $p{records}
		? qw(jump_target_cache branch_prediction implicit_return sijump implicit_exception full_address delta_address)
		: qw(implicit_return implicit_exception full_address jump_target_cache branch_prediction);
	packet('1111' . $enabled . '0' . bits($status, 2) . join('', map { $p{$_} ? 1 : 0 } @order));
}
sub reset_tables {
	@counters = (1) x (1 << $p{bpred_size});
	@cache = ();
	@stack = ();
	($returns, $calls_since, $branch_since) = (0, 1, 1);
	$since_sync = 0;
}
sub place { # privilege, time, context
	my ($r) = @_;
	my $bits = bits($mode{$r->{priv}}, $p{privilege_width});
	$bits .= bits($r->{cycle}, $p{time_width}) unless $p{notime};
	$bits .= bits($r->{satp}, $p{context_width}) unless $p{nocontext};
	return $bits;
}
sub start {
	my ($r) = @_;
	packet('1100' . ($r->{taken} ? 0 : 1) . place($r) . address_bits($r->{pc} & $mask));
	$address = $r->{pc};
	reset_tables();
}
# rv_tracer synchronises again with an instruction that ran before, and keeps its branches.
sub stale {
	my ($r) = @_;
	my @kept = ($map, $branches, $all_right, $fails);
	packet('11001' . place($r) . address_bits($first & $mask));
	($map, $branches, $all_right, $fails) = @kept;
	($address, $since_sync) = ($first, 0);
	return 1;
}
sub trap { # the trap, the row of the handler's first instruction or of the address, thaddr
	my ($t, $r, $thaddr) = @_;
	my $bits = '1110' . ($r->{taken} ? 0 : 1) . place($r);
	$bits .= bits($t->{cause}, $p{records} ? 64 : $p{ecause_width}) . ($t->{interrupt} ? 1 : 0) . $thaddr;
	my $whole = $r->{pc} & $mask;
	$bits .= address_bits($whole) unless $p{implicit_exception} && $thaddr && !$p{records};
	$bits .= bits($t->{tval} & $mask, $p{iaddress_width}) if $p{records} || !$t->{interrupt};
	packet($bits);
	$address = $r->{pc};
	reset_tables();
}
sub map_bits { # of at most 31 branches
	my $width = $branches > 15 || !$branches ? 31 : $branches > 7 ? 15 : $branches > 3 ? 7 : $branches > 1 ? 3 : 1;
	return $map . '0' x ($width - length $map);
}
sub count_of { # no address, an address, or one of a branch that failed
	my ($form) = @_;
	return '00' . bits(0, $p{f0s_width}) . bits($branches - 31, 32) . bits($form, 2);
}
sub entry { my ($pc, $size) = @_; return $pc >> 1 & (1 << $size) - 1 }
sub depth_width { return $p{return_stack_size} + ($p{return_stack_size} ? 1 : 0) + $p{call_counter_size} }
sub flag { my ($bit, $flag) = @_; return $flag ? 1 - $bit : $bit }
sub depth_bits { # after the bit $last; reports a depth
	my ($last, $depth) = @_;
	return $last . $last x depth_width() unless defined $depth;
	return (1 - $last) . bits($depth, depth_width());
}
# Reports an address: of what follows a jump, or precedes a format 3, or because of notify.
sub report {
	my ($r, $follows, $precedes, $notify, $depth) = @_;
	my $bits;
	my $at = entry($r->{pc}, $p{cache_size});
	my $is_cached = $p{jump_target_cache} && $follows && defined $cache[$at] && $cache[$at] == $r->{pc};
	$cache[$at] = $r->{pc} if $p{jump_target_cache} && $follows;
	if ($branches > 31 || ($branches == 31 && $p{branch_prediction} && $all_right)) {
		$bits = count_of($fails ? 3 : 2);
	} elsif ($is_cached && !($follows && $precedes)) {
		$bits = '00' . bits(1, $p{f0s_width}) . bits($at, $p{cache_size}) . bits($branches, 5);
		$bits .= map_bits() if $branches;
		packet($bits . depth_bits(substr($bits, -1), $depth));
		$address = $r->{pc};
		return;
	} else {
		$bits = $branches ? '10' . bits($branches, 5) . map_bits() : '01';
	}
	my $change = $p{full_address} ? $r->{pc} & $mask : $r->{pc} - $address;
	{ use integer; $change = $r->{pc} - $address unless $p{full_address}; }
	local $p{signed} = !$p{full_address};
	$bits .= address_bits($change);
	my $last = $p{records} ? substr(bits($r->{pc}, 64), -1) : substr($bits, -1);
	$bits .= ($last = flag($last, $notify));
	$bits .= ($last = flag($last, $follows && $precedes));
	$bits .= depth_bits($last, $depth);
	packet($bits);
	$address = $r->{pc};
}

# --- Instructions

sub zcm_transfer { # 'r' cm.popret and cm.popretz, 'j' cm.jt, 'c' cm.jalt, or ''
	my ($bits) = @_;
	return '' unless ($bits & 0xe003) == 0xa002;
	return 'r' if ($bits & 0x1d00) == 0x1c00;
	return $bits & 0x1c00 ? '' : $bits & 0x380 ? 'c' : 'j';
}
# 'b' branch, 'j' jump, 'i' indirect, 'x' return from a trap, 'e' ecall or ebreak, or ''
sub kind {
	my ($bits, $size) = @_;
	if ($size == 4) {
		return 'x' if $bits == 0x30200073 || $bits == 0x10200073;
		return 'e' if $bits == 0x73 || $bits == 0x100073;
		return {0x63 => 'b', 0x6f => 'j', 0x67 => 'i'}->{$bits & 0x7f} // '';
	}
	my ($quadrant, $funct) = ($bits & 3, $bits >> 13);
	return {1 => $rv32 ? 'j' : '', 5 => 'j', 6 => 'b', 7 => 'b'}->{$funct} // '' if $quadrant == 1;
	return 'e' if $bits == 0x9002;
	return 'i' if $zcmp && zcm_transfer($bits);
	return $quadrant == 2 && $funct == 4 && !($bits >> 2 & 31) && $bits >> 7 & 31 ? 'i' : '';
}
sub classify { # calls and returns, by their registers
	my ($r) = @_;
	my ($bits, $rd, $rs) = ($r->{bits});
	if ($r->{size} == 2) {
		($rd, $rs) = $r->{kind} eq 'j' ? ($bits >> 13 == 1 ? 1 : 0, 0) : ($bits >> 12 & 1, $bits >> 7 & 31);
	} else {
		($rd, $rs) = ($bits >> 7 & 31, $r->{kind} eq 'j' ? 0 : $bits >> 15 & 31);
	}
	my ($links, $linked) = map { $_ == 1 || $_ == 5 } $rd, $rs;
	$r->{rs} = $rs;
	$r->{call} = $links && !($linked && $rs != $rd);
	$r->{return} = $linked && !$links;
	$r->{constant} = $r->{kind} eq 'i' && !$rs;
	my $zcm = $zcmp && $r->{size} == 2 ? zcm_transfer($bits) : '' or return;
	($r->{call}, $r->{return}, $r->{constant}, $r->{rs}) = ($zcm eq 'c', $zcm eq 'r', 0, 32);
}
sub predict { # returns true if the branch did as predicted
	my ($r) = @_;
	my $counter = \$counters[entry($r->{pc}, $p{bpred_size})];
	my $guess = $$counter >> 1;
	my $last = $$counter & 1;
	my $taken = $r->{taken} ? 1 : 0;
	$$counter = ($taken == $last ? $taken : $guess) << 1 | $taken;
	return $guess == $taken;
}
sub add_branch {
	my ($r) = @_;
	my $right = $p{branch_prediction} && predict($r);
	$branch_since = 1;
	if ($branches >= 31) {
		$right ? $branches++ : ($fails = 1);
		return;
	}
	$branches++;
	$map .= $r->{taken} ? 0 : 1;
	$all_right &&= $right;
}
sub is_sequential { # after lui or auipc of the same register
	my ($prev, $r) = @_;
	return 0 unless $p{sijump} && $r->{kind} eq 'i' && $prev && !$prev->{trap};
	my ($bits, $size) = ($prev->{bits}, $prev->{size});
	return ($bits & 0xe003) == 0x6001 && ($bits >> 7 & 31) == $r->{rs} && $r->{rs} != 2 if $size == 2;
	return (($bits & 0x7f) == 0x37 || ($bits & 0x7f) == 0x17) && ($bits >> 7 & 31) == $r->{rs};
}
# After the packets of an instruction: whether it jumps to where the program does not tell.
sub retire {
	my ($prev, $r) = @_;
	$r->{jumps} = $r->{kind} eq 'x' || ($r->{kind} eq 'i' && !$r->{constant} && !is_sequential($prev, $r));
	return unless $p{implicit_return} && ($r->{call} || $r->{return});
	if ($r->{return} && $r->{jumps} && @stack) {
		($returns, $branch_since) = ($returns + 1, 0);
		if ($p{return_stack_size} && $stack[-1] != $r->{next}) {
			$r->{depth} = @stack;
		} else {
			pop @stack;
			($r->{jumps}, $r->{implied}) = (0, 1);
		}
	} elsif ($r->{call}) {
		shift @stack if @stack == $max_depth;
		push @stack, $r->{pc} + $r->{size};
		$returns = 0;
	}
}
# The depth that a packet before one of format 3 must report.
sub depth_before {
	my ($prev) = @_;
	return undef unless $p{implicit_return};
	return @stack ? scalar @stack : undef if $prev && $prev->{implied};
	return !$returns || $branch_since ? undef : scalar @stack;
}

# --- The algorithm: rows are instructions and traps, between the one before and the next

my ($prev, $curr, $reported, $number) = (undef, undef, 0, 0);
sub changes { my ($a, $b) = @_; return $a->{priv} ne $b->{priv} || (!$p{nocontext} && $a->{satp} != $b->{satp}) }
sub settle_instruction {
	my ($next) = @_;
	my $r = $curr;
	$first ||= $r->{pc};
	my $is_late = $p{resync} && $since_sync > $p{resync};
	my $trap_next = $next && $next->{trap};
	add_branch($r) if $r->{kind} eq 'b';
	if ($prev && $prev->{trap}) {
		$reported ? start($r) : trap($prev, $r, 1);
		$reported = 0;
		return;
	}
	$is_late &&= !stale($r) if $p{records} && $prev && !changes($prev, $r) && !$prev->{jumps};
	return start($r) if !$prev || changes($prev, $r) || $is_late;
	my $precedes = $trap_next || ($next && changes($r, $next)) || ($p{resync} && $since_sync == $p{resync});
	if ($prev->{jumps}) {
		return report($r, 1, $precedes, 0, $prev->{depth});
	}
	if (($p{resync} && $since_sync == $p{resync} && $branches) || $trap_next || ($precedes && $branches && $next && changes($r, $next))) {
		return report($r, 0, 1, 0, depth_before($prev));
	}
	return report($r, 0, 0, 1, undef) if $p{notify} && $number % $p{notify} == 0;
	return finish_branches($r) if $branches >= 31 && (!$p{branch_prediction} || $fails || ($branches == 31 && !$all_right));
}
sub finish_branches {
	return packet(count_of(0)) if $fails;
	packet('10' . '00000' . $map);
}
sub settle_trap {
	my ($next) = @_;
	if ($prev && $prev->{trap}) {
		trap($prev, $curr, 0) unless $reported;
		$reported = 0;
	} elsif ($prev && $prev->{jumps}) {
		trap($curr, $curr, 0);
		$reported = 1;
	}
}
sub shift_in { # the next row
	my ($next) = @_;
	if ($curr) {
		$cycle = $curr->{cycle};
		if ($curr->{trap}) {
			settle_trap($next);
		} else {
			settle_instruction($next);
			retire($prev, $curr);
		}
	}
	($prev, $curr) = ($curr, $next);
}
sub stop { # the last instruction is reported
	my ($enabled) = @_;
	my $last = $curr;
	my $jumped = $prev && $prev->{jumps};
	my $before = $packets;
	shift_in(undef);
	my $told = $packets != $before && $address == $last->{pc};
	report($last, 0, 0, 0, undef) if !$last->{trap} && !$told;
	support($enabled, $jumped ? 3 : 1);
	($prev, $curr) = (undef, undef);
}

my $held; # an instruction whose successor is not known
sub pass_on {
	my ($r) = @_;
	return unless $r;
	$r->{taken} = $r->{kind} eq 'b' && $r->{next} != $r->{pc} + $r->{size};
	classify($r) if $r->{kind} =~ /[ij]/;
	shift_in($r);
}
binmode STDOUT;
my ($satp, $priv, $now) = (0, 'M', 0);
reset_tables();
support(1, 0);
while (<STDIN>) {
	my @w = split;
	my %v = map { /^(\w+)=(.*)/ ? ($1 => $2) : () } @w;
	$rv32 = 1 if /^header xlen=32/;
	$zcmp = 1 if /^header isa=.*_zcm/;
	if ($w[0] eq 'hart') {
		($satp, $now) = (hex $v{satp}, $v{cycle} // 0);
	} elsif ($w[0] eq 'satp') {
		$satp = hex $w[1];
	} elsif ($w[0] eq 'trap') {
		my $epc = hex $v{epc};
		my $t = {trap => 1, cause => $v{cause} // $v{interrupt}, tval => hex $v{tval}, pc => $epc,
			priv => $priv, satp => $satp, interrupt => defined $v{interrupt}};
		$now += $v{cycles} =~ s{/.*}{}r;
		$t->{cycle} = $now;
		$held->{next} = $epc if $held;
		pass_on($held);
		$held = undef;
		if ($p{ecalls} && /ecall/) {
			shift_in({pc => $epc, bits => 0x73, size => 4, cycle => $now, priv => $priv, satp => $satp, kind => 'e'});
		}
		shift_in($t) unless $p{paused};
		$priv = $v{priv};
	} elsif ($w[0] eq 'xret') {
		$priv = $v{priv};
	} elsif ($w[0] eq 'token') {
		my $r = {pc => hex $w[1], bits => hex $w[2], size => length($w[2]) / 2,
			cycle => $v{cycle}, priv => $v{priv}, satp => $satp};
		$r->{kind} = kind($r->{bits}, $r->{size});
		$number++;
		my $n = $number - 1001;
		$held->{next} = $r->{pc} if $held;
		pass_on($held);
		$held = $r;
		($now, $priv) = ($v{cycle}, $v{priv});
		if ($p{pause} && $n == 0) {
			stop(1);
			$p{paused} = $mute = 1;
		}
		$mute = 1 if $p{lost} && $n == 0;
		if ($mute && $n == $p{lost} + $p{pause}) {
			($mute, $p{paused}) = (0, 0);
			support(1, 2) if $p{lost};
			($prev, $curr, $reported) = (undef, undef, 0);
		}
	}
}
if ($held) {
	$held->{next} = $held->{pc} + $held->{size};
	pass_on($held);
	stop(0);
}
