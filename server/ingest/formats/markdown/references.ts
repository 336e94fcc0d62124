import { normalLabel } from './inline.ts';

const definition = /^ {0,3}\[([^[\]\\^]{1,200})\]:\s*(?:<([^<>]*)>|(\S+))/;

/** Link definitions (`[label]: target`) of a page; the first of equal labels wins. */
export function linkDefinitions(lines: readonly string[]): Map<string, string> {
  const references = new Map<string, string>();
  for (const line of lines) {
    const match = isDefinitionLike(line) ? definition.exec(line) : null;
    if (!match) continue;
    const label = normalLabel(match[1] as string);
    if (!references.has(label)) references.set(label, match[2] ?? match[3] ?? '');
  }
  return references;
}

export function isLinkDefinition(line: string): boolean {
  return isDefinitionLike(line) && definition.test(line);
}

function isDefinitionLike(line: string): boolean {
  return line.includes(']:') && line.trimStart().startsWith('[');
}
