import { join, resolve } from 'node:path';
import type { z } from 'zod';
import type { Site } from '#contract/site.ts';
import type { BlobConfig } from '#server/platform/blobs/blobs.ts';
import type { GithubConfig } from '#server/platform/code-host/github/github-oauth.ts';
import type { DatabaseConfig } from '#server/platform/db/database.ts';
import type { EmbeddingConfig } from '#server/platform/embeddings/embedding-model.ts';
import type { ErrorReportsConfig } from '#server/platform/error-reports/error-reporter.ts';
import type { FlagsConfig } from '#server/platform/flags/open-flags.ts';
import type { LanguageModelConfig } from '#server/platform/language-model/language-model.ts';
import type { MailerConfig } from '#server/platform/mail/mailer.ts';
import type { PaymentsConfig } from '#server/platform/payments/open-payments.ts';
import type { SearchClusterConfig } from '#server/platform/search-cluster/index.ts';
import type { TracingConfig } from '#server/platform/tracing.ts';
import { unknownVariables } from './config-readers.ts';
import { roles, variables } from './config-variables.ts';
import { type Setting, settingsOf } from './settings.ts';

export type VariableName = keyof typeof variables;
type Values = { [Name in VariableName]: z.output<(typeof variables)[Name]['type']> };

/** The whole configuration of a process. Paths are absolute. */
export type Config = ReturnType<typeof assemble>;

/** All errors in the configuration, one sentence each. The message contains no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Reads the environment once, at start. `overrides` (from the command line) take precedence; empty text and undefined
 * count as not set. Throws ConfigError with all errors at once.
 */
export function loadConfig(
  environment: Record<string, string | undefined> = process.env,
  overrides: Partial<Record<VariableName, string | undefined>> = {},
): { config: Config } {
  const faults = unknownVariables(Object.keys(environment), Object.keys(variables));
  const valueOf = (name: string) => overrides[name as VariableName] || environment[name] || undefined;
  const entries = Object.entries(variables).map(([name, variable]) => {
    const value = valueOf(name);
    const result = variable.type.safeParse(value);
    if (!result.success) faults.push(`${name} ${result.error.issues[0]?.message}. ${variable.about}`);
    return [name, result.data];
  });
  // Each value has its variable's type; invalid values are errors, thrown below.
  const values = Object.fromEntries(entries) as Values;
  if (faults.length === 0) faults.push(...contradictions(values));
  if (faults.length > 0) throw new ConfigError(faults);
  return { config: assemble(values, environment['PATH'] ?? '', settingsOf(variables, valueOf)) };
}

const stripeNames = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_BASIC',
  'STRIPE_PRICE_PRO',
  'STRIPE_PRICE_CREDITS',
] as const;

const githubAppNames = [
  'LECTERN_GITHUB_APP_ID',
  'LECTERN_GITHUB_APP_SLUG',
  'LECTERN_GITHUB_APP_CLIENT_ID',
  'LECTERN_GITHUB_APP_CLIENT_SECRET',
  'LECTERN_GITHUB_APP_PRIVATE_KEY',
  'LECTERN_GITHUB_WEBHOOK_SECRET',
] as const;

/** Pairs of variables that must be set together. */
const pairs = [
  ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['CONVERSION_TAG_URL', 'CONVERSION_ID'],
  ['LECTERN_EMBEDDINGS_URL', 'LECTERN_EMBEDDINGS_MODEL'],
] as const;

/** Groups of variables that must be set together. */
const groups = [
  { names: stripeNames, others: 'STRIPE_ variables' },
  { names: githubAppNames, others: 'variables of the GitHub App' },
];

function contradictions(values: Values): string[] {
  const faults: string[] = [];
  for (const [one, other] of pairs) {
    if (!values[one] !== !values[other]) faults.push(`${one} and ${other} belong together. Set both, or neither.`);
  }
  if (values.SMTP_URL && !values.MAIL_FROM) {
    faults.push(`MAIL_FROM is needed when SMTP_URL is set. ${variables.MAIL_FROM.about}`);
  }
  if (values.BLOB_STORE !== 'folder' && !values.LECTERN_SECRET && values.DATABASE_URL) {
    faults.push(
      `LECTERN_SECRET is needed when neither rows nor index are in the data folder. ${variables.LECTERN_SECRET.about}`,
    );
  }
  if (values.LECTERN_ROLES.length < roles.length && (!values.DATABASE_URL || values.BLOB_STORE === 'folder')) {
    faults.push(
      'LECTERN_ROLES can omit a role only if other processes use the same database and index. Set DATABASE_URL and BLOB_STORE too, or leave it empty.',
    );
  }
  if (values.LECTERN_FAIL_POINT !== undefined && values.ENVIRONMENT !== 'test') {
    faults.push('LECTERN_FAIL_POINT ends the process in the middle of its work. It needs ENVIRONMENT=test too.');
  }
  if (values.LECTERN_PASSWORD_COST < 15 && values.ENVIRONMENT !== 'test') {
    faults.push('LECTERN_PASSWORD_COST below 15 makes stolen hashes easy to guess. It needs ENVIRONMENT=test too.');
  }
  for (const { names, others } of groups) {
    const missing = names.filter((name) => !values[name]);
    if (missing.length === names.length) continue;
    faults.push(...missing.map((name) => `${name} is needed when other ${others} are set. ${variables[name].about}`));
  }
  faults.push(...chatFaults(values));
  return faults;
}

function assemble(values: Values, searchPath: string, settings: Setting[]) {
  const dataFolder = resolve(values.LECTERN_DATA);
  const database: DatabaseConfig = values.DATABASE_URL
    ? { kind: 'postgres', url: values.DATABASE_URL }
    : { kind: 'sqlite', file: join(dataFolder, 'data.sqlite') };
  const flags: FlagsConfig = values.FLAGS_URL
    ? { kind: 'remote', url: values.FLAGS_URL, key: values.FLAGS_KEY }
    : { kind: 'environment', on: values.FEATURE_FLAGS };
  return {
    productName: values.PRODUCT_NAME,
    dataFolder,
    host: values.LECTERN_HOST,
    /** 0 for any free port. */
    port: values.LECTERN_PORT,
    /** Without a trailing slash; undefined to use the address the server listens on. */
    publicUrl: values.LECTERN_PUBLIC_URL,
    /** True if no other machine reaches the server and no mail server is set: the first person verifies no address. */
    isForThisMachine: isForThisMachine(values),
    /** At the first start, so that there is something to search. */
    indexesOwnDocs: values.LECTERN_OWN_DOCS === 'on',
    /** `host:port`, lower case. */
    allowHosts: values.LECTERN_ALLOW_HOSTS.map((host) => host.toLowerCase()),
    /** Address, or address and port; empty to use the machine's name servers. */
    dnsServers: values.LECTERN_DNS_SERVERS,
    /** Undefined if no registry is used. */
    registries: values.LECTERN_REGISTRIES,
    /** Path of the browser that renders pages with scripts. */
    chromium: values.LECTERN_CHROMIUM,
    /** Addresses and CIDR blocks. */
    trustedProxies: values.LECTERN_TRUSTED_PROXIES,
    ...signInOf(values),
    /** The host from which people connect repositories; undefined if off. */
    codeHost: codeHostOf(values),
    database,
    blobs: blobStore(values, dataFolder),
    /** Undefined if searches use only the segments opened in this process. */
    searchCluster: searchClusterOf(values),
    /** Most bytes kept open beside a search cluster. */
    openedBytesMax: values.LECTERN_SEARCH_MEMORY_MB * 1024 * 1024,
    mail: mailerOf(values, dataFolder),
    payments: paymentsOf(values),
    /** True if searches and reads cost credits, and plans limit usage. */
    areCreditsOn: areCreditsOn(values),
    /** 32 bytes each: the first encrypts, all decrypt. Undefined to use the one in the data folder. */
    secrets: values.LECTERN_SECRET,
    logLevel: values.LOG_LEVEL,
    /** Undefined if only this machine may read the metrics. */
    metricsToken: values.LECTERN_METRICS_TOKEN,
    /** Undefined if no traces are sent. */
    tracing: tracingOf(values),
    /** A server logs to standard output; other commands must not mix their log with their output. */
    logsTo: 'stderr' as 'stdout' | 'stderr',
    roles: values.LECTERN_ROLES,
    /** Time between the stop signal and the end of listening. */
    drainMs: values.LECTERN_DRAIN_SECONDS * 1000,
    auditKeptMs: values.LECTERN_AUDIT_DAYS * 86_400_000,
    /** The server that the stdio program relays to. */
    serverUrl: values.LECTERN_URL,
    apiKey: values.LECTERN_API_KEY,
    /** The project in which the stdio program is used. */
    project: values.LECTERN_PROJECT,
    /** Package that agents start with npx; undefined if none is published. */
    mcpPackage: values.LECTERN_MCP_PACKAGE,
    region: values.REGION,
    environment: values.ENVIRONMENT,
    flags,
    errorReports: errorReports(values, dataFolder),
    /** The model that compares passages by meaning; undefined for none. */
    embeddings: embeddingsOf(values),
    /** The model that writes chat answers. */
    chatModel: chatModelOf(values),
    site: siteOf(values),
    parseWorkers: values.LECTERN_PARSE_WORKERS,
    /** Ranking threads in addition to the one that serves requests. */
    searchThreads: values.LECTERN_SEARCH_THREADS,
    /** Most concurrent requests to one host. */
    crawlConcurrency: values.LECTERN_CRAWL_CONCURRENCY,
    /** In tests, the storage write before which the process ends. */
    failPoint: values.LECTERN_FAIL_POINT,
    /** Where to look for programs such as git. */
    searchPath,
    /** The variables that were set, for the operator to read. */
    settings,
  };
}

function signInOf(values: Values) {
  return {
    signUp: values.LECTERN_SIGN_UP,
    /** Base-2 logarithm of scrypt's n. */
    passwordCost: values.LECTERN_PASSWORD_COST,
    readsClientDocuments: values.LECTERN_CLIENT_DOCUMENTS === 'on',
    /** Undefined if this sign-in method is off. */
    github: socialClient(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET, values.GITHUB_URL),
    google: socialClient(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET, values.GOOGLE_URL),
  };
}

function tracingOf(values: Values): TracingConfig | undefined {
  const hasCollector = values.OTEL_EXPORTER_OTLP_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (hasCollector === undefined || values.OTEL_SDK_DISABLED === 'true') return undefined;
  const sampler = values.OTEL_TRACES_SAMPLER.replace('parentbased_', '');
  const share = { always_on: 1, always_off: 0 }[sampler] ?? values.OTEL_TRACES_SAMPLER_ARG;
  return { share, followsCaller: sampler !== values.OTEL_TRACES_SAMPLER };
}

function searchClusterOf(values: Values): SearchClusterConfig | undefined {
  if (values.LECTERN_SEARCH_URL.length === 0) return undefined;
  return {
    nodes: values.LECTERN_SEARCH_URL,
    authority: values.LECTERN_SEARCH_CA,
    index: values.LECTERN_SEARCH_INDEX,
    shards: values.LECTERN_SEARCH_SHARDS,
    replicas: values.LECTERN_SEARCH_REPLICAS,
  };
}

function codeHostOf(values: Values): GithubConfig | undefined {
  const oauth = socialClient(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET, values.GITHUB_URL);
  const [appId, slug, clientId, clientSecret, privateKey, webhookSecret] = githubAppNames.map((name) => values[name]);
  const app =
    appId && slug && clientId && clientSecret && privateKey && webhookSecret
      ? { appId, slug, clientId, clientSecret, privateKey, webhookSecret }
      : undefined;
  return oauth === undefined && app === undefined ? undefined : { url: values.GITHUB_URL, oauth, app };
}

/** Unless configured, credits are on only where people can pay. */
function areCreditsOn(values: Values): boolean {
  return values.LECTERN_CREDITS === undefined
    ? values.STRIPE_SECRET_KEY !== undefined
    : values.LECTERN_CREDITS === 'on';
}

function paymentsOf(values: Values): PaymentsConfig {
  const [secretKey, webhookSecret, ...priceLists] = stripeNames.map((name) => values[name]);
  const [basic = [], pro = [], credits = []] = priceLists.map((ids) => ids?.split(',').map((id) => id.trim()));
  if (!secretKey || !webhookSecret || !basic[0] || !pro[0] || !credits[0]) {
    return { kind: 'test', promotions: values.TEST_PROMOTION_CODES };
  }
  const formerOf = (ids: string[], sold: 'Basic' | 'Pro' | 'credits') => ids.slice(1).map((id) => [id, sold] as const);
  const former = [...formerOf(basic, 'Basic'), ...formerOf(pro, 'Pro'), ...formerOf(credits, 'credits')];
  const prices = { Basic: basic[0], Pro: pro[0], credits: credits[0], former: Object.fromEntries(former) };
  return { kind: 'stripe', secretKey, webhookSecret, prices, url: values.STRIPE_URL };
}

function errorReports(values: Values, dataFolder: string): ErrorReportsConfig {
  const file = join(dataFolder, 'error-reports.jsonl');
  if (!values.SENTRY_DSN) return { kind: 'local', file };
  const hasPersonalData = values.ERROR_REPORTS_PERSONAL_DATA === 'on';
  return { kind: 'sentry', file, dsn: values.SENTRY_DSN, hasPersonalData };
}

/** A model requires a name and a service. */
function chatFaults(values: Values): string[] {
  const hasPlace = values.LECTERN_CHAT_URL !== undefined || values.LECTERN_CHAT_PROVIDER !== undefined;
  if (hasPlace && !values.LECTERN_CHAT_MODEL) {
    return [`LECTERN_CHAT_MODEL is needed for written chat answers. ${variables.LECTERN_CHAT_MODEL.about}`];
  }
  if (hasPlace || !(values.LECTERN_CHAT_MODEL || values.LECTERN_CHAT_KEY)) return [];
  return ['LECTERN_CHAT_URL or LECTERN_CHAT_PROVIDER is needed for written chat answers. Set one of them.'];
}

function chatModelOf(values: Values): LanguageModelConfig {
  const { LECTERN_CHAT_URL: url, LECTERN_CHAT_KEY: key, LECTERN_CHAT_PROVIDER: packageName } = values;
  const model = values.LECTERN_CHAT_MODEL;
  if (model === undefined) return { kind: 'none' };
  if (packageName !== undefined) return { kind: 'provider', packageName, url, key, model };
  return url === undefined ? { kind: 'none' } : { kind: 'openai-compatible', url, key, model };
}

function embeddingsOf(values: Values): EmbeddingConfig | undefined {
  const { LECTERN_EMBEDDINGS_URL: url, LECTERN_EMBEDDINGS_MODEL: model, LECTERN_EMBEDDINGS_KEY: key } = values;
  return url === undefined || model === undefined ? undefined : { url, model, key };
}

function siteOf(values: Values): Site {
  return {
    links: {
      docs: values.DOCS_URL ?? null,
      contact: values.CONTACT_URL ?? null,
      source: values.SOURCE_URL ?? null,
      bugReport: values.BUG_REPORT_URL ?? null,
      missingDocs: values.MISSING_DOCS_URL ?? null,
    },
    canRenderScripts: values.LECTERN_CHROMIUM !== undefined,
    areCreditsOn: areCreditsOn(values),
    mailIsOutbox: mailerOf(values, '').kind === 'outbox',
    conversionTag:
      values.CONVERSION_TAG_URL && values.CONVERSION_ID
        ? {
            ...{ url: values.CONVERSION_TAG_URL, id: values.CONVERSION_ID },
            needsConsent: values.LECTERN_CONSENT === 'required',
          }
        : null,
  };
}

function socialClient(clientId: string | undefined, clientSecret: string | undefined, url: string) {
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret, url };
}

function blobStore(values: Values, dataFolder: string): BlobConfig {
  if (values.BLOB_STORE === 'folder') return { kind: 'folder', folder: join(dataFolder, 'blobs') };
  const { hostname, pathname } = new URL(values.BLOB_STORE);
  return {
    kind: 's3',
    bucket: hostname,
    prefix: pathname.replace(/^\/|\/$/g, ''),
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT,
    credentials:
      values.S3_ACCESS_KEY_ID && values.S3_SECRET_ACCESS_KEY
        ? { accessKeyId: values.S3_ACCESS_KEY_ID, secretAccessKey: values.S3_SECRET_ACCESS_KEY }
        : undefined,
    cacheFolder: join(dataFolder, 'cache'),
  };
}

function mailerOf({ SMTP_URL, MAIL_FROM, PRODUCT_NAME }: Values, dataFolder: string): MailerConfig {
  if (SMTP_URL && MAIL_FROM) return { kind: 'smtp', url: SMTP_URL, from: MAIL_FROM };
  return {
    kind: 'outbox',
    folder: join(dataFolder, 'outbox'),
    from: MAIL_FROM ?? `${PRODUCT_NAME} <no-reply@localhost>`,
  };
}

function isForThisMachine({ SMTP_URL, LECTERN_HOST, LECTERN_PUBLIC_URL }: Values): boolean {
  const isReachedHere = LECTERN_PUBLIC_URL === undefined || isLoopback(new URL(LECTERN_PUBLIC_URL).hostname);
  return SMTP_URL === undefined && isLoopback(LECTERN_HOST) && isReachedHere;
}

/** Returns true for an address that other machines cannot reach. */
function isLoopback(host: string): boolean {
  return ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host);
}
