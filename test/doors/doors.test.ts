import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A small tree with every folder, in which each import is permitted. */
const cleanTree: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    imports: { '#contract/*': './contract/*', '#server/*': './server/*' },
    dependencies: { zod: '1.0.0', undici: '1.0.0' },
    devDependencies: { vite: '1.0.0' },
  }),
  'tsconfig.json': '{}',
  'node_modules/zod/package.json': '{"name":"zod","version":"1.0.0","exports":"./index.js"}',
  'node_modules/zod/index.js': 'export const z = 1;',
  'node_modules/undici/package.json': '{"name":"undici","version":"1.0.0","exports":"./index.js"}',
  'node_modules/undici/index.js': 'export const request = 1;',
  'node_modules/vite/package.json': '{"name":"vite","version":"1.0.0","exports":"./index.js"}',
  'node_modules/vite/index.js': 'export const build = 1;',
  'node_modules/stray/package.json': '{"name":"stray","version":"1.0.0","exports":"./index.js"}',
  'node_modules/stray/index.js': 'export const stray = 1;',
  'contract/limits.ts': "import { z } from 'zod';\nexport const limits = z;",
  'server/context.ts': "import type { Log } from '#server/platform/log.ts';\nexport type Context = Log;",
  'server/app-error.ts': "import '#contract/limits.ts';\nexport const appError = 1;",
  'server/engine/index.ts': "import { inflateSync } from 'node:zlib';\nexport const engine = inflateSync;",
  'server/platform/log.ts': "import '#contract/limits.ts';\nexport type Log = 1;\nexport const log = 1;",
  'server/platform/outbound/client.ts': "import { request } from 'undici';\nexport const client = request;",
  'server/ingest/index.ts':
    "import '#server/engine/index.ts';\nimport '#server/platform/outbound/client.ts';\nimport '#contract/limits.ts';\nexport const ingest = 1;",
  'server/ingest/records.test.ts': "import 'vite';\nexport const samples = 1;",
  'server/features/accounts/index.ts': "import './store.ts';\nexport const accounts = 1;",
  'server/features/accounts/store.ts': "import '#server/context.ts';\nexport const store = 1;",
  'server/features/feature.ts': "import '#server/context.ts';\nexport const feature = 1;",
  'server/features/keys/index.ts': "import '../accounts/index.ts';\nimport '../feature.ts';\nexport const keys = 1;",
  'server/features/keys/open-keys.ts': "import '../feature.ts';\nexport const openKeys = 1;",
  'server/features/credits/index.ts': 'export const credits = 1;',
  'server/features/catalog/index.ts': "import '#server/ingest/index.ts';\nexport const catalog = 1;",
  'server/features/search/index.ts': "import '#server/features/catalog/index.ts';\nexport const search = 1;",
  'server/http/index.ts':
    "import '#server/features/search/index.ts';\nimport type { Log } from '#server/platform/log.ts';\nexport const http: Log = 1;",
  'server/mcp/index.ts': "import '#server/features/search/index.ts';\nexport const mcp = 1;",
  'server/main.ts':
    "import './http/index.ts';\nimport './mcp/index.ts';\nimport './features/keys/open-keys.ts';\nexport const main = 1;",
  'server/cli/main.ts': "await import('../main.ts');\nimport '#server/http/index.ts';\nimport '#server/mcp/index.ts';",
  'web/ui/button.tsx': 'export const Button = 1;',
  'web/lib/api.ts': "import '#contract/limits.ts';\nexport const api = 1;",
  'web/features/search/screen.tsx':
    "import '../../ui/button.tsx';\nimport '../../lib/api.ts';\nexport const Screen = 1;",
  'web/features/library/screen.tsx': 'export const Screen = 1;',
  'web/routes/search.tsx': "import '../features/search/screen.tsx';\nexport const route = 1;",
  // A cycle is reported once, at the file met first: v-cycle-a.
  'server/v-cycle-b.ts': "import './v-cycle-a.ts';",
  'eval/run.ts': "import '#server/features/search/index.ts';\nimport '#server/engine/index.ts';",
  'test/harness.ts':
    "import '#server/main.ts';\nimport '#server/features/accounts/store.ts';\nexport const harness = 1;",
};

/** Maps each file that breaks one rule to its source and the rule that must refuse it. */
const violations: Record<string, [string, string]> = {
  'contract/v-server.ts': ["import '#server/app-error.ts';", 'contract-is-the-bottom'],
  'contract/v-node.ts': ["import 'node:fs';", 'contract-is-the-bottom'],
  'server/engine/v-type-only.ts': [
    "import type { Log } from '#server/platform/log.ts';\nexport type X = Log;",
    'engine-is-pure',
  ],
  'server/engine/v-fs.ts': ["import 'node:fs';", 'engine-is-pure'],
  'server/engine/v-timers.ts': ["import 'node:timers/promises';", 'engine-is-pure'],
  'server/platform/v-feature.ts': ["import '#server/features/accounts/index.ts';", 'platform-knows-no-feature'],
  'server/ingest/v-feature.ts': ["import '#server/features/catalog/index.ts';", 'ingest-knows-no-feature'],
  'server/features/accounts/v-upward.ts': [
    "import '#server/features/keys/index.ts';",
    'accounts-imports-only-downward',
  ],
  'server/features/catalog/v-upward.ts': [
    "import type {} from '#server/features/search/index.ts';",
    'catalog-imports-only-downward',
  ],
  'server/features/keys/v-inside.ts': ["import '#server/features/accounts/store.ts';", 'keys-imports-only-downward'],
  'server/features/search/v-mcp.ts': ["import '#server/mcp/index.ts';", 'features-know-no-transport'],
  'server/features/novelty/v.ts': ["import '#contract/limits.ts';", 'features-are-listed'],
  'server/mcp/v-inside.ts': ["import '#server/features/accounts/store.ts';", 'features-through-their-face'],
  'server/mcp/v-engine.ts': ["import '#server/engine/index.ts';", 'adapters-not-engine'],
  'server/http/v-mcp.ts': ["import '#server/mcp/index.ts';", 'adapters-are-strangers'],
  'server/http/v-open.ts': ["import '#server/features/keys/open-keys.ts';", 'only-main-opens-features'],
  'server/http/v-cli.ts': ["import '#server/cli/main.ts';", 'adapters-are-strangers'],
  'server/http/v-platform.ts': ["import { log } from '#server/platform/log.ts';\nlog;", 'adapters-platform-types-only'],
  'server/features/v-feature.ts': ["import './accounts/index.ts';", 'what-a-feature-is-made-with-knows-none'],
  'server/http/v-main.ts': ["import '#server/main.ts';", 'only-the-command-line-starts-the-composition-root'],
  'server/ingest/v-undici.ts': ["import 'undici';", 'outgoing-requests-are-guarded'],
  'server/v-dev.ts': ["import 'vite';", 'no-dev-dependency-shipped'],
  'server/v-undeclared.ts': ["import 'stray';", 'no-undeclared-dependency'],
  'server/v-test.ts': ["import '../test/harness.ts';", 'nothing-imports-test'],
  'server/v-broken.ts': ["import './nowhere.ts';", 'no-unresolvable'],
  'server/v-cycle-a.ts': ["import './v-cycle-b.ts';", 'no-cycles'],
  'server/v-sample.ts': ["import './ingest/records.test.ts';", 'only-tests-import-tests'],
  'web/lib/v-server.ts': ["import '#server/app-error.ts';", 'web-knows-only-contract'],
  'web/lib/v-node.ts': ["import 'node:fs';", 'web-has-no-node'],
  'web/lib/v-feature.ts': ["import '../features/search/screen.tsx';", 'web-lib-is-below-features'],
  'web/features/search/v-feature.tsx': ["import '../library/screen.tsx';", 'web-features-are-strangers'],
  'web/features/search/v-route.tsx': ["import '../../routes/search.tsx';", 'web-features-import-downward'],
  'web/kit/v-feature.tsx': ["import '../features/search/screen.tsx';", 'web-kit-knows-no-feature'],
  'web/ui/v-feature.tsx': ["import '../features/search/screen.tsx';", 'web-ui-knows-no-feature'],
  'eval/v-web.ts': ["import '../web/lib/api.ts';", 'measuring-knows-no-web'],
};

interface Report {
  summary: { totalCruised: number; violations: { from: string; rule: { name: string } }[] };
}

let folder: string;
let report: Report;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-doors-'));
  const files = {
    ...cleanTree,
    ...Object.fromEntries(Object.entries(violations).map(([file, [text]]) => [file, text])),
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const { stdout } = await run(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--no-cache',
      '--output-type',
      'json',
      ...['contract', 'server', 'web', 'eval', 'test'],
    ],
    { cwd: folder, maxBuffer: 64_000_000 },
  );
  report = JSON.parse(stdout) as Report;
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const rulesBrokenBy = (file: string) =>
  report.summary.violations.filter((violation) => violation.from === file).map((violation) => violation.rule.name);

test.each(Object.entries(violations))('%s is refused by the rule made for it', (file, [, ruleName]) => {
  expect(rulesBrokenBy(file)).toContain(ruleName);
});

test('a tree that respects the module boundaries has no violation', () => {
  expect(Object.keys(cleanTree).flatMap(rulesBrokenBy)).toEqual([]);
  expect(report.summary.totalCruised).toBeGreaterThan(Object.keys(violations).length);
});
