# SPDX-License-Identifier: Apache-2.0
# The tables of `make thesis-5.1`, `thesis-5.2` and `thesis-5.7` from small data: parts that add
# up, and parts that do not; functions that are too few.
pipelines=$SRC/pipelines

echo '# 5.1'
difference() { # AFTER CHANGE NEW NUMBER CPI L2 DRAM
	echo before_cycles,after_cycles,change_cycles,by_instructions_cycles,by_cpi_cycles,before_cpi,after_cpi,by_frontend.l2_cycles,by_memory.dram_cycles,by_not_traced_cycles,binary,function,kind
	echo "0,$3,$3,$3,0,-,2.000,0,0,0,prof-inject,main,function"
	echo '600,600,0,0,0,1.500,1.600,0,0,0,multiply,"work(int, int)",function'
	echo "1000,$1,$2,$4,$5,1.600,1.700,$6,$7,0,,all,all"
}
difference 1200 200 100 160 40 10 30 > multiply-gprof.diff
difference 1100 100 60 90 10 10 0 > multiply-process.diff
difference 1080 80 50 70 10 10 0 > multiply-global.diff
{
	echo calls,self_cycles,total_cycles,away_cycles,binary,function,kind
	echo 1,10,30,5,prof-inject,main,function
	echo 1,10,20,5,prof-inject,inject_stubs,function
	echo 1,10,7,5,multiply,[inject],function
} > multiply-process.functions
printf '%s\n' program,kind,calls,cycles,least,median,most,interrupted multiply,near,10,71,6,7,9,0 multiply,far,2,18,9,9,9,0 > multiply-process.costs
table() {
	awk -f "$pipelines/thesis-change.awk" -f "$pipelines/thesis-5.1.awk" multiply-gprof.diff multiply-process.diff multiply-global.diff multiply-process.functions multiply-process.costs
}
table
difference 1080 80 50 60 10 20 0 > multiply-global.diff
table > wrong.txt || echo "exit $?"
rm multiply-global.diff
awk -f "$pipelines/thesis-change.awk" -f "$pipelines/thesis-5.1.awk" multiply-gprof.diff multiply-process.diff > wrong.txt || echo "exit $?"

echo '# 5.2'
echo 'multiply 9626 5' > sizes
parts() { # UNIT INJECTION
	echo "calls,self_$1,total_$1,away_cycles,binary,function,kind"
	echo "1,10,$2,700,prof-inject,begin_program,function"
	echo 1,10,2000,0,prof-inject,check_mapped_text,function
	echo 1,10,3000,100,,[inject],trap
	echo 1,10,800,100,multiply,begin_program,function
}
parts cycles 9000 > multiply-process.functions
parts instructions 102500 > multiply-process.instructions
awk -f "$pipelines/thesis-5.2.awk" sizes multiply-process.functions multiply-process.instructions
parts instructions 102501 > multiply-process.instructions
awk -f "$pipelines/thesis-5.2.awk" sizes multiply-process.functions multiply-process.instructions > wrong.txt || echo "exit $?"
sed -i '/check_mapped_text/d' multiply-process.functions
awk -f "$pipelines/thesis-5.2.awk" sizes multiply-process.functions multiply-process.instructions > wrong.txt || echo "exit $?"

echo '# 5.7'
cat > minisat.csv << 'END'
name,address,size,entry,stub_size,loops
f,0x100,16,near,32,0
"g(int, int)",0x110,16,far,40,1
h,0x120,2,small,0,0
i,0x122,2,live,0,0
END
awk -v least=50 -f "$pipelines/thesis-5.7.awk" minisat.csv
awk -v least=94 -f "$pipelines/thesis-5.7.awk" minisat.csv > wrong.txt || echo "exit $?"
