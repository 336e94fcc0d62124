import { expect, test } from 'vitest';
import { parseTree } from '#server/platform/git/fetched-tree.ts';
import { chooseFiles } from './choose-files.ts';

const entryOf = (path: string) => ({ path, kind: 'file' as const, id: 'a'.repeat(40) });

/** Returns how many turns other work had during `work`. */
async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await work();
  clearInterval(timer);
  return turns;
}

test('choosing files of a very large tree lets other work proceed', async () => {
  const paths = Array.from({ length: 300_000 }, (_, at) => `docs/file-${at}.md`);
  const listed = Buffer.from(paths.map((path) => `100644 blob ${'a'.repeat(40)}\t${path}\0`).join(''));
  expect(await turnsDuring(() => parseTree(listed))).toBeGreaterThan(0);
  expect((await parseTree(listed)).slice(0, 100)).toEqual(paths.slice(0, 100).map(entryOf));
  expect(await turnsDuring(() => chooseFiles(paths.map(entryOf), () => undefined))).toBeGreaterThan(0);
});

test('a file is documentation by its name, checked in time proportional to the length of the name', async () => {
  const long = [`llms-${'_'.repeat(1_000_000)}!`, `${'openapi'.repeat(200_000)}!.json`];
  const names = ['README', 'a/llms-full.txt', 'llms_ctx.x-y', 'v2/my-OpenAPI.v3.yaml', 'swagger.json'];
  const others = ['unllms', 'openapi/a.json', 'swagger.json5', 'my openapi.json'];
  const chosen = await chooseFiles([...names, ...others, ...long].map(entryOf), () => undefined);
  const documentation = chosen.filter(({ readAs }) => readAs === 'documentation').map(({ path }) => path);
  expect(documentation).toEqual(names);
});
