# SPDX-License-Identifier: Apache-2.0
# The requests of disks, by operation and device: from when the driver gets one to its end.
{
	cat <<- 'END'
		header content=stacks
		header probe.0=block
		header probe.0.fields=request,bytes,operation,device
		header probe.1=block_end
		header probe.1.fields=request,error
		func f0 kind=program binary=p name=p
		node n1 parent=n0 func=f0
		thread t0 tp=4096 name=p
		hart 0
	END
	begin() { echo "probe 0 cycle=$1 | request=$2 bytes=+$3 operation=string:\"$4\" device=string:\"$5\""; }
	end() { echo "probe 1 cycle=$1 | request=$2 error=+$3"; }
	# The end of one that began before the trace; three at a time, which end in another
	# order; the same address again, once with an error; one without data.
	end 10 0x7000 0
	begin 100 0x1000 4096 read vda
	begin 110 0x2000 8192 read vda
	begin 120 0x3000 512 write vda
	end 150 0x2000 0
	end 220 0x1000 0
	end 221 0x1000 0
	begin 300 0x1000 512 read vda
	end 301 0x1000 5
	end 420 0x3000 0
	begin 500 0x4000 0 flush vdb
	end 600 0x4000 0
	# The driver gives one back, and gets it again; one without a name; one that does not end.
	begin 610 0x5000 1024 write vdb
	begin 650 0x5000 2048 write vdb
	end 660 0x5000 0
	echo 'probe 0 cycle=700 | request=24576 bytes=+100 operation=string:"other" device=missing'
	end 701 24576 0
	begin 800 0xffffffc000000000 4096 read vda
	echo 'probe 0 cycle=810 | request=missing bytes=+100 operation=string:"other" device=missing'
	echo 'srow n1 t0 cycles=1000 instructions=1 fresh'
	echo 'end end=power-off'
} | tr-text --encode -o s.tr
for format in text csv json; do
	echo "# $format"
	tr-timeline --table block --format $format s.tr
done
echo '# what ends from 151 to 420'
tr-timeline --table block --from 151 --to 420 s.tr
# A kernel without disks; a stream without the probe.
tr-text s.tr | sed 's/^header probe.0.fields.*/&\nheader probe.0.absent=no function blk_mq_start_request in vmlinux/' |
	grep -v '^probe' | tr-text --encode -o without.tr
tr-timeline --table block without.tr
echo "exit $?"
tr-text s.tr | grep -v '^probe\|^header probe' | tr-text --encode -o none.tr
tr-timeline --table block none.tr
echo "exit $?"
