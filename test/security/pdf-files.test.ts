import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPdfParser, PdfError, type PdfParser } from '#server/ingest/pdf/index.ts';
import type { ParsedPdf } from '#server/ingest/pdf/parse-pdf.ts';
import type { PdfBytes } from '#server/ingest/pdf/pdf-process.ts';
import { attacksOf } from '../services/attacks.ts';
import { makePdf } from '../services/make-pdf.ts';

interface PdfCase {
  id: string;
  file: string;
  expect: string;
}

const shared = process.env.LECTERN_SHARED ?? '../shared';
const folder = `${shared}/security/pdf`;
const cases = existsSync(folder) ? attacksOf<PdfCase>('pdf-index.jsonl') : [];
const secondsMax = 60;
const growthBytesMax = 300_000_000;

type Fate = { kind: 'indexed'; parsed: ParsedPdf } | { kind: 'failed'; code: string; reason: string };

/** Measures the peak memory of all child processes together. */
function watchChildren() {
  let most = 0;
  const timer = setInterval(() => {
    const sum = childrenOf(process.pid).reduce((total, pid) => total + residentOf(pid), 0);
    most = Math.max(most, sum);
  }, 25);
  return { most: () => most, end: () => clearInterval(timer) };
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

function residentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

/** Returns a file's bytes that kill their reader the first `times` times, as the system does when memory runs out. */
function killingReaders(bytes: Uint8Array, times: number) {
  let given = 0;
  return async function* () {
    given += 1;
    const readers = childrenOf(process.pid).filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parse-child'),
    );
    for (const pid of given > times ? [] : readers) process.kill(pid, 'SIGKILL');
    yield bytes;
  };
}

async function fateOf(
  parser: PdfParser,
  bytes: Uint8Array,
  pages: number[] = [],
  give: () => PdfBytes = () => [bytes],
): Promise<Fate> {
  try {
    const parsed = await parser.parse(
      {
        bytes: give,
        byteLength: bytes.byteLength,
        options: { url: 'pdf://set/file.pdf', fileName: 'file.pdf', pagesMax: 10_000 },
      },
      { onPage: (page) => pages.push(page), signal: AbortSignal.timeout(secondsMax * 1000) },
    );
    return { kind: 'indexed', parsed };
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return { kind: 'failed', code: error.code, reason: error.message };
  }
}

/** Returns how a result differs from the list's expectation, or undefined. */
function faultOf(expected: string, fate: Fate): string | undefined {
  if (fate.kind === 'failed' && fate.reason.length < 10) return 'no reason';
  if (expected.startsWith('rejected: empty'))
    return fate.kind === 'failed' && fate.code === 'pdf-empty' ? undefined : 'taken';
  if (expected.startsWith('rejected'))
    return fate.kind === 'failed' && fate.code === 'pdf-not-pdf' ? undefined : 'taken';
  if (/encrypted/.test(expected))
    return fate.kind === 'failed' && fate.code === 'pdf-encrypted' ? undefined : 'not told';
  if (/^failed with reason(?! or)/.test(expected) && fate.kind !== 'failed') return 'indexed';
  const mustBeIndexed = /^(indexed|title)/.test(expected) && !/\bor\b/.test(expected);
  if (mustBeIndexed && fate.kind !== 'indexed') return `failed: ${fate.reason}`;
  const pages = /(\d+) pages?/.exec(expected)?.[1];
  if (pages !== undefined && fate.kind === 'indexed' && fate.parsed.indexedPages !== Number(pages))
    return 'other pages';
  const text = fate.kind === 'indexed' ? fate.parsed.snippets.map((snippet) => snippet.text).join('\n') : '';
  if (/CANARY found/.test(expected) && !text.includes('CANARY')) return 'text not found';
  if (/title is escaped/.test(expected) && fate.kind === 'indexed' && /[\u202a-\u202e]/.test(fate.parsed.title))
    return 'bidi';
  return undefined;
}

const stream = (filters: string[], body: Buffer) =>
  Buffer.concat([
    Buffer.from(`<< /Length ${body.length} /Filter [${filters.map((name) => `/${name}`).join(' ')}] >>\nstream\n`),
    body,
    Buffer.from('\nendstream'),
  ]);

/** Creates a page with this content stream. */
function pdfOfStream(body: Buffer): Buffer {
  const head = [
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>\nendobj\n4 0 obj\n',
  ].join('');
  return Buffer.concat([
    Buffer.from(head),
    body,
    Buffer.from('\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n'),
  ]);
}

const bombs: Record<string, () => Uint8Array> = {
  'Flate of 50 MB of zeros': () => pdfOfStream(stream(['FlateDecode'], deflateSync(Buffer.alloc(50_000_000)))),
  'Flate inside Flate, 200 MB': () =>
    pdfOfStream(stream(['FlateDecode', 'FlateDecode'], deflateSync(deflateSync(Buffer.alloc(200_000_000))))),
  '5 MB of text on one line': () => makePdf({ pages: [[{ text: 'a'.repeat(5_000_000), x: 72, y: 700 }]] }),
  '5 MB of text in one word, letter by letter within the page': () =>
    makePdf({
      pages: [
        [
          { text: 'a'.repeat(5_000_000), x: 0, y: 700, size: 0.0001 },
          { text: 'CANARY', x: 72, y: 600 },
        ],
      ],
    }),
};

/** Parses a file whose bytes never end. */
function stuckIn(parser: PdfParser, watch: { owner?: string; signal?: AbortSignal } = {}) {
  return parser.parse(
    {
      async *bytes() {
        yield new Uint8Array(1);
        await new Promise(() => undefined);
      },
      byteLength: 2,
      options: { url: 'pdf://set/stuck.pdf', fileName: 'stuck.pdf', pagesMax: 1 },
    },
    { onPage: () => undefined, signal: new AbortController().signal, ...watch },
  );
}

test('a file whose reader process was killed is read once more, and only once', async () => {
  const parser = createPdfParser({ atOnce: 1 });
  const bytes = new Uint8Array(makePdf({ pages: [[{ text: 'CANARY', x: 72, y: 700 }]] }));
  expect((await fateOf(parser, bytes, [], killingReaders(bytes, 1))).kind).toBe('indexed');
  expect(await fateOf(parser, bytes, [], killingReaders(bytes, 2))).toMatchObject({
    kind: 'failed',
    code: 'pdf-failed',
  });
}, 30_000);

describe.skipIf(cases.length === 0)('hostile PDFs', () => {
  let canary: ReturnType<typeof createServer>;
  let touched = 0;
  beforeAll(async () => {
    canary = createServer((_, answer) => {
      touched += 1;
      answer.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => canary.close());

  test('each end as listed, within the time and memory limits, and send no request', async () => {
    const parser = createPdfParser({ atOnce: 1 });
    const memory = watchChildren();
    const faults: string[] = [];
    const port = (canary.address() as AddressInfo).port;
    for (const one of cases) {
      const raw = readFileSync(`${folder}/${one.file}`).toString('latin1');
      const bytes = Buffer.from(raw.replace(/127\.0\.0\.1:\d+/g, `127.0.0.1:${port}`), 'latin1');
      const started = performance.now();
      const fate = await fateOf(parser, new Uint8Array(bytes));
      const seconds = (performance.now() - started) / 1000;
      const fault = seconds > secondsMax ? 'too slow' : faultOf(one.expect.replace('; progress reported', ''), fate);
      if (fault !== undefined) faults.push(`${one.id} ${one.file}: ${fault}`);
    }
    memory.end();
    expect(faults).toEqual([]);
    expect(memory.most()).toBeLessThan(growthBytesMax + 60_000_000);
    expect(touched).toBe(0);
  }, 600_000);

  test('with 5,000 pages are read, with progress reports', async () => {
    const pages = Array.from({ length: 5_000 }, (_, index) => [
      { text: `CANARY page ${index + 1} of many`, x: 72, y: 700 },
    ]);
    const heard: number[] = [];
    const fate = await fateOf(createPdfParser({ atOnce: 1 }), new Uint8Array(makePdf({ pages })), heard);
    expect(fate).toMatchObject({ kind: 'indexed', parsed: { indexedPages: 5_000 } });
    expect(heard.length).toBeGreaterThan(100);
  }, 120_000);

  test.each(Object.entries(bombs))(
    'stay within their limits: %s',
    async (_, make) => {
      const memory = watchChildren();
      const started = performance.now();
      const fate = await fateOf(createPdfParser({ atOnce: 1 }), new Uint8Array(make()));
      memory.end();
      expect(faultOf('indexed or failed with reason', fate)).toBeUndefined();
      expect((performance.now() - started) / 1000).toBeLessThan(secondsMax);
      expect(memory.most()).toBeLessThan(growthBytesMax + 60_000_000);
    },
    120_000,
  );

  test('that hang do not delay another file, and end with a reason', async () => {
    const parser = createPdfParser({ atOnce: 2, limits: { stallMs: 8_000 } });
    const ended = stuckIn(parser).catch((error: unknown) => error);
    const beside = await fateOf(
      parser,
      new Uint8Array(makePdf({ pages: [[{ text: 'CANARY beside', x: 72, y: 700 }]] })),
    );
    expect(beside.kind).toBe('indexed');
    expect(await ended).toMatchObject({ code: 'pdf-timeout' });
    await expect
      .poll(() => childrenOf(process.pid).filter((pid) => residentOf(pid) > 0), { timeout: 10_000 })
      .toEqual([]);
  }, 60_000);

  test('given up while waiting end at once, even with other files in progress', async () => {
    const parser = createPdfParser({ atOnce: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const ended: unknown[] = [];
    const held = stuckIn(parser, { signal: first.signal }).catch((reason: unknown) => void ended.push(reason));
    const waiting = stuckIn(parser, { signal: second.signal });
    const givenUp = new Error('cancelled');
    second.abort(givenUp);
    await expect(waiting).rejects.toBe(givenUp);
    expect(ended).toEqual([]);
    first.abort(givenUp);
    await held;
  }, 15_000);

  test('that hang do not delay other users’ files', async () => {
    const parser = createPdfParser({ atOnce: 2, limits: { stallMs: 20_000 }, slowMs: 3_000 });
    const abandoned = new AbortController();
    const ended: string[] = [];
    const stuck = Array.from({ length: 6 }, () =>
      stuckIn(parser, { owner: 'slow', signal: abandoned.signal }).catch(
        (error: unknown) => void ended.push((error as PdfError).code),
      ),
    );
    for (const text of ['CANARY one', 'CANARY two']) {
      const bytes = new Uint8Array(makePdf({ pages: [[{ text, x: 72, y: 700 }]] }));
      expect((await fateOf(parser, bytes)).kind).toBe('indexed');
    }
    expect(ended).toEqual([]);
    abandoned.abort(new Error('the test is over'));
    await Promise.all(stuck);
  }, 60_000);
});
