import type { Snippet } from '#server/engine/index.ts';
import { cleanLabel, mark } from './clean-text.ts';
import { isDoubtful } from './doubtful-text.ts';
import type { PageToRead } from './page-to-read.ts';
import { isSaidBy, withAnchor, withNotice, withoutTitle } from './render.ts';

/** The parts of a page to show; `parts` maps a snippet's index to its text, whole or cut. */
export interface ReadPlan {
  parts: Map<number, string>;
  /** Indexes omitted because they were sent before. */
  sentBefore: number[];
  /** Other omitted indexes, the most relevant first. */
  leftOut: number[];
  /** Sections named in the outline of omitted parts; the others are only counted. */
  outlineMax: number;
  notes: string[];
}

/**
 * Renders a read as Markdown: title, parts in page order under their headings, marked gaps, and a list of omitted
 * parts.
 */
export function renderRead(page: PageToRead, plan: ReadPlan, askedUrl: string): string {
  const head: string[] = [];
  if (page.url !== askedUrl) head.push(`${mark} ${withAnchor(page.url, '')}`);
  if (page.title !== '') head.push(withNotice(`# ${cleanLabel(page.title)}`));
  const parts: string[] = [];
  let before: number | undefined;
  let table = '';
  for (const index of [...plan.parts.keys()].sort((a, b) => a - b)) {
    const snippet = page.snippets[index];
    if (snippet === undefined) continue;
    const isGap = before === undefined ? index > 0 : index !== before + 1;
    if (isGap) parts.push('…');
    const text = plan.parts.get(index) ?? '';
    const previous = before === undefined || isGap ? undefined : page.snippets[before];
    const headings = headingsToShow(page.title, { ...snippet, text }, previous);
    const part = underTitle(page.title, headings, text).filter((block) => block !== '');
    const isSameTable = headings.length === 0 && previous !== undefined && table !== '' && text.startsWith(table);
    if (isSameTable) parts.push(`${parts.pop()}\n${text.slice(table.length)}`);
    else if (headings.length === 0 && previous !== undefined && nestedItem.test(text))
      parts.push(`${parts.pop()}\n${text}`);
    else parts.push(part.join('\n\n'));
    table = headOfLastTable(text);
    before = index;
  }
  const lines = [...plan.notes, ...sentBeforeLine(page, plan), ...outlineLine(page, plan)];
  const blocks = [...head, ...parts.map((part) => withNotice(part))];
  return [...blocks, ...lines.map((line) => `${mark} ${line}`)].filter((block) => block !== '').join('\n\n');
}

/**
 * Returns the headings to show above a part: those that differ from the previous part; at the start or after a gap,
 * only the nearest. If the text begins with one of them, only those above it.
 */
function headingsToShow(
  title: string,
  { headingPath, text }: Pick<Snippet, 'headingPath' | 'text'>,
  before: Snippet | undefined,
): string[] {
  const own = firstHeading.exec(text)?.[1]?.trimEnd();
  const ownDepth = headingPath.findLastIndex((heading) => cleanLabel(heading) === own);
  const lines: string[] = [];
  for (const [depth, heading] of headingPath.slice(0, ownDepth < 0 ? undefined : ownDepth).entries()) {
    const isKnown =
      before !== undefined &&
      headingPath.slice(0, depth + 1).every((part, at) => (before.headingPath[at] ?? part) === part) &&
      (depth < before.headingPath.length || before.identifiers.includes(heading));
    const isTitle = depth === 0 && cleanLabel(heading) === cleanLabel(title);
    if (isKnown || isTitle) continue;
    lines.push(`${'#'.repeat(Math.min(6, depth + 2))} ${cleanLabel(heading)}`);
  }
  return before === undefined ? lines.slice(-1) : lines;
}

/**
 * Returns the head of the table at the end of a text, since a part that continues the table repeats it; empty if there
 * is none.
 */
function headOfLastTable(text: string): string {
  if (!text.endsWith('|')) return '';
  return tableHead.exec(text.slice(text.lastIndexOf('\n\n') + 1).trimStart())?.[0] ?? '';
}

/** A table's column names and the line below them. */
const tableHead = /^\|.*\|\n\|(?: :?-+:? \|)+\n/;

/** The start of a part that continues a nested list. */
const nestedItem = /^[ \t]+(?:[-*+]|\d{1,9}[.)]) /;

const firstHeading = /^#{1,6} +(.*)/;

/** Removes from a part the page title at its start, and headings that its text repeats. */
function underTitle(title: string, headings: string[], text: string): string[] {
  const rest = withoutTitle(text, title);
  if (rest === text) return [...headings, text];
  const own = new Set(rest.match(headingLines)?.map(wordsOfHeading));
  return [...headings.filter((heading) => !own.has(wordsOfHeading(heading))), rest];
}

const headingLines = /^#{1,6} .*$/gm;

function wordsOfHeading(line: string): string {
  return line
    .replace(/^#+ +/, '')
    .replaceAll(/[`*\\]/g, '')
    .trimEnd();
}

function sentBeforeLine(page: PageToRead, plan: ReadPlan): string[] {
  const { named, more } = sectionsOf(page, plan.sentBefore, plan.outlineMax);
  const names = named.map(({ name }) => name);
  return names.length + more === 0 ? [] : [`Sent before: ${shortList(names, more)}`];
}

function outlineLine(page: PageToRead, plan: ReadPlan): string[] {
  const { named, more } = sectionsOf(page, plan.leftOut, plan.outlineMax);
  const entries = named.map(({ name, tokens }) => `${name} ${tokens}`);
  return entries.length + more === 0 ? [] : [`Not shown (tokens): ${shortList(entries, more)}`];
}

function shortList(entries: string[], more: number): string {
  if (entries.length === 0) return `${more} sections`;
  return entries.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

/**
 * Groups these indexes by anchor and heading. Only the first sections are named, with their tokens: checking the
 * headings of tens of thousands takes seconds.
 */
function sectionsOf(
  page: PageToRead,
  indexes: number[],
  namedMax: number,
): { named: { name: string; tokens: number }[]; more: number } {
  const groups = new Map<string, { anchor: string; heading: string; tokens: number }>();
  for (const index of indexes) {
    const snippet = page.snippets[index];
    if (snippet === undefined) continue;
    const { anchor, headingPath, tokens } = snippet;
    const heading = headingPath.at(-1) ?? page.title;
    const key = `${anchor}\n${heading}`;
    const group = groups.get(key) ?? { anchor, heading, tokens: 0 };
    group.tokens += tokens;
    groups.set(key, group);
  }
  const named = new Map<string, number>();
  let more = 0;
  for (const { anchor, heading, tokens } of groups.values()) {
    const name = named.size < namedMax ? nameOfSection(anchor, heading) : undefined;
    if (name === undefined) more += 1;
    else named.set(name, (named.get(name) ?? 0) + tokens);
  }
  return { named: [...named].map(([name, tokens]) => ({ name, tokens })), more };
}

function nameOfSection(anchor: string, fullHeading: string): string {
  const heading = cleanLabel(fullHeading, 60);
  // The list is on our own line: nothing in it may give orders.
  const shown = isDoubtful(heading) ? 'a section' : heading;
  return anchor === '' ? shown : `#${anchor} ${isSaidBy(anchor, heading) ? '' : shown}`.trim();
}
