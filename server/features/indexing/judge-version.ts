import { setImmediate as yieldToOthers } from 'node:timers/promises';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { createByteCache, isHidden, openSegment, type SegmentView, type Snippet } from '#server/engine/index.ts';
import {
  findModuleById,
  findSegments,
  hiddenPagesOf,
  isDamage,
  type JobSettings,
  type ModuleRow,
  type OpenShelf,
  type Source,
  segmentIdsOf,
  sourceIn,
} from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { holdVersion } from './held-version.ts';
import type { JobLease } from './job-lease.ts';
import { listProbeRows, replaceProbes } from './probes.ts';
import type { BuiltSegment } from './publish.ts';
import { askProbes, compareVersions, type ProbeQuestion, type QualityVerdict } from './quality-gate.ts';
import type { RunLog } from './run-log.ts';

/** Size of the read cache while a version is compared. */
const judgedBytesMax = 8 * 1024 * 1024;

interface VersionToJudge {
  built: BuiltSegment;
  /** The module as of its last complete version, which the new version will replace. */
  served: ModuleRow;
  log: RunLog;
  deps: { blobs: Blobs; shelf: OpenShelf };
}

/**
 * Compares a newly built version with the served one before it is published. If it answers worse, stores it as held
 * back, reverts the changed pages published meanwhile, logs the questions it misses and throws `quality-lowered`.
 * Otherwise returns questions from the new version for the next comparison.
 */
export async function judgeVersion(ctx: Context, lease: JobLease, version: VersionToJudge): Promise<ProbeQuestion[]> {
  const { built, served, log, deps } = version;
  const blob = await deps.blobs.open(built.blobKey);
  try {
    // Opened separately with its own cache, so as not to evict data that searches read.
    const segment = openSegment(blob, createByteCache(judgedBytesMax));
    const after: SegmentView[] = [{ segment, key: built.blobKey, name: namesOf(served) }];
    const verdict = isComparable(lease, served) ? await verdictIfReadable(ctx, version, after) : undefined;
    if (verdict !== undefined) await lease.write({ quality: JSON.stringify(verdict.quality) });
    if (verdict?.isLower !== true) return await makeProbes(after);
    const { quality, drop } = verdict;
    await holdVersion(ctx, lease, built, served);
    for (const { address } of quality.missed) log.add({ address, status: 'failed', reason: 'not-answered-any-more' });
    ctx.log.warn(
      { module: served.slug, run: lease.row.id, ...quality },
      'a new version answers worse and is held back',
    );
    const [before, now] = [quality.before.answered, quality.after.answered];
    const share = `${Math.round(drop * 100)}%`;
    throw new AppError('quality-lowered', { values: { probes: quality.probes, before, after: now, share } });
  } finally {
    blob.close();
  }
}

/** Stores the questions generated from the served version; user-given questions stay. */
export async function keepGeneratedProbes(ctx: Context, moduleRowId: string, probes: ProbeQuestion[]): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    // The module may have been removed meanwhile.
    if ((await findModuleById(tx, moduleRowId)) === undefined) return;
    await replaceProbes(tx, moduleRowId, { origin: 'generated', probes, now });
  });
}

/**
 * Returns true if both versions have the same source and limits. PDF sets are excluded, because users remove their
 * files; so are changed sources and limits, where the difference is intended.
 */
function isComparable(lease: JobLease, served: ModuleRow): boolean {
  const { source } = JSON.parse(lease.row.settings) as JobSettings;
  const before = sourceIn(served.source);
  if (source.kind === 'pdf' || served.lastUpdatedAt === null) return false;
  return before !== undefined && extentOf(source) === extentOf(before);
}

function extentOf({ kind, url, maxPages, depth, seeds, ...more }: Source): string {
  const [ref, folder] = ['ref' in more ? more.ref : undefined, 'folder' in more ? more.folder : undefined];
  return JSON.stringify([kind, url, maxPages, depth ?? null, seeds, ref ?? null, folder ?? null]);
}

/**
 * Returns the verdict; undefined if the served version turns out to be unreadable, since any new version is better
 * then.
 */
async function verdictIfReadable(
  ctx: Context,
  version: VersionToJudge,
  after: SegmentView[],
): Promise<QualityVerdict | undefined> {
  try {
    return await verdictOn(ctx, version, after);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return undefined;
  }
}

async function verdictOn(
  ctx: Context,
  { served, log, deps }: VersionToJudge,
  after: SegmentView[],
): Promise<QualityVerdict | undefined> {
  const before = await openServed(ctx, served, deps.shelf);
  if (before === undefined) return undefined;
  const kept = await listProbeRows(ctx.db.query, served.id);
  const generated = kept.filter(({ origin }) => origin === 'generated');
  const given = kept.filter(({ origin }) => origin === 'person');
  const probes = [...given, ...(generated.length > 0 ? generated : await makeProbes(before))];
  const asked = withoutGone(probes, { after, log, kind: served.kind });
  return compareVersions(before, after, asked, { isSite: served.kind === 'site' });
}

/**
 * Excludes questions about pages that are certainly gone: on a site, those that return 404 or 410; otherwise those
 * missing from the new version. If more than half are gone, that is a fault rather than a change of the source, and all
 * questions count.
 */
function withoutGone(
  probes: ProbeQuestion[],
  { after, log, kind }: { after: SegmentView[]; log: RunLog; kind: ModuleRow['kind'] },
): ProbeQuestion[] {
  const refused = new Set(
    log.entries().flatMap(({ address, reason }) => (/^http-4(?:04|10)$/.test(reason) ? [address] : [])),
  );
  const isGone = ({ address }: ProbeQuestion) =>
    kind === 'site' ? refused.has(address) : after.every(({ segment }) => segment.findPage(address) === undefined);
  const there = probes.filter((probe) => !isGone(probe));
  return there.length * 2 < probes.length ? probes : there;
}

/** Opens the segments that a module served; undefined if there were none. */
async function openServed(ctx: Context, module: ModuleRow, shelf: OpenShelf): Promise<SegmentView[] | undefined> {
  const ids = segmentIdsOf(module);
  if (ids.length === 0) return undefined;
  const rows = new Map((await findSegments(ctx.db.query, ids)).map(({ id, blobKey }) => [id, blobKey]));
  const segments = await shelf.openSegments(ids, rows);
  const hidden = hiddenPagesOf(segments);
  const name = namesOf(module);
  return segments.map((segment, at) => ({ segment, key: ids[at] ?? '', name, hiddenPages: hidden[at] }));
}

function namesOf({ slug, displayName }: ModuleRow): string {
  return `${slug} ${displayName}`;
}

/** Candidates per kept question: only questions that the version answers itself are kept. */
const triedPerKept = 2;
/** Passages of a page whose headings are used, so that a page of tens of thousands blocks no request. */
const passagesRead = 1_000;

/**
 * Returns questions that a version answers, generated from its headings and index entries, from pages spread evenly
 * over it. The same version yields the same questions.
 */
export async function makeProbes(views: SegmentView[]): Promise<ProbeQuestion[]> {
  const tried = await questionsOf(views);
  const results = await askProbes(views, tried);
  return tried.filter((_, at) => results[at]?.isAnswered).slice(0, limits.probesGeneratedMax);
}

async function questionsOf(views: SegmentView[]): Promise<ProbeQuestion[]> {
  const pages = views.flatMap(({ segment, hiddenPages }) =>
    Array.from({ length: segment.pageCount }, (_, pageIndex) => ({ segment, pageIndex })).filter(
      ({ pageIndex }) => !isHidden(hiddenPages, pageIndex),
    ),
  );
  const count = Math.min(pages.length, limits.probesGeneratedMax * triedPerKept);
  const questions = new Map<string, ProbeQuestion>();
  for (let at = 0; at < count; at += 1) {
    const picked = pages[Math.floor((at * pages.length) / count)];
    if (picked === undefined) continue;
    const { url, title } = picked.segment.page(picked.pageIndex);
    const question = questionOf(title, picked.segment.pageSnippets(picked.pageIndex, passagesRead), at);
    if (question !== undefined && !questions.has(question)) questions.set(question, { question, address: url });
    // Let requests run in between.
    await yieldToOthers();
  }
  return [...questions.values()];
}

/** Returns a heading with its page's title, or (for every third page, if it has one) an index entry. */
function questionOf(title: string, snippets: Snippet[], at: number): string | undefined {
  const entry = snippets.find(({ identifiers }) => identifiers.length > 0)?.identifiers[0];
  const headings = snippets.flatMap(({ headingPath }) => headingPath.at(-1) ?? []);
  const heading = headings[at % Math.max(1, headings.length)] ?? '';
  const question = at % 3 === 2 && entry !== undefined ? entry : `${heading} ${title}`;
  const line = question.replace(/\s+/g, ' ').trim().slice(0, limits.probeQuestionCharactersMax);
  return /[\p{L}\p{N}]/u.test(line) ? line : undefined;
}
