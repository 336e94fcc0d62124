import { addedTokens, type Fragment } from './fragments.ts';
import { codeSnippetTokensMax, smallRestTokens, snippetTokensAim, snippetTokensMax } from './limits.ts';

/** Fragments that must stay together, such as a heading with its first paragraph or a code block with its lead-in. */
interface Atom {
  fragments: Fragment[];
  tokens: number;
}

/**
 * Packs one section's fragments into parts of even size. Headings, terms and lead-ins stay with the content they
 * introduce; the paragraph after a code block stays with it if it fits.
 */
export function packSection(fragments: readonly Fragment[]): Fragment[][] {
  const atoms = glue(fragments);
  const total = atoms.reduce((sum, atom) => sum + atom.tokens + 1, 0);
  const aim = total / Math.max(1, Math.ceil(total / snippetTokensAim));
  const parts: Fragment[][] = [];
  let part: Fragment[] = [];
  let tokens = 0;
  let left = total;
  for (const atom of atoms) {
    const last = part.at(-1);
    if (last && !fits(tokens, atom, last, aim, left)) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    for (const fragment of atom.fragments) {
      tokens += addedTokens(fragment, part.at(-1));
      part.push(fragment);
    }
    left -= atom.tokens + 1;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

function fits(tokens: number, atom: Atom, last: Fragment, aim: number, left: number): boolean {
  const first = atom.fragments[0] as Fragment;
  const sum = tokens + addedTokens(first, last) + atom.tokens - first.tokens;
  if (sum > snippetTokensMax) return false;
  const isLastAndSmall = left <= smallRestTokens + 1;
  if (isLastAndSmall) return true;
  if (sum > snippetTokensAim) return false;
  const isExplanation = last.type === 'code' && first.type === 'paragraph' && atom.fragments.length === 1;
  return isExplanation || tokens + atom.tokens / 2 <= aim;
}

function glue(fragments: readonly Fragment[]): Atom[] {
  const atoms: Atom[] = [];
  for (const fragment of fragments) {
    const atom = atoms.at(-1);
    const last = atom?.fragments.at(-1);
    if (atom && last && isGlued(last, fragment) && atom.tokens + 1 + fragment.tokens <= tokensMax(fragment)) {
      atom.tokens += addedTokens(fragment, last);
      atom.fragments.push(fragment);
    } else atoms.push({ fragments: [fragment], tokens: fragment.tokens });
  }
  return atoms;
}

function isGlued(before: Fragment, after: Fragment): boolean {
  if (before.block === after.block) return false;
  if (before.type === 'heading' || before.type === 'term') return true;
  // A sentence that continues after the code.
  if (before.type === 'code') return after.type === 'paragraph' && /^\p{Ll}/u.test(after.body);
  const isText = before.type === 'paragraph' || before.type === 'list';
  if (isText && (after.type === 'code' || after.type === 'table')) return true;
  // A title in bold and the text below it.
  if (isTitle(before)) return !isTitle(after) && after.type !== 'heading' && after.type !== 'term';
  // A lead-in such as "For example:" and the block after it, or a question and its answer.
  return (isText || before.type === 'quote') && /[:?]\**$/.test(before.body);
}

const isTitle = ({ type, body }: Fragment): boolean => type === 'paragraph' && /^\*\*[^*\n]{1,100}\*\*$/.test(body);

/** Returns the maximum size of a snippet with `fragment`, which is higher for a long code block kept whole. */
export function tokensMax(fragment: Fragment): number {
  return fragment.type === 'code' && fragment.tokens > snippetTokensAim ? codeSnippetTokensMax : snippetTokensMax;
}
