# SPDX-License-Identifier: Apache-2.0
# A child that is forked in a call of several functions, and threads that take turns.
import _thread
import posix
import time


def work(n):
    return sum(x * x for x in range(n))


def fork():
    return posix.fork()


def deep(n):
    return fork() if n == 0 else deep(n - 1)


def turn(n):
    for i in range(n):
        work(10)
        time.sleep(0.0001)


def run(n, lock):
    turn(n)
    lock.release()


def main():
    pid = deep(3)
    if pid == 0:
        work(50)
        raise SystemExit(3)
    work(20)
    posix.waitpid(pid, 0)
    locks = [_thread.allocate_lock() for i in range(2)]
    for lock in locks:
        lock.acquire()
        _thread.start_new_thread(run, (5, lock))
    for lock in locks:
        lock.acquire()


main()
