import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { type ModuleRenamed, renameModule } from '#server/features/indexing/move-modules.ts';
import { inPieces, manualAbout, openPdfRig, type PdfRig } from '#test/pdf-sets/pdf-rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { sampleRecord, storeChunk } from '#test/services/sample-records.ts';
import { actingInTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { until } from '#test/services/until.ts';
import { hook } from '../feature.ts';
import { startScheduledJobs } from '../scheduled-jobs.ts';
import { addPdfPart } from './add-part.ts';
import { completePdfUpload } from './complete-upload.ts';
import { indexPdfSet } from './index-set.ts';
import { sweepJob } from './open-pdf-sets.ts';
import { movePdfSets, removePdfFile, removePdfSet, removePersonalPdfSets } from './remove.ts';
import { getPdfSet, listPdfSets, renamePdfSet, renameSetOf } from './sets.ts';
import { sweepPdfFiles } from './sweep.ts';
import { abandonPdfUpload, getPdfUpload, startPdfUpload } from './uploads.ts';

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('it was not refused');
  return { code: (error as Error & { code: string }).code, message: error.message };
}

async function asPerson(rig: PdfRig, id: string): Promise<Context> {
  await rig.ctx.db.query.insertInto('users').values({ id, createdAt: 0 }).execute();
  return rig.as(id);
}

const setOf = async (rig: PdfRig, setId: string, ctx = rig.ctx) => (await getPdfSet(ctx, { setId }, rig.pdf)).set;
const pdfKeys = (rig: PdfRig) => rig.blobs.list('pdfs/');

onEachDatabase('a PDF set', (kind) => {
  test('is created, filled, indexed, searched and read by page', async () => {
    const rig = await openPdfRig({ kind });
    const created = await rig.create('Manuals');
    expect(created).toMatchObject({
      status: 'not indexed',
      totalFiles: 0,
      moduleId: 'pdf~manuals',
      gcsFolder: `pdfs/${created.setId}`,
    });
    const bytes = manualAbout('flange');
    const { file } = await rig.upload(created.setId, 'Flange Guide.pdf', bytes);
    expect(file).toMatchObject({
      name: 'Flange Guide.pdf',
      address: 'pdf://manuals/flange-guide.pdf',
      status: 'waiting',
      contentHash: createHash('sha256').update(bytes).digest('hex'),
    });
    await indexPdfSet(rig.ctx, { setId: created.setId }, rig.pdf);
    expect((await setOf(rig, created.setId)).status).toBe('queued');
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', kind: 'pdf', found: 1, fetched: 1 });
    expect(await setOf(rig, created.setId)).toMatchObject({
      status: 'indexed',
      totalDocs: 1,
      indexedPages: 2,
      language: 'en',
      errorCount: 0,
      lastError: null,
      lastIndexedAt: expect.any(Number) as number,
      pdfFiles: [{ title: 'The flange manual', pageCount: 2, indexedPages: 2, status: 'indexed' }],
    });
    expect(await rig.read('pdf://manuals/flange-guide.pdf')).toContain('how the flange is set up');
    const found = await rig.shelf.findPage(rig.ctx, 'pdf://manuals/flange-guide.pdf');
    const anchors = found?.segment.pageSnippets(found.pageIndex).map(({ anchor }) => anchor) ?? [];
    expect([...new Set(anchors)]).toEqual(['page=1', 'page=2']);
  });

  test('keeps working if a broken file fails with its reason, and does not read unchanged files again', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    await rig.upload(setId, 'good.pdf', manualAbout('flange'));
    await rig.upload(setId, 'broken.pdf', Buffer.from('%PDF-1.4\nnothing else'));
    expect(await rig.indexSet(setId)).toMatchObject({ status: 'COMPLETE', fetched: 1, failed: 1 });
    const set = await setOf(rig, setId);
    expect(set).toMatchObject({ status: 'indexed', errorCount: 1, totalDocs: 1 });
    expect(set.lastError).toMatch(/^broken\.pdf: The file is damaged/);
    await rig.upload(setId, 'more.pdf', manualAbout('gasket'));
    expect(await rig.indexSet(setId)).toMatchObject({ fetched: 1, unchanged: 1, failed: 1 });
    expect(await rig.read('pdf://manuals/more.pdf')).toContain('gasket');
    expect(await rig.read('pdf://manuals/good.pdf')).toContain('flange');
  }, 60_000);

  test('resumes the run of a killed process with the files not yet read, without those removed since', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const { file: gone } = await rig.upload(setId, 'gone.pdf', manualAbout('gasket'));
    const { file: read } = await rig.upload(setId, 'read.pdf', manualAbout('flange'));
    const { file: again } = await rig.upload(setId, 'again.pdf', manualAbout('rivet'));
    // As left by an attempt that read all three files and was killed.
    await rig.ctx.db.query.updateTable('pdfFiles').set({ status: 'indexed' }).execute();
    const { jobId } = await indexPdfSet(rig.ctx, { setId }, rig.pdf);
    const kept = ({ address, contentHash }: typeof read) => ({ ...sampleRecord(address, 'kept words'), contentHash });
    await storeChunk(rig.blobs, `runs/${jobId}/00000000-00.jsonl.zst`, [
      kept(gone),
      kept(read),
      { ...kept(again), contentHash: 'of other bytes' },
    ]);
    await removePdfFile(rig.ctx, { setId, fileId: gone.fileId }, rig.pdf);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', found: 2 });
    expect(await rig.read(read.address)).toContain('kept words');
    expect(await rig.read(again.address)).toContain('how the rivet is set up');
    expect(await rig.read(gone.address)).toBeUndefined();
  }, 60_000);

  test('fails with the reason if no file is readable, and keeps the served version', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const { file } = await rig.upload(setId, 'good.pdf', manualAbout('flange'));
    await rig.indexSet(setId);
    await removePdfFile(rig.ctx, { setId, fileId: file.fileId }, rig.pdf);
    await rig.upload(setId, 'broken.pdf', Buffer.from('%PDF-1.4\n'));
    expect((await rig.indexSet(setId)).status).toBe('FAILED');
    const set = await setOf(rig, setId);
    expect([set.status, set.lastError]).toEqual(['failed', expect.stringContaining('broken.pdf: ')]);
    expect(await rig.read('pdf://manuals/good.pdf')).toContain('flange');
  });

  test('leaves no row, file or search result when removed, and its run is canceled', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    await rig.upload(setId, 'good.pdf', manualAbout('flange'));
    await rig.indexSet(setId);
    await indexPdfSet(rig.ctx, { setId }, rig.pdf);
    await startPdfUpload(rig.ctx, { setId, fileName: 'x.pdf', sizeBytes: 5000 });
    await removePdfSet(rig.ctx, { setId }, rig.pdf);
    expect(await rig.read('pdf://manuals/good.pdf')).toBeUndefined();
    expect(await pdfKeys(rig)).toEqual([]);
    expect(await listModules(rig.ctx)).toEqual([]);
    expect(await rig.ctx.db.query.selectFrom('pdfUploads').selectAll().execute()).toEqual([]);
    expect(await rig.runNext()).toMatchObject({ status: 'FAILED', isCancelled: true });
    expect((await listPdfSets(rig.ctx, rig.pdf)).sets).toEqual([]);
    // The next set of this name does not inherit the runs of this one.
    expect((await rig.create()).status).toBe('not indexed');
  });

  test('does not take over a source with its id, and removing the set keeps that source', async () => {
    const rig = await openPdfRig({ kind });
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'page.md'), '# Looms\n\nThread the heddles.\n');
    await rig.index(folder, { moduleId: 'pdf~manuals', visibility: 'private' });
    const { setId } = await rig.create();
    await rig.upload(setId, 'good.pdf', manualAbout('flange'));
    await expect(indexPdfSet(rig.ctx, { setId }, rig.pdf)).rejects.toThrow('belongs to a source of another kind');
    await removePdfSet(rig.ctx, { setId }, rig.pdf);
    expect(await listModules(rig.ctx)).toMatchObject([{ moduleId: 'pdf~manuals', kind: 'folder' }]);
  });

  test('and its upload look nonexistent to other users in every call', async () => {
    const rig = await openPdfRig({ kind });
    const [anna, bert] = [await asPerson(rig, 'anna'), await asPerson(rig, 'bert')];
    const { setId } = await rig.create('Secret', anna);
    const { file } = await rig.upload(setId, 'a.pdf', manualAbout('flange'), anna);
    const { uploadId } = await startPdfUpload(anna, { setId, fileName: 'b.pdf', sizeBytes: 5000 });
    const asks = (set: string, upload: string) => [
      () => getPdfSet(bert, { setId: set }, rig.pdf),
      () => renamePdfSet(bert, { setId: set, displayName: 'Mine' }, rig.pdf),
      () => removePdfSet(bert, { setId: set }, rig.pdf),
      () => indexPdfSet(bert, { setId: set }, rig.pdf),
      () => removePdfFile(bert, { setId: set, fileId: file.fileId }, rig.pdf),
      () => startPdfUpload(bert, { setId: set, fileName: 'x.pdf', sizeBytes: 10 }),
      () => getPdfUpload(bert, { uploadId: upload }),
      () => addPdfPart(bert, { uploadId: upload, offset: 0 }, inPieces(manualAbout('x')), rig.pdf),
      () => completePdfUpload(bert, { uploadId: upload }, rig.pdf),
      () => abandonPdfUpload(bert, { uploadId: upload }, rig.pdf),
    ];
    const missing = asks('no-such-set', 'no-such-upload');
    for (const [index, ask] of asks(setId, uploadId).entries()) {
      expect(await refusalOf(ask())).toEqual(await refusalOf(missing[index]?.() ?? Promise.resolve()));
    }
    expect((await setOf(rig, setId, anna)).pdfFiles).toHaveLength(1);
  });

  test('of a team loses files only to their uploaders, its creator and admins', async () => {
    const rig = await openPdfRig({ kind });
    const members = { anna: 'admin', bert: 'writer', carl: 'writer', dora: 'reader' } as const;
    const teamId = await sampleTeam(rig.ctx.db, { members });
    const inTeam = (userId: string) => actingInTeam(rig.ctx, userId, teamId);
    const [anna, bert, carl, dora] = await Promise.all(['anna', 'bert', 'carl', 'dora'].map(inTeam));
    if (!anna || !bert || !carl || !dora) throw new Error('a member is missing');
    const { setId } = await rig.create('Manuals', bert);
    const upload = async (ctx: Context) => (await rig.upload(setId, 'a.pdf', manualAbout('flange'), ctx)).file.fileId;
    const ofBert = await upload(bert);
    const mayRemove = async (ctx: Context) => (await setOf(rig, setId, ctx)).pdfFiles.map(({ canRemove }) => canRemove);
    const remove = (ctx: Context, fileId: string) => removePdfFile(ctx, { setId, fileId }, rig.pdf);
    expect(await Promise.all([anna, bert, carl, dora].map(mayRemove))).toEqual([[true], [true], [false], [false]]);
    for (const ctx of [carl, dora]) expect((await refusalOf(remove(ctx, ofBert))).code).toBe('permission-denied');
    expect((await refusalOf(removePdfSet(carl, { setId }, rig.pdf))).code).toBe('permission-denied');
    expect((await setOf(rig, setId, anna)).totalFiles).toBe(1);
    const ofCarl = await upload(carl);
    expect((await mayRemove(carl)).filter(Boolean)).toHaveLength(1);
    await remove(carl, ofCarl);
    await remove(bert, await upload(carl));
    await remove(anna, ofBert);
    expect((await setOf(rig, setId, anna)).totalFiles).toBe(0);
  });

  test('creates one run when indexed twice concurrently, and none without files', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    expect((await refusalOf(indexPdfSet(rig.ctx, { setId }, rig.pdf))).code).toBe('pdf-set-empty');
    await rig.upload(setId, 'good.pdf', manualAbout('flange'));
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => indexPdfSet(rig.ctx, { setId }, rig.pdf)));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(2);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'pdf-set-busy' });
  });

  test('keeps its addresses when renamed, and two sets with the same name have different addresses', async () => {
    const rig = await openPdfRig({ kind });
    const sets = await Promise.all([rig.create('Manuals'), rig.create('Manuals')] as const);
    expect(sets.map(({ moduleId }) => moduleId).toSorted()).toEqual(['pdf~manuals', 'pdf~manuals-2']);
    const [{ setId, moduleId }] = sets;
    expect(await renamePdfSet(rig.ctx, { setId, displayName: 'Handbücher' }, rig.pdf)).toMatchObject({
      displayName: 'Handbücher',
      moduleId,
    });
  });

  test('is renamed together with its module, through either of them', async () => {
    const rig = await openPdfRig({ kind });
    const { setId, moduleId } = await rig.create('Manuals');
    await rig.upload(setId, 'a.pdf', manualAbout('flange'));
    await indexPdfSet(rig.ctx, { setId }, rig.pdf);
    await rig.runNext();
    const names = async () => {
      const [module] = await listModules(rig.ctx);
      return [module?.displayName, (await setOf(rig, setId)).displayName];
    };
    await renamePdfSet(rig.ctx, { setId, displayName: 'Papers' }, rig.pdf);
    expect(await names()).toEqual(['Papers', 'Papers']);
    const renamed: ModuleRenamed = hook();
    renamed.on(renameSetOf);
    await renameModule(rig.ctx, { moduleId, displayName: 'Books' }, renamed);
    expect(await names()).toEqual(['Books', 'Books']);
  });

  test('is deleted with the account and moves with the library', async () => {
    const rig = await openPdfRig({ kind });
    const anna = await asPerson(rig, 'anna');
    const { setId } = await rig.create('One', anna);
    await rig.upload(setId, 'a.pdf', manualAbout('flange'), anna);
    await rig.ctx.db.transaction((tx) => movePdfSets(tx, 'user:anna', 'team:t1'));
    expect((await listPdfSets(anna, rig.pdf)).sets).toEqual([]);
    await rig.ctx.db.transaction((tx) => movePdfSets(tx, 'team:t1', 'user:anna'));
    await rig.ctx.db.transaction((tx) => removePersonalPdfSets(tx, 'anna', rig.ctx.clock.now()));
    await sweepPdfFiles(rig.ctx, rig);
    expect(await pdfKeys(rig)).toEqual([]);
  });

  test('that was deleted with an account loses its files within five minutes', async () => {
    const clock = createSettableClock(Date.now());
    const rig = await openPdfRig({ kind, clock });
    const anna = await asPerson(rig, 'anna');
    const { setId } = await rig.create('One', anna);
    await rig.upload(setId, 'a.pdf', manualAbout('flange'), anna);
    const jobs = startScheduledJobs(rig.ctx, [sweepJob(rig.blobs)]);
    onTestFinished(() => jobs.stop());
    await until('the job waits for its next run', () => clock.sleeperCount === 1);
    await rig.ctx.db.transaction((tx) => removePersonalPdfSets(tx, 'anna', clock.now()));
    expect(await pdfKeys(rig)).toHaveLength(1);
    clock.advance(5 * 60_000);
    await until('the files are deleted', async () => (await pdfKeys(rig)).length === 0);
  });
});

onEachDatabase('an upload', (kind) => {
  test('discards an interrupted part and resumes from the previous one', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange', 4);
    const half = 5_000;
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes.subarray(0, half)), rig.pdf);
    await expect(
      addPdfPart(rig.ctx, { uploadId, offset: half }, inPieces(bytes.subarray(half), 2_000), rig.pdf),
    ).rejects.toThrow('the connection was lost');
    expect((await getPdfUpload(rig.ctx, { uploadId })).offset).toBe(half);
    expect(await pdfKeys(rig)).toHaveLength(1);
    expect((await refusalOf(completePdfUpload(rig.ctx, { uploadId }, rig.pdf))).code).toBe('upload-incomplete');
    await addPdfPart(rig.ctx, { uploadId, offset: half }, inPieces(bytes.subarray(half)), rig.pdf);
    const { file } = await completePdfUpload(rig.ctx, { uploadId }, rig.pdf);
    expect(file.contentHash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await pdfKeys(rig)).toEqual([`pdfs/${setId}/files/${uploadId}.pdf`]);
  });

  test('is deleted with its data after a day; complete files stay', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    await rig.upload(setId, 'kept.pdf', manualAbout('flange'));
    const bytes = manualAbout('gasket');
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes.subarray(0, 2_000)), rig.pdf);
    await sweepPdfFiles(rig.ctx, rig);
    expect(await pdfKeys(rig)).toHaveLength(2);
    const later = rig.ctx.clock.now() + (limits.pdfUploadLifetimeHours + 1) * 3_600_000;
    await sweepPdfFiles({ ...rig.ctx, clock: { ...rig.ctx.clock, now: () => later } }, rig);
    expect(await pdfKeys(rig)).toHaveLength(1);
    expect((await refusalOf(getPdfUpload(rig.ctx, { uploadId }))).code).toBe('upload-not-found');
  });

  test('yields one intact file even if a part is sent twice concurrently', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const [one, other] = [manualAbout('flange'), manualAbout('gasket')];
    const sizeBytes = one.byteLength;
    expect(other.byteLength).toBe(sizeBytes);
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes });
    const parts = [one, other, one].map((bytes) =>
      addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf),
    );
    const outcomes = await Promise.allSettled(parts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const made = await Promise.all([1, 2, 3].map(() => completePdfUpload(rig.ctx, { uploadId }, rig.pdf)));
    const hashes = [one, other].map((bytes) => createHash('sha256').update(bytes).digest('hex'));
    for (const { file } of made) expect(hashes).toContain(file.contentHash);
    expect((await setOf(rig, setId)).pdfFiles).toHaveLength(1);
    expect(await pdfKeys(rig)).toEqual([`pdfs/${setId}/files/${uploadId}.pdf`]);
  });

  test('accepts at most two concurrent parts: a third cancels the oldest and its data', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange');
    const sizeBytes = bytes.byteLength;
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes });
    const end = Promise.withResolvers<void>();
    async function* standingStill() {
      yield bytes.subarray(0, 1_500);
      await end.promise;
    }
    const still = Array.from({ length: 6 }, () =>
      addPdfPart(rig.ctx, { uploadId, offset: 0 }, standingStill(), rig.pdf),
    );
    const codes: string[] = [];
    for (const one of still) void refusalOf(one).then(({ code }) => codes.push(code));
    await until('all but two are refused', () => codes.length === 4);
    expect(new Set(codes)).toEqual(new Set(['upload-out-of-step']));
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
    end.resolve();
    const outcomes = await Promise.allSettled(still);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    const { file } = await completePdfUpload(rig.ctx, { uploadId }, rig.pdf);
    expect(file.contentHash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await pdfKeys(rig)).toEqual([`pdfs/${setId}/files/${uploadId}.pdf`]);
  });

  test('has a number of parts that its size limits, and can then be abandoned', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange');
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
    const send = () => addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
    const hold = (count: number) =>
      rig.ctx.db.query
        .updateTable('pdfUploads')
        .set({ parts: JSON.stringify(Array.from({ length: count }, (_, at) => `part ${at}`)) })
        .execute();
    const most = limits.pdfSmallPartsMax;
    expect(bytes.byteLength).toBeLessThan(limits.pdfBytesPerPartMin);
    await hold(most);
    expect(await refusalOf(send())).toMatchObject({ code: 'invalid-input', message: expect.stringMatching(/larger/) });
    await hold(most - 1);
    expect((await send()).offset).toBe(bytes.byteLength);
    await abandonPdfUpload(rig.ctx, { uploadId }, rig.pdf);
    expect(await pdfKeys(rig)).toEqual([]);
  });

  test('yields the same file if another call completes it while its parts are read', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange');
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
    const first = { ...rig.pdf, blobs: { ...rig.pdf.blobs, open: openAfter } };
    let other: unknown;
    async function openAfter(key: string) {
      other ??= await completePdfUpload(rig.ctx, { uploadId }, rig.pdf);
      return rig.pdf.blobs.open(key);
    }
    expect(await completePdfUpload(rig.ctx, { uploadId }, first)).toEqual(other);
  });

  test('makes at most two concurrent copies if completed many times at once', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange');
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
    let [copies, most] = [0, 0];
    const blobs = {
      ...rig.blobs,
      async put(...given: Parameters<typeof rig.blobs.put>) {
        copies += 1;
        most = Math.max(most, copies);
        return rig.blobs.put(...given).finally(() => {
          copies -= 1;
        });
      },
    };
    const complete = () => completePdfUpload(rig.ctx, { uploadId }, { ...rig.pdf, blobs });
    const made = await Promise.all(Array.from({ length: 20 }, complete));
    expect(new Set(made.map(({ file }) => file.fileId)).size).toBe(1);
    expect(most).toBeLessThanOrEqual(2);
    expect(await pdfKeys(rig)).toEqual([`pdfs/${setId}/files/${uploadId}.pdf`]);
  });

  test.each(['its set', 'the upload', 'the file'])(
    'leaves no file if %s is removed while it is stored',
    async (what) => {
      const rig = await openPdfRig({ kind });
      const { setId } = await rig.create();
      const bytes = manualAbout('flange');
      const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
      await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
      async function put(key: string, content: Parameters<typeof rig.blobs.put>[1]) {
        const pieces: Uint8Array[] = [];
        for await (const piece of content as AsyncIterable<Uint8Array>) pieces.push(piece);
        if (what === 'the file') await completePdfUpload(rig.ctx, { uploadId }, rig.pdf);
        if (what === 'its set') await removePdfSet(rig.ctx, { setId }, rig.pdf);
        else if (what === 'the file') await removePdfFile(rig.ctx, { setId, fileId: uploadId }, rig.pdf);
        else await abandonPdfUpload(rig.ctx, { uploadId }, rig.pdf);
        return rig.blobs.put(key, Buffer.concat(pieces));
      }
      const completed = completePdfUpload(rig.ctx, { uploadId }, { ...rig.pdf, blobs: { ...rig.blobs, put } });
      expect((await refusalOf(completed)).code).toMatch(/not-found$/);
      expect(await pdfKeys(rig)).toEqual([]);
    },
  );

  test('that failed to become a file leaves none when it is cancelled or expires', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const bytes = manualAbout('flange');
    const broken = { ...rig.ctx, db: { ...rig.ctx.db, transaction: () => Promise.reject(new Error('no connection')) } };
    const begin = async () => {
      const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes: bytes.byteLength });
      await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(bytes), rig.pdf);
      await expect(completePdfUpload(broken, { uploadId }, rig.pdf)).rejects.toThrow('no connection');
      return uploadId;
    };
    await abandonPdfUpload(rig.ctx, { uploadId: await begin() }, rig.pdf);
    expect(await pdfKeys(rig)).toEqual([]);
    await begin();
    const later = rig.ctx.clock.now() + (limits.pdfUploadLifetimeHours + 1) * 3_600_000;
    await sweepPdfFiles({ ...rig.ctx, clock: { ...rig.ctx.clock, now: () => later } }, rig);
    expect(await pdfKeys(rig)).toEqual([]);
  });

  test('is refused by its content if it is not a PDF, and nothing is kept', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    for (const content of ['<svg xmlns="http://www.w3.org/2000/svg">', '\x7fELF\x02', 'PK\x03\x04 archive', 'hello']) {
      const bytes = Buffer.from(content.padEnd(3_000, ' '), 'latin1');
      expect((await refusalOf(rig.upload(setId, 'x.pdf', bytes))).code).toBe('pdf-file-refused');
    }
    expect((await refusalOf(rig.upload(setId, 'x.pdf', Buffer.from('short')))).code).toBe('pdf-file-refused');
    expect((await refusalOf(rig.upload(setId, 'x.pdf', Buffer.alloc(0)))).code).toBe('pdf-file-empty');
    expect(await pdfKeys(rig)).toEqual([]);
    expect((await getPdfSet(rig.ctx, { setId }, rig.pdf)).uploads).toEqual([]);
  });

  test('is refused at the start if it exceeds a limit: file size, files per set, declared size', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    const begin = (sizeBytes: number) => startPdfUpload(rig.ctx, { setId, fileName: 'a.pdf', sizeBytes });
    expect((await refusalOf(begin(limits.pdfFileBytesMax + 1))).code).toBe('pdf-file-too-large');
    const { uploadId } = await begin(limits.pdfFileBytesMax);
    await abandonPdfUpload(rig.ctx, { uploadId }, rig.pdf);
    const small = await begin(2_000);
    const more = addPdfPart(rig.ctx, { uploadId: small.uploadId, offset: 0 }, inPieces(manualAbout('x')), rig.pdf);
    expect((await refusalOf(more)).code).toBe('upload-incomplete');
    for (let count = 1; count < limits.pdfFilesPerSetMax; count += 1) await begin(1_000);
    expect((await refusalOf(begin(1_000))).code).toBe('pdf-set-full');
  });

  test('reserves its space at the start, so that three concurrent ones cannot exceed the quota', async () => {
    const rig = await openPdfRig({ kind });
    const anna = { ...(await asPerson(rig, 'anna')), hasPlanLimits: true as const };
    const { setId } = await rig.create('One', anna);
    const size = limits.pdfFileBytesMax;
    const fitting = Math.floor(plans.Free.pdfBytes / size);
    for (let count = 0; count < fitting - 1; count += 1) {
      await startPdfUpload(anna, { setId, fileName: 'a.pdf', sizeBytes: size });
    }
    const last = await Promise.allSettled(
      [1, 2, 3].map(() => startPdfUpload(anna, { setId, fileName: 'b.pdf', sizeBytes: size })),
    );
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { storage } = await listPdfSets(anna, rig.pdf);
    expect(storage.usedBytes).toBe(fitting * size);
    expect(storage.usedBytes).toBeLessThanOrEqual(storage.quotaBytes);
  });
});
