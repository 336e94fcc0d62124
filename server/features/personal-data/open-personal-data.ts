import { accountDetailEndpoints } from '#contract/account-details.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '../accounts/index.ts';
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
          return fileOf({ ...rest, workspace: `user:${userId}` }, features);
        },
      },
    ),
  });
}

/** Yields the file in pieces: as a whole it can need hundreds of megabytes. */
async function* fileOf(ctx: Context, features: readonly Feature[]): AsyncGenerator<Uint8Array> {
  try {
    for await (const text of textOf(ctx, features)) yield Buffer.from(text);
  } catch (error) {
    // The response has begun: the reader sees it end early.
    ctx.log.error({ err: error }, 'an export of personal data failed');
    throw error;
  }
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
    let count = 0;
    for await (const rows of data) {
      yield rows.map((row, at) => `${count + at === 0 ? '[' : ','}\n${JSON.stringify(row)}`).join('');
      count += rows.length;
    }
    yield count === 0 ? '[],\n' : '\n],\n';
    if (count >= limits.personalDataRowsMax) incomplete.push(name);
  }
  yield `"incomplete": ${JSON.stringify(incomplete)}\n}\n`;
}

const isPages = (data: unknown): data is AsyncIterable<unknown[]> =>
  typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
