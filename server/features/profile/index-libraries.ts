import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import type { LibraryOffer, Pin, profileEndpoints } from '#contract/profile.ts';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { listModules, ownerForWriting } from '#server/features/catalog/index.ts';
import { recogniseSource, startIndexJob } from '#server/features/indexing/index.ts';
import type { ProfileDependencies } from './dependencies.ts';
import { findOffers, isUsable, plain } from './find-offers.ts';
import { libraryNamesOf, matchNameOf } from './library-names.ts';
import { findPinsNamed, setPinJob } from './store.ts';
import { announceProfiles, requireProfile } from './workspace.ts';

type IndexInput = ParsedInputOf<typeof profileEndpoints.indexLibraries>;
type ToIndex = IndexInput['libraries'][number];

/**
 * Starts a run for each of these libraries, from the given address or the best one its registry declares. Sets the
 * library's name, and the version if the address is specific to it, so that the pin finds the module. Private by
 * default. Libraries that cannot be started are reported individually; the others start.
 */
export async function indexLibraries(
  ctx: Context,
  input: IndexInput,
  deps: ProfileDependencies,
): Promise<OutputOf<typeof profileEndpoints.indexLibraries>> {
  const { workspace } = ownerForWriting(ctx);
  const profile = await requireProfile(ctx, workspace, input.profileId);
  const pinned = await pinnedIn(ctx, profile.id, input.libraries);
  const offersOf = await findOffers(
    ctx,
    pinned.filter(({ address }) => address === undefined),
    deps,
  );
  const nameOf = await libraryNamer(ctx);
  const libraries = [];
  for (const one of input.libraries) {
    const { ecosystem, name, version } = one;
    const start = async (): Promise<JobRun> => {
      if (!pinned.includes(one)) throw sourceRefused(notPinned);
      const offer = await offerFor(ctx, one, offersOf, deps);
      return startRun(ctx, { offer, library: nameOf(one), visibility: input.visibility ?? 'private' }, deps);
    };
    const outcome = await jobOrFault(start);
    const { job } = outcome;
    if (job !== null) {
      await ctx.db.transaction(async (tx) => {
        await setPinJob(tx, profile.id, one, job.id);
        announceProfiles(tx, workspace);
      });
    }
    libraries.push({ ecosystem, name, version, ...outcome });
  }
  return { libraries };
}

async function jobOrFault(start: () => Promise<JobRun>): Promise<{ job: JobRun | null; fault: string | null }> {
  try {
    return { job: await start(), fault: null };
  } catch (error) {
    if (error instanceof AppError && error.code !== 'internal') return { job: null, fault: error.message };
    throw error;
  }
}

async function offerFor(
  ctx: Context,
  one: ToIndex,
  offersOf: (pin: Pin) => { offers: LibraryOffer[] | null; fault: string | null },
  deps: ProfileDependencies,
): Promise<LibraryOffer> {
  if (one.address === undefined) {
    const { offers, fault } = offersOf(one);
    const [best] = offers ?? [];
    if (best === undefined) throw sourceRefused(fault ?? 'Its registry names no address. Enter one.');
    return best;
  }
  if (!(await isUsable(ctx, one.address, 'git', deps))) {
    throw sourceRefused(`"${one.address}" is not an https address of a site or a repository.`);
  }
  const { kind, url, ref } = await recogniseSource(ctx, { address: one.address });
  if (kind !== 'git') return { kind: 'documentation', address: one.address, tag: null, version: null };
  const tag = ref === null ? ((await deps.registries.findTag(url, one)) ?? null) : null;
  return { kind: 'repository', address: one.address, tag, version: tag === null ? null : plain(one) };
}

function startRun(
  ctx: Context,
  { offer, library, visibility }: { offer: LibraryOffer; library: string; visibility: 'public' | 'private' },
  { notices }: ProfileDependencies,
): Promise<JobRun> {
  const ref = offer.tag === null ? undefined : { kind: 'tag' as const, name: offer.tag };
  const version = offer.version ?? undefined;
  return startIndexJob(
    ctx,
    { source: offer.address, visibility, maxPages: limits.pagesPerJobMax, seeds: [], library, version, ref },
    notices,
  );
}

/**
 * Returns a function for library names: that of other indexed versions if there are any, since a library's versions
 * belong together.
 */
async function libraryNamer(ctx: Context): Promise<(pin: Pin) => string> {
  const modules = await listModules(ctx);
  return ({ ecosystem, name }) => {
    const wanted = matchNameOf(ecosystem, name);
    return modules.find((module) => libraryNamesOf(module).includes(wanted))?.library ?? name;
  };
}

/**
 * Looks up the addresses of pinned libraries' documentation at the registries; requires the right to add sources. Only
 * libraries that the project pins are looked up, so only their names are sent. Responses are cached for a week.
 */
export async function lookUpLibraries(
  ctx: Context,
  input: { profileId: string; libraries: Pin[] },
  deps: ProfileDependencies,
): Promise<OutputOf<typeof profileEndpoints.lookUpLibraries>> {
  const { workspace } = ownerForWriting(ctx);
  const profile = await requireProfile(ctx, workspace, input.profileId);
  const pinned = await pinnedIn(ctx, profile.id, input.libraries);
  const offersOf = await findOffers(ctx, pinned, deps);
  return {
    libraries: input.libraries.map((pin) => {
      if (!pinned.includes(pin)) return { ...pin, offers: null, offersFault: notPinned };
      const { offers, fault } = offersOf(pin);
      return { ...pin, offers, offersFault: fault };
    }),
  };
}

const notPinned = 'The project no longer pins this.';

/** Returns those of the libraries that the project pins. */
async function pinnedIn<One extends Pin>(ctx: Context, profileId: string, libraries: One[]): Promise<One[]> {
  const keyOf = ({ ecosystem, name, version }: { ecosystem: string; name: string; version: string }) =>
    JSON.stringify([ecosystem, name, version]);
  const names = libraries.map(({ name }) => name);
  const pinned = new Set((await findPinsNamed(ctx.db.query, profileId, names)).map(keyOf));
  return libraries.filter((one) => pinned.has(keyOf(one)));
}
