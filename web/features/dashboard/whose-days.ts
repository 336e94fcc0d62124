/**
 * Whose days the dashboard sums up: the selected team's, else the person's. As long as the team is not known (`undefined`)
 * no one's: the person would be the wrong one, and change under the reader's eyes.
 */
export function whoseDays(
  selected: { team: { name: string } } | null | undefined,
  personName: string | null | undefined,
): string | undefined {
  if (selected === undefined) return undefined;
  return selected?.team.name ?? personName ?? undefined;
}
