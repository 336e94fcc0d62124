import type { Page } from 'playwright-core';
import { type PdfFile, type PdfSet, pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { answerWith, failWith } from './answers.ts';
import { heading, type Scene } from './scene.ts';

const path = '/resources?tab=pdf-sets';

/** The PDF sets panel in the states that differ in colors and controls. */
export const pdfSetScenes: Scene[] = [
  {
    name: 'PDF sets, a new one with a file that is not a PDF',
    path,
    act: async (page) => {
      await page.getByRole('button', { name: 'New PDF set' }).click();
      await page.locator('input[type=file]').setInputFiles([
        { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') },
        { name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('b') },
      ]);
    },
    until: (page) => page.getByText('b.txt is not a PDF, so it was not stored.').waitFor(),
  },
  {
    name: 'PDF sets, in every state, one open',
    path: `${path}&set=set_1`,
    set: answerSets,
    until: (page) => page.getByText('The file is encrypted.').waitFor(),
  },
  {
    name: 'PDF sets, an error',
    path,
    set: (page) => failWith(page, pdfSetEndpoints.listPdfSets, 'unavailable'),
    until: (page) => page.getByText('Failed to load PDF sets').waitFor(),
  },
  { name: 'PDF sets, none yet', path, until: heading('No PDF sets yet') },
];

export async function answerSets(page: Page): Promise<void> {
  const first = someSet({ setId: 'set_1', errorCount: 1, pdfFiles: [someFile(), brokenFile] });
  const sets = [
    first,
    someSet({ setId: 'set_2', displayName: 'Papers', status: 'not indexed', lastIndexedAt: null, indexedPages: 0 }),
    someSet({ setId: 'set_3', displayName: 'Datasheets', status: 'failed', lastError: 'No file could be read.' }),
  ];
  await answerWith(page, pdfSetEndpoints.listPdfSets, {
    sets,
    storage: { usedBytes: 31_000_000, quotaBytes: 5_000_000_000 },
  });
  const begun = { uploadId: 'up_1', setId: 'set_1', fileName: 'atlas.pdf', sizeBytes: 90_000_000, offset: 8_388_608 };
  await answerWith(page, pdfSetEndpoints.getPdfSet, {
    set: first,
    uploads: [{ ...begun, expiresAt: Date.now() + 3_600_000 }],
  });
}

function someFile(part: Partial<PdfFile> = {}): PdfFile {
  return {
    ...{ fileId: 'file_1', name: 'pump.pdf', sizeBytes: 1_200_000, contentHash: 'ab', lastModified: 1, uploadedAt: 1 },
    ...{ status: 'indexed', address: 'pdf://manuals/pump.pdf', title: 'Pump', language: 'en', pageCount: 12 },
    ...{ indexedPages: 12, lastError: null, canRemove: true },
    ...part,
  };
}

const brokenFile = someFile({
  ...{ fileId: 'file_2', name: 'valve.pdf', status: 'failed', title: null, language: null, pageCount: null },
  ...{ indexedPages: 0, lastError: 'The file is encrypted.' },
});

function someSet(part: Partial<PdfSet> = {}): PdfSet {
  return {
    ...{ setId: 'set_1', uid: 'anna', teamId: null, displayName: 'Lab manuals', gcsFolder: 'pdf/set_1' },
    ...{ bucketName: 'local', pdfFiles: [], totalFiles: 2, totalSizeBytes: 2_400_000, status: 'indexed' },
    ...{ uploadedAt: Date.now() - 60_000, lastIndexedAt: Date.now() - 30_000, totalDocs: 1, indexedPages: 12 },
    ...{ language: 'en', indexId: 'default', moduleId: part.setId ?? 'manuals', stackName: 'default', lastError: null },
    ...{ errorCount: 0, jobId: null, canChange: true, canRemove: true },
    ...part,
  };
}
