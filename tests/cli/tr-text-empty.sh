# SPDX-License-Identifier: Apache-2.0
# Empty input is no stream and no text.
tr-text < /dev/null
echo "status $?"
tr-text --encode < /dev/null | wc -c
echo "status ${PIPESTATUS[0]}"
tr-text /dev/null
