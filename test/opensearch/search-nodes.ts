import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../services/free-port.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const startLimitMs = 400_000;
// Runs the node ($1 and on) until standard input ends, which it does when the test's process ends in any way; then
// kills it like a power cut, and removes its folder ($0).
const guard = '"$@" & node=$!; read _; kill -KILL $node; wait $node; rm -rf "$0"';
// Small and fast to start: it holds a few thousand passages and lives for a minute.
const machine = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export interface SearchNode {
  name: string;
  /** The HTTP address. */
  url: string;
  /** Kills it like a power cut, and waits until it has ended. */
  kill(): Promise<void>;
}

/** Nodes of one search cluster on loopback; `stop` deletes their data. */
export interface SearchNodes {
  nodes: SearchNode[];
  stop(): Promise<void>;
}

/**
 * Returns true if this machine can run search nodes, which needs Java 17 and Maven to fetch them. Otherwise the tests
 * are skipped with one line, except on the build machine, where that is an error.
 */
export async function canRunSearchNodes(): Promise<boolean> {
  const missing: string[] = [];
  for (const program of ['java', 'javac', 'mvn']) {
    await run(program, ['-version']).catch(() => missing.push(program));
  }
  if (missing.length === 0) return true;
  const what = `${missing.join(', ')} not installed (apt-get install openjdk-17-jdk-headless maven)`;
  if (process.env.CI) throw new Error(`${what}, and CI must test on a search cluster`);
  console.warn(`${what}: the tests on a search cluster are left out`);
  return false;
}

/** Starts this many nodes, each as a separate process, and waits until they have formed a cluster. */
export async function startSearchNodes(count: number): Promise<SearchNodes> {
  const folder = mkdtempSync(join(tmpdir(), 'search-nodes-'));
  const classPath = await buildClassPath(folder);
  const ports: { http: number; cluster: number }[] = [];
  for (let at = 0; at < count; at += 1) ports.push({ http: await freePort(), cluster: await freePort() });
  const members = ports.map(({ cluster }) => `127.0.0.1:${cluster}`).join(',');
  const children: ChildProcess[] = [];
  const nodes = ports.map(({ http, cluster }, at): SearchNode => {
    const name = `node-${at + 1}`;
    const home = join(folder, name);
    mkdirSync(home);
    const command = ['java', ...machine, '-cp', classPath, 'SearchNode', name, home, `${http}`, `${cluster}`, members];
    const child = spawn('sh', ['-c', guard, home, ...command], { cwd: home, stdio: ['pipe', 'ignore', 'ignore'] });
    children.push(child);
    const kill = async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    };
    return { name, url: `http://127.0.0.1:${http}`, kill };
  });
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await run('rm', ['-rf', folder]);
  };
  try {
    for (const { url } of nodes) await untilJoined(url, count, children);
  } catch (error) {
    await stop();
    throw error;
  }
  return { nodes, stop };
}

/** Returns a node's class path. Files that Maven fetched before are not downloaded again. */
async function buildClassPath(folder: string): Promise<string> {
  const file = join(folder, 'class-path');
  const ask = ['-q', '-B', '-f', join(here, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${file}`];
  await run('mvn', ['-o', ...ask]).catch(() => run('mvn', ask));
  const jars = readFileSync(file, 'utf8').trim();
  const classes = join(folder, 'classes');
  await run('javac', ['-nowarn', '-d', classes, '-cp', jars, join(here, 'SearchNode.java')]);
  return `${classes}${delimiter}${jars}`;
}

/** Waits until every shard of every index has its replicas: before that, losing a node loses a shard. */
export async function untilCopied({ nodes }: SearchNodes): Promise<void> {
  const [node] = nodes;
  const answer = await fetch(`${node?.url}/_cluster/health?wait_for_status=green&timeout=120s`);
  const health = (await answer.json()) as { status?: string };
  if (health.status !== 'green') throw new Error(`the search nodes lack copies: ${JSON.stringify(health)}`);
}

async function untilJoined(url: string, count: number, children: ChildProcess[]): Promise<void> {
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const health = await fetch(`${url}/_cluster/health`)
      .then((answer) => answer.json() as Promise<{ number_of_nodes?: number }>)
      .catch(() => undefined);
    if (health?.number_of_nodes === count) return;
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('a search node ended while it started');
    if (performance.now() > deadline) throw new Error('the search nodes did not find each other');
    await delay(100);
  }
}
