# SPDX-License-Identifier: Apache-2.0
# Empty input is neither a stream nor text.
tr-text < /dev/null
echo "status $?"
tr-text --encode < /dev/null | wc -c
echo "status ${PIPESTATUS[0]}"
tr-text /dev/null
# Nor are empty zstd frames, skippable or not.
for ((i = 0; i < 1000; i++)); do printf '\x50\x2a\x4d\x18\0\0\0\0'; done > skippable.tr
printf '\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00\x99\xe9\xd8\x51' > frame.tr
for file in skippable.tr frame.tr; do
	tr-text $file
	tr-text -@2 $file
done
