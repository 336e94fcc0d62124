import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toRequest } from '#contract/endpoint.ts';
import { searchEndpoints, searchOutput } from '#contract/search.ts';
import { type Product, startProduct } from '../eval/drive/product.ts';

const visibleWithinMs = 60_000;
/** Pause between two searches, so that most of the server's time is left for the run. */
const searchPauseMs = 10;

export interface UpdateFigures {
  /** From the command that refreshes the module until a search is sent that finds the page's new word. */
  commandToVisibleMs: number[];
  /** From the response with the changed page until a search is sent that finds its new word, which is then visible. */
  fetchedToVisibleMs: number[];
  /** From the response with the changed page until that search has returned. */
  fetchedToFoundMs: number[];
  /** Each round's longest search, from the command until the run had ended. */
  longestSearchMs: number[];
}

/** A proxy in front of a site that adds a sentence to one page. */
interface ChangingSite {
  origin: string;
  host: string;
  /** Adds the word to the page from now on. */
  change(word: string): void;
  /** Returns when the changed page was sent. */
  sentAt(): Promise<number>;
  stop(): Promise<void>;
}

/** Changes a page of an indexed corpus and waits until it is found, `rounds` times. */
export async function timeUpdates(options: {
  corporaOrigin: string;
  corpus: string;
  page: string;
  dataFolder: string;
  rounds: number;
}): Promise<UpdateFigures> {
  const site = await openChangingSite(options.corporaOrigin, `/${options.corpus}/${options.page}`);
  const product = await startProduct(options.dataFolder, site.host);
  const figures: UpdateFigures = {
    commandToVisibleMs: [],
    fetchedToVisibleMs: [],
    fetchedToFoundMs: [],
    longestSearchMs: [],
  };
  try {
    const source = `${site.origin}/${options.corpus}/`;
    const refresh = () => product.index(source, { name: 'changing', maxPages: 20_000 });
    await refresh();
    for (let round = 0; round < options.rounds; round += 1) {
      const word = `quillwort${Date.now().toString(36)}`;
      site.change(word);
      const begun = performance.now();
      const refreshed = refresh();
      const sentAt = site.sentAt();
      const searched = searchUntil(product, word, refreshed);
      const [{ found, longestMs }] = await Promise.all([searched, refreshed]);
      figures.commandToVisibleMs.push(found.askedAt - begun);
      figures.fetchedToVisibleMs.push(found.askedAt - (await sentAt));
      figures.fetchedToFoundMs.push(found.answeredAt - (await sentAt));
      figures.longestSearchMs.push(longestMs);
    }
  } finally {
    await product.stop();
    await site.stop();
  }
  return figures;
}

/** The first search that finds a word. */
interface Found {
  askedAt: number;
  answeredAt: number;
}

/** Repeats the search until the word was found and `run` has ended. */
async function searchUntil(
  { origin, dataFolder }: Product,
  word: string,
  run: Promise<unknown>,
): Promise<{ found: Found; longestMs: number }> {
  const { operatorToken } = JSON.parse(readFileSync(join(dataFolder, 'server.json'), 'utf8')) as {
    operatorToken: string;
  };
  const { path } = toRequest(searchEndpoints.search, { query: word });
  const deadline = performance.now() + visibleWithinMs;
  let isOver = false;
  const noteEnd = () => {
    isOver = true;
  };
  run.then(noteEnd, noteEnd);
  let found: Found | undefined;
  let longestMs = 0;
  while (found === undefined || !isOver) {
    const begun = performance.now();
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    const { results } = searchOutput.parse(await response.json());
    const now = performance.now();
    longestMs = Math.max(longestMs, now - begun);
    if (results.some(({ text }) => text.includes(word))) found ??= { askedAt: begun, answeredAt: now };
    else if (now > deadline) {
      throw new Error(`a changed page was not found within ${visibleWithinMs / 1000} seconds`);
    }
    await delay(searchPauseMs);
  }
  return { found, longestMs };
}

async function openChangingSite(behind: string, path: string): Promise<ChangingSite> {
  let word: string | undefined;
  let noteSent: (at: number) => void = () => undefined;
  let sent = Promise.resolve(0);
  const server: Server = createServer((request, response) => {
    const isChanged = request.url === path && word !== undefined;
    const headers: Record<string, string> = {};
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && !isChanged) headers['if-none-match'] = condition;
    fetch(`${behind}${request.url ?? '/'}`, { headers, redirect: 'manual' })
      .then(async (answer) => {
        const body = Buffer.from(await answer.arrayBuffer());
        const kept = [...answer.headers].filter(([name]) => ['content-type', 'etag', 'location'].includes(name));
        const etag = `"${word}"`;
        if (isChanged && condition === etag) return void response.writeHead(304, { etag }).end();
        response.writeHead(answer.status, { ...Object.fromEntries(kept), ...(isChanged ? { etag } : {}) });
        const added = `<p>The ${word} setting is described here.</p>`;
        const text = isChanged ? Buffer.from(body.toString('utf8').replace(/(<h1[\s\S]*?<\/h1>)/, `$1${added}`)) : body;
        response.end(text, () => isChanged && noteSent(performance.now()));
      })
      .catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    origin: `http://${host}`,
    host,
    change(next) {
      word = next;
      sent = new Promise((fulfil) => {
        noteSent = fulfil;
      });
    },
    sentAt: () => sent,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
