import { Turns } from '#server/platform/turns.ts';
import type { CrawlDeps, FetchedPage, ParsedPage } from './crawl-types.ts';

/** As many as keep a few parser threads busy; more would only wait there, with their bytes. */
const atOnceMax = 8;

/** Hands pages to the parser, a few at a time, and again when it had no room. */
export class ParseTurns<Page extends ParsedPage> {
  readonly #deps: Pick<CrawlDeps<Page>, 'parse' | 'whenParseRoom' | 'signal'>;
  readonly #turns = new Turns(atOnceMax);

  constructor(deps: Pick<CrawlDeps<Page>, 'parse' | 'whenParseRoom' | 'signal'>) {
    this.#deps = deps;
  }

  async parse(page: FetchedPage): Promise<Page> {
    return this.#turns.run(async () => {
      for (;;) {
        this.#deps.signal.throwIfAborted();
        try {
          return await this.#deps.parse(page);
        } catch (error) {
          if (codeOf(error) !== 'parse-busy' || !this.#deps.whenParseRoom) throw error;
          await this.#deps.whenParseRoom();
        }
      }
    });
  }
}

/** The `code` of an error when it is a word of the kind our rooms use. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[a-z]+(-[a-z]+)*$/.test(error.code) ? error.code : undefined;
}
