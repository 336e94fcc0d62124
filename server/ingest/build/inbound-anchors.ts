import type { SpoolLink, SpoolRecord } from './spool.ts';

const anchorsPerPageMax = 8;
const distinctTextsMax = 64;
const anchorCharactersMax = 80;
/** Texts that name no subject. */
const emptyTexts = new Set([
  'here',
  'link',
  'next',
  'previous',
  'prev',
  'up',
  'home',
  'top',
  'index',
  'contents',
  'source',
  'more',
  'read more',
]);

/** Collects how other pages of a module call a page in their text; navigation says the same everywhere and is no evidence. */
export function createInboundAnchors(): { add(record: SpoolRecord): void; of(url: string): string[] } {
  const texts = new Map<string, Map<string, number>>();
  return {
    add(record) {
      for (const link of record.links ?? []) {
        const target = withoutFragment(link.url);
        const text = nameIn(link);
        if (link.fromContent && target !== record.url && text !== undefined) count(texts, target, text);
      }
    },
    /** Texts of links that lead to it, the most frequent first. */
    of(url) {
      return [...(texts.get(url) ?? [])]
        .sort(([textA, a], [textB, b]) => b - a || (textA < textB ? -1 : 1))
        .slice(0, anchorsPerPageMax)
        .map(([text]) => text);
    },
  };
}

/** Undefined for a link that does not say what it leads to. */
function nameIn({ text }: SpoolLink): string | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  const isName = name.length >= 2 && name.length <= anchorCharactersMax && !emptyTexts.has(name.toLowerCase());
  return isName ? name : undefined;
}

function count(texts: Map<string, Map<string, number>>, target: string, text: string): void {
  const counts = texts.get(target) ?? new Map<string, number>();
  if (counts.has(text) || counts.size < distinctTextsMax) counts.set(text, (counts.get(text) ?? 0) + 1);
  texts.set(target, counts);
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
