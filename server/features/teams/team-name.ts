import { nameLine } from '#contract/name-line.ts';
import { AppError } from '#server/app-error.ts';

/** The name as it is kept: one line without blanks around it. Refuses an empty one. */
export function requireTeamName(text: string): string {
  const name = nameLine(text);
  if (name === '') throw new AppError('team-name-empty');
  return name;
}
