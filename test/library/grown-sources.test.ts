import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLibrary } from '#server/features/indexing/index.ts';
import { removeModule } from '#server/features/indexing/remove-module.ts';
import { sweepDroppedSegments } from '#server/features/indexing/sweep.ts';
import { removePdfSet } from '#server/features/pdf-sets/remove.ts';
import { sweepPdfFiles } from '#server/features/pdf-sets/sweep.ts';
import { receivePush } from '#server/features/repositories/receive-push.ts';
import { renewRepositoryWebhook } from '#server/features/repositories/repository-webhook.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { manualAbout, openPdfRig } from '../pdf-sets/pdf-rig.ts';
import { hasPostgres } from '../services/postgres.ts';
import { type S3Service, startS3 } from '../services/s3.ts';
import { openRepositoryRig } from './repository-rig.ts';
import type { Rig } from './rig.ts';

/** Longer than a replaced segment is kept for readers. */
const afterGraceMs = 60 * 60_000;

describe.skipIf(!hasPostgres())('on PostgreSQL and S3', () => {
  let s3: S3Service;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  /** A prefix in the bucket for this test only. */
  const blobsOf = (prefix: string) => ({ ...s3.config, prefix });

  async function expectNothingLeft(rig: Rig, clock: ReturnType<typeof createSettableClock>): Promise<void> {
    expect(await checkLibrary(rig.ctx, rig.blobs)).toEqual([]);
    clock.advance(afterGraceMs);
    await sweepDroppedSegments(rig.ctx, rig);
    await sweepPdfFiles(rig.ctx, rig);
    expect((await rig.blobKeys()).filter((key) => !key.startsWith('runs/'))).toEqual([]);
    for (const table of ['modules', 'segments', 'repositories', 'repositoryWebhooks', 'repositoryWebhookLog'] as const)
      expect({ table, rows: await rig.ctx.db.query.selectFrom(table).selectAll().execute() }).toEqual({
        table,
        rows: [],
      });
  }

  test('a PDF set is uploaded, indexed, searched and removed, and leaves no data', async () => {
    const clock = createSettableClock();
    const rig = await openPdfRig({ kind: 'postgres', clock, blobConfig: blobsOf('pdf') });
    const { setId } = await rig.create('Manuals');
    for (const word of ['gauge', 'valve']) await rig.upload(setId, `${word}.pdf`, manualAbout(word));
    await rig.upload(setId, 'broken.pdf', Buffer.from('%PDF-1.7\nnothing of it is true\n%%EOF'));
    expect(await rig.indexSet(setId)).toMatchObject({ status: 'COMPLETE', fetched: 2, failed: 1 });
    const views = await rig.shelf.openViews(await rig.shelf.readableModules(rig.ctx));
    const texts = views.flatMap(({ segment }) => [...segment.pages()].map(({ title }) => title));
    expect(texts.sort()).toEqual(['The gauge manual', 'The valve manual']);
    expect((await rig.blobKeys()).filter((key) => key.endsWith('.pdf') || key.startsWith('pdf'))).toHaveLength(3);
    await removePdfSet(rig.ctx, { setId }, rig.pdf);
    expect(await rig.shelf.readableModules(rig.ctx)).toEqual([]);
    await expectNothingLeft(rig, clock);
  });

  test('a repository is indexed, pushed to, searched and removed, and leaves no data', async () => {
    const clock = createSettableClock();
    const rig = await openRepositoryRig({ kind: 'postgres', clock, blobConfig: blobsOf('git') });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# Hours\n\nThe cloakroom is open from nine.' });
    const { moduleId } = await rig.index(repository.url);
    const page = `${rig.server.origin}/team/handbook.git/main/README.md`;
    expect(await rig.read(page)).toContain('cloakroom');
    const sealingKeys = [new Uint8Array(32).fill(7)] as const;
    const { webhook, secret } = await renewRepositoryWebhook(
      rig.ctx,
      { moduleId },
      { publicUrl: 'https://docs.example', sealingKeys },
    );
    await repository.commit({ 'README.md': '# Hours\n\nThe observatory is open from nine.' });
    const body = Buffer.from('{"ref":"refs/heads/main"}');
    const headers: Record<string, string> = {
      'x-gitea-event': 'push',
      'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
    };
    const id = webhook.url.split('/').at(-1) ?? '';
    await receivePush(rig.ctx, { moduleId: id, body, header: (name) => headers[name] }, { sealingKeys });
    expect(await rig.check()).toBe(1);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1 });
    expect(await rig.read(page)).toContain('observatory');
    await removeModule(rig.ctx, { moduleId }, rig.notices);
    expect(await rig.read(page)).toBeUndefined();
    await expectNothingLeft(rig, clock);
  });
});
