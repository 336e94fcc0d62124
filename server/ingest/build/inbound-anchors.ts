import { pageRoleOf } from '#server/engine/index.ts';
import type { SpoolLink, SpoolRecord } from './spool.ts';

const anchorsPerPageMax = 8;
const distinctTextsMax = 64;
const anchorCharactersMax = 80;
const mentionsPerPageMax = 16;
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

/** How other pages of a module speak of a page. */
export interface Inbound {
  /** Texts of links that lead to it, the most frequent first. */
  anchors: string[];
  /** The words around such links, one link of each page, then links with none around them. */
  mentions: string[];
}

/** Collects how other pages of a module call a page in their text; navigation says the same everywhere and is no evidence. */
export function createInboundAnchors(): { add(record: SpoolRecord): void; of(url: string): Inbound } {
  const texts = new Map<string, Map<string, number>>();
  const said = new Map<string, Set<string>>();
  const called = new Map<string, Set<string>>();
  return {
    add(record) {
      const isList = isListOfNames(record.url);
      const targets = new Map<string, SpoolLink>();
      for (const link of record.links ?? []) {
        const target = withoutFragment(link.url);
        if (!link.fromContent || target === record.url) continue;
        const text = nameIn(link);
        if (text !== undefined) count(texts, target, text);
        if (!isList && (link.around !== undefined || !targets.has(target))) targets.set(target, link);
      }
      for (const [target, link] of targets) {
        const text = nameIn(link);
        if (link.around !== undefined) keep(said, target, link.around);
        else if (text !== undefined) keep(called, target, text);
      }
    },
    of(url) {
      const anchors = [...(texts.get(url) ?? [])]
        .sort(([textA, a], [textB, b]) => b - a || (textA < textB ? -1 : 1))
        .slice(0, anchorsPerPageMax)
        .map(([text]) => text);
      const mentions = [...(said.get(url) ?? []), ...(called.get(url) ?? [])].slice(0, mentionsPerPageMax);
      return { anchors, mentions };
    },
  };
}

/** Undefined for a link that does not say what it leads to. */
function nameIn({ text }: SpoolLink): string | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  const isName = name.length >= 2 && name.length <= anchorCharactersMax && !emptyTexts.has(name.toLowerCase());
  return isName ? name : undefined;
}

/** Indexes and records of releases lead everywhere, and say of a page what any of its words is. */
function isListOfNames(url: string): boolean {
  const role = pageRoleOf({ url, title: '', snippets: [] });
  return role === 'index' || role === 'record';
}

function count(texts: Map<string, Map<string, number>>, target: string, text: string): void {
  const counts = texts.get(target) ?? new Map<string, number>();
  if (counts.has(text) || counts.size < distinctTextsMax) counts.set(text, (counts.get(text) ?? 0) + 1);
  texts.set(target, counts);
}

function keep(mentions: Map<string, Set<string>>, target: string, mention: string): void {
  const known = mentions.get(target) ?? new Set<string>();
  if (known.size < mentionsPerPageMax) known.add(mention);
  mentions.set(target, known);
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
