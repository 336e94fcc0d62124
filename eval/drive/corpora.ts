import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs, stopProcess } from './processes.ts';

export interface Corpus {
  name: string;
  index: string;
  htmlPages: number;
  totalBytes: number;
  /** Further start pages, relative to the corpus. */
  seeds?: string[];
}

export interface CorporaServer {
  origin: string;
  /** In the format of LECTERN_ALLOW_HOSTS. */
  host: string;
  stop(): Promise<void>;
}

/**
 * Returns the folder of the shared evaluation data, without symbolic links: its server starts only by its real path.
 * Throws with advice if it is missing.
 */
export function sharedEvalFolder(): string {
  const folder = resolve(process.env.LECTERN_SHARED ?? '../shared', 'eval');
  if (!existsSync(join(folder, 'corpora.json'))) {
    throw new Error(
      `the shared evaluation data is not at ${folder}; set LECTERN_SHARED, or leave out --corpora to ask our own questions`,
    );
  }
  return realpathSync(folder);
}

export function readCorpora(only: string[]): Corpus[] {
  const corpora = JSON.parse(readFileSync(join(sharedEvalFolder(), 'corpora.json'), 'utf8')) as Corpus[];
  const unknown = only.find((name) => !corpora.some((corpus) => corpus.name === name));
  if (unknown !== undefined) throw new Error(`there is no corpus "${unknown}"; there are ${names(corpora)}`);
  return only.length === 0 ? corpora : corpora.filter((corpus) => only.includes(corpus.name));
}

function names(corpora: Corpus[]): string {
  return corpora.map((corpus) => corpus.name).join(', ');
}

/**
 * Serves the unpacked documentation packages on loopback, in a separate process so that it uses none of this process's
 * time.
 */
export async function serveCorpora(folder: string, port: number): Promise<CorporaServer> {
  if (!existsSync(folder))
    throw new Error(`there is no folder ${resolve(folder)}; give the folder of the packages with --corpora`);
  const script = join(sharedEvalFolder(), 'serve.mjs');
  const child = spawn(process.execPath, [script, '--corpora', resolve(folder), '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const origin = (await firstLine(child)).replace(/\/$/, '');
  return { origin, host: new URL(origin).host, stop: () => stopProcess(child) };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((fulfil, reject) => {
    if (child.stdout === null) throw new Error('no output to read');
    createInterface({ input: child.stdout }).once('line', fulfil);
    child.once('exit', (status) => reject(new Error(`the server of the corpora ended with code ${status}`)));
  });
}
