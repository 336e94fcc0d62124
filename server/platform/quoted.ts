import { nameLine } from '#contract/name-line.ts';

const charactersMax = 80;

/**
 * Returns the type or coding that a server of strangers named, for one of our sentences: without its parameters and anything that does
 * not show, and too short to say anything else.
 */
export function quoted(text: string): string {
  return nameLine(text)
    .replace(/\s*,\s*/g, ',')
    .replace(/[;\s].*$/s, '')
    .slice(0, charactersMax);
}
