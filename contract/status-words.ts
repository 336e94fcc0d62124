import { countOf, formatCount, formatMs, formatSeconds } from './quantities.ts';
import type { Incident, IncidentState, LatencyPoint, StatusHistory, StatusReport, StatusState } from './status.ts';
import { statusParts } from './status-parts.ts';

/** Labels of the states. */
export const stateWords: Record<StatusState, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  unknown: 'No data',
};

export const stateTones = { operational: 'good', degraded: 'warn', down: 'bad', unknown: 'quiet' } as const;

/** The overall state as a sentence. */
export const wholeSentences: Record<StatusState, string> = {
  operational: 'Everything works',
  degraded: 'Some components do not work properly',
  down: 'There is an outage',
  unknown: 'Not enough data yet',
};

export const incidentWords: Record<IncidentState, string> = {
  scheduled: 'Scheduled',
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

export type Day = StatusHistory['parts'][number]['days'][number];

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const stepDayForm = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const stepDayFormat = new Intl.DateTimeFormat('en', stepDayForm);
const stepFormat = new Intl.DateTimeFormat('en', { ...stepDayForm, hour: 'numeric', minute: '2-digit' });
const dayMinutes = 1_440;
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** Returns a sentence about a day: its state, and how much of it was measured. */
export function dayInWords({ at, state, checks, failed, impaired, measured }: Day): string {
  const day = dayFormat.format(at);
  if (checks === 0) return `${day}: no data`;
  const faults = [
    failed > 0 ? `${formatCount(failed)} of ${formatCount(checks)} checks failed` : '',
    impaired > 0 ? `${formatCount(impaired)} degraded` : '',
  ].filter((fault) => fault !== '');
  const gap = measured < 0.98 ? [`measured for ${percent.format(measured)} of the day`] : [];
  return [`${day}: ${stateWords[state].toLowerCase()}`, ...faults, ...gap].join(', ');
}

/** Returns '99.98%' and the like, rounded down so that 100% means that no check failed. */
export function uptimeInWords(uptime: number | null): string {
  return uptime === null ? 'No data' : `${Math.floor(uptime * 10_000) / 100}%`;
}

/** Returns a time in UTC, the same for everyone, so that server-rendered and hydrated pages match. */
export function timeInWords(at: number): string {
  return `${timeFormat.format(at)} UTC`;
}

/** Returns an incident's kind and phase, shown above its title. */
export function phaseInWords({ kind, phase, state }: Incident): string {
  if (kind === 'incident') return incidentWords[state];
  return { upcoming: 'Scheduled maintenance', current: 'Maintenance in progress', past: 'Maintenance completed' }[
    phase
  ];
}

/** Returns the facts shown below an incident's title. */
export function factsInWords({ kind, severity, parts, startsAt, resolvedAt }: Incident): string {
  const what = kind === 'maintenance' ? 'Maintenance' : `${severity[0]?.toUpperCase()}${severity.slice(1)} incident`;
  const about = parts.map((part) => statusParts[part].label).join(', ');
  const began = kind === 'maintenance' ? '' : `Began ${timeInWords(startsAt)}`;
  const ended = resolvedAt === null ? '' : `Resolved ${timeInWords(resolvedAt)}`;
  return [what, about, began, ended].filter((fact) => fact !== '').join(' · ');
}

export function incidentTone({ kind, phase, severity }: Incident): 'quiet' | 'busy' | 'bad' | 'warn' {
  if (phase === 'past') return 'quiet';
  if (kind === 'maintenance') return 'busy';
  return severity === 'critical' ? 'bad' : severity === 'major' ? 'warn' : 'busy';
}

/** Returns an update's paragraphs as plain text, for use before or without rendering its Markdown. */
export function statedParagraphs(body: string): string[] {
  return body.trim().split(/\n(?:[ \t]*\n)+/);
}

/** Returns the label of a latency step's start. Days begin and end in UTC. */
export function stepInWords(at: number, stepMinutes: number): string {
  return stepMinutes >= dayMinutes ? stepDayFormat.format(at) : `${stepFormat.format(at)} UTC`;
}

/** Returns the figures above the latency chart. */
export function latencyFigures(total: LatencyPoint, kind: 'search' | 'read'): [name: string, value: string][] {
  const { calls, errors, p50, p95 } = total;
  const msOf = (ms: number | null) => (ms === null ? '–' : formatMs(ms));
  return [
    ['Median', msOf(p50)],
    ['95th percentile', msOf(p95)],
    ['Answered', countOf(calls - errors, kind, kind === 'search' ? 'searches' : 'reads')],
    ['Failed', calls === 0 ? '–' : errors === 0 ? 'None' : countOf(errors, 'call')],
  ];
}

const faultsTold = 10;

/** Returns a sentence about all days of a component for screen readers; recent faulty days are listed individually. */
export function daysInWords(label: string, days: readonly Day[]): string {
  const measured = days.filter(({ checks }) => checks > 0);
  const faults = measured.filter(({ state }) => state !== 'operational').toReversed();
  const told = faults.slice(0, faultsTold).map(dayInWords);
  const more = faults.length > faultsTold ? [`${countOf(faults.length - faultsTold, 'more day')} with problems`] : [];
  const rest = `${countOf(measured.length - faults.length, 'day')} without problems`;
  return `${label}, day by day: ${[...told, ...more, rest].join('; ')}`;
}

/** Returns figures about the index queue and the searchable index. */
export function indexingFigures(
  queue: NonNullable<StatusReport['queue']>,
  index: NonNullable<StatusReport['index']>,
): [name: string, value: string][] {
  const { running, waiting, oldestWaitSeconds } = queue;
  return [
    ['Runs in progress', formatCount(running)],
    ['Runs waiting', formatCount(waiting)],
    ['Longest wait', oldestWaitSeconds === null ? 'None waiting' : formatSeconds(oldestWaitSeconds)],
    ['Public index', countOf(index.modules, 'source')],
  ];
}
