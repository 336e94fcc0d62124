import type { StatusHistory } from '#contract/status.ts';
import { stateWords } from '#contract/status-words.ts';

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 });

/** The bars as a table: a row for each day on which anything was measured, newest first. */
export function DayTable({ history }: { history: StatusHistory }) {
  const places = history.parts[0]?.days.map((_, place) => place) ?? [];
  const measured = places
    .filter((place) => history.parts.some(({ days }) => (days[place]?.checks ?? 0) > 0))
    .toReversed();
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Parts, day by day"
      className="max-h-96 overflow-auto rounded-lg border border-line bg-surface shadow-sm"
    >
      <table className="tabular w-full text-left text-sm">
        <caption className="sr-only">Parts, day by day</caption>
        <thead className="sticky top-0 bg-sunken text-soft text-xs">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              Day
            </th>
            {history.parts.map(({ part, label }) => (
              <th key={part} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.map((place) => (
            <tr key={place} className="border-line border-t">
              <th scope="row" className="whitespace-nowrap px-4 py-1.5 font-normal">
                {dayFormat.format(history.parts[0]?.days[place]?.at)}
              </th>
              {history.parts.map(({ part, days }) => (
                <td key={part} className="whitespace-nowrap px-3 py-1.5">
                  {cellOf(days[place])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {measured.length === 0 && <p className="px-4 py-6 text-center text-faint text-sm">No measurements yet.</p>}
    </div>
  );
}

function cellOf(day: StatusHistory['parts'][number]['days'][number] | undefined): string {
  if (day === undefined || day.checks === 0) return stateWords.unknown;
  const failed = day.failed > 0 ? `, ${day.failed} failed` : '';
  return `${stateWords[day.state]}${failed}, ${percent.format(day.measured)} measured`;
}
