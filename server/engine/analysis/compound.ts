import { stemWord } from './stem.ts';

/** The kind of a term: a separate word, a whole compound name, or one part of it. */
export type TermKind = 'word' | 'whole' | 'part';

/** Receives one term; `advance` is 0 if the term shares the position of the previous term, otherwise 1. */
export type EmitTerm = (term: string, advance: 0 | 1, kind: TermKind) => void;

const separators = /(\.|::|-|')/;
const numberPattern = /^\d+$/;
const possessive = /'s$/i;
// Borders inside one component: lower→Upper, ACRONYM→Word, letters→digits (two letters or more), digits→letters.
const innerBorder = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[\p{L}]{2})(?=\d)/u;

// Pure numbers keep this many decimals: further digits are data.
const decimalsMax = 3;

function numberTerms(components: readonly string[], emit: EmitTerm): void {
  if (components.length === 2) {
    emit(`${components[0]}.${(components[1] as string).slice(0, decimalsMax)}`, 1, 'word');
    return;
  }
  emit(components.join('.'), 1, 'whole');
  emit(`${components[0]}.${components[1]}`, 0, 'part');
}

function splitComponent(component: string): string[] {
  const parts: string[] = [];
  for (const piece of component.split('_')) {
    if (piece === '') continue;
    for (const part of piece.split(innerBorder)) if (part !== '') parts.push(part);
  }
  return parts;
}

/**
 * Emits a name with inner structure: the whole as written (lower case, unstemmed), the name without its marks, its
 * dotted components and their last pair, and the stems of the smallest parts. The whole forms share the position of the
 * first part.
 */
export function emitCompound(sigil: string, name: string, suffix: string, emit: EmitTerm): void {
  let body = name.replace(possessive, '');
  if (body.includes("'")) body = body.replaceAll("'", '');
  const pieces = body.split(separators);
  const components: string[] = [];
  for (let i = 0; i < pieces.length; i += 2) components.push(pieces[i] as string);
  if (
    components.length > 1 &&
    components.length <= 4 &&
    !body.includes('-') &&
    components.every((c) => numberPattern.test(c))
  ) {
    numberTerms(components, emit);
    return;
  }
  let advance: 0 | 1 = 1;
  const seen = new Set<string>();
  const emitWhole = (written: string): void => {
    const term = written.toLowerCase();
    if (seen.has(term)) return;
    seen.add(term);
    emit(term, advance, 'whole');
    advance = 0;
  };
  const split = components.map(splitComponent);
  const partCount = split.reduce((sum, parts) => sum + parts.length, 0);
  if (sigil !== '' || suffix !== '') emitWhole(sigil + body + suffix);
  if (partCount > 1 || body.startsWith('_') || body.endsWith('_')) emitWhole(body);
  if (components.length > 2) emitWhole(pieces.slice(-3).join(''));
  let first = true;
  for (let i = 0; i < components.length; i += 1) {
    const parts = split[i] as string[];
    const component = components[i] as string;
    for (let j = 0; j < parts.length; j += 1) {
      if (j === 0 && components.length > 1 && parts.length > 1 && !seen.has(component.toLowerCase())) {
        seen.add(component.toLowerCase());
        emit(component.toLowerCase(), first ? advance : 1, 'whole');
        emit(stemWord((parts[j] as string).toLowerCase()), 0, 'part');
      } else {
        const part = (parts[j] as string).toLowerCase();
        const term = stemWord(part);
        emit(term, first ? advance : 1, seen.size === 0 && partCount === 1 ? 'word' : 'part');
      }
      first = false;
    }
  }
}

/** Emits overlapping character pairs for a run written without spaces; a lone character is emitted as is. */
export function emitCjkRun(run: string, emit: EmitTerm): void {
  const chars = Array.from(run);
  if (chars.length === 1) emit(run, 1, 'word');
  for (let i = 0; i + 1 < chars.length; i += 1) emit((chars[i] as string) + (chars[i + 1] as string), 1, 'word');
}
