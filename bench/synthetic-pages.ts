import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageRecord, Snippet } from '#server/engine/index.ts';
import { countTokens } from '#server/ingest/split/index.ts';

const snippetsOfPage = 8;
const sentencesOfSnippet = 5;

/** Creates pages that resemble documentation, the same ones for the same seed. */
export interface PageMaker {
  pages(options: { origin: string; snippets: number; seed: number }): Generator<PageRecord>;
  /** Returns questions of two to six words of a sentence. */
  queries(count: number, seed: number): string[];
}

/**
 * Creates pages from the shuffled sentences of a folder of Markdown files, with unique names for each page, so that the
 * number of terms grows with the number of pages. The vocabulary is smaller than in the same number of real pages, so
 * words are more frequent: posting lists are longer than in reality, and searches rather slower.
 */
export function createPageMaker(folder: string): PageMaker {
  const sentences = sentencesIn(folder);
  const pick = (random: () => number) => sentences[Math.floor(random() * sentences.length)] ?? '';
  return {
    *pages({ origin, snippets, seed }) {
      const random = randomOf(seed);
      for (let at = 0; at * snippetsOfPage < snippets; at += 1) {
        const url = `${origin}/page-${at}`;
        const name = () => `${wordOf(random)}${wordOf(random)}`;
        const title = `${name()} ${pick(random).split(' ').slice(0, 4).join(' ')}`;
        const own = Array.from({ length: snippetsOfPage }, (_, part): Snippet => {
          const identifier = `${name()}_${name()}`;
          const body = Array.from({ length: sentencesOfSnippet }, () => pick(random)).join(' ');
          const text = `${body} \`${identifier}\``;
          return {
            ...{ id: `${url}#${part}`, anchor: `part-${part}`, kind: 'prose', identifiers: [identifier], text },
            headingPath: [pick(random).split(' ').slice(0, 3).join(' ')],
            tokens: part === 0 ? countTokens(text) : Math.round(text.length / 4),
          };
        });
        yield { url, title, fetchedAt: 1, contentHash: url, snippets: own };
      }
    },
    queries(count, seed) {
      const random = randomOf(seed);
      return Array.from({ length: count }, () => {
        const words = pick(random).split(' ');
        const from = Math.floor(random() * Math.max(words.length - 2, 1));
        return words.slice(from, from + 2 + Math.floor(random() * 5)).join(' ');
      });
    },
  };
}

function sentencesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  return files
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/(?<=[.:])\s+|\n\n|\n\|/))
    .map((sentence) => sentence.replace(/[#`|*\s]+/g, ' ').trim())
    .filter((sentence) => sentence.split(' ').length >= 5 && sentence.length < 400);
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy'.split(' ');

function wordOf(random: () => number): string {
  return Array.from({ length: 3 }, () => syllables[Math.floor(random() * syllables.length)]).join('');
}

/** Returns a mulberry32 generator: small, and the same on all platforms. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
