# SPDX-License-Identifier: Apache-2.0
# The tables of `make big-little` from small data, and accounts that do not add up.
pipelines=$SRC/pipelines
functions() {
	echo self_cycles,hart,binary,function,kind,instructions
	cat
	printf '%s\n' '5000,hart 0,,[out of focus],left out,900' '9000,hart 1,,[idle],idle,0' '70,hart 1,,[end],gap,0'
}
functions > p-inorder.functions.csv << 'END'
1000,hart 0,p,work,function,600
200,hart 0,vmlinux,tick,function,100
END
functions > p-ooo.functions.csv << 'END'
400,hart 1,p,work,function,600
50,hart 1,vmlinux,tick,function,50
END
functions > p-free.functions.csv << 'END'
900,hart 0,p,work,function,600
100,hart 1,p,work,function,60
END
functions > all-together.functions.csv << 'END'
300,hart 0,p,work,function,600
900,hart 1,p,work,function,60
800,hart 1,vmlinux,tick,function,60
END
tma() {
	echo table,slots,percent,cpi,level1,self_slots,self_percent,retiring_slots,frontend_slots,bad_speculation_slots,backend_memory_slots,backend_core_slots,not_traced_slots,frontend.itlb_slots,memory.l2_slots,hart,function,kind
	echo classes,100,100.0,1.0,all,,,,,,,,,,,,,
	cat
	printf 'functions,,,,,%s\n' '20000,1.0,3600,16400,0,0,0,0,16400,0,hart 0,[out of focus],left out'
}
tma > p-inorder.tma.csv << 'END'
functions,,,,,4000,1.0,2400,100,200,1200,100,0,100,1200,hart 0,work,function
functions,,,,,800,1.0,400,400,0,0,0,0,400,0,hart 0,tick,function
END
tma > p-ooo.tma.csv << 'END'
functions,,,,,1600,1.0,600,10,20,900,70,0,10,900,hart 1,work,function
functions,,,,,201,1.0,50,150,0,0,0,1,150,0,hart 1,tick,function
END
cp p-inorder.tma.csv p-free.tma.csv
cat > p.diff.csv << 'END'
before_slots,after_slots,change_slots,by_instructions_slots,by_cpi_slots,by_frontend.itlb_slots,by_frontend.l2_slots,by_badspec.branch_slots,by_memory.l2_slots,by_core.div_slots,by_unclassified_slots,by_retiring_slots,by_not_traced_slots,binary,function,kind
20000,10,-19990,0,-19990,-19990,0,0,0,0,0,0,0,,[out of focus],function
4000,1600,-2400,0,-2400,-60,-30,-180,-300,-30,0,-1800,0,p,work,function
800,201,-599,-400,-199,-49,0,0,0,0,0,-151,1,vmlinux,tick,function
24800,1811,-22989,-400,-22589,0,0,0,0,0,0,0,0,,all,all
END
move() { printf 'cycles,away_cycles,from_cycle,to_cycle,hart,thread\n10,0,%s,0,p\n' "$1"; }
move 1000,5000 > moves-64.stay_on_0.csv
move 6000,8000 > moves-64.stay_on_1.csv
move 9000,43000 > moves-64.move.csv
table() { awk -v moves=10 -f "$pipelines/big-little.awk" p-*.csv p.diff.csv all-*.csv moves-*.csv; }
table

# $1 in $2 becomes $3
wrong() {
	cp "$2" kept
	sed -i "s/$1/$3/" "$2"
	table > out
	echo "exit $?, $(wc -l < out) lines"
	cp kept "$2"
}
echo '# not so'
wrong 1000,hart p-inorder.functions.csv 999,hart
wrong 'hart 1,vmlinux' p-ooo.functions.csv 'hart 0,vmlinux'
wrong ,900,70, p-ooo.tma.csv ,899,70,
wrong ,-1800, p.diff.csv ,-1799,
wrong ,p, all-together.functions.csv ,q,
rm moves-*.csv
awk -v moves=10 -f "$pipelines/big-little.awk" p-*.csv p.diff.csv
echo "exit $?"
