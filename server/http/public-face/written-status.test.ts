import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { statusPlaceholders } from '#contract/public-page.ts';
import type { Incident, StatusReport } from '#contract/status.ts';
import { type PublicStatus, withStatus } from './written-status.ts';

const { now, parts, speed, indexing, past } = statusPlaceholders;
const page = [now, parts, speed, indexing, past].map((words) => `<section>${words}</section>`).join('');
const at = Date.UTC(2026, 10, 22, 12);
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> $& ${past} '`;

const incident: Incident = {
  ...{ id: hostile, kind: 'incident', title: hostile, state: 'identified', severity: 'major', parts: ['search'] },
  ...{ phase: 'current', startsAt: at - 3_600_000, endsAt: null, resolvedAt: null, updatedAt: at },
  updates: [{ id: '1', state: 'identified', body: hostile, createdAt: at }],
};
const report: StatusReport = {
  ...{ state: 'degraded', at, measuredAt: at - 20_000 },
  checks: [{ part: 'search', label: 'Search', state: 'degraded', measuredAt: at, tookMs: 4 }],
  queue: { waiting: 3, running: 1, oldestWaitSeconds: 75 },
  index: {
    ...{ modules: 1, lastIndexedAt: at },
    latest: [{ moduleId: 'one', displayName: hostile, lastUpdatedAt: at - 86_400_000 }],
  },
  incidents: [incident],
};
const unread: PublicStatus = { at, report: undefined, history: undefined, latency: undefined, incidents: undefined };

/** Returns the names of elements and of their attributes. */
const names = (nodes: readonly unknown[]): string[] =>
  (nodes as { nodeName: string; attrs?: { name: string }[]; childNodes?: unknown[] }[]).flatMap(
    ({ nodeName, attrs = [], childNodes = [] }) => [nodeName, ...attrs.map(({ name }) => name), ...names(childNodes)],
  );

test('the page contains the state, faults, queue and latest indexed modules, with times in UTC', async () => {
  const made = await withStatus(page, { ...unread, report, incidents: [] });
  for (const words of [
    'Some components do not work properly',
    'Search: degraded.',
    'State at Nov 22, 2026, 12:00 PM UTC.',
    'Began Nov 22, 2026, 11:00 AM UTC',
    '<dt class="text-soft">Runs waiting</dt><dd class="tabular text-ink">3</dd>',
    '1 min 15 s',
    'yesterday',
    'None in the last 90 days.',
  ])
    expect(made).toContain(words);
});

test('incident texts are rendered as Markdown without scripts', async () => {
  const updates = [{ id: '1', state: 'identified' as const, body: 'We **know** why:\n\n- one\n- two', createdAt: at }];
  const made = await withStatus(page, {
    ...unread,
    incidents: [{ ...incident, updates, phase: 'past', resolvedAt: at }],
  });
  expect(made.replaceAll('\n', '')).toContain('<p>We <strong>know</strong> why:</p><ul><li>one</li><li>two</li></ul>');
});

test('incidents and module names cannot inject markup into the page', async () => {
  const over: Incident = { ...incident, phase: 'past', resolvedAt: at };
  const made = await withStatus(page, { ...unread, report, incidents: [incident, over] });
  const used = new Set(names(parseFragment(made).childNodes));
  expect(['script', 'img', 'src', 'onerror'].filter((name) => used.has(name))).toEqual([]);
  // Placeholder names in an incident stay text: in titles and bodies, in three ids of each, and in a name.
  expect(made.split(past).length - 1).toBe(11);
});

test('a status that could not be read is shown to readers without scripts, and marked for scripts', async () => {
  const made = await withStatus(page, unread);
  expect(made).toMatch(
    /^(?:<section><noscript><p [^>]*>[^<]+<a [^>]*>\/status\.txt<\/a>\.<\/p><\/noscript><\/section>){5}$/,
  );
  const silent = await withStatus(page, { ...unread, report: { ...report, queue: null, index: null } });
  expect(silent).toContain('The database is not responding');
  expect(await withStatus('<p>Another page</p>', unread)).toBe('<p>Another page</p>');
});
