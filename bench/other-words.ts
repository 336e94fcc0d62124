import { type PageRecord, TermFinder } from '#server/engine/index.ts';
import { randomOf } from './synthetic-pages.ts';

/** Turns a real page into one about another subject; its terms are the page's, under the names of `finder`. */
export interface OtherWords {
  finder: TermFinder;
  pageOf(page: PageRecord): PageRecord;
}

/** Words in more than this share of passages are common to all documentation. */
const commonShare = 0.01;
/** Names at most this frequent belong to one library, and are new in each copy. */
const ownMax = 3;
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy'.split(' ');

/**
 * Creates documentation about other subjects. Words keep their frequency, so that posting lists are as long as in the
 * same amount of real documentation: common words stay, the rarest become new names, and all others are swapped with
 * words of similar frequency. `frequencies` contains each of the finder's terms' number of passages; copy 0 is the
 * original documentation.
 */
export function createOtherWords(finder: TermFinder, frequencies: Uint32Array, passages: number) {
  const bands = new Map<number, number[]>();
  const numbers = new Map<string, number>();
  for (let term = 0; term < finder.termCount; term += 1) {
    numbers.set(finder.nameOf(term), term);
    const count = frequencies[term] ?? 0;
    if (count <= ownMax || count > passages * commonShare) continue;
    const band = Math.floor(Math.log2(count) * 2);
    const others = bands.get(band) ?? [];
    others.push(term);
    bands.set(band, others);
  }
  return (copy: number): OtherWords => {
    if (copy === 0) return { finder, pageOf: (page) => page };
    const names = namesIn(copy, finder, frequencies, bands);
    const changed = (text: string) =>
      text.replace(/[A-Za-z]{4,}/g, (word) => {
        const term = numbers.get(word.toLowerCase());
        return term === undefined ? word : (names[term] as string);
      });
    return { finder: new RenamingFinder(names), pageOf: (page) => otherPage(page, changed, copy) };
  };
}

class RenamingFinder extends TermFinder {
  readonly #names: string[];

  constructor(names: string[]) {
    super();
    this.#names = names;
  }

  override nameOf(term: number): string {
    return this.#names[term] as string;
  }
}

function namesIn(copy: number, finder: TermFinder, frequencies: Uint32Array, bands: Map<number, number[]>): string[] {
  const own = syllables[copy % syllables.length] + (syllables[Math.floor(copy / syllables.length)] ?? 'ya');
  const names = Array.from({ length: finder.termCount }, (_, term) => {
    const name = finder.nameOf(term);
    return (frequencies[term] ?? 0) <= ownMax ? `${name}${own}` : name;
  });
  const random = randomOf(copy);
  for (const terms of bands.values()) {
    const shuffled = [...terms];
    for (let at = shuffled.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [shuffled[at], shuffled[other]] = [shuffled[other] as number, shuffled[at] as number];
    }
    for (const [at, term] of terms.entries()) names[term] = finder.nameOf(shuffled[at] as number);
  }
  return names;
}

function otherPage(page: PageRecord, changed: (text: string) => string, copy: number): PageRecord {
  const { origin, pathname } = new URL(page.url);
  return {
    ...page,
    // Two addresses may become equal; the hash at the end keeps them distinct.
    url: `${origin}/${copy}${changed(pathname)}/${page.contentHash.slice(0, 10)}`,
    title: changed(page.title),
    ...(page.inboundAnchors === undefined ? {} : { inboundAnchors: page.inboundAnchors.map(changed) }),
    snippets: page.snippets.map((snippet) => ({
      ...snippet,
      id: `${snippet.id}-${copy}`,
      headingPath: snippet.headingPath.map(changed),
      identifiers: snippet.identifiers.map(changed),
      text: changed(snippet.text),
    })),
  };
}
