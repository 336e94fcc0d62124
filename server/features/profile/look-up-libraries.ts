import type { OutputOf } from '#contract/endpoint.ts';
import type { Pin, profileEndpoints } from '#contract/profile.ts';
import type { Context } from '#server/context.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import type { ProfileDependencies } from './dependencies.ts';
import { findOffers } from './find-offers.ts';
import { listPins } from './store.ts';
import { requireProfile } from './workspace.ts';

/**
 * Asks the registries where the documentation of pinned libraries is; for those who may add sources. Only what the project
 * pins is asked for: its names are all that leaves. What they say is kept for a week.
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

export const notPinned = 'The project does not pin this any more.';

/** Those of the libraries that the project pins. */
export async function pinnedIn<One extends Pin>(ctx: Context, profileId: string, libraries: One[]): Promise<One[]> {
  const keyOf = ({ ecosystem, name, version }: { ecosystem: string; name: string; version: string }) =>
    JSON.stringify([ecosystem, name, version]);
  const pinned = new Set((await listPins(ctx.db.query, profileId)).map(keyOf));
  return libraries.filter((one) => pinned.has(keyOf(one)));
}
