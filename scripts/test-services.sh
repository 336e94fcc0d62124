#!/bin/sh
# Installs what some tests need beside npm packages: a browser, a PostgreSQL server, nginx, systemd and git; in CI
# also programs that check the files in deploy/.
# Only as root on a system with apt-get; elsewhere it names what is missing and ends with 1.
set -eu

# From PyPI and Debian, into a folder of their own. Prometheus itself is not installed, only its checker.
checkers="$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)/.cache/checkers"
install_checkers() {
  [ -n "${CI:-}" ] && [ ! -x "$checkers/bin/promtool" ] || return 0
  python3 -m venv "$checkers" >&2 &&
    "$checkers/bin/pip" install --quiet kubernetes-validate==1.37.0 check-jsonschema==0.39.0 >&2 &&
    cd "$checkers" && { apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }; } >&2 &&
    dpkg -x prometheus_*.deb unpacked &&
    mv unpacked/usr/bin/promtool bin && rm -r unpacked prometheus_*.deb ||
    echo "the programs that check deploy/ could not be installed" >&2
}

missing=
command -v git >/dev/null 2>&1 || missing="$missing git"
# Chromium without windows, each of which would take processes of its own to draw.
command -v chromium-headless-shell >/dev/null 2>&1 || command -v chromium >/dev/null 2>&1 ||
  command -v google-chrome >/dev/null 2>&1 || missing="$missing chromium-headless-shell"
if ! command -v postgres >/dev/null 2>&1 && ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then
  missing="$missing postgresql"
fi
[ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
[ -x /usr/bin/systemd-socket-activate ] || missing="$missing systemd"
[ -z "${CI:-}" ] || python3 -c 'import ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
[ -n "$missing" ] || { install_checkers; exit 0; }

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "missing for some tests:$missing" >&2
  exit 1
fi

echo "installing for the tests:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# A database package starts no server of its own here: each test run makes a private one.
policy=/usr/sbin/policy-rc.d
[ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' > "$policy"; chmod +x "$policy"; trap 'rm -f "$log" "$policy"' EXIT; }
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf
install_missing() {
  apt-get update || return 1
  # Older systems have it only as a part of Chromium.
  apt-cache show chromium-headless-shell >/dev/null 2>&1 || missing=$(printf '%s' "$missing" | sed 's/-headless-shell//')
  # shellcheck disable=SC2086
  apt-get install -y --no-install-recommends $missing
}
if ! install_missing > "$log" 2>&1; then
  tail -n 20 "$log" >&2
  exit 1
fi
install_checkers
