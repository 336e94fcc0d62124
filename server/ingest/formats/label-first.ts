import type { Draft } from './draft.ts';
import { admonition } from './markdown/callouts.ts';

/** Turns what was added since `before` into a call-out: the first paragraph carries the label, code and lists after it stay blocks. */
export function labelFirst(draft: Draft, before: number, label: string): void {
  const first = draft.blocks[before];
  if (first?.type === 'paragraph') {
    draft.blocks[before] = { ...first, type: 'admonition', markdown: admonition(label, first.markdown) };
  } else if (first) draft.blocks.splice(before, 0, { type: 'admonition', markdown: admonition(label, '') });
}
