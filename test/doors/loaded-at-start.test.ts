import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const program = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
await import('#server/serve.ts');
console.log(JSON.stringify(urls));
`;

/** What other threads and processes read with, and what only some installations have. */
const notNeeded = [
  ...['yaml', 'graphql', 'smol-toml', 'parse5', 'unpdf', 'pg', 'stripe', 'nodemailer'].map(
    (name) => `/node_modules/${name}/`,
  ),
  ...['@octokit/', '@aws-sdk/', '@opensearch-project/', '@ai-sdk/openai-compatible/'].map(
    (name) => `/node_modules/${name}`,
  ),
  '/server/ingest/extract/',
  '/server/ingest/formats/markdown/',
  '/server/ingest/split/split-document.ts',
];

test('the thread that answers calls loads nothing at the start that others need, or that it needs later if at all', () => {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const loaded = JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as string[];
  expect(loaded.some((url) => url.endsWith('/server/serve.ts'))).toBe(true);
  expect(loaded.filter((url) => notNeeded.some((part) => url.includes(part)))).toEqual([]);
});
