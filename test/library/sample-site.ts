import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LoopbackServer, startLoopbackServer } from '../services/loopback-server.ts';

const discoveryFiles = /\/(robots|llms|llms-full)\.txt$|\/sitemap\.xml$/;

/** A documentation site on loopback whose pages can change while it runs. */
export interface SampleSite extends LoopbackServer {
  host: string;
  /** The start address. */
  url: string;
  /** Page texts by name; the start page, `''`, links to all others in this order. */
  pages: Map<string, string>;
  /** Names of pages that only this page links to. */
  linkOnly: Map<string, string[]>;
  /** Names of pages that return this status instead. */
  faults: Map<string, number>;
  /** Returned for every page instead. */
  everywhere: string | undefined;
  /** Called before each response, which waits for it. */
  onRequest: ((name: string) => unknown) | undefined;
  /** Returns the pages requested since the last call, with their statuses; 0 for a pending one. */
  takeRequests(): { name: string; status: number }[];
}

/** Serves `count` pages named page0, page1 and so on below /docs/, with entity tags. */
export async function startSampleSite(count: number, port = 0): Promise<SampleSite> {
  const requests: { name: string; status: number }[] = [];
  const site: Pick<SampleSite, 'pages' | 'linkOnly' | 'faults' | 'everywhere' | 'onRequest'> = {
    linkOnly: new Map(),
    pages: new Map(Array.from({ length: count }, (_, index) => [`page${index}`, `Original text ${index}`])),
    faults: new Map(),
    everywhere: undefined,
    onRequest: undefined,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    const name = path.replace(/^\/docs\/|\.html$/g, '');
    const entry = { name, status: 0 };
    if (!discoveryFiles.test(path)) requests.push(entry);
    const send = (status: number, body = '', headers: Record<string, string> = {}) => {
      entry.status = status;
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
    };
    if (!path.startsWith('/docs/')) return send(404, 'nothing here');
    await site.onRequest?.(name);
    const fault = site.faults.get(name);
    if (fault !== undefined) return send(fault, 'no');
    if (site.everywhere !== undefined) return send(200, site.everywhere);
    const hidden = [...site.linkOnly.values()].flat().includes(name) ? `Hidden text ${name}` : undefined;
    const body =
      name === ''
        ? startPage([...site.pages.keys()])
        : textPage(name, site.pages.get(name) ?? hidden, site.linkOnly.get(name));
    if (body === undefined) return send(404, 'nothing here');
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return send(304, '', { etag });
    return send(200, body, { etag });
  };
  const server = await startLoopbackServer((request, response) => void answer(request, response), '127.0.0.1', port);
  // The same object, because the listener reads the test's changes from it.
  return Object.assign(site, server, {
    host: `127.0.0.1:${server.port}`,
    url: `${server.origin}/docs/`,
    takeRequests: () => requests.splice(0),
  });
}

function startPage(names: string[]): string {
  const links = names.map((name) => `<li><a href="/docs/${name}.html">About ${name}</a></li>`).join('\n');
  return page('Sample documentation', `<p>Everything there is to know about the sample.</p><ul>${links}</ul>`);
}

function textPage(name: string, text: string | undefined, linked: string[] = []): string | undefined {
  if (text === undefined) return undefined;
  const title = `Chapter ${name}`;
  const linkTo = (other: string, words: string) => `<a href="/docs/${other}.html">${words}</a>`;
  if (text === '') return frame(title, linked.map((other) => linkTo(other, '')).join(''));
  const links = linked.map((other) => `<p>See ${linkTo(other, `chapter ${other}`)}.</p>`).join('');
  return page(title, `<p>${text}.</p><p>More about ${name} in plain words.</p>${links}`);
}

function page(title: string, content: string): string {
  return frame(title, `<h1>${title}</h1>${content}`);
}

function frame(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${content}</main></body></html>`;
}
