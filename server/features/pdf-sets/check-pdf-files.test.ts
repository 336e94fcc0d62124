import { expect, test } from 'vitest';
import { inPieces, manualAbout, openPdfRig } from '#test/pdf-sets/pdf-rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { addPdfPart } from './add-part.ts';
import { checkPdfFiles } from './sweep.ts';
import { startPdfUpload } from './uploads.ts';

onEachDatabase('the check of uploaded files', (kind) => {
  test('ignores files and uploads in progress; finds a missing file and an orphaned one', async () => {
    const rig = await openPdfRig({ kind });
    const { setId } = await rig.create();
    await rig.upload(setId, 'whole.pdf', manualAbout('flange'));
    const [file = ''] = await rig.blobs.list('pdfs/');
    const part = manualAbout('gasket');
    const { uploadId } = await startPdfUpload(rig.ctx, { setId, fileName: 'half.pdf', sizeBytes: part.byteLength });
    await addPdfPart(rig.ctx, { uploadId, offset: 0 }, inPieces(part.subarray(0, 500)), rig.pdf);
    expect(await rig.blobs.list('pdfs/')).toHaveLength(2);
    expect(await checkPdfFiles(rig.ctx, rig.blobs)).toEqual([]);
    await rig.blobs.delete(file);
    await rig.blobs.put('pdfs/none/parts/gone/1', new Uint8Array([1]));
    expect((await checkPdfFiles(rig.ctx, rig.blobs)).map(({ kind: fault, what }) => [fault, what])).toEqual([
      ['lost', file],
      ['orphan', 'pdfs/none/parts/gone/1'],
    ]);
  });
});
