# SPDX-License-Identifier: Apache-2.0
# bash completion of all programs: options from --help, the values that a program lists
# itself, and file names.

# Prints the values of option $2 of program $1 that --help or an option itself lists.
_tr_profiler_values() {
	case $1:$2 in
	*:--from | tr-fold:--format | tr-timeline:--format)
		"$1" "$2" help 2> /dev/null | awk '{ print $1 }' ;;
	tr-report:--format) echo text csv json ;;
	tr-report:--unit) echo cycles instructions ;;
	tr-fold:--by | tr-report:--by) echo joined program process thread privilege hart ;;
	soc-*:--isa) echo rv64imac rv64gc ;;
	soc-*:--nic) echo loopback wire ;;
	esac
}

_tr_profiler() {
	local program=$1 current=$2 previous=$3 values command=()
	[ "$program" = tr-report ] && [ "$COMP_CWORD" -gt 1 ] && command=("${COMP_WORDS[1]}")
	COMPREPLY=()
	[ "$previous" = = ] && previous=${COMP_WORDS[COMP_CWORD - 2]}
	[ "$current" = = ] && current=
	values=$(_tr_profiler_values "$program" "$previous")
	if [ -n "$values" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
	elif [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$("$program" "${command[@]}" --help 2> /dev/null |
			grep -oE -- '^ {2,8}(-[a-zA-Z@], )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+')" -- "$current")
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

complete -F _tr_profiler soc-model soc-net soc-sim tr-capture tr-diff tr-fold tr-info tr-match tr-profile \
	tr-replay tr-report tr-split-by-satp tr-text tr-timeline tr-unwind
