import { isDeepStrictEqual } from 'node:util';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import { makePdf, textLines } from '#test/services/make-pdf.ts';
import type { Flow } from './flow.ts';
import type { Stage } from './stage.ts';

/** Number of the sample site's pages, without its start page. */
export const pages = 6;

export async function index(stage: Stage, acknowledge: (step: string) => void = () => undefined): Promise<void> {
  const operator = stage.installation.operatorContext();
  const input = { source: stage.siteUrl, moduleId: 'sample', visibility: 'public' as const };
  const { job } = await stage.ask(operator, libraryEndpoints.startIndexJob, input);
  acknowledge(job.id);
  await stage.untilIdle();
}

export async function textsOf({ installation }: Stage, name: string): Promise<string> {
  const { shelf } = installation.features.catalog;
  const url = `${new URL(`${name}.html`, 'http://x/docs/').pathname}`;
  const modules = await shelf.readableModules(installation.operatorContext());
  for (const { segment } of (await shelf.openViews(modules)).reverse()) {
    for (let page = 0; page < segment.pageCount; page += 1) {
      if (new URL(segment.page(page).url).pathname !== url) continue;
      const texts = segment.pageSnippets(page).map(({ text }) => text);
      if (texts.length > 0) return texts.join('\n');
    }
  }
  return '';
}

async function requireTexts(stage: Stage, text: (at: number) => string): Promise<void> {
  const { modules } = await stage.ask(stage.installation.operatorContext(), libraryEndpoints.listModules, {});
  const [module, ...others] = modules;
  if (module?.pageCount !== pages + 1 || others.length > 0) {
    throw new Error(`not one module of ${pages + 1} pages: ${JSON.stringify(modules)}`);
  }
  for (let at = 0; at < pages; at += 1) {
    const found = await textsOf(stage, `page${at}`);
    if (!found.includes(text(at))) throw new Error(`page${at} says "${found}", not "${text(at)}"`);
  }
}

/** Requires that an acknowledged run has ended and its pages are searchable. */
async function requireRuns(stage: Stage, jobIds: string[], text: (at: number) => string): Promise<void> {
  for (const jobId of jobIds) {
    const { job } = await stage.ask(stage.installation.operatorContext(), libraryEndpoints.getJob, { jobId });
    if (job.status !== 'COMPLETE') throw new Error(`the run ended ${job.status}: ${job.error}`);
  }
  if (jobIds.length > 0) await requireTexts(stage, text);
}

export const indexFlow: Flow = {
  work: index,
  requireKept: (stage, jobIds) => requireRuns(stage, jobIds, (at) => `Original text ${at}`),
};

export const refreshFlow: Flow = {
  prepare: index,
  change(site) {
    for (let at = 0; at < pages; at += 1) site.pages.set(`page${at}`, `New text ${at}`);
  },
  work: index,
  async requireKept(stage, jobIds) {
    await requireRuns(stage, jobIds, (at) => `New text ${at}`);
    // Without an acknowledgement either version may be served, but one must be.
    if (jobIds.length === 0 && !/Original|New/.test(await textsOf(stage, 'page0')))
      throw new Error('nothing is served');
  },
};

export const removeFlow: Flow = {
  prepare: index,
  async work(stage, acknowledge) {
    const operator = stage.installation.operatorContext();
    await stage.ask(operator, libraryEndpoints.removeModule, { moduleId: 'sample' }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'module-not-found')) throw error;
    });
    acknowledge('removed');
  },
  async requireKept(stage, acknowledged) {
    const { modules } = await stage.ask(stage.installation.operatorContext(), libraryEndpoints.listModules, {});
    if (acknowledged.length > 0 && modules.length > 0) throw new Error('a module that was removed is there');
    if (acknowledged.length > 0 && (await textsOf(stage, 'page0')) !== '') throw new Error('its text is there');
  },
};

const manual = makePdf({
  title: 'The loom manual',
  pages: [textLines(Array.from({ length: 20 }, (_, line) => `Line ${line} about the loom and its threads.`))],
});
const fileName = 'loom.pdf';

export const pdfFlow: Flow = {
  async work(stage, acknowledge) {
    const ctx = stage.installation.operatorContext();
    const { sets } = await stage.ask(ctx, pdfSetEndpoints.listPdfSets, {});
    const set = sets[0] ?? (await stage.ask(ctx, pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' })).set;
    acknowledge('set');
    if (set.totalFiles === 0) await upload(stage, set.setId);
    acknowledge('file');
    await stage.ask(ctx, pdfSetEndpoints.indexPdfSet, { setId: set.setId });
    acknowledge('indexed');
    await stage.untilIdle();
  },
  async requireKept(stage, acknowledged) {
    const { sets } = await stage.ask(stage.installation.operatorContext(), pdfSetEndpoints.listPdfSets, {});
    const [set, ...others] = sets;
    const files = acknowledged.includes('file') ? [1] : [0, 1];
    const docs = acknowledged.includes('indexed') ? [1] : [0, 1];
    const isKept = set === undefined ? acknowledged.length === 0 : others.length === 0;
    if (!isKept || (set && !files.includes(set.totalFiles))) throw new Error(`sets are ${JSON.stringify(sets)}`);
    if (set && !docs.includes(set.totalDocs)) throw new Error(`${set.totalDocs} documents: ${set.lastError}`);
  },
};

async function upload(stage: Stage, setId: string): Promise<void> {
  const ctx = stage.installation.operatorContext();
  const { uploads } = await stage.ask(ctx, pdfSetEndpoints.getPdfSet, { setId });
  const begun = { setId, fileName, sizeBytes: manual.byteLength };
  const { uploadId, offset } = uploads[0] ?? (await stage.ask(ctx, pdfSetEndpoints.startPdfUpload, begun)).upload;
  const half = Math.floor(manual.byteLength / 2);
  for (const [from, to] of [
    [0, half],
    [half, manual.byteLength],
  ] as const) {
    if (offset >= to) continue;
    await stage.installation.features.pdfSets.addPdfPart(
      ctx,
      { uploadId, offset: from },
      ReadableStream.from([manual.subarray(from, to)]),
    );
  }
  await stage.ask(ctx, pdfSetEndpoints.completePdfUpload, { uploadId });
}

/** Needs no work: the start itself, from an empty folder, is tested. */
export const startFlow: Flow = {
  work: async () => undefined,
  async requireKept(stage) {
    const rows = await stage.installation.base.db.query.selectFrom('users').select('isOperator').execute();
    if (!isDeepStrictEqual(rows, [{ isOperator: 1 }])) throw new Error(`accounts are ${JSON.stringify(rows)}`);
  },
};
