import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { statusEndpoints } from '#contract/status.ts';
import { backupInstallation, restoreInstallation } from '#server/features/maintenance/index.ts';
import { configOf, type HttpRig, openHttpRig } from '../http/http-rig.ts';
import { type SampleSite, startSampleSite } from '../library/sample-site.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';
import { openSmallDisk } from '../services/small-disk.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';

const waitMs = 120_000;
const searchesMax = 150;

/** Returns incompressible text: a run reads about 1.6 MB from twenty of these pages. */
const noise = (seed: string) =>
  Array.from({ length: 2_500 }, (_, at) => createHash('sha256').update(`${seed}${at}`).digest('base64url')).join(' ');

async function openSite(pages: number): Promise<SampleSite> {
  const site = await startSampleSite(pages);
  onTestFinished(() => site.close());
  return site;
}

const sourceOf = ({ url }: SampleSite, moduleId: string) => ({ source: url, moduleId, visibility: 'public' }) as const;

async function index(rig: HttpRig, site: SampleSite, moduleId: string): Promise<JobRun> {
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, sourceOf(site, moduleId));
  return endOf(rig, job.id);
}

function endOf(rig: HttpRig, jobId: string): Promise<JobRun> {
  return until(
    'the run has ended',
    async () => {
      const { job } = await rig.ask(libraryEndpoints.getJob, { jobId });
      return ['COMPLETE', 'FAILED'].includes(job.status) ? job : undefined;
    },
    waitMs,
  );
}

const codeOf = async (answer: Response) => ((await answer.json()) as { error?: { code: string } }).error?.code;

/** Searches until a search is refused; returns the answered and the refused words. */
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

/** Requires that the check finds nothing except files that the next sweep deletes. */
async function requireRegular({ running }: HttpRig): Promise<void> {
  for await (const { isHarmless, what, detail } of running.installation.examine()) {
    if (isHarmless !== true) throw new Error(`${what} ${detail}`);
  }
}

test('on a full disk calls, uploads and runs fail without charges or partial writes, and resume once there is space', {
  timeout: 300_000,
}, async (context) => {
  const disk = openSmallDisk(24);
  if (disk === undefined) return context.skip();
  const [site, large] = [await openSite(6), await openSite(20)];
  for (const name of large.pages.keys()) large.pages.set(name, noise(name));
  const allowed = { LECTERN_ALLOW_HOSTS: `${site.host},${large.host}`, LECTERN_PARSE_WORKERS: '1' };
  const rig = await openHttpRig({ ...allowed, LECTERN_DATA: join(disk.folder, 'data') });
  const { sender: key } = await rig.createKey();
  expect(await index(rig, site, 'sample')).toMatchObject({ status: 'COMPLETE' });
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

  // The backup is written to another disk.
  const { config, base } = rig.running.installation;
  const { query } = base.db;
  const archive = join(temporaryFolder(), 'lectern.tar');
  expect(await backupInstallation(config, archive, 1)).toMatchObject({ missing: [] });
  const at = configOf(join(temporaryFolder(), 'restored'));
  expect(await restoreInstallation(at, archive)).toMatchObject({ missing: [] });
  const isReady = async () => (await rig.send('/readyz')).status;
  // The first refused write reports it, not the next check.
  expect(await isReady()).toBe(503);
  expect(await rig.ask(statusEndpoints.getStatus, {})).toMatchObject({ state: 'down' });
  disk.fill(4_000_000);
  expect(await isReady()).toBe(200);

  // The run's rows fit on the disk, its fetched pages do not.
  disk.fill(800_000);
  const failed = await index(rig, large, 'large');
  expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/full|space/) });

  // The run cannot even record its end until there is space, and is then resumed.
  large.onRequest = (name) => name === 'page10' && disk.fill();
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, sourceOf(large, 'large'));
  await until(
    'no one can hold the run',
    async () => {
      const row = await query.selectFrom('jobRuns').select('leaseUntil').where('id', '=', job.id).executeTakeFirst();
      return (row?.leaseUntil ?? 0) > 0 && Number(row?.leaseUntil) < Date.now() ? true : undefined;
    },
    waitMs,
  );
  large.onRequest = undefined;
  disk.free();
  expect(await endOf(rig, job.id)).toMatchObject({ status: 'COMPLETE' });
  await requireRegular(rig);
  expect((await rig.send('/api/search?query=original+text+again', { headers: key })).status).toBe(200);
  expect((await sendPart()).status).toBe(200);
  await rig.ask(pdfSetEndpoints.completePdfUpload, { uploadId: upload.uploadId });
  await requireRegular(rig);
});
