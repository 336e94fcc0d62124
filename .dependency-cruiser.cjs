/**
 * The doors: who may import whom. ARCHITECTURE.md draws them; test/doors tries each with a deliberate violation.
 * A room that is not named in a rule's `pathNot` is out of reach for the rooms in its `from`.
 */
const downward = {
  accounts: [],
  conf: ['accounts'],
  teams: ['accounts'],
  'sign-on': ['teams', 'accounts'],
  keys: ['teams', 'accounts'],
  connections: ['teams', 'accounts'],
  credits: ['teams', 'accounts'],
  billing: ['credits', 'teams', 'accounts'],
  'source-credentials': ['teams', 'accounts'],
  catalog: ['teams', 'accounts'],
  indexing: ['catalog', 'source-credentials', 'credits', 'teams', 'accounts'],
  repositories: ['indexing', 'catalog', 'source-credentials', 'teams', 'accounts'],
  'pdf-sets': ['indexing', 'catalog', 'credits', 'teams', 'accounts'],
  hosting: ['repositories', 'indexing', 'catalog', 'source-credentials', 'teams', 'accounts'],
  'index-requests': ['indexing', 'catalog', 'teams', 'accounts'],
  profile: ['indexing', 'catalog', 'teams', 'accounts'],
  search: ['profile', 'catalog', 'credits', 'teams', 'accounts'],
  'product-docs': ['accounts'],
  site: ['accounts'],
  status: ['search', 'indexing', 'catalog', 'accounts'],
  chat: ['search', 'catalog', 'credits', 'teams', 'accounts'],
  'personal-data': ['accounts'],
  maintenance: [
    ...[
      'hosting',
      'pdf-sets',
      'indexing',
      'catalog',
      'source-credentials',
      'billing',
      'credits',
      'keys',
      'sign-on',
      'teams',
    ],
  ],
};

const ours = '^(contract|server|web|eval|bench|test|scripts)/';
/** What tests share is in test/. */
const tests = '\\.test\\.tsx?$';
const core =
  '^(node:)?(assert|async_hooks|buffer|child_process|cluster|console|crypto|dns|events|fs|http|http2|https|inspector|module|net|os|path|perf_hooks|process|readline|repl|sqlite|stream|string_decoder|timers|tls|tty|url|util|v8|vm|wasi|worker_threads|zlib)(/|$)';
/** Pure functions of bytes: no file, no clock, no network behind them. */
const pureCore = '^(node:)?(zlib|buffer|crypto|assert)$';

/** What a feature is made with. */
const sharedByFeatures = '^server/features/[^/]+\\.ts$';

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const features = Object.entries(downward).map(([feature, below]) =>
  rule(
    `${feature}-imports-only-downward`,
    `features/${feature} reaches only the index.ts of: ${below.join(', ') || 'nothing'}`,
    { path: `^server/features/${feature}/`, pathNot: tests },
    {
      path: '^server/features/',
      pathNot: [
        sharedByFeatures,
        `^server/features/${feature}/`,
        ...below.map((name) => `^server/features/${name}/index\\.ts$`),
      ],
    },
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...features,
    rule(
      'features-are-listed',
      'a new feature takes its place in the order at the top of .dependency-cruiser.cjs',
      { path: '^server/features/[^/]+/', pathNot: `^server/features/(${Object.keys(downward).join('|')})/` },
      {},
    ),
    rule(
      'contract-is-the-bottom',
      'contract/ imports zod and itself',
      { path: '^contract/', pathNot: tests },
      { pathNot: ['^contract/', '(^|/)node_modules/zod/'] },
    ),
    rule(
      'engine-is-pure',
      'server/engine imports itself and pure functions: no I/O, no clock, no log, no other room, types included',
      { path: '^server/engine/', pathNot: tests },
      { path: [ours, core, '(^|/)node_modules/'], pathNot: ['^server/engine/', pureCore] },
    ),
    rule(
      'platform-knows-no-feature',
      'server/platform imports contract/ and itself',
      { path: '^server/platform/', pathNot: tests },
      { path: ours, pathNot: ['^server/platform/', '^contract/'] },
    ),
    rule(
      'ingest-knows-no-feature',
      'server/ingest imports engine, platform, contract and itself',
      { path: '^server/ingest/', pathNot: tests },
      { path: ours, pathNot: ['^server/(ingest|engine|platform)/', '^contract/'] },
    ),
    rule(
      'features-know-no-transport',
      'features import ingest, engine, platform, contract, context and the features below them',
      { path: '^server/features/', pathNot: tests },
      {
        path: ours,
        pathNot: ['^server/(features|ingest|engine|platform)/', '^server/(context|app-error)\\.ts$', '^contract/'],
      },
    ),
    rule(
      'features-through-their-face',
      'outside a feature only its index.ts is imported, and what opens it',
      { path: '^(server/(?!features/)|eval/|bench/)', pathNot: tests },
      { path: '^server/features/[^/]+/', pathNot: '^server/features/[^/]+/(index|open-[a-z-]+)\\.ts$' },
    ),
    rule(
      'what-a-feature-is-made-with-knows-none',
      'server/features/*.ts import no feature',
      { path: sharedByFeatures, pathNot: tests },
      { path: '^server/features/[^/]+/' },
    ),
    rule(
      'only-main-opens-features',
      'a feature is opened in server/main.ts',
      { path: '^(server/(?!features/|main\\.ts)|eval/|bench/)', pathNot: tests },
      { path: '^server/features/[^/]+/open-' },
    ),
    rule(
      'adapters-are-strangers',
      'http and mcp do not import each other; the command line starts both',
      { path: '^server/(http|mcp)/', pathNot: tests },
      { path: '^server/(http|mcp|cli)/', pathNot: '^server/$1/' },
    ),
    rule(
      'adapters-not-engine',
      'http, mcp and cli reach the engine and ingest through a feature',
      { path: '^server/(http|mcp|cli)/', pathNot: tests },
      { path: '^server/(engine|ingest)/' },
    ),
    rule(
      'adapters-platform-types-only',
      'http and mcp get their ports from the composition root: types of platform/ only',
      { path: '^server/(http|mcp)/', pathNot: tests },
      { path: '^server/platform/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'only-the-command-line-starts-the-composition-root',
      'server/main.ts opens everything; only the command line, tests, eval/ and bench/ call it',
      { path: '^server/', pathNot: ['^server/cli/', tests] },
      { path: '^server/main\\.ts$' },
    ),
    rule(
      'outgoing-requests-are-guarded',
      'every outgoing request passes the address guard of server/platform/outbound',
      { path: '^server/', pathNot: ['^server/platform/outbound/', tests] },
      { path: '(^|/)node_modules/undici/' },
    ),
    rule(
      'web-knows-only-contract',
      'the browser side imports contract/ and itself',
      { path: '^web/', pathNot: tests },
      // The blog quotes what was measured from the files it was written to.
      { path: ours, pathNot: ['^web/', '^contract/', '^(eval/baseline|bench/last)\\.json$'] },
    ),
    rule('web-has-no-node', 'no Node module in the browser', { path: '^web/', pathNot: tests }, { path: core }),
    rule(
      'web-features-are-strangers',
      'a web feature does not import another',
      { path: '^web/features/([^/]+)/', pathNot: tests },
      { path: '^web/features/', pathNot: '^web/features/$1/' },
    ),
    rule(
      'web-features-import-downward',
      'a web feature imports kit, ui, lib, contract and itself',
      { path: '^web/features/', pathNot: tests },
      { path: '^web/', pathNot: ['^web/(features|kit|ui|lib)/'] },
    ),
    rule(
      'web-kit-knows-no-feature',
      'web/kit imports ui, lib, contract and itself',
      { path: '^web/kit/', pathNot: tests },
      { path: ours, pathNot: ['^web/(kit|ui|lib)/', '^contract/'] },
    ),
    rule(
      'web-ui-knows-no-feature',
      'web/ui imports itself, and how quantities and charts are written, which the server does alike',
      { path: '^web/ui/', pathNot: tests },
      { path: ours, pathNot: ['^web/ui/', '^contract/(quantities|chart-shapes)\\.ts$'] },
    ),
    rule(
      'web-lib-is-below-features',
      'web/lib imports contract/ and itself',
      { path: '^web/lib/', pathNot: tests },
      { path: ours, pathNot: ['^web/lib/', '^contract/'] },
    ),
    rule(
      'measuring-knows-no-web',
      'eval/ and bench/ drive the product; they import features, engine, ingest and contract',
      { path: '^(eval|bench)/', pathNot: tests },
      { path: '^(web/|server/(http|mcp|cli)/)' },
    ),
    rule(
      'no-dev-dependency-shipped',
      'what runs at a user is in `dependencies`',
      { path: '^(server|contract)/', pathNot: tests },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-optional', 'npm-peer'] },
    ),
    rule(
      'nothing-imports-test',
      'test/ is the end of the line',
      { path: '^(contract|server|web|scripts)/', pathNot: tests },
      { path: '^test/' },
    ),
    rule(
      'only-tests-import-tests',
      'what tests share is in test/',
      { path: '^(contract|server|web)/', pathNot: tests },
      { path: tests },
    ),
    rule('no-cycles', 'no import cycle anywhere', {}, { circular: true }),
    rule('no-unresolvable', 'every import resolves', {}, { couldNotResolve: true }),
    rule(
      'no-undeclared-dependency',
      'every package is in package.json',
      { path: ours },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    parser: 'swc',
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['(^|/)(dist|\\.react-router)/', '\\?(url|raw|inline)$'] },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
    builtInModules: { add: ['node:sqlite', 'node:test', 'node:sea'] },
  },
};
