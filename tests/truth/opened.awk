# SPDX-License-Identifier: Apache-2.0
# Reads the header that tr-info prints, and writes a list of the binaries in it, without
# those that are parts of others and without kernel modules. Paths in it are relative to
# `folder`.
function number(suffix) { return substr($1, 1, length($1) - length(suffix)) }
$1 == "provenance" { exit }
$1 ~ /^bin[.][0-9]+$/ { path[$1] = $2; order[n++] = $1 }
$1 ~ /[.]role$/ { role[number(".role")] = $2 }
$1 ~ /[.]part$/ { delete path[number(".part")] }
$1 ~ /[.]kind$/ && $2 == "library" && role[number(".kind")] == "kernel" { delete path[number(".kind")] }
END { for (i = 0; i < n; i++) if (order[i] in path) print folder path[order[i]], role[order[i]] }
