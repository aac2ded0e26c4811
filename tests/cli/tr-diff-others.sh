# SPDX-License-Identifier: Apache-2.0
# Folded text of other programs: it is read as it is meant, or refused.
try() { # TEXT: compared with itself, and with two stacks
	printf "$1" > one.folded
	tr-diff one.folded one.folded > same.txt && tr-diff --by stack two.folded one.folded
	echo "exit $?"
}
printf '%s\n' 'main;f 10' 'main;g 5' > two.folded
echo '# read'
try '# comment\n# samples: 120\n#\n#!stackcollapse.pl 2\n## x 3\nmain;f 10\nmain;g 5\n'
try '#made by hand\nmain;f 10\nmain;g 5\n'
try '\xef\xbb\xbfmain;f 10\nmain;g 5\n'
try '\xef\xbb\xbf# comment 1\r\nmain;f 10\r\nmain;g 5\r\n'
try 'main;f 10.0\nmain;g 5.\n'
try 'main;f\t10\nmain;g\t5\n'
try 'main;f 10\nmain;g 5\n#private;method 7\nworker 1 500\n'
echo '# refused'
try 'main;f 10\nmain;g 5.25\n'
try 'main;f 10 12\nmain;g 5 0\n'
try '# difffolded.pl\nmain;f 10 12\n'
try 'main;f 1e3\n'
try 'main;f .5\n'
try 'main;f 1.5.2\n'
try '\xff\xfem\x00;\x00f\x00 \x001\x00\n'
try '# only 1\n'
