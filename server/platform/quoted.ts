import { nameLine } from '#contract/name-line.ts';

const charactersMax = 80;

/**
 * Returns a type or encoding named by a foreign server, safe to quote in our messages: without parameters and invisible
 * characters, and too short to carry a message.
 */
export function quoted(text: string): string {
  return nameLine(text)
    .replace(/(?:(?<!\s)\s+)?,\s*/g, ',')
    .replace(/[;\s].*$/s, '')
    .slice(0, charactersMax);
}
