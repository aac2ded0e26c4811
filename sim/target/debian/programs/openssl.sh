# SPDX-License-Identifier: Apache-2.0
# Digests, a cipher there and back, an elliptic curve's signature, a prime number.
busybox seq 1 20000 > /data
traced /usr/bin/openssl dgst -sha256 /data
openssl dgst -sha3-256 /data
openssl enc -aes-256-cbc -pbkdf2 -iter 1000 -pass pass:secret -in /data -out /data.enc
openssl enc -d -aes-256-cbc -pbkdf2 -iter 1000 -pass pass:secret -in /data.enc | busybox cmp - /data && echo same
openssl genpkey -algorithm ed25519 -out /key
openssl pkey -in /key -pubout -out /public
openssl pkeyutl -sign -inkey /key -rawin -in /data -out /signature
openssl pkeyutl -verify -pubin -inkey /public -rawin -in /data -sigfile /signature
openssl prime 2305843009213693951
