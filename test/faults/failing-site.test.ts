import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openRig } from '../library/rig.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';

/** `./lectern faults` uses the page count and duration from the list of faults. */
const isWhole = process.env['LECTERN_FAULTS'] === 'all';
const pages = isWhole ? 100 : 20;
const awayMs = isWhole ? 10_000 : 1_500;

/** Returns a fixed sequence of numbers from 0 to 1 (a linear congruential generator, as in Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `fail` responds itself and returns true, or leaves the request to the page. */
async function openSite(fail: (response: ServerResponse, asked: number) => boolean) {
  let asked = 0;
  const server = await startLoopbackServer((request, response) => {
    const found = /^\/docs\/(?:page(\d+)\.html)?$/.exec(request.url ?? '');
    if (found === null) return response.writeHead(404).end();
    asked += 1;
    if (fail(response, asked)) return;
    const links = Array.from({ length: pages }, (_, at) => `<li><a href="/docs/page${at}.html">Page ${at}</a></li>`);
    const text = found[1] === undefined ? `<ul>${links.join('')}</ul>` : `<p>Original text ${found[1]}</p>`;
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<main><h1>Loom</h1>${text}</main>`);
  });
  onTestFinished(() => server.close());
  const asPages = () => server.requests.filter((line) => line.startsWith('GET /docs/')).length;
  return { url: `${server.origin}/docs/`, host: `127.0.0.1:${server.port}`, asPages };
}

async function requireAllPagesOnce(site: Awaited<ReturnType<typeof openSite>>): Promise<void> {
  const rig = await openRig({ allowHosts: [site.host] });
  const job = await rig.index(site.url, { moduleId: 'loom' });
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: pages + 1 });
  const modules = await rig.shelf.readableModules(rig.ctx);
  const segments = (await rig.shelf.openViews(modules)).map(({ segment }) => segment);
  const served = segments.flatMap((segment) =>
    Array.from({ length: segment.pageCount }, (_, page) => new URL(segment.page(page).url).pathname),
  );
  const expected = ['/docs/', ...Array.from({ length: pages }, (_, at) => `/docs/page${at}.html`)];
  expect(served.toSorted((a, b) => a.localeCompare(b))).toEqual(expected.toSorted((a, b) => a.localeCompare(b)));
  for (let at = 0; at < pages; at += 1) {
    expect(await rig.read(new URL(`page${at}.html`, site.url).href)).toContain(`Original text ${at}`);
  }
}

test('a site that fails a third of all requests with 429, 503 or silence is read completely, with few extra requests', {
  timeout: 240_000,
}, async () => {
  const random = createRandom(17);
  const site = await openSite((response) => {
    if (random() >= 0.3) return false;
    const kind = random();
    if (kind < 1 / 3) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (kind < 2 / 3) response.writeHead(503, { 'retry-after': '0' }).end();
    else response.destroy();
    return true;
  });
  await requireAllPagesOnce(site);
  expect(site.asPages()).toBeLessThanOrEqual(3 * (pages + 1));
});

test('a site that is down for a while in the middle of a crawl is read completely afterwards, each page once', {
  timeout: 240_000,
}, async () => {
  let goneUntil: number | undefined;
  const site = await openSite((response, asked) => {
    if (asked === pages / 2) goneUntil ??= performance.now() + awayMs;
    if (goneUntil === undefined || performance.now() > goneUntil) return false;
    response.destroy();
    return true;
  });
  await requireAllPagesOnce(site);
  expect(goneUntil).toBeDefined();
});
