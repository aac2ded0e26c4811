# SPDX-License-Identifier: Apache-2.0
# Table, pictures and tr-info name the node of a network whose trace this is.
tr-text --encode -o s.tr << 'END'
header content=stacks
header node=1
func f0 kind=program name=p
func f1 kind=function address=0x10 binary=p name=main
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
thread t0 name=p
srow n2 t0 cycles=2000 instructions=10
end end=limit
END
tr-info s.tr | grep '  node'
tr-report functions -v s.tr | tail -1
tr-fold --svg s.svg s.tr
grep -oP 'node [^<"]*(?=<)' s.svg
