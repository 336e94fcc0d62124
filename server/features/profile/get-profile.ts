import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import type { JobRun } from '#contract/library.ts';
import type { Ecosystem, PinnedLibrary, Profile, profileEndpoints } from '#contract/profile.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { listModules, ownerForReading } from '#server/features/catalog/index.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { findAnswers, type KnownAnswer } from './address-store.ts';
import { matchModules, named, presentProfiles } from './present.ts';
import { listPins, listProfileRows, type PinRow } from './store.ts';
import { requireProfile } from './workspace.ts';

/** Returns the projects of the current workspace, last updated first. */
export async function listProfiles(ctx: Context): Promise<Profile[]> {
  const { workspace } = ownerForReading(ctx);
  return presentProfiles(ctx, await listProfileRows(ctx.db.query, workspace));
}

/** Returns some of a project's pins, with the indexed documentation and the registries' responses, if any. */
export async function getProfile(
  ctx: Context,
  input: ParsedInputOf<typeof profileEndpoints.getProfile>,
): Promise<OutputOf<typeof profileEndpoints.getProfile>> {
  const { workspace } = ownerForReading(ctx);
  const row = await requireProfile(ctx, workspace, input.profileId);
  const [profile] = await presentProfiles(ctx, [row]);
  if (profile === undefined) throw new AppError('profile-not-found');
  const pins = await listPins(ctx.db.query, row.id);
  const answerOf = matchModules(named(await listModules(ctx)), new Set(pins.map(({ matchName }) => matchName)));
  const words = input.words?.toLowerCase() ?? '';
  const wanted = pins.filter(
    (pin) =>
      (input.shown === 'all' || pin.isDirect === 1) &&
      (input.shown !== 'missing' || answerOf(pin) === null) &&
      pin.name.toLowerCase().includes(words),
  );
  // Direct dependencies first, and of those the runtime ones first.
  const ordered = wanted.toSorted((a, b) => b.isDirect - a.isDirect || a.isDev - b.isDev);
  const shown = ordered.slice(input.offset, input.offset + input.limit);
  const known = await findAnswers(ctx.db.query, shown);
  const jobs = new Map((await listJobs(ctx)).map((job) => [job.id, job]));
  const libraries = shown.map((pin) =>
    presentPin(pin, { answer: answerOf(pin), job: jobs.get(pin.jobId ?? ''), known: known(pin) }),
  );
  return { profile, libraries, total: wanted.length };
}

function presentPin(
  pin: PinRow,
  { answer, job, known }: { answer: PinnedLibrary['answer']; job: JobRun | undefined; known: KnownAnswer | undefined },
): PinnedLibrary {
  return {
    // Stored pins were read with this list of ecosystems.
    ecosystem: pin.ecosystem as Ecosystem,
    ...{ name: pin.name, version: pin.version, isDirect: pin.isDirect === 1, isDev: pin.isDev === 1, answer },
    job: job === undefined ? null : { jobId: job.id, status: job.status, error: job.error },
    offers: known?.offers ?? null,
    offersFault: known?.fault ?? null,
  };
}
