import type { Incident, IncidentState, StatusHistory, StatusState } from '#contract/status.ts';
import { formatCount } from '../../ui/quantities.ts';

/** What a state is called. */
export const stateWords: Record<StatusState, string> = {
  operational: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
  unknown: 'No data',
};

export const stateTones = { operational: 'good', degraded: 'warn', down: 'bad', unknown: 'quiet' } as const;

/** The whole in a sentence. */
export const wholeSentences: Record<StatusState, string> = {
  operational: 'Everything works',
  degraded: 'Something does not work as it should',
  down: 'There is an outage',
  unknown: 'Not enough was measured to say',
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
const timeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** A day in words: how it was, and how much of it was looked at. */
export function dayInWords({ at, state, checks, failed, impaired, measured }: Day): string {
  const day = dayFormat.format(at);
  if (checks === 0) return `${day}: no data`;
  const faults = [
    failed > 0 ? `${formatCount(failed)} of ${formatCount(checks)} checks failed` : '',
    impaired > 0 ? `${formatCount(impaired)} out of order` : '',
  ].filter((fault) => fault !== '');
  const gap = measured < 0.98 ? [`measured for ${percent.format(measured)} of the day`] : [];
  return [`${day}: ${stateWords[state].toLowerCase()}`, ...faults, ...gap].join(', ');
}

/** '99.98%': never rounded up, so that 100% means that no check failed. */
export function uptimeInWords(uptime: number | null): string {
  return uptime === null ? 'No data' : `${Math.floor(uptime * 10_000) / 100}%`;
}

export function timeInWords(at: number): string {
  return timeFormat.format(at);
}

/** What stands over an incident: what it is, and where it is at. */
export function phaseInWords({ kind, phase, state }: Incident): string {
  if (kind === 'incident') return incidentWords[state];
  return { upcoming: 'Scheduled maintenance', current: 'Maintenance under way', past: 'Maintenance over' }[phase];
}
