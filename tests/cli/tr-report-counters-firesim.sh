# SPDX-License-Identifier: Apache-2.0
# A file of FireSim: labels with the path of a core, instantaneous values, no classes.
. "$SRC/tests/cli/tr-report-counters.inc"
csv | sed '/^label/s/,\([a-z]\)/,tile_\1/g; s/tile_local_cycle/local_cycle/; /^label/s/$/,tile_queue/
	/^type/s/$/,Identity/; /^"desc/s/$/,"entries"/; /width/s/$/,4/; 8s/$/,9/; 9s/$/,3/' > whole.csv
sed 's/_class\./_klass./g' whole.csv > AUTOCOUNTERFILE0.csv
tr-report counters --prefix tile_ --level 2 AUTOCOUNTERFILE0.csv
tr-report counters --prefix tile_ whole.csv | head -2
try() {
	tr-report counters "$@"
	echo "exit $?"
}
try AUTOCOUNTERFILE0.csv
try --prefix til AUTOCOUNTERFILE0.csv
try --prefix tile_ --frontend AUTOCOUNTERFILE0.csv
sed 's/tile_flush/tile_flash/' AUTOCOUNTERFILE0.csv > some.csv
try --prefix tile_ some.csv
sed '/^type/s/Accumulate/Identity/14' whole.csv > moment.csv
try --prefix tile_ moment.csv
sed '/^type/s/Accumulate/Identity/4' whole.csv > moment.csv
try --prefix tile_ moment.csv
sed '/^type/s/Accumulate/Identity/' whole.csv > moment.csv
try --prefix tile_ moment.csv
