import type { CrawlRecord, ParsedPage } from './crawl-types.ts';

/** The records of an interrupted run, split where its start page was recorded. */
export interface EarlierRun<Page extends ParsedPage> {
  /** Where the start address ended. */
  address: string;
  /** Where the content of the start page was taken from, when that was a Markdown form. */
  contentUrl?: string | undefined;
  /** Redirects of the start address and the start page itself. */
  beginning: CrawlRecord<Page>[];
  /** To be read once. */
  rest: AsyncIterable<CrawlRecord<Page>>;
}

/** Undefined when the run did not get as far as its start page: then there is nothing to continue from. */
export async function readBeginning<Page extends ParsedPage>(
  records: Iterable<CrawlRecord> | AsyncIterable<CrawlRecord>,
): Promise<EarlierRun<Page> | undefined> {
  const iterator = iterate(records) as AsyncGenerator<CrawlRecord<Page>>;
  const beginning: CrawlRecord<Page>[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    beginning.push(next.value);
    const { status, url, contentUrl } = next.value;
    if (status !== 'redirect') return { address: url, contentUrl, beginning, rest: iterator };
  }
  return undefined;
}

async function* iterate<T>(records: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* records;
}
