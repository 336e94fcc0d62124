import { AppError } from '#server/app-error.ts';

/** The name as it is kept: one line without blanks around it. Refuses an empty one. */
export function requireTeamName(text: string): string {
  const name = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  if (name === '') throw new AppError('team-name-empty');
  return name;
}
