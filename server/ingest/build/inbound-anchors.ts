import type { SpoolRecord } from './spool.ts';

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
        if (!link.fromContent) continue;
        const target = withoutFragment(link.url);
        const text = link.text.trim().replace(/\s+/g, ' ');
        if (target === record.url || text.length < 2 || text.length > anchorCharactersMax) continue;
        if (emptyTexts.has(text.toLowerCase())) continue;
        const counts = texts.get(target) ?? new Map<string, number>();
        if (counts.has(text) || counts.size < distinctTextsMax) counts.set(text, (counts.get(text) ?? 0) + 1);
        texts.set(target, counts);
      }
    },
    of(url) {
      return [...(texts.get(url) ?? [])]
        .sort(([textA, a], [textB, b]) => b - a || (textA < textB ? -1 : 1))
        .slice(0, anchorsPerPageMax)
        .map(([text]) => text);
    },
  };
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
