import { escapeUTF8 } from 'entities/escape';
import { statusPlaceholders } from '#contract/public-page.ts';
import { relativeTo } from '#contract/quantities.ts';
import type { Incident, StatusHistory, StatusLatency, StatusReport, StatusState } from '#contract/status.ts';
import { statusReadAgainSeconds } from '#contract/status-parts.ts';
import {
  factsInWords,
  incidentTone,
  incidentWords,
  indexingFigures,
  phaseInWords,
  stateWords,
  timeInWords,
  wholeSentences,
} from '#contract/status-words.ts';
import { badge, icons, writtenParts, writtenSpeed } from './written-charts.ts';

/** The public state of an installation; fields that cannot be read are missing. */
export interface PublicStatus {
  /** Time when the state was read. */
  at: number;
  report: StatusReport | undefined;
  history: StatusHistory | undefined;
  latency: StatusLatency | undefined;
  incidents: readonly Incident[] | undefined;
}

/**
 * Inserts this installation's state into the status page, as the browser would render it (`web/features/status`), with
 * times in UTC. Visible before and without scripts.
 */
export async function withStatus(page: string, status: PublicStatus): Promise<string> {
  const { at: now, report, history, latency, incidents } = status;
  const statement = await statementWriter([...(report?.incidents ?? []), ...(incidents ?? [])].length > 0);
  const parts: Record<keyof typeof statusPlaceholders, string | undefined> = {
    now: report && nowOf(report, now, statement),
    parts: history && writtenParts(history, report?.checks),
    speed: latency && writtenSpeed(latency),
    indexing: report && indexingOf(report, now),
    past: incidents && pastOf(incidents, now, statement),
  };
  // Replaced in one pass, because an incident may contain a placeholder's text.
  return page.replace(placeholder, (words) => parts[partNames.get(words) ?? 'now'] ?? notKnown);
}

const partNames = new Map(
  Object.entries(statusPlaceholders).map(([name, words]) => [words, name as keyof typeof statusPlaceholders]),
);
const placeholder = new RegExp([...partNames.keys()].join('|'), 'g');

/** Scripts that find this marker load the state at once (`scripts/start-of-pages.ts`). */
const notKnown =
  '<noscript><p class="text-soft">This could not be read in time. Reload the page, or read <a class="underline" href="/status.txt">/status.txt</a>.</p></noscript>';

const looks: Record<StatusState, string> = {
  operational: 'border-lamp-line bg-lamp-ground text-lamp',
  degraded: 'border-warn-line bg-warn-ground text-warn',
  down: 'border-danger-line bg-danger-ground text-danger',
  unknown: 'border-line-strong bg-sunken text-soft',
};

function nowOf(report: StatusReport, now: number, statement: StatementWriter): string {
  const { state, measuredAt, checks, incidents } = report;
  const faulty = checks.filter((check) => check.state === 'down' || check.state === 'degraded');
  const faults = faulty.map(({ label, state: its }) => `${escapeUTF8(label)}: ${stateWords[its].toLowerCase()}`);
  const measured =
    measuredAt === null
      ? "No recent measurements. The first ones appear within a minute of the server's start."
      : `Measured ${timeAgo(measuredAt, now)}. <span aria-hidden="true" class="noscript:hidden">This page refreshes every ${statusReadAgainSeconds} seconds.</span>`;
  const current = incidents.map((incident) => incidentCard(incident, now, statement)).join('');
  return [
    '<div class="flex flex-col gap-4">',
    `<noscript><p class="text-soft text-sm">State at ${timeInWords(now)}. Reload the page to update it.</p></noscript>`,
    `<section aria-label="Overall" class="rounded-xl border px-5 py-5 sm:px-7 sm:py-6 ${looks[state]} group-data-old:border-line-strong group-data-old:bg-sunken group-data-old:text-soft">`,
    `<div class="flex items-start gap-4">${icons[state]}<div class="min-w-0">`,
    `<p class="font-display text-2xl text-ink"><span aria-hidden="true" class="hidden group-data-old:inline">Last known: </span>${wholeSentences[state]}</p>`,
    faults.length === 0 ? '' : `<p class="mt-1 text-ink">${faults.join('. ')}.</p>`,
    `<p class="mt-1 text-soft">${measured}</p>`,
    '</div></div></section>',
    current === ''
      ? ''
      : `<section aria-labelledby="current" class="flex flex-col gap-4"><h2 id="current" class="sr-only">Current incidents</h2>${current}</section>`,
    '</div>',
  ].join('');
}

const edges = { minor: 'border-l-busy', major: 'border-l-warn', critical: 'border-l-danger' } as const;

function incidentCard(incident: Incident, now: number, statement: StatementWriter): string {
  const { title, kind, phase, severity, startsAt, endsAt, updates } = incident;
  const id = escapeUTF8(incident.id);
  const edge = phase === 'past' ? 'border-l-line-strong' : kind === 'maintenance' ? 'border-l-busy' : edges[severity];
  const times =
    endsAt === null ? '' : `<p class="mt-1 text-soft text-sm">${exactTime(startsAt)} to ${exactTime(endsAt)}</p>`;
  const said = updates.map(
    ({ state, body, createdAt }) =>
      `<li class="border-line border-t pt-3 first:border-t-0 first:pt-0"><p class="mb-0.5 text-xs"><span class="font-medium text-ink">${incidentWords[state]}</span> <span class="text-faint">${timeAgo(createdAt, now)}</span></p><div class="prose">${statement(body)}</div></li>`,
  );
  return [
    `<article id="incident-${id}" aria-labelledby="title-${id}" class="scroll-mt-2 rounded-lg border border-line border-l-4 bg-surface px-5 py-4 shadow-sm ${edge}">`,
    '<div class="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">',
    `<h3 id="title-${id}" class="wrap-anywhere min-w-0 font-medium text-ink text-md">${escapeUTF8(title)}</h3>`,
    `${badge(incidentTone(incident), phaseInWords(incident))}</div>`,
    `<p class="mt-0.5 text-faint text-xs">${escapeUTF8(factsInWords(incident))}</p>`,
    `${times}<ol class="mt-3 flex flex-col gap-3">${said.join('')}</ol></article>`,
  ].join('');
}

function indexingOf({ queue, index }: StatusReport, now: number): string {
  if (queue === null || index === null) {
    return '<p class="text-soft">The database is not responding, so there is no information about runs.</p>';
  }
  const figures = indexingFigures(queue, index).map(
    ([name, value]) =>
      `<div class="flex items-baseline justify-between gap-4 px-4 py-2.5"><dt class="text-soft">${name}</dt><dd class="tabular text-ink">${value}</dd></div>`,
  );
  const latest = index.latest.map(
    ({ displayName, lastUpdatedAt }) =>
      `<li class="flex items-baseline justify-between gap-4 px-4 py-2"><span class="wrap-anywhere text-ink">${escapeUTF8(displayName)}</span> <span class="shrink-0 text-faint text-xs">${timeAgo(lastUpdatedAt, now)}</span></li>`,
  );
  return [
    '<div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">',
    `<dl class="divide-y divide-line rounded-lg border border-line bg-surface shadow-sm">${figures.join('')}</dl>`,
    latest.length === 0
      ? '<p class="rounded-lg border border-line border-dashed px-4 py-10 text-center text-soft">The public index is empty.</p>'
      : `<div class="rounded-lg border border-line bg-surface shadow-sm"><h3 class="border-line border-b px-4 py-2.5 text-soft text-sm">Last indexed</h3><ul class="divide-y divide-line">${latest.join('')}</ul></div>`,
    '</div>',
  ].join('');
}

function pastOf(incidents: readonly Incident[], now: number, statement: StatementWriter): string {
  const past = incidents.filter(({ phase }) => phase === 'past');
  if (past.length === 0) return '<p class="text-soft">None in the last 90 days.</p>';
  return `<div class="flex flex-col gap-4">${past.map((incident) => incidentCard(incident, now, statement)).join('')}</div>`;
}

function timeAgo(at: number, now: number): string {
  return `<time datetime="${new Date(at).toISOString()}" title="${timeInWords(at)}" class="whitespace-nowrap rounded-xs">${relativeTo(at, now)}</time>`;
}

function exactTime(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${timeInWords(at)}</time>`;
}

/**
 * Same frame as `web/ui/code-block.tsx` and `web/ui/markdown.tsx`, so that the layout does not shift when scripts run.
 */
const codeFrame = 'overflow-hidden rounded-lg border border-line bg-sunken relative';
const codeLook = 'min-w-0 flex-1 overflow-x-auto rounded-sm font-mono text-[0.8125rem] text-ink leading-5 px-4 py-3';
const tableFrame = '<div class="prose-table" tabindex="0" role="group" aria-label="Table">';

/** Converts an operator's Markdown statement to markup. */
type StatementWriter = (body: string) => string;

/**
 * Returns a writer that renders statements as the incident page has them before scripts. HTML in them stays text, only
 * web addresses become links, pictures become their description, and headings become bold paragraphs, because they are
 * not headings of the page. Loads the Markdown parser only if needed.
 */
export async function statementWriter(isNeeded: boolean): Promise<StatementWriter> {
  if (!isNeeded) return escapeUTF8;
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')]);
  const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return (body) =>
    micromark(body, options)
      .replace(/<(\/?)h[1-6]>/g, (_, closes: string) => (closes === '' ? '<p><strong>' : '</strong></p>'))
      .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, '$1')
      .replaceAll('<a href="', '<a rel="noopener noreferrer" href="')
      .replace(
        /<pre>(<code[^>]*>[^<]*?)\n?<\/code><\/pre>/g,
        (_, code: string) => `${codeStart(code)}</code></pre></div>`,
      )
      .replaceAll('<table>', `${tableFrame}<table>`)
      .replaceAll('</table>', '</table></div>');
}

/** Labelled with its language, as is the block that replaces it. */
function codeStart(code: string): string {
  const language = /^<code class="language-([\w-]+)"/.exec(code)?.[1];
  const name = language === undefined ? 'Code' : `${language} code`;
  return `<div class="${codeFrame}"><pre tabindex="0" role="group" aria-label="${name}" class="${codeLook}">${code}`;
}
