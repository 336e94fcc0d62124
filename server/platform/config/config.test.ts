import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { publicRegistries } from '#server/platform/package-registries/index.ts';
import { configurationReference, environmentExample } from '#test/docs/variables-reference.ts';
import { ConfigError, loadConfig } from './config.ts';
import { variables } from './config-variables.ts';

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test('no variable is required', () => {
  const { config } = loadConfig({});
  expect(config).toMatchObject({
    productName: 'Lectern',
    dataFolder: resolve('.data'),
    host: '127.0.0.1',
    port: 7331,
    publicUrl: undefined,
    allowHosts: [],
    registries: publicRegistries,
    trustedProxies: [],
    signUp: 'open',
    passwordCost: 15,
    readsClientDocuments: true,
    github: undefined,
    codeHost: undefined,
    google: undefined,
    database: { kind: 'sqlite', file: resolve('.data/data.sqlite') },
    blobs: { kind: 'folder', folder: resolve('.data/blobs') },
    searchCluster: undefined,
    mail: { kind: 'outbox', folder: resolve('.data/outbox') },
    secrets: undefined,
    logLevel: 'info',
    roles: ['web', 'mcp', 'worker'],
    drainMs: 0,
    auditKeptMs: 400 * 86_400_000,
    region: 'us-central1',
    environment: 'staging',
    flags: { kind: 'environment', on: [] },
    errorReports: { kind: 'local', file: resolve('.data/error-reports.jsonl') },
    chatModel: { kind: 'none' },
    site: {
      links: { docs: null, contact: null, source: null, bugReport: null, missingDocs: null },
      canRenderScripts: false,
      areCreditsOn: false,
      mailIsOutbox: true,
      conversionTag: null,
    },
    crawlConcurrency: 8,
    areCreditsOn: false,
  });
});

test('every variable reaches the configuration', () => {
  const {
    config: { settings, ...config },
  } = loadConfig({
    PATH: '/usr/bin:/bin',
    PRODUCT_NAME: 'Shelf',
    LECTERN_DATA: '/srv/shelf',
    LECTERN_HOST: '0.0.0.0',
    LECTERN_PORT: '80',
    LECTERN_PUBLIC_URL: 'https://shelf.example.org/',
    LECTERN_OWN_DOCS: 'off',
    LECTERN_ALLOW_HOSTS: '127.0.0.1:8000, Docs.Internal:443,[::1]:81',
    LECTERN_DNS_SERVERS: '192.0.2.1, 192.0.2.2:53',
    LECTERN_REGISTRIES: 'npm=https://npm.example.org, go=http://127.0.0.1:3000/go',
    LECTERN_CHROMIUM: '/usr/bin/chromium',
    LECTERN_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    LECTERN_SIGN_UP: 'closed',
    LECTERN_PASSWORD_COST: '16',
    LECTERN_CLIENT_DOCUMENTS: 'off',
    LECTERN_MCP_PACKAGE: 'lectern-mcp',
    GITHUB_CLIENT_ID: 'gh',
    GITHUB_CLIENT_SECRET: 'gh-secret',
    GITHUB_URL: 'https://github.example.org/',
    LECTERN_GITHUB_APP_ID: '42',
    LECTERN_GITHUB_APP_SLUG: 'shelf',
    LECTERN_GITHUB_APP_CLIENT_ID: 'Iv1.x',
    LECTERN_GITHUB_APP_CLIENT_SECRET: 'app-secret',
    LECTERN_GITHUB_APP_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\\nkey\\n-----END PRIVATE KEY-----',
    LECTERN_GITHUB_WEBHOOK_SECRET: 'event-secret',
    GOOGLE_CLIENT_ID: 'go',
    GOOGLE_CLIENT_SECRET: 'go-secret',
    GOOGLE_URL: 'http://127.0.0.1:9099',
    DATABASE_URL: 'postgres://u:p@db/shelf',
    BLOB_STORE: 's3://bucket/some/prefix/',
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    S3_REGION: 'eu-west-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    SMTP_URL: 'smtps://u:p@mail.example.org',
    MAIL_FROM: 'Shelf <shelf@example.org>',
    LECTERN_CREDITS: 'on',
    STRIPE_SECRET_KEY: 'sk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_PRICE_BASIC: 'price_b, price_a',
    STRIPE_PRICE_PRO: 'price_p',
    STRIPE_PRICE_CREDITS: 'price_c',
    STRIPE_URL: 'https://stripe.example.org/',
    TEST_PROMOTION_CODES: 'HALF:50%',
    LECTERN_SECRET: `${'ab'.repeat(32)}, ${'cd'.repeat(32)}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:p@collector:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_SDK_DISABLED: 'false',
    LOG_LEVEL: 'debug',
    LECTERN_ROLES: 'mcp, web,mcp',
    LECTERN_DRAIN_SECONDS: '20',
    LECTERN_AUDIT_DAYS: '90',
    LECTERN_URL: 'https://shelf.example.org',
    LECTERN_API_KEY: 'lec_x',
    LECTERN_PROJECT: 'shop',
    REGION: 'r',
    ENVIRONMENT: 'test',
    FEATURE_FLAGS: 'teams, other',
    FLAGS_URL: 'https://flags.example.org/',
    FLAGS_KEY: 'flag-key',
    SENTRY_DSN: 'https://public@errors.example.org/7',
    ERROR_REPORTS_PERSONAL_DATA: 'off',
    LECTERN_SEARCH_URL: 'https://u:p@one.example.org:9200, https://u:p@two.example.org:9200',
    LECTERN_SEARCH_CA: Buffer.from('-----BEGIN CERTIFICATE-----\nauthority').toString('base64'),
    LECTERN_SEARCH_INDEX: 'shelf',
    LECTERN_SEARCH_SHARDS: '6',
    LECTERN_SEARCH_REPLICAS: '2',
    LECTERN_SEARCH_MEMORY_MB: '512',
    LECTERN_CHAT_URL: 'https://models.example.org/v1/',
    LECTERN_CHAT_MODEL: 'small',
    LECTERN_CHAT_KEY: 'chat-key',
    LECTERN_CHAT_PROVIDER: '@ai-sdk/openai-compatible',
    CONVERSION_TAG_URL: 'https://tag.example.org/tag.js',
    CONVERSION_ID: 'AW-1/label',
    DOCS_URL: 'https://docs.example.org',
    CONTACT_URL: 'https://contact.example.org',
    SOURCE_URL: 'https://source.example.org',
    BUG_REPORT_URL: 'https://bugs.example.org',
    MISSING_DOCS_URL: 'https://missing.example.org',
    LECTERN_PARSE_WORKERS: '3',
    LECTERN_SEARCH_THREADS: '0',
    LECTERN_CRAWL_CONCURRENCY: '2',
    LECTERN_SHARED: '/srv/shared',
    LECTERN_FAIL_POINT: '7',
  });
  expect(config).toEqual({
    productName: 'Shelf',
    dataFolder: '/srv/shelf',
    host: '0.0.0.0',
    port: 80,
    publicUrl: 'https://shelf.example.org',
    isForThisMachine: false,
    indexesOwnDocs: false,
    allowHosts: ['127.0.0.1:8000', 'docs.internal:443', '[::1]:81'],
    dnsServers: ['192.0.2.1', '192.0.2.2:53'],
    registries: { ...publicRegistries, npm: 'https://npm.example.org', go: 'http://127.0.0.1:3000/go' },
    chromium: '/usr/bin/chromium',
    trustedProxies: ['10.0.0.0/8', '::1'],
    signUp: 'closed',
    passwordCost: 16,
    readsClientDocuments: false,
    mcpPackage: 'lectern-mcp',
    github: { clientId: 'gh', clientSecret: 'gh-secret', url: 'https://github.example.org' },
    google: { clientId: 'go', clientSecret: 'go-secret', url: 'http://127.0.0.1:9099' },
    codeHost: {
      url: 'https://github.example.org',
      oauth: { clientId: 'gh', clientSecret: 'gh-secret', url: 'https://github.example.org' },
      app: {
        appId: '42',
        slug: 'shelf',
        clientId: 'Iv1.x',
        clientSecret: 'app-secret',
        privateKey: '-----BEGIN PRIVATE KEY-----\nkey\n-----END PRIVATE KEY-----',
        webhookSecret: 'event-secret',
      },
    },
    database: { kind: 'postgres', url: 'postgres://u:p@db/shelf' },
    blobs: {
      kind: 's3',
      bucket: 'bucket',
      prefix: 'some/prefix',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-west-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
      cacheFolder: '/srv/shelf/cache',
    },
    searchCluster: {
      nodes: ['https://u:p@one.example.org:9200', 'https://u:p@two.example.org:9200'],
      authority: '-----BEGIN CERTIFICATE-----\nauthority',
      index: 'shelf',
      shards: 6,
      replicas: 2,
    },
    openedBytesMax: 512 * 1024 * 1024,
    mail: { kind: 'smtp', url: 'smtps://u:p@mail.example.org', from: 'Shelf <shelf@example.org>' },
    areCreditsOn: true,
    payments: {
      kind: 'stripe',
      secretKey: 'sk_live_x',
      webhookSecret: 'whsec_x',
      prices: { Basic: 'price_b', Pro: 'price_p', credits: 'price_c', former: { price_a: 'Basic' } },
      url: 'https://stripe.example.org',
    },
    secrets: [new Uint8Array(32).fill(0xab), new Uint8Array(32).fill(0xcd)],
    logLevel: 'debug',
    logsTo: 'stderr',
    roles: ['web', 'mcp'],
    drainMs: 20_000,
    auditKeptMs: 90 * 86_400_000,
    serverUrl: 'https://shelf.example.org',
    apiKey: 'lec_x',
    project: 'shop',
    region: 'r',
    environment: 'test',
    flags: { kind: 'remote', url: 'https://flags.example.org', key: 'flag-key' },
    errorReports: {
      kind: 'sentry',
      file: '/srv/shelf/error-reports.jsonl',
      dsn: 'https://public@errors.example.org/7',
      hasPersonalData: false,
    },
    chatModel: {
      kind: 'provider',
      packageName: '@ai-sdk/openai-compatible',
      url: 'https://models.example.org/v1',
      key: 'chat-key',
      model: 'small',
    },
    site: {
      links: {
        docs: 'https://docs.example.org',
        contact: 'https://contact.example.org',
        source: 'https://source.example.org',
        bugReport: 'https://bugs.example.org',
        missingDocs: 'https://missing.example.org',
      },
      canRenderScripts: true,
      areCreditsOn: true,
      mailIsOutbox: false,
      conversionTag: { url: 'https://tag.example.org/tag.js', id: 'AW-1/label', needsConsent: false },
    },
    parseWorkers: 3,
    searchThreads: 0,
    crawlConcurrency: 2,
    failPoint: 7,
    searchPath: '/usr/bin:/bin',
    tracing: { share: 0.25, followsCaller: true },
  });
  // Screens show the variables: for secrets, only whether they are set.
  expect(settings.map(({ name }) => name)).toEqual(Object.keys(variables));
  const byName = new Map(settings.map((setting) => [setting.name, setting]));
  expect(byName.get('LECTERN_SECRET')).toMatchObject({ isSecret: true, value: '' });
  expect(byName.get('PRODUCT_NAME')).toMatchObject({ isSecret: false, value: 'Shelf' });
  const told = JSON.stringify(settings.map(({ value }) => value));
  for (const secret of [
    'u:p',
    'u@',
    'public@',
    'sk_live_x',
    'whsec_x',
    'lec_x',
    'flag-key',
    'chat-key',
    'abab',
    'cdcd',
  ]) {
    expect(told).not.toContain(secret);
  }
});

test('all faults are reported together, each with its variable and purpose, without its value', () => {
  const environment = {
    LECTERN_PORT: 'hush-70000',
    LECTERN_PUBLIC_URL: 'hush',
    LECTERN_ALLOW_HOSTS: 'hush',
    LECTERN_REGISTRIES: 'hush',
    LECTERN_TRUSTED_PROXIES: 'hush',
    LECTERN_SIGN_UP: 'hush',
    DATABASE_URL: 'mysql://hush',
    BLOB_STORE: 'ftp://hush',
    LECTERN_SEARCH_URL: 'hush',
    LECTERN_SEARCH_CA: 'hush',
    LECTERN_SEARCH_INDEX: 'HUSH',
    LECTERN_SEARCH_SHARDS: '0',
    SMTP_URL: 'http://hush',
    LECTERN_SECRET: 'hush',
    LOG_LEVEL: 'hush',
    LECTERN_ROLES: 'web,hush',
    LECTERN_DRAIN_SECONDS: 'hush',
    SENTRY_DSN: 'https://example.org/hush',
    LECTERN_PARSE_WORKERS: '0',
    LECTERN_SEARCH_THREADS: '2',
  };
  const faults = faultsOf(environment);
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
    Object.keys(variables).filter((name) => name in environment),
  );
  for (const fault of faults) {
    expect(fault).not.toContain('hush');
    expect(fault).toContain(variables[fault.split(' ')[0] as keyof typeof variables].about);
    expect(fault).not.toMatch(/undefined|Invalid/);
  }
});

test('any text in a variable is accepted or refused with a fault that names the variable', () => {
  for (const name of Object.keys(variables)) {
    for (const value of ['0', '-1', ' ', '"8"', 'ünï', 'nope', 'http://', 'http://[', '//', 'a,,b', '9'.repeat(400)]) {
      for (const fault of faultsOf({ [name]: value }))
        expect([name, fault]).toEqual([name, expect.stringMatching(/^[A-Z\d_]{6}(?!.*Invalid input)/)]);
    }
  }
});

test('a region is a part of a path', () => {
  for (const region of ['a b/c', ':name', '*', 'eu/west'])
    expect(faultsOf({ REGION: region })).toEqual([expect.stringMatching(/^REGION must be a name/)]);
});

test('a key that no header can carry is refused, and an address may end with a slash', () => {
  for (const name of [
    'LECTERN_API_KEY',
    'FLAGS_KEY',
    'LECTERN_CHAT_KEY',
    'LECTERN_EMBEDDINGS_KEY',
    'S3_ACCESS_KEY_ID',
  ]) {
    for (const value of ['ünï', 'a\nb', 'a b']) {
      expect(faultsOf({ [name]: value })[0]).toContain(`${name} must be one word of ASCII characters`);
    }
  }
  expect(loadConfig({ LECTERN_URL: 'https://docs.example.org/' }).config.serverUrl).toBe('https://docs.example.org');
});

test.each([
  [{ S3_ACCESS_KEY_ID: 'x' }, 'S3_SECRET_ACCESS_KEY'],
  [{ CONVERSION_ID: 'AW-1' }, 'CONVERSION_TAG_URL'],
  [{ GITHUB_CLIENT_ID: 'x' }, 'GITHUB_CLIENT_SECRET'],
  [{ GOOGLE_CLIENT_SECRET: 'x' }, 'GOOGLE_CLIENT_ID'],
  [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM'],
  [{ LECTERN_CHAT_URL: 'https://models.example.org/v1' }, 'LECTERN_CHAT_MODEL'],
  [{ LECTERN_CHAT_KEY: 'x' }, 'LECTERN_CHAT_URL'],
  [{ LECTERN_ROLES: 'web' }, 'DATABASE_URL'],
  [{ LECTERN_ROLES: 'web,worker', DATABASE_URL: 'postgres://db/x' }, 'BLOB_STORE'],
  [{ BLOB_STORE: 's3://bucket', DATABASE_URL: 'postgres://db/x' }, 'LECTERN_SECRET'],
])('variables that require each other are named together: %j', (environment, missing) => {
  expect(faultsOf(environment)).toEqual([expect.stringContaining(missing)]);
});

test.each([
  ['LECTERN_FAIL_POINT', '3', 'failPoint'],
  ['LECTERN_PASSWORD_COST', '14', 'passwordCost'],
] as const)('%s=%s is only for tests', (name, value, setting) => {
  expect(faultsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} .* needs ENVIRONMENT=test`)]);
  expect(loadConfig({ [name]: value, ENVIRONMENT: 'test' }).config[setting]).toBe(Number(value));
});

test('Stripe requires all of its variables, and each missing one is named', () => {
  const faults = faultsOf({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_PRICE_PRO: 'p', STRIPE_PRICE_BASIC: 'b' });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_CREDITS']);
});

test('a GitHub App requires all of its variables, and its key may be in base64', () => {
  const pem = '-----BEGIN RSA PRIVATE KEY-----\nkey\n-----END RSA PRIVATE KEY-----\n';
  const environment = {
    LECTERN_GITHUB_APP_ID: '42',
    LECTERN_GITHUB_APP_SLUG: 'shelf',
    LECTERN_GITHUB_APP_CLIENT_ID: 'x',
    LECTERN_GITHUB_APP_CLIENT_SECRET: 'y',
    LECTERN_GITHUB_APP_PRIVATE_KEY: Buffer.from(pem).toString('base64'),
  };
  expect(faultsOf(environment)).toEqual([expect.stringContaining('LECTERN_GITHUB_WEBHOOK_SECRET is needed')]);
  const { config } = loadConfig({ ...environment, LECTERN_GITHUB_WEBHOOK_SECRET: 'z' });
  expect(config.codeHost).toMatchObject({ oauth: undefined, app: { privateKey: pem } });
  expect(faultsOf({ LECTERN_GITHUB_APP_PRIVATE_KEY: 'hush' })[0]).toMatch(/must be a private key as PEM/);
});

test('a model is called at the configured service or through the configured provider', () => {
  const environment = { LECTERN_CHAT_URL: 'http://127.0.0.1:11434/v1/', LECTERN_CHAT_MODEL: 'small' };
  expect(loadConfig(environment).config.chatModel).toEqual({
    ...{ kind: 'openai-compatible', url: 'http://127.0.0.1:11434/v1', key: undefined, model: 'small' },
  });
  expect(faultsOf({ ...environment, LECTERN_CHAT_PROVIDER: '../hush' })[0]).toMatch(/must be the name of a package/);
});

test('test promotion codes are percentages or amounts', () => {
  const { config } = loadConfig({ TEST_PROMOTION_CODES: 'HALF:50%, FIVE:5usd' });
  expect(config.payments).toEqual({
    kind: 'test',
    promotions: [
      { code: 'HALF', percentOff: 50, amountOffCents: null },
      { code: 'FIVE', percentOff: null, amountOffCents: 500 },
    ],
  });
  expect(faultsOf({ TEST_PROMOTION_CODES: 'HALF:101%' })).toHaveLength(1);
});

test('the command line takes precedence over the environment, and an empty value counts as unset', () => {
  const { config } = loadConfig(
    { LECTERN_PORT: '1', LECTERN_HOST: '', LECTERN_DATA: '/a' },
    { LECTERN_PORT: '2', LECTERN_DATA: undefined },
  );
  expect([config.port, config.host, config.dataFolder]).toEqual([2, '127.0.0.1', '/a']);
});

test('.env.example lists the variables that the program reads and is valid', () => {
  const written = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  expect(written, 'write it anew from environmentExample()').toBe(environmentExample());
  expect(Object.keys(parseEnv(written)).sort()).toEqual(Object.keys(variables).sort());
  const of = (environment: NodeJS.Dict<string>) => ({ ...loadConfig(environment).config, settings: [] });
  expect(of(parseEnv(written))).toEqual(of({}));
});

test('the configuration reference lists the variables that the program reads', () => {
  const written = readFileSync(new URL('../../../docs/operate/configuration.md', import.meta.url), 'utf8');
  expect(written, 'write it anew from configurationReference()').toBe(configurationReference());
});

test('a misspelled name stops the start and suggests the right one', () => {
  const faultsOf = (environment: Record<string, string>) => {
    try {
      loadConfig(environment);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.faults : [String(error)];
    }
  };
  expect(faultsOf({ LECTERN_SIGNUP: 'closed', LECTERN_SECRTE: 'hush', HOME: '/', PATH: '/bin' })).toEqual([
    'LECTERN_SIGNUP is not a variable of this program. Did you mean LECTERN_SIGN_UP?',
    'LECTERN_SECRTE is not a variable of this program. Did you mean LECTERN_SECRET?',
  ]);
  expect(faultsOf({ LECTERN_DEV_SERVER: '1' })).toEqual([]);
});

test.each(['https://shelf.example.org/docs', 'https://shelf.example.org/?a', 'https://ann@shelf.example.org'])(
  'a public address with more than a host is refused: %s',
  (value) => {
    expect(() => loadConfig({ LECTERN_PUBLIC_URL: value })).toThrow(/LECTERN_PUBLIC_URL must be a scheme and a host/);
  },
);
