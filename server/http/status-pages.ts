import { escapeUTF8 } from 'entities/escape';
import { type Incident, type StatusReport, type StatusState, statusCacheSeconds } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { Status } from '#server/features/status/index.ts';

interface StatusPages {
  status: Pick<Status, 'getStatus' | 'listIncidents'>;
  productName: string;
  publicUrl: string;
  /** Returns an anonymous context, so that all callers get the same response. */
  nobody(): Context;
}

/** Creates the status as plain text and the incident feed, for readers without scripts. */
export function createStatusPages(parts: StatusPages) {
  const { status, productName, publicUrl, nobody } = parts;
  return [
    page('/status.txt', 'text/plain; charset=utf-8', async () =>
      statusText(await status.getStatus(nobody()), productName),
    ),
    page('/status.atom', 'application/atom+xml; charset=utf-8', async () => {
      const ctx = nobody();
      return statusFeed(await status.listIncidents(ctx), { productName, publicUrl, now: ctx.clock.now() });
    }),
  ];
}

function page(path: string, mediaType: string, write: () => Promise<string>) {
  return {
    path,
    method: 'GET' as const,
    async handle(): Promise<Response> {
      const headers = { 'content-type': mediaType, 'cache-control': `public, max-age=${statusCacheSeconds}` };
      return new Response(await write(), { headers });
    },
  };
}

/** Returns incidents and maintenance as an Atom feed (RFC 4287): one entry each, changed by its updates. */
export function statusFeed(
  incidents: Incident[],
  { productName, publicUrl, now }: { productName: string; publicUrl: string; now: number },
): string {
  const page = `${publicUrl}/status`;
  // Without entries the feed reports none up to today; the start of the day keeps it unchanged throughout the day.
  const updatedAt = incidents.length === 0 ? startOfDay(now) : Math.max(...incidents.map(({ updatedAt: at }) => at));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <title>${escaped(productName)} status</title>`,
    `  <id>${escaped(page)}</id>`,
    `  <link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    `  <link rel="self" type="application/atom+xml" href="${escaped(page)}.atom"/>`,
    `  <updated>${timeOf(updatedAt)}</updated>`,
    `  <author><name>${escaped(productName)}</name></author>`,
    ...incidents.flatMap((incident) => entryOf(incident, page)),
    '</feed>',
    '',
  ].join('\n');
}

function startOfDay(at: number): number {
  return at - (at % 86_400_000);
}

function entryOf(incident: Incident, page: string): string[] {
  const kind = incident.kind === 'maintenance' ? 'Maintenance: ' : '';
  return [
    '  <entry>',
    `    <title>${escaped(`${kind}${incident.title} (${incident.state})`)}</title>`,
    `    <id>${escaped(`${page}#incident-${incident.id}`)}</id>`,
    `    <link rel="alternate" type="text/html" href="${escaped(`${page}#incident-${incident.id}`)}"/>`,
    `    <published>${timeOf(incident.updates.at(-1)?.createdAt ?? incident.startsAt)}</published>`,
    `    <updated>${timeOf(incident.updatedAt)}</updated>`,
    `    <content type="text">${escaped(contentOf(incident))}</content>`,
    '  </entry>',
  ];
}

function contentOf({ startsAt, endsAt, updates }: Incident): string {
  const times = endsAt === null ? [] : [`${timeOf(startsAt)} to ${timeOf(endsAt)}`];
  return [...times, ...updates.map(({ createdAt, state, body }) => `${timeOf(createdAt)} ${state}\n${body}`)].join(
    '\n\n',
  );
}

/** Escapes markup and removes characters that XML cannot contain. */
function escaped(text: string): string {
  return escapeUTF8(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''));
}

/** The overall state in a sentence, the same as on the page. */
const wholeTexts: Record<StatusState, string> = {
  operational: 'Everything works.',
  degraded: 'Some components do not work properly.',
  down: 'There is an outage.',
  unknown: 'There is not enough data yet.',
};

/** Returns the status for terminals and for browsers without scripts. */
export function statusText(report: StatusReport, productName: string): string {
  const { checks, queue, index, incidents } = report;
  const width = Math.max(...checks.map(({ label }) => label.length));
  const lines = [
    `${productName} status: ${report.state}`,
    wholeTexts[report.state],
    `Last measured: ${report.measuredAt === null ? 'never' : timeOf(report.measuredAt)}`,
    '',
    ...checks.map(({ label, state, tookMs }) =>
      `${label.padEnd(width)}  ${state}${tookMs === null ? '' : ` (${tookMs} ms)`}`.trimEnd(),
    ),
  ];
  if (queue !== null) {
    const oldest = queue.oldestWaitSeconds === null ? '' : `, the oldest for ${queue.oldestWaitSeconds} s`;
    lines.push('', `Index runs: ${queue.running} in progress, ${queue.waiting} waiting${oldest}`);
  }
  if (index !== null) {
    const last = index.lastIndexedAt === null ? '' : `, last indexed ${timeOf(index.lastIndexedAt)}`;
    lines.push(`Public modules: ${index.modules}${last}`);
  }
  for (const incident of incidents) lines.push('', ...incidentLines(incident));
  return `${lines.map(withoutControls).join('\n')}\n`;
}

function incidentLines(incident: Incident): string[] {
  const times = incident.endsAt === null ? '' : ` (${timeOf(incident.startsAt)} to ${timeOf(incident.endsAt)})`;
  return [
    `${incident.kind === 'maintenance' ? 'Maintenance' : 'Incident'}: ${incident.title}${times}`,
    ...incident.updates.map(({ createdAt, state, body }) => `  ${timeOf(createdAt)} ${state}: ${body}`),
  ];
}

export function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Removes control characters, which a terminal would act on. */
function withoutControls(line: string): string {
  return line.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
