import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import type { Context } from '#server/context.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import type { Accounts } from '../accounts/index.ts';
import { feature, serve } from '../feature.ts';
import type { ScheduledJob } from '../scheduled-jobs.ts';
import type { Teams } from '../teams/index.ts';
import { addPdfPart } from './add-part.ts';
import { createPdfCollector } from './collect-pdf-set.ts';
import { completePdfUpload } from './complete-upload.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { indexPdfSet } from './index-set.ts';
import { movePdfSets, removePdfFile, removePdfSet, removePersonalPdfSets, removeTeamPdfSets } from './remove.ts';
import { createPdfSet, getPdfSet, listPdfSets, renamePdfSet, renameSetOf } from './sets.ts';
import { sweepPdfFiles } from './sweep.ts';
import {
  abandonPdfUpload,
  abandonUploadsOf,
  abandonUploadsOfDisabled,
  getPdfUpload,
  startPdfUpload,
} from './uploads.ts';

export type PdfSets = ReturnType<typeof openPdfSets>;

const fiveMinutesMs = 5 * 60_000;

/** Opens the sources that are uploaded PDF files. */
export function openPdfSets(
  { config, blobs }: Platform,
  { accounts, teams, indexing }: { accounts: Accounts; teams: Teams; indexing: Indexing },
) {
  const bucketName = config.blobs.kind === 's3' ? config.blobs.bucket : 'local';
  const needs: PdfSetDependencies = { blobs, bucketName, notices: indexing.notices };
  accounts.deleted.on(removePersonalPdfSets);
  teams.teamDeleted.on((tx, { id }, now) => removeTeamPdfSets(tx, id, now));
  accounts.disabled.on(abandonUploadsOfDisabled);
  teams.memberLeft.on(abandonUploadsOf);
  teams.writingEnded.on(abandonUploadsOf);
  teams.indexMoved.on((tx, { userId, teamId }) => movePdfSets(tx, `user:${userId}`, `team:${teamId}`));
  indexing.moduleRenamed.on(renameSetOf);
  indexing.collectWith('pdf', createPdfCollector({ parser: indexing.pdfParser }));
  return feature({
    name: 'pdf-sets',
    verbs: {
      /** Receives a part of an upload, whose body is not JSON. */
      addPdfPart: (ctx: Context, input: Parameters<typeof addPdfPart>[1], body: AsyncIterable<Uint8Array>) =>
        addPdfPart(ctx, input, body, needs),
    },
    endpoints: serve(pdfSetEndpoints, {
      listPdfSets: (ctx) => listPdfSets(ctx, needs),
      createPdfSet: async (ctx, input) => ({ set: await createPdfSet(ctx, input, needs) }),
      getPdfSet: (ctx, input) => getPdfSet(ctx, input, needs),
      renamePdfSet: async (ctx, input) => ({ set: await renamePdfSet(ctx, input, needs) }),
      removePdfSet: async (ctx, input) => {
        await removePdfSet(ctx, input, needs);
        return { setId: input.setId };
      },
      indexPdfSet: async (ctx, input) => ({ set: await indexPdfSet(ctx, input, needs) }),
      removePdfFile: async (ctx, input) => ({ set: await removePdfFile(ctx, input, needs) }),
      startPdfUpload: async (ctx, input) => ({ upload: await startPdfUpload(ctx, input) }),
      getPdfUpload: async (ctx, input) => ({ upload: await getPdfUpload(ctx, input) }),
      completePdfUpload: (ctx, input) => completePdfUpload(ctx, input, needs),
      abandonPdfUpload: async (ctx, input) => {
        await abandonPdfUpload(ctx, input, needs);
        return { uploadId: input.uploadId };
      },
    }),
    scheduledJobs: [sweepJob(blobs)],
    personalData: { pdfSets: async (ctx) => (await listPdfSets(ctx, needs)).sets },
  });
}

/** Returns the job that deletes files of removed sets and uploads. */
export function sweepJob(blobs: Blobs): ScheduledJob {
  return {
    name: 'delete files of removed PDF sets and abandoned uploads',
    where: 'worker',
    everyMs: fiveMinutesMs,
    deletesFiles: true,
    run: (ctx) => sweepPdfFiles(ctx, { blobs }),
  };
}
