import { Turns } from '#server/platform/turns.ts';
import type { CrawlDeps, FetchedPage, ParsedPage } from './crawl-types.ts';

/** Enough to keep a few parser threads busy; more pages would only occupy memory while they wait. */
const atOnceMax = 8;

/** Sends pages to the parser, a few at a time, and retries when the parser is full. */
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

/** Returns an error's `code` if it has the form of this project's error codes. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[a-z]+(-[a-z]+)*$/.test(error.code) ? error.code : undefined;
}
