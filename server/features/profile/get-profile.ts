import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import type { JobRun } from '#contract/library.ts';
import type { Ecosystem, PinnedLibrary, Profile, profileEndpoints } from '#contract/profile.ts';
import type { Context } from '#server/context.ts';
import { ownerForReading } from '#server/features/catalog/index.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { findAnswers, type KnownAnswer } from './address-store.ts';
import { namedModules, presentProfile } from './present.ts';
import { countPins, listPins, listProfileRows, type PinRow } from './store.ts';
import { requireProfile } from './workspace.ts';

/** Returns the projects of the current workspace, last updated first. */
export async function listProfiles(ctx: Context): Promise<Profile[]> {
  const { workspace } = ownerForReading(ctx);
  const rows = await listProfileRows(ctx.db.query, workspace);
  const modules = await namedModules(ctx);
  const profiles: Profile[] = [];
  for (const row of rows) profiles.push((await presentProfile(ctx, row, modules)).profile);
  return profiles;
}

/** Returns some of a project's pins, with the indexed documentation and the registries' responses, if any. */
export async function getProfile(
  ctx: Context,
  input: ParsedInputOf<typeof profileEndpoints.getProfile>,
): Promise<OutputOf<typeof profileEndpoints.getProfile>> {
  const { workspace } = ownerForReading(ctx);
  const row = await requireProfile(ctx, workspace, input.profileId);
  const { profile, answerOf, indexedNames } = await presentProfile(ctx, row, await namedModules(ctx));
  const wanted = {
    profileId: row.id,
    isDirect: input.shown !== 'all',
    words: input.words ?? '',
    without: input.shown === 'missing' ? indexedNames : [],
  };
  const shown = await listPins(ctx.db.query, wanted, input);
  const total = await countPins(ctx.db.query, wanted);
  const known = await findAnswers(ctx.db.query, shown);
  const jobs = new Map((await listJobs(ctx)).map((job) => [job.id, job]));
  const libraries = shown.map((pin) =>
    presentPin(pin, { answer: answerOf(pin), job: jobs.get(pin.jobId ?? ''), known: known(pin) }),
  );
  return { profile, libraries, total };
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
