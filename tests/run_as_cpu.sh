#!/bin/bash
# run_as_cpu.sh CPU PROGRAM [ARGUMENTS...]: runs an x86-64 program on another CPU (qemu64, Nehalem, Haswell, ...) under
# QEMU's user emulation. Exit status 77 says that QEMU is not there. QEMU's remarks about features that a CPU model has and its
# code generator lacks are dropped: they are no errors.
cpu=$1
shift
qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64) || {
  echo "SKIPPED: $* as $cpu: neither qemu-x86_64-static nor qemu-x86_64 is in PATH (Debian: qemu-user-static)"
  exit 77
}
exec "$qemu" -cpu "$cpu" "$@" 2> >(grep -v "TCG doesn't support requested feature" >&2)
