import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { type SampleSite, startSampleSite } from '../library/sample-site.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';
import { openSmallDisk } from '../services/small-disk.ts';
import { until } from '../services/until.ts';

const waitMs = 120_000;
const searchesMax = 150;

/** Text that no compression makes small: what a run reads of twenty such pages is some 1.6 MB. */
const noise = (seed: string) =>
  Array.from({ length: 2_500 }, (_, at) => createHash('sha256').update(`${seed}${at}`).digest('base64url')).join(' ');

async function openSite(pages: number): Promise<SampleSite> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return site;
}

async function index(rig: HttpRig, source: string, moduleId: string): Promise<JobRun> {
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId, visibility: 'public' });
  return until(
    'the run has ended',
    async () => {
      const read = await rig.ask(libraryEndpoints.getJob, { jobId: job.id });
      return ['COMPLETE', 'FAILED'].includes(read.job.status) ? read.job : undefined;
    },
    waitMs,
  );
}

const codeOf = async (answer: Response) => ((await answer.json()) as { error?: { code: string } }).error?.code;

/** Searches until one is refused; answers which words were answered and which were refused. */
async function searchUntilRefused(rig: HttpRig, key: Record<string, string>) {
  const [answered, refused]: [string[], string[]] = [[], []];
  for (let at = 0; at < searchesMax && refused.length < 3; at += 1) {
    const query = `original text ${at}`;
    const answer = await rig.send(`/api/search?query=${encodeURIComponent(query)}`, { headers: key });
    if (answer.ok) answered.push(query);
    else {
      expect([answer.status, await codeOf(answer)]).toEqual([507, 'disk-full']);
      refused.push(query);
    }
  }
  return { answered, refused };
}

async function chargedQueries(rig: HttpRig): Promise<string[]> {
  const { query } = rig.running.installation.base.db;
  const rows = await query.selectFrom('creditTransactions').select('metadata').where('source', '=', 'usage').execute();
  return rows.map(({ metadata }) => (JSON.parse(metadata) as { args: { query: string } }).args.query);
}

/** Nothing is found that is not as it must be, but for what takes room until the next sweep. */
async function requireRegular({ running }: HttpRig): Promise<void> {
  for await (const { isHarmless, what, detail } of running.installation.examine()) {
    if (isHarmless !== true) throw new Error(`${what} ${detail}`);
  }
}

test('on a full disk calls, uploads and runs are refused, nothing is charged or half-written, and all goes on once there is space', {
  timeout: 300_000,
}, async (context) => {
  const disk = openSmallDisk(24);
  if (disk === undefined) return context.skip();
  const [site, large] = [await openSite(6), await openSite(20)];
  for (const name of large.pages.keys()) large.pages.set(name, noise(name));
  const allowed = { LECTERN_ALLOW_HOSTS: `${site.host},${large.host}`, LECTERN_PARSE_WORKERS: '1' };
  const rig = await openHttpRig({ ...allowed, LECTERN_DATA: join(disk.folder, 'data') });
  const { sender: key } = await rig.createKey();
  expect(await index(rig, site.url, 'sample')).toMatchObject({ status: 'COMPLETE' });
  const pdf = makePdf({ title: 'The loom manual', pages: [textLines(['About the loom and its threads.'])] });
  const { set } = await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' });
  const begun = { setId: set.setId, fileName: 'loom.pdf', sizeBytes: pdf.byteLength };
  const { upload } = await rig.ask(pdfSetEndpoints.startPdfUpload, begun);
  const sendPart = () =>
    rig.send(`/api/pdf-uploads/${upload.uploadId}/parts?offset=0`, {
      ...{ method: 'PUT', headers: rig.operator, body: Buffer.from(pdf) },
    });

  disk.fill();
  const { answered, refused } = await searchUntilRefused(rig, key);
  expect(refused.length).toBeGreaterThan(0);
  const draft = await rig.send('/api/search?query=original+text&isDraft=true', { headers: rig.operator });
  expect(draft.status).toBe(200);
  const part = await sendPart();
  expect([part.status, await codeOf(part)]).toEqual([507, 'disk-full']);
  const charged = await chargedQueries(rig);
  expect(charged.filter((query) => refused.includes(query))).toEqual([]);
  expect(new Set(charged).size).toBe(charged.length);
  expect(charged.length).toBeLessThanOrEqual(answered.length);

  // The rows of a run fit in, what it reads does not.
  disk.fill(800_000);
  const failed = await index(rig, large.url, 'large');
  expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/full|space/) });

  disk.free();
  await requireRegular(rig);
  expect((await rig.send('/api/search?query=original+text+again', { headers: key })).status).toBe(200);
  expect((await sendPart()).status).toBe(200);
  await rig.ask(pdfSetEndpoints.completePdfUpload, { uploadId: upload.uploadId });
  expect(await index(rig, large.url, 'large')).toMatchObject({ status: 'COMPLETE' });
  await requireRegular(rig);
});
