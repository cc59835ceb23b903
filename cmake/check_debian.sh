#!/bin/sh
# Shows that the README's two commands work on a fresh minimal Debian:
#   sh cmake/check_debian.sh SUITE [--user]        SUITE: bookworm (12) or trixie (13)
# Makes a chroot by debootstrap from the mirror that apt uses, copies the sources into it and runs src/cli/demo.sh and
# tests/run.sh there as root, or with --user as a user who may call sudo. Needs root and about 3 GB in TMPDIR; the
# chroot is removed at the end. Names in TOPSPLIT_ONNX_NODE_TESTS, TOPSPLIT_CASES and TOPSPLIT_REAL are copied too.
set -eu

usage() { sed -n "2,7s/^# //p" "$0" >&2; exit 2; }
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${2:---user}" != --user ]; then usage; fi
suite=$1
as_user=${2:+yes}
root=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo "check_debian: debootstrap and chroot need root" >&2; exit 1; }
sh "$root/cmake/bootstrap.sh" chroot

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
[ -n "$mirror" ] || { echo "check_debian: apt knows no mirror; run apt-get update first" >&2; exit 1; }
place=$(mktemp -d)
clean() {
  umount "$place/proc" 2>/dev/null || true
  rm -rf --one-file-system "$place"
}
trap clean EXIT
trap 'exit 1' INT TERM

echo "check_debian: debootstrap $suite"
debootstrap --variant=minbase "$suite" "$place" "$mirror" >"$place.log" 2>&1 || { tail -n 20 "$place.log" >&2; exit 1; }
rm -f "$place.log"
mount -t proc proc "$place/proc"
chmod 755 "$place"
mkdir "$place/topsplit"
(cd "$root" && tar --exclude=./build* --exclude=./.git -cf - .) | tar -xf - -C "$place/topsplit"
for name in TOPSPLIT_ONNX_NODE_TESTS TOPSPLIT_CASES TOPSPLIT_REAL; do
  eval "from=\${$name:-}"
  # shellcheck disable=SC2154
  [ -n "$from" ] || continue
  mkdir -p "$place/data/$name"
  cp -R "$from/." "$place/data/$name"
  export "$name=/data/$name"
done

command='cd / && sh /topsplit/src/cli/demo.sh && sh /topsplit/tests/run.sh'
if [ -n "$as_user" ]; then
  chroot "$place" apt-get -qq update
  chroot "$place" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends sudo >/dev/null
  chroot "$place" useradd --create-home --shell /bin/sh tester
  echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$place/etc/sudoers.d/tester"
  chroot "$place" chown -R tester /topsplit
  chroot "$place" su tester -c "$command" </dev/null
else
  chroot "$place" sh -c "$command" </dev/null
fi
echo "check_debian: both commands passed on $suite${as_user:+ as a user with sudo}"
