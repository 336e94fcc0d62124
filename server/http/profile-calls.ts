import { profileEndpoints } from '#contract/profile.ts';
import {
  getProfile,
  indexLibraries,
  listProfiles,
  lookUpLibraries,
  type ProfileDependencies,
  removeProfile,
  setProfile,
} from '#server/features/profile/index.ts';
import { type Call, call } from './call-table.ts';

/** Projects and what their lockfiles pin. */
export function profileCalls(deps: ProfileDependencies): Call[] {
  return [
    call(profileEndpoints.listProfiles, async (ctx) => ({ profiles: await listProfiles(ctx) })),
    call(profileEndpoints.setProfile, (ctx, input) => setProfile(ctx, input)),
    call(profileEndpoints.getProfile, (ctx, input) => getProfile(ctx, input)),
    call(profileEndpoints.removeProfile, async (ctx, input) => {
      await removeProfile(ctx, input);
      return { profileId: input.profileId };
    }),
    call(profileEndpoints.lookUpLibraries, (ctx, input) => lookUpLibraries(ctx, input, deps)),
    call(profileEndpoints.indexLibraries, (ctx, input) => indexLibraries(ctx, input, deps)),
  ];
}
