import { foldText } from '../analysis/fold.ts';
import { splitMarkdown } from '../analysis/markdown-parts.ts';
import { scanTerms } from '../analysis/scan.ts';
import type { Snippet } from '../types.ts';
import { type SnippetField, snippetFields } from './fields.ts';

/** Receives each term of a snippet: headings first, then identifiers, then prose and listings in reading order. */
export type SnippetTermSink = (field: number, term: string, advance: 0 | 1) => void;

const fieldIndex = (field: SnippetField): number => snippetFields.indexOf(field);
const headings = fieldIndex('headings');
const identifiers = fieldIndex('identifiers');
const body = fieldIndex('body');
const code = fieldIndex('code');

/** Emits the terms of every field of a snippet in the order of a stored sequence. */
export function eachSnippetTerm(snippet: Snippet, sink: SnippetTermSink): void {
  eachSnippetText(snippet, (text, field, withOperators) => {
    scanTerms(text, withOperators, (term, advance) => sink(field, term, advance));
  });
}

/** Visits the folded texts that `eachSnippetTerm` scans, with their field and whether operators in them count. */
export function eachSnippetText(
  snippet: Snippet,
  sink: (text: string, field: number, withOperators: boolean) => void,
): void {
  for (const heading of snippet.headingPath) sink(foldText(heading), headings, true);
  for (const identifier of snippet.identifiers) sink(foldText(identifier), identifiers, true);
  for (const { text, isCode } of splitMarkdown(snippet.text)) sink(foldText(text), isCode ? code : body, !isCode);
}
