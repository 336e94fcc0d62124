import type { Draft } from '../draft.ts';
import { attribute, type Tag } from './tags.ts';

const labels: Record<string, string> = {
  note: 'Note',
  info: 'Info',
  tip: 'Tip',
  hint: 'Hint',
  important: 'Important',
  warning: 'Warning',
  warn: 'Warning',
  caution: 'Caution',
  danger: 'Danger',
  error: 'Error',
  attention: 'Attention',
  success: 'Success',
  check: 'Check',
  question: 'Question',
  example: 'Example',
  quote: 'Quote',
  bug: 'Bug',
  abstract: 'Abstract',
  summary: 'Summary',
  failure: 'Failure',
  seealso: 'See also',
  deprecated: 'Deprecated',
  todo: 'To do',
  experimental: 'Experimental',
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  security: 'Security',
  alert: 'Note',
  callout: 'Note',
  admonition: 'Note',
  aside: 'Note',
  pitfall: 'Pitfall',
  deepdive: 'Deep dive',
  primary: 'Note',
  secondary: 'Note',
};

/** Returns the label of a call-out type, with its title if there is one; undefined for other names. */
export function calloutLabel(name: string, title = ''): string | undefined {
  const label = labels[name.toLowerCase().replace(/[-_]/g, '')];
  if (label === undefined) return undefined;
  const clean = title
    .trim()
    .replace(/^(?:(["'])(.*)\1|\[([^[\]]*)\])$/, '$2$3')
    .trim();
  return clean === '' || clean.toLowerCase() === label.toLowerCase() ? label : `${label}: ${clean}`;
}

/** Returns the label of a component such as `<Warning>` or `<Callout type="tip" title="…">`. */
export function componentLabel(tag: Tag): string | undefined {
  const kind =
    attribute(tag, 'type') ?? attribute(tag, 'kind') ?? attribute(tag, 'variant') ?? attribute(tag, 'intent');
  const title = attribute(tag, 'title');
  return (kind === undefined ? undefined : calloutOf(tag.name, kind, title)) ?? calloutLabel(tag.name, title);
}

function calloutOf(name: string, kind: string, title: string | undefined): string | undefined {
  return calloutLabel(name) === undefined ? undefined : calloutLabel(kind, title);
}

/** Returns text as an admonition: a quote that starts with the bold label. */
export function admonition(label: string, text: string): string {
  const body = text.trim() === '' ? [] : text.split('\n');
  const [first = '', ...rest] = body;
  const isRunning = first !== '' && !/^(?:[-*+]|\d+[.)])\s|^[|>]|^```/.test(first);
  const head = isRunning ? [`**${label}:** ${first}`, ...rest] : [`**${label}:**`, '', ...body];
  const trimmed = body.length === 0 ? [`**${label}:**`] : head;
  return trimmed.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/**
 * Converts the blocks from index `before` on to a call-out: the first paragraph gets the label; code and lists after it
 * stay blocks.
 */
export function labelFirst(draft: Draft, before: number, label: string): void {
  const first = draft.blocks[before];
  if (first?.type === 'paragraph') {
    draft.blocks[before] = { ...first, type: 'admonition', markdown: admonition(label, first.markdown) };
  } else if (first) draft.blocks.splice(before, 0, { type: 'admonition', markdown: admonition(label, '') });
}
