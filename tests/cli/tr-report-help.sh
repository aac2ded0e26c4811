# SPDX-License-Identifier: Apache-2.0
# tr-report lists its commands, and each command its options; neither takes what it does not
# list.
tr-report --help
tr-report --version
for command in $(tr-report --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	printf '\n# %s\n' "$command"
	tr-report "$command" --help
done
for wrong in '' -x '-o x functions' table histogrm 'histogram' 'slowest --unit miss f' 'functions --svg x' \
	'tma --unit cycles' 'classes --fold fw' 'classes --by task' 'functions one two' 'functions --to 1 --from 2'; do
	tr-report $wrong < /dev/null
	echo "exit $?"
done
