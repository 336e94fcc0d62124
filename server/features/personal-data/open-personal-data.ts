import { accountDetailEndpoints } from '#contract/account-details.ts';
import { requirePerson } from '../accounts/index.ts';
import { type Feature, feature, serve } from '../feature.ts';

/**
 * The export of all that is kept about a person: what their screens show and what was recorded of what they did. Of keys,
 * credentials and sessions it says that they exist; it holds no secrets. `features` comes to hold every feature of the installation.
 */
export function openPersonalData(features: readonly Feature[]) {
  const { exportPersonalData } = accountDetailEndpoints;
  return feature({
    name: 'personal-data',
    verbs: {},
    endpoints: serve(
      { exportPersonalData },
      {
        exportPersonalData: async (ctx) => {
          const userId = requirePerson(ctx);
          // About the person, whichever team they act in.
          const { membership: _, ...rest } = ctx;
          const own = { ...rest, workspace: `user:${userId}` as const };
          const data: Record<string, unknown> = {};
          for (const { personalData } of features) {
            for (const [name, read] of Object.entries(personalData)) data[name] = await read(own);
          }
          return `${JSON.stringify(data, null, 2)}\n`;
        },
      },
    ),
  });
}
