# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts run*.sh: draws mutants from WORK/changes until COUNT of them are
# valid. A script that includes this file defines
#
#   mutant DIRECTORY                         prepares the folder of a mutant
#   verdict FILE DIRECTORY AT LENGTH NEW WHAT    prints the verdict on the mutant
#
# runs try_one for `--one NUMBER`, and calls draw with itself as RUN. WORK/verdicts has
# the verdict on each change. MUTANTS_JOBS are tried at a time (2).

# Prints FILE with the change.
changed() { # FILE AT LENGTH NEW
	head -c "$2" "$1"
	printf '%s' "$4"
	tail -c +$(($2 + $3 + 1)) "$1"
}

# Prints why a change survives, by survivors.txt, which identifies it by its lines because
# line numbers change.
explanation() { # FILE:NUMBER: OLD → NEW
	local file=${1%%:*} at=${1#*:} line
	line=$(sed -n "$((${at%%:*} - 1)),${at%%:*}{s/^[[:space:]]*//;p}" "$file" | paste -sd " ")
	head="$file:${at#*:}" line=$line awk '
		/^[^\t]/ { about = $0 == ENVIRON["head"]; found = 0; next }
		found { print substr($0, 2) }
		about { found = substr($0, 2) == ENVIRON["line"]; about = 0 }' \
		tests/mutants/survivors.txt
}

# Prints the verdict on a change that no test notices.
survival() { # FILE:NUMBER: OLD → NEW
	local reason
	reason=$(explanation "$1")
	[[ $reason == equivalent:* ]] && echo equivalent && return
	echo survived
}

# The verdict of a script that also defines
#
#   compile SOURCE OBJECT                    compiles standard input
#   link_mutant FILE DIRECTORY               links DIRECTORY/mutant.o
#   check DIRECTORY                          fails, and prints by which test, if one notices
verdict_of_object() { # FILE DIRECTORY AT LENGTH NEW FILE:NUMBER:_OLD_→_NEW
	local reason
	changed "$1" "$3" "$4" "$5" | compile "$1" "$2/mutant.o" 2> /dev/null ||
		{ echo 'does not compile' && return; }
	compile "$1" "$2/base.o" < "$1"
	cmp -s "$2/mutant.o" "$2/base.o" && echo 'same code' && return
	link_mutant "$1" "$2" 2> /dev/null || { echo 'does not link' && return; }
	if reason=$(check "$2" 2> /dev/null); then
		survival "$6"
	else
		echo "killed by $reason"
	fi
}

try_one() { # NUMBER
	local at length new what dir=$WORK/mutant-$1
	# `read` would skip an empty field between tabs.
	IFS=$'\037' read -r at length new what < \
		<(sed -n "$1p" "$WORK/changes" | tr "\t" "\037")
	mutant "$dir"
	printf '%s\t%s\n' "$(verdict "${what%%:*}" "$dir" "$at" "$length" "$new" "$what")" "$what" \
		> "$WORK/verdicts/$1"
	rm -rf "$dir"
}

# Prints all changes tried, in order; $1 selects those with such a verdict.
verdicts() {
	for ((i = 1; i < next; i++)); do cat "$WORK/verdicts/$i"; done |
		awk -F '\t' -v want="$1" '$1 ~ want'
}

draw() { # RUN COUNT NEEDED
	local next=1 tried=0 last killed equivalent reason what
	while ((tried < $2)); do
		last=$((next + $2 - tried - 1))
		if ((last > $(wc -l < "$WORK/changes"))); then
			echo "mutants: there are fewer than $2 changes to make" >&2
			exit 2
		fi
		seq "$next" "$last" | xargs -P "${MUTANTS_JOBS:-2}" -n 1 "$1" --one
		next=$((last + 1))
		tried=$(verdicts '^(survived|killed)' | wc -l)
	done
	verdicts '^survived' | while IFS=$'\t' read -r _ what; do
		echo "$what"
		reason=$(explanation "$what")
		printf '\t%s\n' "${reason:-not explained}"
	done
	killed=$(verdicts '^killed' | wc -l) equivalent=$(verdicts '^equivalent' | wc -l)
	echo "mutants: $killed of $2 killed, $equivalent equivalent ones replaced (see tests/mutants/survivors.txt)"
	((killed >= $3))
}
