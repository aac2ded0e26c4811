# SPDX-License-Identifier: Apache-2.0
# Modules of the kernel: the file system of four of them on the RAM disk of another.
module() {
	local file
	file=$(busybox find /usr/lib/modules -name "$1.ko*")
	shift
	traced /usr/sbin/insmod "$file" "$@"
}
module brd rd_nr=1 rd_size=16384
for name in crc16 mbcache jbd2 ext4; do module $name; done
busybox lsmod | busybox awk '{ print $1 }' | busybox sort

/usr/sbin/mke2fs -q -t ext4 -U 01234567-89ab-cdef-0123-456789abcdef /dev/ram0
busybox mkdir /mnt
busybox mount -t ext4 /dev/ram0 /mnt
for i in 1 2 3 4 5 6 7 8; do
	busybox mkdir /mnt/folder$i
	for k in 1 2 3 4 5 6 7 8; do busybox seq 1 $((i * k * 50)) > /mnt/folder$i/file$k; done
done
busybox rm -r /mnt/folder3
busybox mv /mnt/folder1/file8 /mnt/folder2/moved
busybox umount /mnt
busybox mount -t ext4 /dev/ram0 /mnt
busybox find /mnt -type f | busybox wc -l
busybox find /mnt -type f | busybox sort | busybox xargs busybox cat | busybox sha256sum
busybox umount /mnt
/usr/sbin/rmmod ext4 && busybox grep -c ext4 /proc/modules
