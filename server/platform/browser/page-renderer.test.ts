import type { IncomingHttpHeaders } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumPath, hasChromium } from '#test/e2e/chromium.ts';
import { type LoopbackServer, startLoopbackServer } from '#test/services/loopback-server.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { systemClock } from '../clock.ts';
import { createOutbound } from '../outbound/index.ts';
import { PageRenderer, type RenderLimits } from './page-renderer.ts';

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

interface Site extends LoopbackServer {
  asked: { method: string; path: string; headers: IncomingHttpHeaders }[];
}

async function serving(answers: Record<string, Answer>, host = '127.0.0.1'): Promise<Site> {
  const asked: Site['asked'] = [];
  const server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ method: request.method ?? '', path, headers: request.headers });
    const { status = 200, headers = {}, body = '' } = answers[path] ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  }, host);
  onTestFinished(() => server.close());
  return Object.assign(server, { asked });
}

function rendererFor(allowHosts: string[], limits: Partial<RenderLimits> = {}, clock = systemClock): PageRenderer {
  const outbound = createOutbound({ allowHosts, userAgent: 'SampleBot/1' });
  const renderer = new PageRenderer({
    ...{ executablePath: chromiumPath ?? '', userAgent: 'SampleBot/1', outbound, clock, limits },
  });
  onTestFinished(async () => {
    await renderer.close();
    await outbound.close();
  });
  return renderer;
}

const scripted = (script: string): Answer => ({
  body: `<!doctype html><title>t</title><main></main><script>${script}</script>`,
});
const hostOf = (site: Site): string => `127.0.0.1:${site.port}`;
const write = (text: string): string => `document.querySelector('main').textContent = ${text};`;

test.skipIf(!hasChromium)('a page is rendered once its scripts are idle, with the data they fetched', async () => {
  const site = await serving({
    '/': {
      body: '<!doctype html><main></main><link rel="stylesheet" href="/style.css"><img src="/picture.png"><script type="module" src="/app.js"></script>',
    },
    '/app.js': {
      headers: { 'content-type': 'text/javascript' },
      body: `const r = await fetch('/data.json'); const d = await r.json(); ${write('d.text')}`,
    },
    '/data.json': { headers: { 'content-type': 'application/json' }, body: '{"text":"fetched words"}' },
  });
  const { url, html } = await rendererFor([hostOf(site)]).render(`${site.origin}/`);
  expect(url).toBe(`${site.origin}/`);
  expect(html).toContain('<main>fetched words</main>');
  expect(site.asked.map(({ path }) => path)).toEqual(['/', '/app.js', '/data.json']);
  expect(site.asked[0]?.headers['user-agent']).toBe('SampleBot/1');
});

test.skipIf(!hasChromium)('a part waiting for its style sheet is shown without fetching it', async () => {
  const load = `const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = '/part.css'; l.onload = () => { ${write("'the part'")} }; document.head.append(l);`;
  const site = await serving({ '/': scripted(load) });
  const { html } = await rendererFor([hostOf(site)]).render(`${site.origin}/`);
  expect(html).toContain('<main>the part</main>');
  expect(site.asked.map(({ path }) => path)).toEqual(['/']);
});

test.skipIf(!hasChromium)(
  'scripts reach nothing that a crawl may not: not by fetching, sockets, frames, popups or WebRTC',
  async () => {
    const canaries = await Promise.all([serving({}), serving({}, '127.0.0.3')]);
    const [near, far] = canaries.map(({ port }, index) => `127.0.0.${index === 0 ? 1 : 3}:${port}`);
    const attempts = `
    const tries = [];
    for (const host of ['${near}', '${far}', 'localhost:${canaries[0]?.port}', '[::ffff:127.0.0.3]:${canaries[1]?.port}']) {
      tries.push(fetch('http://' + host + '/f', { mode: 'no-cors' }).catch(() => 0));
      try { new WebSocket('ws://' + host + '/w'); } catch {}
      try { new EventSource('http://' + host + '/e'); } catch {}
      navigator.sendBeacon('http://' + host + '/b', 'x');
      new Image().src = 'http://' + host + '/i';
      for (const tag of ['iframe', 'object', 'embed', 'script', 'link']) {
        const element = document.createElement(tag);
        element.rel = 'preload'; element.as = 'script';
        element[{ object: 'data', link: 'href' }[tag] ?? 'src'] = 'http://' + host + '/' + tag;
        document.body.append(element);
      }
      window.open('http://' + host + '/o');
      const hint = document.createElement('link'); hint.rel = 'preconnect'; hint.href = 'http://' + host; document.head.append(hint);
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'turn:' + host + '?transport=tcp', username: 'a', credential: 'b' }] });
      peer.createDataChannel('c'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    }
    Promise.all(tries).then(() => { ${write(`'tried'`)} });`;
    const site = await serving({ '/': { body: `<!doctype html><main></main><body><script>${attempts}</script>` } });
    const { html } = await rendererFor([hostOf(site)]).render(`${site.origin}/`);
    expect(html).toContain('tried');
    expect(canaries.map(({ asked }) => asked)).toEqual([[], []]);
    expect(site.asked.map(({ path }) => path)).toEqual(['/']);
  },
);

test.skipIf(!hasChromium)(
  'credentials are sent only to the page’s origin, not along redirects; nothing is posted elsewhere',
  async () => {
    const other = await serving({ '/data': { headers: { 'access-control-allow-origin': '*' }, body: 'other' } });
    const script = `Promise.allSettled([
    fetch('/own').then((r) => r.text()), fetch('/away').then((r) => r.text()), fetch('http://${hostOf(other)}/data'),
    fetch('/post', { method: 'POST', body: 'x' }), fetch('http://${hostOf(other)}/post', { method: 'POST', body: 'x', mode: 'no-cors' }),
  ]).then(() => { ${write(`'done'`)} });`;
    const site = await serving({
      '/': scripted(script),
      '/own': { body: 'own' },
      '/away': { status: 302, headers: { location: `http://127.0.0.1:${other.port}/data` } },
      '/post': { body: 'posted' },
    });
    const renderer = rendererFor([hostOf(site), hostOf(other)]);
    const { html } = await renderer.render(`${site.origin}/`, { credentials: { 'x-docs-key': 'open', cookie: 'a=b' } });
    expect(html).toContain('done');
    const shown = site.asked.map(({ method, path, headers }) => [method, path, headers['x-docs-key'], headers.cookie]);
    expect(shown.sort((one, two) => String(one).localeCompare(String(two)))).toEqual([
      ['GET', '/', 'open', 'a=b'],
      ['GET', '/away', 'open', 'a=b'],
      ['GET', '/own', 'open', 'a=b'],
      ['POST', '/post', 'open', 'a=b'],
    ]);
    expect(other.asked.map(({ method, headers }) => [method, headers['x-docs-key'], headers.cookie])).toEqual([
      ['GET', undefined, undefined],
      ['GET', undefined, undefined],
    ]);
  },
);

test.skipIf(!hasChromium)('pages share no storage', async () => {
  const script = `const before = localStorage.getItem('a') + document.cookie; localStorage.setItem('a', 'kept'); document.cookie = 'b=kept'; ${write(`'before: ' + before`)}`;
  const site = await serving({ '/': scripted(script) });
  const renderer = rendererFor([hostOf(site)]);
  for (let round = 0; round < 2; round += 1) {
    expect((await renderer.render(`${site.origin}/`)).html).toContain('before: null<');
  }
});

test.skipIf(!hasChromium)(
  'endless or excessive scripts fail their page with the reason, and the next page is rendered',
  async () => {
    const site = await serving({
      '/loop': scripted('for (;;) {}'),
      '/large': scripted(`${write(`'x'.repeat(50_000)`)}`),
      '/many': scripted(
        `Promise.allSettled(Array.from({ length: 60 }, (_, i) => fetch('/file' + i))).then(() => { ${write(`'end'`)} })`,
      ),
      '/heavy': scripted(`fetch('/weight').then(() => 0)`),
      '/weight': { body: 'x'.repeat(300_000) },
      '/away': scripted(`location.replace('/good#there')`),
      '/good': scripted(write(`'good'`)),
    });
    const limits = { timeoutMs: 8_000, restMs: 4_000, htmlCharactersMax: 40_000, requestsMax: 30, bytesMax: 200_000 };
    const renderer = rendererFor([hostOf(site)], limits);
    const outcome = (path: string) =>
      renderer.render(`${site.origin}${path}`).then(
        ({ url, html }) => (html.includes('good') ? url.slice(site.origin.length) : html),
        (error: unknown) => (error as { code: unknown }).code,
      );
    expect(await outcome('/loop')).toBe('render-timeout');
    expect(await outcome('/good')).toBe('/good');
    expect(await outcome('/large')).toBe('render-too-large');
    expect(await outcome('/many')).toBe('render-too-large');
    expect(await outcome('/heavy')).toBe('render-too-large');
    expect(await outcome('/away')).toBe('/good');
  },
  120_000,
);

test.skipIf(!hasChromium)('a page that navigates to an address that fails is not shown as the error page', async () => {
  const other = await serving({});
  const elsewhere = `http://${hostOf(other)}/`;
  const post = `const f = document.createElement('form'); f.method = 'post'; f.action = '${elsewhere}'; document.body.append(f); f.submit()`;
  const site = await serving({
    '/refused': scripted(`location.replace('${elsewhere}')`),
    '/post': scripted(`addEventListener('load', () => { ${post} })`),
    '/blank': scripted(`location.replace('about:blank')`),
  });
  const renderer = rendererFor([hostOf(site)]);
  for (const path of ['/refused', '/post', '/blank']) {
    await expect(renderer.render(site.origin + path)).rejects.toMatchObject({ code: 'render-failed' });
  }
  expect(other.asked).toEqual([]);
});

test.skipIf(!hasChromium)(
  'an aborted page rejects with the reason, and at most two are open concurrently',
  async () => {
    let open = 0;
    let most = 0;
    const holds: (() => void)[] = [];
    const server = await startLoopbackServer((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      holds.push(() => {
        open -= 1;
        response.writeHead(200, { 'content-type': 'text/html' }).end('<main>late</main>');
      });
    });
    onTestFinished(() => server.close());
    const renderer = rendererFor([`127.0.0.1:${server.port}`]);
    const stop = new AbortController();
    const pages = [1, 2, 3].map(() => renderer.render(`${server.origin}/`, { signal: stop.signal }));
    const settled = Promise.allSettled(pages);
    while (holds.length < 2) await systemClock.sleep(20);
    stop.abort(new Error('enough'));
    expect((await settled).map((one) => (one.status === 'rejected' ? (one.reason as Error).message : 'shown'))).toEqual(
      [...['enough', 'enough', 'enough']],
    );
    expect(most).toBe(2);
    for (const letGo of holds) letGo();
  },
);

test.skipIf(!hasChromium)(
  'a site whose pages hang does not delay others, and is refused after several',
  async () => {
    const site = await serving({ '/loop': scripted('for (;;) {}') });
    const other = await serving({ '/': scripted(write(`'good'`)) });
    const renderer = rendererFor([hostOf(site), hostOf(other)], { timeoutMs: 8_000, hangsMax: 3 });
    const ended: string[] = [];
    const end = (text: string) => void ended.push(/good|within|too many/.exec(text)?.[0] ?? text);
    const hung = Array.from({ length: 6 }, () =>
      renderer.render(`${site.origin}/loop`).catch((error: Error) => end(error.message)),
    );
    end((await renderer.render(`${other.origin}/`)).html);
    await Promise.all(hung);
    expect(ended).toEqual(['within', 'within', 'good', 'within', 'too many', 'too many', 'too many']);
    expect(site.asked).toHaveLength(3);
  },
  60_000,
);

test.skipIf(!hasChromium)(
  'a refused site is rendered again after a while, however often it is requested meanwhile',
  async () => {
    const site = await serving({ '/loop': scripted('for (;;) {}'), '/': scripted(write(`'good'`)) });
    const clock = createSettableClock();
    const renderer = rendererFor([hostOf(site)], { timeoutMs: 8_000, hangsMax: 1 }, clock);
    await expect(renderer.render(`${site.origin}/loop`)).rejects.toThrow('within');
    clock.advance(9 * 60_000);
    for (const _ of [1, 2]) await expect(renderer.render(`${site.origin}/`)).rejects.toThrow('too many');
    clock.advance(60_000);
    expect((await renderer.render(`${site.origin}/`)).html).toContain('good');
  },
  60_000,
);

test('a browser that does not start is reported with its path', async () => {
  const outbound = createOutbound({ allowHosts: [], userAgent: 'SampleBot/1' });
  const renderer = new PageRenderer({
    ...{ executablePath: '/nowhere/chromium', userAgent: 'SampleBot/1', outbound, clock: systemClock },
  });
  await expect(renderer.render('https://docs.example/')).rejects.toMatchObject({
    code: 'browser-unusable',
    message: expect.stringContaining('/nowhere/chromium'),
  });
  await renderer.close();
  await outbound.close();
});
