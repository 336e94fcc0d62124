import { expect, onTestFinished, test } from 'vitest';
import { libraryEndpoints } from '#contract/library.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { type Pump, textOfPump } from '../services/pumps.ts';
import { until } from '../services/until.ts';

const waitMs = 240_000;
const size = 16_000;
/** The longest time a call may have to wait, as processor time, since wall time depends on the machine. */
const turnMsMax = 200;

const upTo = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join('');
/** Inputs that the list describes in words. */
const described: Record<string, string> = {
  'pump-0024': upTo(4 * Math.sqrt(size), (at) => `${' '.repeat(2 * at)}* a\n`),
  'pump-0025': upTo(8 * Math.sqrt(size), (at) => `e${'`'.repeat(at + 1)}`),
  'pump-0026': `${upTo(size, (at) => `[^${at}] `)}\n\n${upTo(size, (at) => `[^${at}]: x\n`)}`,
  'pump-0027': `${upTo(size, (at) => `[a${at}]: /u\n`)}[a1]`,
  'pump-0036': `<a ${upTo(size, (at) => `a${at}=x `)}>`,
};
const pages = attacksOf<Pump>('text-pumps.jsonl').map((pump) => {
  const { id } = pump;
  const [ending, contentType] = pump.class === 'html' ? ['html', 'text/html; charset=utf-8'] : ['md', 'text/markdown'];
  return { id, path: `/docs/${id}.${ending}`, contentType, text: described[id] ?? textOfPump(pump, size) };
});

async function startSite() {
  const links = pages.map(({ id, path }) => `<li><a href="${path}">${id}</a></li>`).join('');
  const start = `<!doctype html><title>Start</title><main><h1>Start</h1><p>All of them.</p><ul>${links}</ul></main>`;
  const server = await startLoopbackServer((request, response) => {
    if (request.url === '/docs/') return response.setHeader('content-type', 'text/html').end(start);
    const page = pages.find(({ path }) => path === request.url);
    if (page === undefined) return response.writeHead(404).end();
    return response.setHeader('content-type', page.contentType).end(page.text);
  });
  onTestFinished(() => server.close());
  return { url: `${server.origin}/docs/`, origin: server.origin, host: `127.0.0.1:${server.port}` };
}

/** Measures the most processor time this thread used between two timer ticks, which a call would have waited for. */
function watchTurns(): { worstMs(): number } {
  let worst = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    worst = Math.max(worst, (user + system) / 1_000);
    last = process.threadCpuUsage();
    timer = setTimeout(look, 1);
  };
  let timer = setTimeout(look, 1);
  onTestFinished(() => clearTimeout(timer));
  return { worstMs: () => worst };
}

test.skipIf(pages.length === 0)(
  'slow-to-parse texts are indexed and shown without blocking the main thread',
  { timeout: 600_000 },
  async () => {
    expect(pages.filter(({ text }) => text === '')).toEqual([]);
    const site = await startSite();
    const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: site.host });
    const turns = watchTurns();
    const input = { source: site.url, moduleId: 'pumps', visibility: 'public' as const };
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, input);
    const read = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job;
    const ended = await until(
      'the run has ended',
      async () => {
        const now = await read();
        return ['COMPLETE', 'FAILED'].includes(now.status) ? now : undefined;
      },
      waitMs,
    );
    expect(ended.status).toBe('COMPLETE');
    let shown = 0;
    for (const { id, path } of pages) {
      const url = encodeURIComponent(`${site.origin}${path}`);
      for (const call of [`/api/documents?url=${url}`, `/api/documents/markdown?url=${url}`, `/api/read?url=${url}`]) {
        const answer = await rig.send(call, { headers: rig.operator });
        await answer.arrayBuffer();
        expect([id, call, answer.status < 500]).toEqual([id, call, true]);
        if (answer.ok) shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(pages.length);
    expect(turns.worstMs()).toBeLessThanOrEqual(turnMsMax);
  },
);
