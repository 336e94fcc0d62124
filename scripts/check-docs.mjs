import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const documents = ['README.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs'];
const texts = [
  ...documents,
  'contract',
  'server',
  'web',
  'eval',
  'bench',
  'test',
  'scripts',
  'deploy',
  '.ci',
  'lectern',
];
const skippedFolders = new Set(['node_modules', 'dist', '.react-router', '.cache', '.data', '.eval']);

/** Created by a build or at run time, so a clone does not contain them. */
const madeLater = /^(\.\/)?(dist|node_modules|\.data|\.node|\.cache|\.eval|coverage)(\/|$)/;
/** Folders that exist only on one developer's machine. Joined at run time, so that this file does not match itself. */
const machineFolders = ['work', 'farm', 'root'].join('|');
const homeFolders = 'home/[a-z]\\w*|Users/[A-Za-z]\\w*';
const machinePaths = new RegExp(`(?<![\\w.])/(${machineFolders}|${homeFolders})/[\\w.]`);
/** Tests use sample home folders. */
const machinePathsInTests = new RegExp(`(?<![\\w.])/(${machineFolders})/[\\w.]`);

/** Returns all paths in documents that do not exist, and all texts that name a folder of one machine. */
export function checkDocs(root) {
  const topLevel = new Set(readdirSync(root));
  const faults = documents
    .flatMap((document) => filesUnder(root, document))
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => missingPaths(root, file, topLevel));
  for (const file of texts.flatMap((text) => filesUnder(root, text))) {
    if (/\.(png|ico|woff2?|gz|zst|pdf|jpe?g|webp|mp4|webm)$/.test(file)) continue;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    lines.forEach((line, index) => {
      const match = (file.endsWith('.test.ts') ? machinePathsInTests : machinePaths).exec(line);
      if (match && !line.includes('http'))
        faults.push(`${file}:${index + 1} names a folder of one machine: ${match[0]}…`);
    });
  }
  return faults;
}

function missingPaths(root, file, topLevel) {
  const faults = [];
  // Command output and configuration examples contain paths of the reader's machine; only prose and code spans are
  // checked.
  const text = readFileSync(join(root, file), 'utf8');
  let isFenced = false;
  text.split('\n').forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    else if (!isFenced) {
      for (const path of namedPaths(line, topLevel)) {
        const inRoot = join(root, normalize(path));
        const besideFile = join(root, dirname(file), path);
        if (!madeLater.test(path) && !existsSync(inRoot) && !existsSync(besideFile)) {
          faults.push(`${file}:${index + 1} names ${path}, which does not exist`);
        }
      }
    }
  });
  return faults;
}

function namedPaths(line, topLevel) {
  const links = [...line.matchAll(/\]\(([^)\s]+)/g)]
    .map(([, target]) => target.split('#')[0])
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target) && !target.startsWith('/'));
  const spans = [...line.matchAll(/`([^`\s]+)`/g)]
    .map(([, span]) => span.replace(/[:#]\d+$/, ''))
    .filter((span) => /^[\w.@-]+(\/[\w.@-]+)*\/?$/.test(span) && span.includes('/'))
    .filter((span) => topLevel.has(span.split('/')[0]));
  return [...links, ...spans];
}

function filesUnder(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!readdirSafe(full)) return [path];
  return readdirSafe(full).flatMap((entry) => {
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesUnder(root, join(path, entry.name));
    return entry.isFile() ? [relative(root, join(full, entry.name))] : [];
  });
}

function readdirSafe(path) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
