# Another core is another build of soc-sim in the same folder, which runs with the same arguments.
cp "$BIN/soc-sim" .
ask() { # ARGUMENT...
	echo "$*"
	./soc-sim "$@" 2>&1 | sed "s|$PWD|FOLDER|"
	echo "status ${PIPESTATUS[0]}"
}
ask --core ooo program.elf
ask --core inorder,ooo --harts 2 program.elf
printf '#!/bin/sh\necho "${0##*/}: $*"\n' | tee soc-sim-ooo > soc-sim-inorder-ooo
chmod +x soc-sim-ooo soc-sim-inorder-ooo
ask --core ooo --lockstep program.elf
ask --lockstep --core inorder,ooo --harts 2 program.elf
ask --core inorder missing.elf
ask --core ooo,inorder program.elf
# Not the build that its name promises
cp soc-sim soc-sim-ooo
ask --core ooo program.elf
