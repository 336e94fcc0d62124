import { escapeUTF8 } from 'entities/escape';
import { dayBar, dayPaths, latencyChart, linePath, niceMaximum } from '#contract/chart-shapes.ts';
import { formatMs } from '#contract/quantities.ts';
import type { StatusHistory, StatusLatency, StatusReport, StatusState } from '#contract/status.ts';
import {
  daysInWords,
  latencyFigures,
  stateTones,
  stateWords,
  stepInWords,
  uptimeInWords,
} from '#contract/status-words.ts';

const tones = {
  quiet: 'border-line-strong bg-sunken text-soft',
  good: 'border-lamp-line bg-lamp-ground text-lamp',
  busy: 'border-busy-line bg-busy-ground text-busy',
  warn: 'border-warn-line bg-warn-ground text-warn',
  bad: 'border-danger-line bg-danger-ground text-danger',
};

export function badge(tone: keyof typeof tones, words: string): string {
  return `<span class="inline-flex h-5.5 shrink-0 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-2xs ${tones[tone]}">${words}</span>`;
}

const fills: Record<StatusState, string> = {
  operational: 'fill-lamp',
  degraded: 'fill-warn',
  down: 'fill-danger',
  unknown: 'fill-transparent',
};

const listClasses = 'divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm';

/** Renders the current state and the days of each part. */
export function writtenParts(history: StatusHistory, checks: StatusReport['checks'] | undefined): string {
  const rows = history.parts.map((part) => {
    const check = checks?.find((one) => one.part === part.part);
    const isIdle = part.part === 'search' && check?.state === 'unknown' && check.measuredAt === null;
    const took =
      typeof check?.tookMs === 'number'
        ? `<span class="tabular text-faint text-xs"><span class="sr-only">The last check took </span>${formatMs(check.tookMs)}</span> `
        : '';
    const meaning = part.uptime === null ? '' : '<span class="sr-only"> of its checks succeeded</span>';
    return [
      '<li class="flex flex-col gap-2 px-4 py-4 sm:px-5"><div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">',
      `<h3 class="font-medium text-ink">${escapeUTF8(part.label)}</h3><div class="flex items-center gap-3 text-sm">`,
      `${took}<span class="tabular text-soft">${uptimeInWords(part.uptime)}${meaning}</span> `,
      check ? badge(stateTones[check.state], isIdle ? 'Nothing to search' : stateWords[check.state]) : '',
      `</div></div>${daysOf(part)}</li>`,
    ].join('');
  });
  return `<ul class="${listClasses}">${rows.join('')}</ul>`;
}

function daysOf({ label, days }: StatusHistory['parts'][number]): string {
  const { ground, filled } = dayPaths(days);
  return [
    '<div><div class="relative h-8">',
    `<svg role="img" aria-label="${escapeUTF8(daysInWords(label, days))}" viewBox="0 0 ${days.length * dayBar.width} ${dayBar.height}" preserveAspectRatio="none" class="absolute inset-0 size-full rounded-xs">`,
    `<path d="${ground}" class="fill-line"/>`,
    ...filled.map(([state, path]) => `<path d="${path}" class="${fills[state]}"/>`),
    '</svg></div><p aria-hidden="true" class="tabular mt-1 flex min-h-4 justify-between gap-3 text-2xs text-faint"><span>90 days ago</span><span>Today</span></p></div>',
  ].join('');
}

/** Renders search times of the last day, which the page shows first. */
export function writtenSpeed({ total, search, stepMinutes }: StatusLatency): string {
  const figures = latencyFigures(total.search, 'search').map(
    ([name, value]) =>
      `<div><dt class="text-faint text-xs">${name}</dt><dd class="tabular font-display text-ink text-xl">${value}</dd></div>`,
  );
  return [
    '<div class="flex flex-col gap-5 rounded-lg border border-line bg-surface p-4 shadow-sm sm:p-5">',
    `<dl class="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">${figures.join('')}</dl>`,
    total.search.calls === 0
      ? '<p class="rounded-md border border-line border-dashed px-4 py-10 text-center text-soft">No searches in this period.</p>'
      : chartOf(search, stepMinutes),
    '</div>',
  ].join('');
}

function chartOf(points: StatusLatency['search'], stepMinutes: number): string {
  const top = niceMaximum(Math.max(1, ...points.map(({ p95 }) => p95 ?? 0)));
  const last = points.length - 1;
  const labels = [0, Math.floor(last / 2), last].map((place) => {
    const point = points[place];
    const words = point === undefined ? '' : stepInWords(point.at, stepMinutes);
    return place === 0 || place === last ? `<span>${words}</span>` : `<span class="max-sm:hidden">${words}</span>`;
  });
  return [
    '<figure class="flex flex-col gap-3">',
    '<figcaption class="flex min-h-6 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-soft text-xs"><span class="flex items-center gap-4">',
    `<span class="sr-only">Search duration</span> ${key('stroke-lamp', 'Median')} ${key('stroke-busy', '95th percentile', '4 2')}</span>`,
    // Placeholder for the button that shows the table, which needs scripts.
    '<span class="flex items-center gap-3"><span aria-hidden="true" class="invisible h-6 px-1">Show as table</span></span></figcaption>',
    '<div><div class="grid grid-cols-[auto_1fr] gap-x-2.5 gap-y-1.5 text-2xs text-faint">',
    `<div aria-hidden="true" class="tabular flex h-44 flex-col justify-between text-right leading-none"><span>${formatMs(top)}</span><span>${formatMs(top / 2)}</span><span>0</span></div>`,
    `<div class="relative h-44">${drawingOf(points, top)}</div>`,
    `<div aria-hidden="true" class="tabular col-start-2 flex justify-between">${labels.join('')}</div>`,
    '</div></div></figure>',
  ].join('');
}

function key(stroke: string, name: string, dashes?: string): string {
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`;
  return `<span class="flex items-center gap-1.5"><svg aria-hidden="true" viewBox="0 0 16 2" class="h-0.5 w-4"><path d="M0 1H16" stroke-width="2"${dashed} class="${stroke}"/></svg>${name}</span>`;
}

function drawingOf(points: StatusLatency['search'], top: number): string {
  const { stepWidth, height, pointWidth } = latencyChart;
  const width = points.length * stepWidth;
  const pathOf = (values: (number | null)[]) => linePath(values, { stepWidth, height, top });
  const p95 = pathOf(points.map((point) => point.p95));
  const p50 = pathOf(points.map((point) => point.p50));
  const rule = (y: number) =>
    `<line x1="0" x2="${width}" y1="${y}" y2="${y}" vector-effect="non-scaling-stroke" class="stroke-line"/>`;
  const path = (d: string, of: string) =>
    `<path fill="none" stroke-linecap="round" stroke-linejoin="round" vector-effect="non-scaling-stroke" d="${d}" ${of}/>`;
  return [
    `<svg aria-hidden="true" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" class="absolute inset-0 size-full overflow-visible rounded-xs">`,
    ...[0, height / 2, height].map(rule),
    path(p95.line, 'stroke-width="2" stroke-dasharray="5 4" class="stroke-busy"'),
    path(p95.points, `stroke-width="${pointWidth}" class="stroke-busy"`),
    path(p50.line, 'stroke-width="2" class="stroke-lamp"'),
    path(p50.points, `stroke-width="${pointWidth}" class="stroke-lamp"`),
    '</svg>',
  ].join('');
}

const icon = (shape: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" class="mt-1 size-6 shrink-0" aria-hidden="true">${shape}</svg>`;

/** The browser's status icons, from Lucide (ISC). */
export const icons: Record<StatusState, string> = {
  operational: icon('<circle cx="12" cy="12" r="10"/><path d="m16 9-5.5 5.5L8 12"/>'),
  degraded: icon(
    '<path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3"/><path d="M12 9v4"/><path d="M12 17h.01"/>',
  ),
  down: icon('<circle cx="12" cy="12" r="10"/><path d="M12 8v4"/><path d="M12 16h.01"/>'),
  unknown: icon(
    '<path d="M10.1 2.182a10 10 0 0 1 3.8 0"/><path d="M13.9 21.818a10 10 0 0 1-3.8 0"/><path d="M17.609 3.721a10 10 0 0 1 2.69 2.7"/><path d="M2.182 13.9a10 10 0 0 1 0-3.8"/><path d="M20.279 17.609a10 10 0 0 1-2.7 2.69"/><path d="M21.818 10.1a10 10 0 0 1 0 3.8"/><path d="M3.721 6.391a10 10 0 0 1 2.7-2.69"/><path d="M6.391 20.279a10 10 0 0 1-2.69-2.7"/>',
  ),
};
