#!/bin/bash
# Runs the AVX-512 level on a machine without AVX-512: on a processor that Bochs emulates, under a Debian kernel.
#
#   scripts/avx512.sh
#
# The unit tests of the vector operations run there; the command makes tables of every game and proves them, by the
# naive method too; and `grundy bench` compares counts of instructions, which is what emulated time is. Five minutes,
# and the builds.
#
# Wants Debian's packages bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso cpio busybox-static
# binutils, and a list of packages from which it takes the kernel, which is not installed.
set -euo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
target=${CARGO_TARGET_DIR:-$root/target}
bios=/usr/share/bochs/BIOS-bochs-latest video=/usr/share/vgabios/vgabios.bin
loader=/usr/lib/ISOLINUX/isolinux.bin modules=/usr/lib/syslinux/modules/bios/ldlinux.c32
for tool in bochs xorriso cpio busybox strip script apt-get $bios $video $loader $modules; do
    command -v $tool >/dev/null || [ -e $tool ] || { echo "no $tool: the head of this script names the packages" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --release --locked
tests=$(cargo test --locked --lib --no-run --message-format=json-render-diagnostics |
    sed -n 's/.*"test":true.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
[ -x "$tests" ] || { echo "cargo named no test program" >&2; exit 2; }

# The kernel, and a root that holds the command, the tests and a shell.
image=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
(cd "$folder" && apt-get download -qq "$image" && dpkg -x linux-image*.deb kernel)
guest=$folder/root
mkdir -p "$guest"/{bin,lib,lib64,proc,sys,dev,tmp} "$folder/iso/isolinux"
cp "$(command -v busybox)" "$guest/bin/busybox"
cp "$target/release/grundy" "$guest/bin/grundy"
cp "$tests" "$guest/bin/unit"
strip "$guest/bin/unit"
ldd "$guest/bin/grundy" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | xargs cp -L -t "$guest/lib"
cp -L /lib64/ld-linux-x86-64.so.2 "$guest/lib64/"

cat >"$guest/init" <<'GUEST'
#!/bin/busybox sh
export PATH=/bin LD_LIBRARY_PATH=/lib HOME=/tmp
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t tmpfs tmp /tmp
busybox mount -t devtmpfs dev /dev 2>/dev/null
failed=0
check() {
    echo "-- $*"
    "$@" >/tmp/out 2>&1 || { failed=1; busybox cat /tmp/out; echo "FAILED: $*"; }
}
{
    check unit simd::
    busybox grep 'test result: ok. [1-9]' /tmp/out || failed=1
    for game in 'chess --width 16' 'chess --width 5' 'chess --width 17 --reach 3' 'slide --width 16' \
        'slide --width 17 --reach 2' 'welter --width 15' 'welter --width 15 --reach 10' 'stones --max 60'; do
        # The words are arguments.
        check grundy generate $game --simd avx512 --method layered -o /tmp/table --force
        check grundy verify /tmp/table --simd avx512
        check grundy verify /tmp/table --simd portable
    done
    for game in 'chess --width 18' 'slide --width 16' 'welter --width 15'; do
        check grundy generate $game --simd avx512 --method closed-form -o /tmp/table --force
        check grundy verify /tmp/table --simd portable
    done
    # Several tiles but one, and widths at which their rows have large values.
    for game in 'chess --width 22' 'welter --width 20' 'welter --width 21' 'slide --width 22 --reach 9'; do
        check grundy generate $game --simd avx512 --method layered -o /tmp/table --force
        check grundy verify /tmp/table --simd avx512 --check law
    done
    # In emulated time every instruction takes as long: 2/7 of a nanosecond, as this processor says of its clock.
    grundy bench chess-20 chess-20-reach-3 slide-20 welter-20 welter-20-reach-5 --simd avx2,avx512 --methods layered,contest \
        --what compute --threads 1 --repeats 5 --quiet || failed=1
    [ $failed = 0 ] && echo ALL PASSED
    echo END
} >/dev/ttyS0 2>&1
# The line drains first, at its speed of eleven characters a millisecond.
busybox sleep 1
busybox poweroff -f
GUEST
chmod +x "$guest/init"
(cd "$guest" && find . | cpio --quiet -o -H newc | gzip -1 >"$folder/iso/initrd.gz")

# The emulated processor gives a wrong size for the compact form of saved registers: the kernel must not use it.
cp "$folder"/kernel/boot/vmlinuz-* "$folder/iso/vmlinuz"
cp $loader $modules "$folder/iso/isolinux/"
cat >"$folder/iso/isolinux/isolinux.cfg" <<'BOOT'
DEFAULT test
LABEL test
KERNEL /vmlinuz
APPEND initrd=/initrd.gz rdinit=/init quiet console=ttyS0 panic=-1 mitigations=off tsc=reliable clocksource=tsc lpj=400000 idle=poll nopku clearcpuid=xsaves,xsavec
BOOT
xorriso -as mkisofs -quiet -o "$folder/boot.iso" -b isolinux/isolinux.bin -c isolinux/boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$folder/iso"

cat >"$folder/bochsrc" <<BOCHS
display_library: term
cpu: model=corei7_skylake_x, count=1, ips=100000000
memory: guest=1024, host=1024
romimage: file=$bios
vgaromimage: file=$video
ata0-master: type=cdrom, path=$folder/boot.iso, status=inserted
boot: cdrom
log: $folder/log
panic: action=fatal
error: action=ignore
info: action=ignore
com1: enabled=1, mode=file, dev=$folder/serial
clock: sync=none
speaker: enabled=0
BOCHS
# Debian builds Bochs with its debugger, which waits to be told to go on; its display wants a terminal.
echo c >"$folder/go"
cd "$folder"
TERM=xterm timeout 1800 script -qfc 'bochs -q -rc go -f bochsrc' /dev/null </dev/null >screen 2>&1 || true
[ -s serial ] || { tail -n 5 screen >&2; echo 'the emulated machine said nothing' >&2; exit 1; }
tr -d '\r' <serial
grep -q '^ALL PASSED' serial
