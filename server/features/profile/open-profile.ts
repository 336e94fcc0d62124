import { profileEndpoints } from '#contract/profile.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { createPackageRegistries } from '#server/platform/package-registries/index.ts';
import type { Accounts } from '../accounts/index.ts';
import { feature, serve } from '../feature.ts';
import type { Teams } from '../teams/index.ts';
import type { ProfileDependencies } from './dependencies.ts';
import { getProfile, listProfiles } from './get-profile.ts';
import { indexLibraries, lookUpLibraries } from './index-libraries.ts';
import { moveProfiles, removePersonalProfiles, removeProfile, removeTeamProfiles, setProfile } from './set-profile.ts';

/** Opens projects and the libraries that their lockfiles pin. */
export function openProfile(
  { config, outbound, outboundTo }: Platform,
  { accounts, teams, indexing }: { accounts: Accounts; teams: Teams; indexing: Indexing },
) {
  const addresses = config.registries;
  const registries = outboundTo(Object.values(addresses ?? {}));
  const needs: ProfileDependencies = {
    registries: createPackageRegistries({ addresses, registries, outbound }),
    notices: indexing.notices,
    allowHosts: config.allowHosts,
  };
  accounts.deleted.on(removePersonalProfiles);
  teams.teamDeleted.on((tx, { id }) => removeTeamProfiles(tx, id));
  teams.indexMoved.on((tx, { userId, teamId }) => moveProfiles(tx, `user:${userId}`, `team:${teamId}`));
  return feature({
    name: 'profile',
    verbs: {},
    endpoints: serve(profileEndpoints, {
      listProfiles: async (ctx) => ({ profiles: await listProfiles(ctx) }),
      setProfile,
      getProfile,
      removeProfile: async (ctx, input) => {
        await removeProfile(ctx, input);
        return { profileId: input.profileId };
      },
      lookUpLibraries: (ctx, input) => lookUpLibraries(ctx, input, needs),
      indexLibraries: (ctx, input) => indexLibraries(ctx, input, needs),
    }),
    personalData: { projects: (ctx) => listProfiles(ctx) },
  });
}
