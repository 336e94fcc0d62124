import { escapeUTF8 } from 'entities/escape';
import type { Incident } from '#contract/status.ts';
import { timeOf } from './status-text.ts';

/** Incidents and maintenance as an Atom feed (RFC 4287): one entry each, which changes with its updates. */
export function statusFeed(
  incidents: Incident[],
  { productName, publicUrl, now }: { productName: string; publicUrl: string; now: number },
): string {
  const page = `${publicUrl}/status`;
  // Without entries the feed says that there was none up to today, at every moment of the day in the same words.
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

/** What XML cannot hold at all is left out; the rest of what could be taken for markup is written as text. */
function escaped(text: string): string {
  return escapeUTF8(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''));
}
