import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const words = ['loom', 'warp', 'weft', 'heddle', 'shuttle', 'treadle', 'bobbin', 'reed', 'beam', 'harness', 'selvage'];
const verbs = ['returns', 'raises', 'accepts', 'ignores', 'creates', 'closes', 'opens', 'keeps', 'drops', 'reads'];
/** Sections of a page; each becomes a passage. */
export const sectionsPerPage = 10;

function sentence(seed: number): string {
  const pick = (list: string[], by: number) => list[(seed * by + (seed >> 3)) % list.length];
  return `The ${pick(words, 7)}_${seed % 997} ${pick(verbs, 11)} every ${pick(words, 13)} of the ${pick(words, 17)} ${seed % 89}.`;
}

function sectionText(page: number, section: number): string {
  return Array.from({ length: 14 }, (_, line) => sentence(page * 1_009 + section * 131 + line * 17)).join(' ');
}

/** Writes Markdown pages that resemble documentation, always the same ones. */
export function writeCorpus(folder: string, pages: number, salt = 0): void {
  for (let page = 0; page < pages; page += 1) {
    const at = join(folder, `part${Math.floor(page / 500)}`);
    mkdirSync(at, { recursive: true });
    const sections = Array.from(
      { length: sectionsPerPage },
      (_, section) => `## About ${words[section % words.length]} ${section}\n\n${sectionText(page + salt, section)}\n`,
    );
    writeFileSync(join(at, `page${page}.md`), `# Chapter ${page}\n\n${sections.join('\n')}`);
  }
}

export function queryAt(index: number): string {
  return `${words[index % words.length]} ${verbs[(index * 3) % verbs.length]} ${words[(index * 5) % words.length]}_${index % 997}`;
}

/** A documentation site on loopback. */
export interface CorpusSite {
  /** Its start page links to all pages. */
  url: string;
  host: string;
  /** Returns the address of an unlinked page, which is served without delay. */
  apart(page: number): string;
  /** Resolves when the first linked page was requested. */
  begun: Promise<void>;
  stop(): void;
}

function pageHtml(page: number): string {
  const sections = Array.from(
    { length: sectionsPerPage },
    (_, section) =>
      `<h2 id="s${section}">About ${words[section % words.length]}</h2><p>${sectionText(page, section)}</p>`,
  );
  return `<main><h1>Page ${page}</h1>${sections.join('')}</main>`;
}

/** Starts a site that serves pages as fast as requested, or a limited number a second. */
export async function startCorpusSite(pages: number, perSecond = Number.POSITIVE_INFINITY): Promise<CorpusSite> {
  const first = Promise.withResolvers<void>();
  let turnAt = 0;
  const untilTurn = async (): Promise<void> => {
    first.resolve();
    turnAt = Math.max(turnAt + 1_000 / perSecond, performance.now());
    await delay(Math.max(0, turnAt - performance.now()));
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = /^\/(docs|apart)\/(?:page(\d+)\.html)?$/.exec(request.url ?? '');
    if (found === null) return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const [, part, page] = found;
    if (page !== undefined) {
      if (part === 'docs' && Number.isFinite(perSecond)) await untilTurn();
      return void response.end(pageHtml(Number(page)));
    }
    const links = Array.from({ length: pages }, (_, at) => `<li><a href="/docs/page${at}.html">Page ${at}</a></li>`);
    response.end(`<main><h1>Start</h1><p>All pages of the loom.</p><ul>${links.join('')}</ul></main>`);
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const apart = (page: number) => `${origin}/apart/page${page}.html`;
  return { url: `${origin}/docs/`, host: `127.0.0.1:${port}`, apart, begun: first.promise, stop };
}
