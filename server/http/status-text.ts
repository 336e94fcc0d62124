import type { Incident, StatusReport, StatusState } from '#contract/status.ts';

/** The whole in a sentence, as the page has it too. */
const wholeTexts: Record<StatusState, string> = {
  operational: 'Everything works.',
  degraded: 'Something does not work as it should.',
  down: 'There is an outage.',
  unknown: 'There is not enough data yet.',
};

/** The status for terminals and for browsers without scripts. */
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

/** A terminal acts on control characters, no matter who wrote them. */
function withoutControls(line: string): string {
  return line.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
