import type { Snippet, SnippetKind, SnippetSection } from '../types.ts';
import { SegmentFormatError } from './format.ts';
import { hashBytes } from './hash-table.ts';

const kinds: readonly SnippetKind[] = ['prose', 'code', 'api', 'table'];

/** Writes a snippet as one JSON line; `readSnippet` is the inverse. */
export function writeSnippet(snippet: Snippet): Uint8Array {
  const { id, anchor, headingPath, kind, identifiers, text, tokens, sections, places } = snippet;
  const record: unknown[] = [id, anchor, headingPath, kinds.indexOf(kind), identifiers, text, tokens];
  // Few passages have sections or places; records without them keep the format they had before these fields existed.
  if (sections !== undefined || places !== undefined) record.push(sections?.map(writeSection) ?? null);
  if (places !== undefined) record.push(places);
  return Buffer.from(JSON.stringify(record));
}

type SectionRecord = [string, string[], number, (0 | 1)?, string[]?];

function writeSection({ anchor, headingPath, tokens, isEntry, aliases }: SnippetSection): SectionRecord {
  if (aliases !== undefined) return [anchor, headingPath, tokens, isEntry ? 1 : 0, aliases];
  return isEntry ? [anchor, headingPath, tokens, 1] : [anchor, headingPath, tokens];
}

const quote = 0x22;
const backslash = 0x5c;

/** Returns a hash that distinguishes most ids without reading them: a segment keeps one per snippet in memory. */
export function snippetKeyOf(id: string): number {
  return hashBytes(Buffer.from(id));
}

/** Reads only the id: searches need nothing else of most passages they find. */
export function readSnippetId(bytes: Uint8Array): string {
  // Skip the bracket and the quote that open the record.
  const end = bytes.indexOf(quote, 2);
  const id = bytes.subarray(2, end);
  return id.includes(backslash) ? readSnippet(bytes).id : Buffer.from(id).toString('utf8');
}

export function readSnippet(bytes: Uint8Array): Snippet {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const [id, anchor, headingPath, kind, identifiers, body, tokens, sections, places] = JSON.parse(text) as [
    string,
    string,
    string[],
    number,
    string[],
    string,
    number,
    (SectionRecord[] | null)?,
    string[]?,
  ];
  const name = kinds[kind];
  if (name === undefined) throw new SegmentFormatError('A snippet of the segment has an unknown kind.');
  const snippet: Snippet = { id, anchor, headingPath, kind: name, identifiers, text: body, tokens };
  if (sections) {
    snippet.sections = sections.map(([of, path, count, isEntry, aliases]) => ({
      anchor: of,
      headingPath: path,
      tokens: count,
      ...(isEntry && { isEntry: true }),
      ...(aliases && { aliases }),
    }));
  }
  if (places) snippet.places = places;
  return snippet;
}
