import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { whereWritable, writeIfWritable } from './read-only.mjs';

/** The inputs of the product's own documentation. */
const docsStep = {
  name: 'docs',
  what: 'the documentation',
  sources: [
    'docs',
    'contract',
    'scripts/docs',
    'server/cli',
    'server/platform/config',
    'server/engine',
    'server/http',
    'server/ingest',
    'server/mcp',
    'web/ui/highlight.ts',
    'package-lock.json',
  ],
  output: 'dist/docs/pages.json',
  run: (root) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'scripts/docs/build.ts')], {
      cwd: root,
      encoding: 'utf8',
    }),
};

const webStep = {
  name: 'web',
  what: 'the browser application',
  sources: [
    'web',
    'contract',
    'eval/baseline.json',
    'bench/last.json',
    'scripts/highlighted-samples.ts',
    'scripts/script-groups.ts',
    'dist/docs/pages.json',
    'scripts/docs/docs-pages.ts',
    'scripts/first-calls.ts',
    'scripts/scripts-of-routes.ts',
    'scripts/start-of-pages.ts',
    // Names the styles of the HTML it writes.
    'server/http/public-face',
    'package-lock.json',
    'vite.config.ts',
    'react-router.config.ts',
    'tsconfig.web.json',
  ],
  output: 'dist/web',
  run: runWebBuild,
};

const triesMax = 3;

/**
 * Builds the browser application into dist/web, and the documentation it shows, if a source changed since the last
 * build.
 */
export async function ensureWebBuilt(root) {
  await ensureDocsBuilt(root);
  await ensureStep(root, webStep);
}

/** Writes the documentation into dist/docs if its inputs changed since the last build. */
export async function ensureDocsBuilt(root) {
  await ensureStep(root, docsStep);
}

async function ensureStep(root, { name, what, sources, output, run }) {
  if (!existsSync(join(root, 'react-router.config.ts'))) return;
  const cache = join(root, '.cache');
  const stamp = join(cache, `${name}-built.json`);

  const isCurrent = () => {
    if (!existsSync(join(root, output)) || !existsSync(stamp)) return false;
    const known = JSON.parse(readFileSync(stamp, 'utf8'));
    const files = listFiles(root, sources);
    if (known.fileStates === statesOf(root, files)) return true;
    if (known.contentHash !== contentHashOf(root, files)) return false;
    writeIfWritable(stamp, JSON.stringify({ ...known, fileStates: statesOf(root, files) }));
    return true;
  };

  if (isCurrent()) return;
  await whereWritable(root, what, async () => {
    mkdirSync(cache, { recursive: true });
    await withLock(join(cache, 'build.lock'), `the build of ${what}`, () => {
      if (isCurrent()) return;
      process.stderr.write(`lectern: building ${what}\n`);
      const files = listFiles(root, sources);
      const built = { fileStates: statesOf(root, files), contentHash: contentHashOf(root, files) };
      const build = run(root);
      if (build.status !== 0) {
        process.stderr.write(`${build.stdout}${build.stderr}`);
        throw new Error(`${what} could not be built (see above)`);
      }
      writeFileSync(stamp, JSON.stringify(built));
    });
  });
}

function runWebBuild(root) {
  let build = runReactRouter(root);
  // The build tool allows ten seconds to prerender a page; a busy machine may need several attempts.
  for (let tries = 1; tries < triesMax && hasTimedOut(build); tries += 1) build = runReactRouter(root);
  return build;
}

function runReactRouter(root) {
  return spawnSync(process.execPath, [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
}

function hasTimedOut({ status, stderr }) {
  return status !== 0 && /Prerender: Request failed.*timeout/.test(stderr);
}

function listFiles(root, sources) {
  return sources.flatMap((source) => {
    const status = statSync(join(root, source), { throwIfNoEntry: false });
    if (!status) return [];
    if (status.isFile()) return [source];
    return readdirSync(join(root, source), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  });
}

function statesOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const status = statSync(join(root, file));
    hash.update(`${file}\0${status.size}\0${status.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function contentHashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

if (import.meta.main) await ensureWebBuilt(dirname(dirname(fileURLToPath(import.meta.url))));
