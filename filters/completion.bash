# SPDX-License-Identifier: Apache-2.0
# bash completion of all programs, from the options that each lists: a line with the option,
# its letter, its argument, and the values, or "help" if the option lists them itself.
# tr-report has options behind the name of a command.

# Prints the values of option $1 of the command that follows.
_tr_profiler_values() {
	local name letter argument values option=$1
	shift
	while IFS=$'\t' read -r name letter argument values; do
		[ "$option" = "$name" ] || [ "$option" = "-$letter" ] || continue
		case $values in
		help) "$@" "$name" help 2> /dev/null | awk '{ print $1 }' ;;
		-) ;;
		*) echo "$values" ;;
		esac
	done < <("$@" --list-options 2> /dev/null)
}

_tr_profiler() {
	local program=$1 current=$2 previous=$3 values command=("$1")
	[ "$program" = tr-report ] && [ "$COMP_CWORD" -gt 1 ] && command+=("${COMP_WORDS[1]}")
	COMPREPLY=()
	[ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD - 2]}
	[ "$current" = = ] && current=
	values=$(_tr_profiler_values "$previous" "${command[@]}")
	if [ -n "$values" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("${command[@]}" --list-options 2> /dev/null | cut -f 1)" -- "$current")
	elif [ "$program:$COMP_CWORD" = tr-report:1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2> /dev/null |
			sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')" -- "$current")
	else
		compopt -o filenames 2> /dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		if [ "$program:$COMP_CWORD" = tr-profile:1 ]; then
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$current")
		fi
	fi
}

complete -F _tr_profiler prof-counts prof-extract prof-log soc-model soc-net soc-restore soc-sim tr-annotate tr-capture tr-diff tr-explore tr-fold tr-info \
	tr-match tr-profile tr-replay tr-report tr-sample tr-split-by-satp tr-text tr-timeline tr-unwind
