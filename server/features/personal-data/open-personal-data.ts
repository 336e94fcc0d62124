import { accountDetailEndpoints } from '#contract/account-details.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '../accounts/index.ts';
import { fileOf, jsonOf } from '../export-file.ts';
import { type Feature, feature, serve } from '../feature.ts';

/**
 * The export of all that is kept about a person: what their screens show and what was recorded of what they did. Of keys,
 * credentials and sessions it says that they exist; it holds no secrets. `incomplete` names lists that have their newest entries only. `features`
 * comes to hold every feature of the installation.
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
          const own: Context = { ...rest, workspace: `user:${userId}` };
          return fileOf(own, textOf(own, features));
        },
      },
    ),
  });
}

async function* textOf(ctx: Context, features: readonly Feature[]): AsyncGenerator<string> {
  const incomplete: string[] = [];
  yield '{\n';
  for (const [name, read] of features.flatMap(({ personalData }) => Object.entries(personalData))) {
    yield `${JSON.stringify(name)}: `;
    const data = await read(ctx);
    if (!isPages(data)) {
      yield `${JSON.stringify(data ?? null, null, 2)},\n`;
      continue;
    }
    const count = yield* jsonOf(data);
    yield ',\n';
    if (count >= limits.personalDataRowsMax) incomplete.push(name);
  }
  yield `"incomplete": ${JSON.stringify(incomplete)}\n}\n`;
}

const isPages = (data: unknown): data is AsyncIterable<unknown[]> =>
  typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
