# SPDX-License-Identifier: Apache-2.0
# EPIPE: exits quietly.
yes 'row b' | head -200000 > rows
{ echo 'header content=rows'; echo 'block b pc=0x10 1141 8082'; cat rows; echo end; } > a.txt
tr-text --encode -o a.tr a.txt
tr-text --tokens a.tr | head -1
echo "status ${PIPESTATUS[0]}"
tr-text --encode a.txt | head -c 0
echo "status ${PIPESTATUS[0]}"
