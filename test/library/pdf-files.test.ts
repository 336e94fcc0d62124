import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { getJobLog } from '#server/features/indexing/job-log.ts';
import { createPdfParser } from '#server/ingest/pdf/index.ts';
import { startLoopbackServer } from '../services/loopback-server.ts';
import { makePdf } from '../services/make-pdf.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openRepositoryRig } from './repository-rig.ts';
import { openRig, type Rig } from './rig.ts';

/** Creates a manual of two pages with a word on its second page. */
function manual(word: string): Buffer {
  const line = (text: string, y: number) => ({ text, x: 72, y });
  const lines = (about: string) => [
    line(`Everything there is to know about ${about} is written on this page.`, 700),
    line(`Whoever reads it knows ${about} from then on, and can go on with the next part.`, 680),
  ];
  return makePdf({ title: `Manual of ${word}`, pages: [lines('beginnings'), lines(word)] });
}

async function rigWithPdf(allowHosts: string[] = []): Promise<Rig> {
  const rig = await openRig({ allowHosts });
  rig.deps.pdfParser = createPdfParser({ atOnce: 1 });
  return rig;
}

const reasonsOf = async (rig: Rig, jobId: string) => {
  const { entries } = await getJobLog(rig.ctx, { jobId, limit: limits.jobLogPageMax });
  return Object.fromEntries(entries.map(({ address, reason }) => [address, reason]));
};

interface PdfSite {
  url: string;
  host: string;
  files: Map<string, { body: Buffer | string; type?: string; headers?: Record<string, string> }>;
  requests: string[];
}

async function pdfSite(): Promise<PdfSite> {
  const files: PdfSite['files'] = new Map();
  const requests: string[] = [];
  const server = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    const file = files.get(path);
    if (file === undefined) return void response.writeHead(404).end();
    const { body, type = path.endsWith('.pdf') ? 'application/pdf' : 'text/html', headers = {} } = file;
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 12)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    requests.push(`${path} ${isKnown ? 304 : 200}`);
    response.writeHead(isKnown ? 304 : 200, { 'content-type': type, etag, ...headers }).end(isKnown ? '' : body);
  });
  onTestFinished(() => server.close());
  return { url: `${server.origin}/docs/`, host: `127.0.0.1:${server.port}`, files, requests };
}

const page = (links: string[]) =>
  `<!doctype html><html lang="en"><head><title>Start</title></head><body><main><h1>Start</h1><p>All of it in plain words.</p>${links
    .map((link) => `<p><a href="${link}">The file ${link}</a></p>`)
    .join('')}</main></body></html>`;

test('PDF files in a folder become pages of its module, and a broken one is skipped with its reason', async () => {
  const rig = await rigWithPdf();
  const folder = join(temporaryFolder(), 'docs');
  await mkdir(join(folder, 'parts'), { recursive: true });
  await writeFile(join(folder, 'guide.md'), '# Guide\n\nThe guide in words.\n');
  await writeFile(join(folder, 'parts', 'Manual.PDF'), manual('zebras'));
  await writeFile(join(folder, 'broken.pdf'), 'no pdf at all');
  const job = await rig.index(folder);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2, failed: 1 });
  expect(await reasonsOf(rig, job.id)).toEqual({ 'broken.pdf': 'pdf-not-pdf' });
  const address = new URL(`file://${folder}/parts/Manual.PDF`).href;
  expect(await rig.read(address)).toContain('zebras');
  const found = await rig.shelf.findPage(rig.ctx, address);
  const anchors = found?.segment.pageSnippets(found.pageIndex).map(({ anchor }) => anchor);
  expect(anchors).toContain('page=1');
  expect(await rig.index(folder)).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 2 });
  await rm(join(folder, 'parts'), { recursive: true });
  await rig.index(folder);
  expect(await rig.read(address)).toBeUndefined();
});

test('a single PDF file on this machine can be a source', async () => {
  const rig = await rigWithPdf();
  const file = join(temporaryFolder(), 'manual.pdf');
  await writeFile(file, manual('quaggas'));
  const job = await rig.index(file);
  expect(job).toMatchObject({ status: 'COMPLETE', moduleId: 'manual.pdf', docsCount: 1 });
  expect(await rig.read(new URL(`file://${file}`).href)).toContain('quaggas');
});

test('PDF files in a repository are indexed with it, and again only when they change', async () => {
  const rig = await openRepositoryRig();
  rig.deps.pdfParser = createPdfParser({ atOnce: 1 });
  const repository = await rig.server.add('team/manuals');
  const files = { 'README.md': '# Manuals', 'docs/zebra.pdf': manual('zebras'), 'broken.pdf': Buffer.from('no pdf') };
  await repository.commit(files);
  const job = await rig.index(repository.url);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2, failed: 1 });
  expect(await reasonsOf(rig, job.id)).toEqual({ 'broken.pdf': 'pdf-not-pdf' });
  const address = `${rig.server.origin}/team/manuals.git/main/docs/zebra.pdf`;
  expect(await rig.read(address)).toContain('zebras');
  await repository.commit({ ...files, 'README.md': '# Manuals\n\nOf animals.' });
  expect(await rig.index(repository.url)).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 1 });
  await repository.commit({ ...files, 'docs/zebra.pdf': manual('quaggas') });
  await rig.index(repository.url);
  expect(await rig.read(address)).toContain('quaggas');
});

test('without a PDF reader, PDF files in folders are skipped', async () => {
  const rig = await openRig();
  const folder = temporaryFolder();
  await writeFile(join(folder, 'guide.md'), '# Guide\n\nThe guide in words.\n');
  await writeFile(join(folder, 'manual.pdf'), manual('zebras'));
  const job = await rig.index(folder);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 1 });
  expect(await reasonsOf(rig, job.id)).toEqual({ 'manual.pdf': 'not-documentation' });
});

test('PDF files linked from a site are indexed under any address, and revalidated on refresh', async () => {
  const site = await pdfSite();
  const rig = await rigWithPdf([site.host]);
  site.files.set('/docs/', { body: page(['manual.pdf', 'download?id=3', 'broken.pdf', 'kept-out.pdf', '/other.pdf']) });
  site.files.set('/docs/manual.pdf', { body: manual('zebras') });
  site.files.set('/docs/download?id=3', { body: manual('quaggas'), type: 'application/pdf' });
  site.files.set('/docs/broken.pdf', { body: manual('gnus').subarray(0, 300) });
  site.files.set('/docs/kept-out.pdf', { body: manual('secrets'), headers: { 'x-robots-tag': 'noindex' } });
  site.files.set('/other.pdf', { body: manual('others') });
  const job = await rig.index(site.url);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 3, failed: 1 });
  expect(await rig.read(`${site.url}manual.pdf`)).toContain('zebras');
  expect(await rig.read(`${site.url}download?id=3`)).toContain('quaggas');
  const reasons = await reasonsOf(rig, job.id);
  expect(reasons[`${site.url}broken.pdf`]).toMatch(/^pdf-/);
  expect(reasons[`${site.url}kept-out.pdf`]).toBe('noindex');
  expect(site.requests.filter((line) => line.startsWith('/other.pdf'))).toEqual([]);
  site.requests.length = 0;
  const again = await rig.index(site.url);
  expect(again).toMatchObject({ status: 'COMPLETE', unchanged: 3, fetched: 0 });
  expect(site.requests).toContain('/docs/manual.pdf 304');
  site.files.set('/docs/manual.pdf', { body: manual('okapis') });
  await rig.index(site.url);
  expect(await rig.read(`${site.url}manual.pdf`)).toContain('okapis');
});

test('the address of a PDF file indexes that file and requests nothing else from its site', async () => {
  const site = await pdfSite();
  const rig = await rigWithPdf([site.host]);
  site.files.set('/docs/', { body: page(['manual.pdf']) });
  site.files.set('/docs/manual.pdf', { body: manual('zebras') });
  site.files.set('/docs/more.pdf', { body: manual('more') });
  const job = await rig.index(`${site.url}manual.pdf`);
  expect(job).toMatchObject({ status: 'COMPLETE', docsCount: 1 });
  expect(await rig.read(`${site.url}manual.pdf`)).toContain('zebras');
  expect(site.requests).toEqual(['/docs/manual.pdf 200']);
});

test('an unreadable PDF file fails its source with the reason and a remedy', async () => {
  const site = await pdfSite();
  const rig = await rigWithPdf([site.host]);
  site.files.set('/docs/broken.pdf', { body: '%PDF-1.4 broken' });
  const { status, error } = await rig.index(`${site.url}broken.pdf`);
  expect([status, error]).toEqual([
    'FAILED',
    `${site.url}broken.pdf could not be read. The file is damaged and cannot be read. Export it as a PDF again.`,
  ]);
});

test('robots.txt applies to PDF files too', async () => {
  const site = await pdfSite();
  const rig = await rigWithPdf([site.host]);
  site.files.set('/robots.txt', { body: 'User-agent: *\nDisallow: /docs/closed', type: 'text/plain' });
  site.files.set('/docs/', { body: page(['closed/manual.pdf', 'open.pdf']) });
  site.files.set('/docs/closed/manual.pdf', { body: manual('zebras') });
  site.files.set('/docs/open.pdf', { body: manual('quaggas') });
  const job = await rig.index(site.url);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2 });
  expect((await reasonsOf(rig, job.id))[`${site.url}closed/manual.pdf`]).toBe('robots');
  expect(site.requests.join()).not.toContain('closed');
});

test('a PDF file that exceeds the limit during download is given up, and the others are read', async () => {
  const server = await startLoopbackServer((request, response) => {
    if (request.url === '/docs/')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page(['endless.pdf', 'good.pdf']));
    if (request.url === '/docs/good.pdf')
      return void response.writeHead(200, { 'content-type': 'application/pdf' }).end(manual('zebras'));
    if (request.url !== '/docs/endless.pdf') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/pdf' });
    const piece = Buffer.alloc(4_000_000, 32);
    let left = 2 * Math.ceil(limits.pdfFileBytesMax / piece.byteLength);
    const more = () => {
      while (left-- > 0 && !response.destroyed && response.write(piece));
      if (left > 0 && !response.destroyed) response.once('drain', more);
      else response.end();
    };
    response.write('%PDF-1.7\n');
    more();
  });
  onTestFinished(() => server.close());
  const own = await rigWithPdf([`127.0.0.1:${server.port}`]);
  const job = await own.index(`${server.origin}/docs/`);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2, failed: 1 });
  expect((await reasonsOf(own, job.id))[`${server.origin}/docs/endless.pdf`]).toBe('too-large');
}, 60_000);
