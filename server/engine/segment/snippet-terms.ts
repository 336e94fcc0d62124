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

/** Finds the terms of every field of a snippet in the order of a stored sequence. */
export function eachSnippetTerm(snippet: Snippet, sink: SnippetTermSink): void {
  const scan = (text: string, field: number): void => {
    scanTerms(foldText(text), field !== code, (term, advance) => sink(field, term, advance));
  };
  for (const heading of snippet.headingPath) scan(heading, headings);
  for (const identifier of snippet.identifiers) scan(identifier, identifiers);
  for (const part of splitMarkdown(snippet.text)) scan(part.text, part.isCode ? code : body);
}
