import type { Snippet } from '#server/engine/index.ts';
import { type ExtractUnit, linesOfUnit, unitsOf } from './extract-units.ts';
import type { QueryTerm } from './query-terms.ts';
import { passageText } from './render.ts';

/** What the reader of an extract has of its passage. */
export interface KnownOfPassage {
  /** Numbers of units. */
  sent: ReadonlySet<number>;
  /** What stands above the passage. */
  above: string;
}

/** A passage of which lines were sent. */
export interface RestOfPassage extends KnownOfPassage {
  units: ExtractUnit[];
}

/** Fewer tokens of the rest of a passage are no answer by themselves. */
const restTokensMin = 12;

/** A line as the memory of a conversation keeps it: enough to know it among the lines of one passage. */
export function traceOf(line: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The lines of a text that was shown, as `restOf` looks for them. */
export function linesOf(shown: string): string[] {
  return unitsOf(shown).flatMap(linesOfUnit);
}

/** What is left of a passage whose lines of these traces were sent; undefined where none of it answers. */
export function restOf(
  snippet: Pick<Snippet, 'text' | 'headingPath'>,
  pageTitle: string,
  traces: ReadonlySet<string>,
  terms: QueryTerm[],
): RestOfPassage | undefined {
  const { text: whole, titleAbove: above } = passageText(snippet, pageTitle);
  const units = unitsOf(whole);
  const isSent = (unit: ExtractUnit): boolean => linesOfUnit(unit).every((line) => traces.has(traceOf(line)));
  const sent = new Set(units.flatMap((unit, at) => (isSent(unit) ? [at] : [])));
  const left = units.filter((_, unit) => !sent.has(unit));
  const isEnough = left.reduce((sum, { tokens }) => sum + tokens, 0) >= restTokensMin;
  const answers = ({ text }: ExtractUnit): boolean => {
    const lower = text.toLowerCase();
    return terms.some(({ stem }) => lower.includes(stem));
  };
  return isEnough && left.some(answers) ? { units, sent, above } : undefined;
}
