# SPDX-License-Identifier: Apache-2.0
# Makes initializers of the names of system calls, by number, from the macros of
# <asm/unistd.h>, as in `cc -E -dM`.
function number(text,    parts) {
	gsub(/[()]/, "", text)
	if (split(text, parts, / *\+ */) == 2)
		return number(parts[1]) + number(parts[2])
	return text in value ? number(value[text]) : text + 0
}
/^#define __NR/ {
	name = $2
	sub(/^#define [^ ]+ /, "")
	value[name] = $0
}
END {
	for (name in value) {
		if (name !~ /^__NR_/ || name ~ /^__NR_(syscalls|arch_specific_syscall)$/)
			continue
		n = number(value[name])
		call[n] = substr(name, 6)
		if (n > last)
			last = n
	}
	for (n = 0; n <= last; n++)
		if (n in call)
			printf "[%d] = \"%s\",\n", n, call[n]
}
