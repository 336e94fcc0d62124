import { expect, onTestFinished, test } from 'vitest';
import { SegmentBuilder } from '#server/engine/index.ts';
import { findOrphans } from '#server/features/indexing/check-library.ts';
import { sweepDroppedSegments } from '#server/features/indexing/sweep.ts';
import { EmbeddingError, type EmbeddingModel } from '#server/platform/embeddings/embedding-model.ts';
import { openRig } from '#test/library/rig.ts';
import { vectorOf } from '#test/services/embedding-model.ts';
import { makePassageVectors } from './make-vectors.ts';
import { insertSegment } from './module-store.ts';
import { PassageVectors, passagesPerPart } from './passage-vectors.ts';

/** The first number of a vector identifies its text. */
function countingModel(id = 'counting') {
  const texts: string[] = [];
  let callsLeft = Number.POSITIVE_INFINITY;
  const model: EmbeddingModel = {
    name: id,
    id,
    async embed(asked) {
      const numbers = asked.map((text) => /passage (\d+)/.exec(text)?.[1]);
      // The trial request.
      if (numbers[0] === undefined) return asked.map((text) => Float32Array.from(vectorOf(text)));
      if (callsLeft-- <= 0) throw new Error('the process ends here');
      texts.push(...asked);
      return numbers.map((number) => {
        const angle = Number(number) / 3;
        return Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0]);
      });
    },
  };
  return { model, texts, endAfter: (calls: number) => (callsLeft = calls) };
}

async function openParts(passages: number) {
  const rig = await openRig({});
  const builder = new SegmentBuilder();
  builder.addPage({
    ...{ url: 'https://a.example/', title: 'Page', fetchedAt: 0, contentHash: '' },
    snippets: Array.from({ length: passages }, (_, at) => ({
      ...{ id: `s${at}`, anchor: '', headingPath: ['Page', 'Part'], kind: 'prose' as const, identifiers: [] },
      ...{ text: `passage ${at} ${'x'.repeat(at === 0 ? 5_000 : 0)}`, tokens: 3 },
    })),
  });
  await rig.blobs.put('segments/m/one.seg', builder.finish());
  await insertSegment(rig.ctx.db.query, {
    ...{ id: 'one', moduleId: 'm', blobKey: 'segments/m/one.seg', createdAt: 0, droppedAt: null },
  });
  const vectorKeys = async () => (await rig.blobKeys()).filter((key) => key.startsWith('vectors/'));
  return { rig, vectorKeys };
}

test('passages get vectors that include their headings, and are compared by them', async () => {
  const { rig } = await openParts(3);
  const { model, texts } = countingModel();
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model });
  expect(texts[1]).toBe('Page > Part\npassage 1 ');
  expect(texts[0]?.length).toBe(1_500);
  const vectors = new PassageVectors(rig.blobs, model.id);
  onTestFinished(() => vectors.close());
  const question = Float32Array.from([0, 1, 0, 0, 0, 0, 0, 0]);
  const found = (await vectors.likenesses('one', [0, 2], question)) ?? expect.fail('there are vectors');
  expect(found[0]).toBeCloseTo(0, 2);
  expect(found[1]).toBeCloseTo(Math.sin(2 / 3), 2);
  expect(await vectors.likenesses('one', [3], question)).toBeUndefined();
  expect(await vectors.likenesses('other', [0], question)).toBeUndefined();
  expect(await vectors.likenesses('one', [0], Float32Array.from([1, 0]))).toBeUndefined();
});

test('if a service refuses long texts, it gets shorter ones', async () => {
  const { rig, vectorKeys } = await openParts(2);
  const { model, texts } = countingModel();
  const strict: EmbeddingModel = {
    ...model,
    embed: async (asked, options) => {
      if (asked.some((text) => text.length > 512)) throw new EmbeddingError('too long', { isRefused: true });
      return model.embed(asked, options);
    },
  };
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model: strict });
  expect(texts.map(({ length }) => length)).toEqual([250, 'Page > Part\npassage 1 '.length]);
  expect(await vectorKeys()).toContain('vectors/one/counting/0-whole');
});

test('a restarted process reuses vectors that were already made', async () => {
  const { rig, vectorKeys } = await openParts(passagesPerPart + 20);
  const { model, texts, endAfter } = countingModel();
  endAfter(passagesPerPart / 8);
  await expect(makePassageVectors(rig.ctx, { blobs: rig.blobs, model })).rejects.toThrow('the process ends here');
  expect(await vectorKeys()).toEqual(['vectors/one/counting/0']);
  endAfter(100);
  texts.length = 0;
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model });
  expect(texts.length).toBe(20);
  texts.length = 0;
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model });
  expect(texts).toEqual([]);
});

test('vectors are deleted with their segment, and those of another model once this one is used', async () => {
  const { rig, vectorKeys } = await openParts(2);
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model: countingModel('before').model });
  // A segment that is not in this database, which may be older than the store.
  await rig.blobs.put('vectors/unknown/before/0', new Uint8Array(1));
  await makePassageVectors(rig.ctx, { blobs: rig.blobs, model: countingModel('after').model });
  const known = ['vectors/one/after/0', 'vectors/one/after/0-whole'];
  expect(await vectorKeys()).toEqual([...known, 'vectors/unknown/before/0']);
  expect(await findOrphans(rig.ctx, rig.blobs)).toEqual(['vectors/unknown/before/0']);
  await rig.blobs.delete('vectors/unknown/before/0');
  await rig.ctx.db.query.updateTable('segments').set({ droppedAt: 1 }).execute();
  await sweepDroppedSegments(rig.ctx, rig.deps);
  expect(await vectorKeys()).toEqual([]);
});
