import { accountDetailEndpoints } from '#contract/account-details.ts';
import * as limits from '#contract/limits.ts';
import { requirePerson } from '../accounts/index.ts';
import { type Feature, feature, serve } from '../feature.ts';

/**
 * The export of all that is kept about a person: what their screens show and what was recorded of what they did. Of keys,
 * credentials and sessions it says that they exist; it holds no secrets. `incomplete` names lists that have their newest entries only. `features` comes to hold every feature of the installation.
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
          // The data is about the user, whichever team they act in.
          const { membership: _, ...rest } = ctx;
          const own = { ...rest, workspace: `user:${userId}` as const };
          const data: Record<string, unknown> = {};
          for (const { personalData } of features) {
            for (const [name, read] of Object.entries(personalData)) data[name] = await read(own);
          }
          const isCut = (list: unknown) => Array.isArray(list) && list.length >= limits.personalDataRowsMax;
          const incomplete = Object.keys(data).filter((name) => isCut(data[name]));
          return `${JSON.stringify({ ...(incomplete.length > 0 && { incomplete }), ...data }, null, 2)}\n`;
        },
      },
    ),
  });
}
