#!/usr/bin/env node
// Downloads and unpacks the sets of sets.json. Plain Node without dependencies; can be run again.
// Usage: node fetch-sets.mjs DIR [--only A,B] [--mirrors DIR]
//   DIR/PACKAGE         a Debian package, unpacked (apt-get download, dpkg -x: nothing is installed)
//   DIR/OWNER+NAME      a git repository's folder at its commit
//   DIR/folders/NAME    files of a set that is read as a folder; packed PDFs are unpacked
// --mirrors: bare repositories to use instead of GitHub, as DIR/OWNER+NAME/repo
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, mirrors: { type: 'string' } },
});
if (positionals.length !== 1) {
  console.error('usage: node fetch-sets.mjs DIR [--only A,B] [--mirrors DIR]');
  process.exit(2);
}
const target = path.resolve(positionals[0]);
const only = values.only?.split(',');
const all = JSON.parse(fs.readFileSync(new URL('./sets.json', import.meta.url), 'utf8'));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'fetch-sets-'));
fs.chmodSync(scratch, 0o755);
fs.mkdirSync(target, { recursive: true });
try {
  for (const set of only === undefined ? all : all.filter(({ name }) => only.includes(name))) {
    const origin = set.git === undefined ? unpackPackage(set) : takeRepository(set);
    if (set.kind !== 'site') copyFiles(set, path.join(target, origin, set.dir));
    console.log(`ready ${set.name}`);
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

function unpackPackage({ package: name, version }) {
  const folder = path.join(target, name);
  if (fs.existsSync(path.join(folder, 'usr'))) return name;
  execFileSync('apt-get', ['download', '-q', name], { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] });
  const file = fs.readdirSync(scratch).find((one) => one.startsWith(`${name}_`));
  const got = execFileSync('dpkg-deb', ['-f', file, 'Version'], { cwd: scratch, encoding: 'utf8' }).trim();
  if (got !== version) console.error(`note: ${name} is ${got} here, the questions were written on ${version}`);
  fs.mkdirSync(folder, { recursive: true });
  execFileSync('dpkg', ['-x', file, folder], { cwd: scratch });
  fs.rmSync(path.join(scratch, file));
  return name;
}

function takeRepository({ git, commit, dir }) {
  const name = new URL(git).pathname.slice(1).replace('/', '+');
  const folder = path.join(target, name);
  if (fs.existsSync(path.join(folder, dir))) return name;
  let repository = values.mirrors && path.resolve(values.mirrors, name, 'repo');
  if (repository === undefined) {
    repository = path.join(scratch, name);
    execFileSync('git', ['clone', '-q', '--bare', git, repository], { stdio: 'inherit' });
  }
  fs.mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GIT_INDEX_FILE: path.join(scratch, 'index') };
  execFileSync('git', [`--git-dir=${repository}`, `--work-tree=${folder}`, 'checkout', '-q', commit, '--', dir], {
    env,
  });
  fs.rmSync(env.GIT_INDEX_FILE);
  return name;
}

/** Keeps timestamps, so that a second run changes nothing. */
function copyFiles({ name, files = ['.'] }, from) {
  const to = path.join(target, 'folders', name);
  const wanted = files.map((pattern) => new RegExp(pattern));
  for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(from, file);
    if (!entry.isFile() || !wanted.some((pattern) => pattern.test(relative))) continue;
    const copy = path.join(to, relative.replace(/\.pdf\.gz$/, '.pdf'));
    fs.mkdirSync(path.dirname(copy), { recursive: true });
    if (copy.endsWith('.pdf') && file.endsWith('.gz')) fs.writeFileSync(copy, gunzipSync(fs.readFileSync(file)));
    else fs.copyFileSync(file, copy);
    const { atime, mtime } = fs.statSync(file);
    fs.utimesSync(copy, atime, mtime);
  }
}
