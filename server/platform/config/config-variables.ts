import { availableParallelism } from 'node:os';
import { z } from 'zod';
import type { Discount } from '#contract/billing.ts';
import { createRangeMatcher } from '#server/platform/outbound/index.ts';
import { publicRegistries, type RegistryAddresses } from '#server/platform/package-registries/index.ts';
import {
  address,
  certificate,
  headerKey,
  isOrigin,
  listOf,
  privateKey,
  secretKeys,
  text,
  wholeNumber,
  withoutSlash,
} from './config-readers.ts';

/** An environment variable: its purpose in one sentence, and how its text is parsed. */
export interface Variable<T> {
  about: string;
  /** Parses the text; undefined means that the variable is not set. */
  type: z.ZodType<T, string | undefined>;
  /** The value in `.env.example`, if it is not the default. */
  example?: string;
}

/** Returns a variable's default or example as text; empty if there is none. */
export function exampleOf({ type, example }: Variable<unknown>): string {
  // Joined as a list of one: undefined becomes an empty text, and list items are separated by commas.
  return example ?? [type.parse(undefined)].join();
}

export const roles = ['web', 'mcp', 'worker'] as const;
export type Role = (typeof roles)[number];

function nameAndAddress(entry: string): readonly [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
}

const addressBlocks = listOf(/./, 'addresses or blocks such as 10.0.0.0/8').refine((blocks) => {
  try {
    createRangeMatcher(blocks);
    return true;
  } catch {
    return false;
  }
}, 'must be addresses or blocks such as 10.0.0.0/8, separated by commas');

const siteLink = address('http', 'https').optional();
const region = z.string().regex(/^[a-z0-9][a-z0-9-]*$/i, 'must be a name such as eu-central-1');
const hostAndPort = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+):\d{1,5}$/i;
const promotionCodes = listOf(
  /^[a-z0-9-]{1,50}:([1-9]\d?|100)(%|usd)$/i,
  'codes such as CODE:20% or CODE:5usd',
).transform((codes) =>
  codes.map((text): Discount => {
    const [code = '', worth = ''] = text.split(':');
    const amount = Number.parseInt(worth, 10);
    const isShare = worth.endsWith('%');
    return { code, percentOff: isShare ? amount : null, amountOffCents: isShare ? null : amount * 100 };
  }),
);
/** Undefined if no registry is used. */
const registries = z
  .string()
  .default('')
  .refine(
    (value) =>
      value.trim() === 'off' ||
      value.split(',').every((entry) => {
        const [name, url] = nameAndAddress(entry);
        return (
          entry.trim() === '' || (Object.hasOwn(publicRegistries, name) && /^https?:/.test(url) && URL.canParse(url))
        );
      }),
    'must be off, or entries such as npm=https://registry.example, separated by commas',
  )
  .transform((value): RegistryAddresses | undefined => {
    if (value.trim() === 'off') return undefined;
    const named = value.split(',').filter((entry) => entry.trim() !== '');
    return { ...publicRegistries, ...(Object.fromEntries(named.map(nameAndAddress)) as Partial<RegistryAddresses>) };
  });
const crawlConcurrencyDefault = '8';
// Parsing is most of a crawl's work, so each processor may get a worker; more than four would wait for the network.
const parseWorkersDefault = String(Math.min(availableParallelism(), 4));

/** All variables the program reads, in the order of `.env.example`. An empty value counts as not set. */
export const variables = {
  PRODUCT_NAME: {
    about: 'Product name shown to people and agents.',
    type: text.default('Lectern'),
  },
  LECTERN_DATA: {
    about: 'Folder for all data of this installation.',
    type: text.default('./.data'),
  },
  LECTERN_HOST: {
    about: 'Address to listen on; 0.0.0.0 accepts connections from other machines.',
    type: text.default('127.0.0.1'),
  },
  LECTERN_PORT: {
    about: 'Port to listen on; 0 selects a free one.',
    type: wholeNumber(0, 65_535).default(7331),
  },
  LECTERN_PUBLIC_URL: {
    about:
      'Public address of this installation, if it differs from the address it listens on: scheme and host, without a path.',
    type: address('http', 'https')
      .refine(
        isOrigin,
        'must be a scheme and a host without a path, because pages and endpoints are at the root of the host',
      )
      .transform(withoutSlash)
      .optional(),
  },
  LECTERN_OWN_DOCS: {
    about: 'Whether a new installation indexes its own documentation at its first start: on or off.',
    type: z.enum(['on', 'off'], 'must be on or off').default('on'),
  },
  LECTERN_ALLOW_HOSTS: {
    about: 'Private addresses that may be crawled and read, as host:port, separated by commas.',
    type: listOf(hostAndPort, 'host:port').default([]),
  },
  LECTERN_DNS_SERVERS: {
    about: "Name servers for domain verification, separated by commas; empty uses the machine's.",
    type: listOf(/^(\[[0-9a-f:]+\]|\d+(\.\d+){3})(:\d{1,5})?$/i, 'addresses such as 192.0.2.1 or 192.0.2.1:53').default(
      [],
    ),
  },
  LECTERN_REGISTRIES: {
    about:
      "Package registries to ask for libraries' documentation, as npm=https://…, separated by commas (also pypi, crates, go, rubygems, packagist); the others are the public ones; off uses none.",
    type: registries,
    example: '',
  },
  LECTERN_TRUSTED_PROXIES: {
    about: 'Addresses or ranges of proxies whose X-Forwarded-For header is trusted, separated by commas.',
    type: addressBlocks.default([]),
  },
  LECTERN_SIGN_UP: {
    about:
      'Whether anyone may create an account: open, or closed to all but people of domains that an operator vouches for.',
    type: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  },
  LECTERN_PASSWORD_COST: {
    about:
      'Work for one password hash, as a power of two: 15 takes 32 MiB and a quarter of a second, and each further step doubles both. A value below 15 is for tests only, and refused without ENVIRONMENT=test.',
    type: wholeNumber(4, 18).default(15),
  },
  LECTERN_CLIENT_DOCUMENTS: {
    about:
      'Whether applications may identify themselves by a client metadata document at another site, such as claude.ai: on, or off to require registration.',
    type: z.enum(['on', 'off'], 'must be on or off').default('on'),
  },
  LECTERN_MCP_PACKAGE: {
    about:
      'Package that `npx -y` starts for agents, such as lectern-mcp where you publish it; empty names the program on this machine.',
    type: text.optional(),
  },
  GITHUB_CLIENT_ID: {
    about: 'Client id of the GitHub OAuth application for sign-in and repositories; empty disables both.',
    type: text.optional(),
  },
  GITHUB_CLIENT_SECRET: { about: 'Secret of the GitHub application.', type: text.optional() },
  GITHUB_URL: {
    about: 'Address of a GitHub Enterprise server; add a private one to LECTERN_ALLOW_HOSTS too.',
    type: address('http', 'https').transform(withoutSlash).default('https://github.com'),
  },
  LECTERN_GITHUB_APP_ID: {
    about: 'Id of the GitHub App for connecting repositories.',
    type: z.string().regex(/^\d+$/, 'must be a number').optional(),
  },
  LECTERN_GITHUB_APP_SLUG: {
    about: 'Name of the App in its address at GitHub.',
    type: z
      .string()
      .regex(/^[\w.-]+$/, 'must be letters, digits and hyphens')
      .optional(),
  },
  LECTERN_GITHUB_APP_CLIENT_ID: { about: 'Client id of the App.', type: text.optional() },
  LECTERN_GITHUB_APP_CLIENT_SECRET: { about: 'Client secret of the App.', type: text.optional() },
  LECTERN_GITHUB_APP_PRIVATE_KEY: {
    about: 'Private key of the App: the text of its PEM file, with \\n for line breaks, or all of it in base64.',
    type: privateKey.optional(),
  },
  LECTERN_GITHUB_WEBHOOK_SECRET: {
    about: 'Secret with which the App signs its events; its webhook address ends in /webhooks/github.',
    type: text.optional(),
  },
  GOOGLE_CLIENT_ID: {
    about: 'Client id of the Google OAuth client for sign-in; empty disables it.',
    type: text.optional(),
  },
  GOOGLE_CLIENT_SECRET: { about: 'Secret of the Google OAuth client.', type: text.optional() },
  GOOGLE_URL: {
    about: "Address of an OpenID provider with Google's paths, for testing.",
    type: address('http', 'https').transform(withoutSlash).default('https://accounts.google.com'),
  },
  DATABASE_URL: {
    about: 'PostgreSQL database (15 or newer) for the rows; empty uses a file in the data folder.',
    type: address('postgres', 'postgresql').optional(),
  },
  BLOB_STORE: {
    about: 'Where the index is stored: "folder" for the data folder, or s3://bucket/prefix.',
    type: z
      .string()
      .regex(/^(folder|s3:\/\/[a-z0-9.-]+(\/[\w./-]*)?)$/, 'must be "folder" or s3://bucket/prefix')
      .default('folder'),
  },
  S3_ENDPOINT: {
    about: "Address of the S3 service, if it is not Amazon's.",
    type: address('http', 'https').optional(),
  },
  S3_REGION: { about: 'Region of the bucket.', type: region.default('us-east-1') },
  S3_ACCESS_KEY_ID: {
    about: "Access key of the S3 service; empty uses the machine's credentials.",
    type: headerKey.optional(),
  },
  S3_SECRET_ACCESS_KEY: { about: 'Secret of the access key.', type: text.optional() },
  LECTERN_SEARCH_URL: {
    about:
      "Nodes of an OpenSearch cluster for an index that outgrows one machine's memory, as https://user:password@host:9200, separated by commas; empty searches in the process.",
    type: listOf(/./, 'addresses such as https://search.example:9200')
      .refine(
        (nodes) => nodes.every((node) => URL.canParse(node) && /^https?:$/.test(new URL(node).protocol)),
        'must be addresses such as https://search.example:9200, separated by commas',
      )
      .default([]),
  },
  LECTERN_SEARCH_CA: {
    about: "Certificate of the nodes' authority, as PEM or base64 of it.",
    type: certificate.optional(),
  },
  LECTERN_SEARCH_INDEX: {
    about: "Prefix of the cluster's index names; each installation needs its own.",
    type: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,60}$/, 'must be lower-case letters, digits and hyphens, and begin with a letter')
      .default('lectern'),
  },
  LECTERN_SEARCH_SHARDS: {
    about: 'Shards of each index, fixed when it is created; one per 30 million passages is enough.',
    type: wholeNumber(1, 1024).default(3),
  },
  LECTERN_SEARCH_REPLICAS: {
    about: 'Replicas of each shard; with 0, searches fail while a node is down.',
    type: wholeNumber(0, 10).default(1),
  },
  LECTERN_SEARCH_MEMORY_MB: {
    about: 'Memory for open segments in a process with a search cluster, in megabytes.',
    type: wholeNumber(64, 1_000_000).default(1024),
  },
  LECTERN_EMBEDDINGS_URL: {
    about:
      "Service with OpenAI's embeddings API, as https://host/v1; it receives every indexed passage and every question. Empty ranks by words alone.",
    type: address('http', 'https').transform(withoutSlash).optional(),
  },
  LECTERN_EMBEDDINGS_MODEL: { about: 'Name of the model.', type: text.optional() },
  LECTERN_EMBEDDINGS_KEY: { about: 'API key for that service.', type: headerKey.optional() },
  SMTP_URL: {
    about: 'Mail server, as smtp://user:password@host:port or smtps://…; empty stores emails in the outbox.',
    type: address('smtp', 'smtps').optional(),
  },
  MAIL_FROM: {
    about: 'Sender of emails, as name@example.org or Name <name@example.org>.',
    type: z.string().regex(/@/, 'must contain an email address').optional(),
  },
  LECTERN_CREDITS: {
    about: 'Whether searches and reads cost credits: on or off. Defaults to on if STRIPE_SECRET_KEY is set.',
    type: z.enum(['on', 'off'], 'must be on or off').optional(),
  },
  STRIPE_SECRET_KEY: {
    about: 'Secret key of the Stripe account that takes payments; empty runs billing in test mode.',
    type: text.optional(),
  },
  STRIPE_WEBHOOK_SECRET: {
    about: 'Signing secret of the webhook endpoint at Stripe for /webhooks/stripe.',
    type: text.optional(),
  },
  STRIPE_PRICE_BASIC: {
    about: 'Id of the monthly price of a seat on the Basic plan at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
  },
  STRIPE_PRICE_PRO: {
    about: 'Id of the monthly price of a seat on the Pro plan at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
  },
  STRIPE_PRICE_CREDITS: {
    about: 'Id of the one-time price of a pack of credits at Stripe; after a comma, ids of prices sold before.',
    type: text.optional(),
  },
  STRIPE_URL: {
    about: 'Address of the Stripe API, for testing.',
    type: address('http', 'https').transform(withoutSlash).default('https://api.stripe.com'),
  },
  TEST_PROMOTION_CODES: {
    about: 'Promotion codes of the test mode, as CODE:20% or CODE:5usd, separated by commas.',
    type: promotionCodes.default([{ code: 'WELCOME20', percentOff: 20, amountOffCents: null }]),
    example: 'WELCOME20:20%',
  },
  LECTERN_SECRET: {
    about:
      'Key that encrypts stored secrets; empty creates one in the data folder. Add former keys after a comma to decrypt older values. All processes of an installation need the same.',
    type: secretKeys.optional(),
  },
  LECTERN_METRICS_TOKEN: {
    about:
      'Token for reading /metrics from another machine, sent as Authorization: Bearer …; empty lets only this machine read them.',
    type: text.min(16, 'must have 16 characters or more').optional(),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    about:
      "OpenTelemetry collector for traces (OTLP over HTTP), as http://host:4318; empty sends none. OpenTelemetry's packages read further variables, such as OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME.",
    type: address('http', 'https').optional(),
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    about: 'The same with its full path, as http://host:4318/v1/traces; takes precedence.',
    type: address('http', 'https').optional(),
  },
  OTEL_TRACES_SAMPLER: {
    about:
      'Which traces are sent: always_on, always_off or traceidratio; a prefix parentbased_ follows the decision of the caller of a request.',
    type: z
      .enum(
        ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]),
        'must be always_on, always_off or traceidratio, or one of these after parentbased_',
      )
      .default('parentbased_always_on'),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    about: 'Share of traces for traceidratio, 0 to 1.',
    type: z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number between 0 and 1')
      .transform(Number)
      .default(1),
  },
  OTEL_SDK_DISABLED: {
    about: 'true disables traces regardless of the other OTEL_ variables; true or false.',
    type: z.enum(['true', 'false'], 'must be true or false').default('false'),
  },
  LOG_LEVEL: {
    about: 'Lowest severity that is logged: silent, fatal, error, warn, info, debug or trace.',
    type: z
      .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], 'is not one of the levels')
      .default('info'),
  },
  LECTERN_ROLES: {
    about:
      "Roles of this process: web (pages and API), mcp (agents' endpoints) and worker (index runs), separated by commas.",
    type: z
      .string()
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      )
      .pipe(z.array(z.enum(roles, 'must be web, mcp or worker, separated by commas')).min(1))
      .transform((named) => roles.filter((role) => named.includes(role)))
      .default([...roles]),
  },
  LECTERN_AUDIT_DAYS: {
    about: 'Days for which entries of the audit log are kept.',
    type: wholeNumber(30, 36_500).default(400),
  },
  LECTERN_DRAIN_SECONDS: {
    about: 'Seconds for which a stopping server keeps serving while it reports not ready, so that a proxy can notice.',
    type: wholeNumber(0, 600).default(0),
  },
  LECTERN_URL: {
    about: 'Server that commands and the stdio program call; empty uses the local data folder.',
    type: address('http', 'https').transform(withoutSlash).optional(),
  },
  LECTERN_API_KEY: {
    about: 'API key that commands and the stdio program send to that server.',
    type: headerKey.optional(),
  },
  LECTERN_PROJECT: {
    about: 'Project whose lockfiles the stdio program prefers if several projects disagree.',
    type: text.optional(),
  },
  LECTERN_CHROMIUM: {
    about: 'Path of a Chromium for sites that need scripts. Empty reads them without scripts.',
    type: text.optional(),
  },
  REGION: {
    about: 'Region in the addresses of callable functions.',
    type: region.default('us-central1'),
  },
  ENVIRONMENT: {
    about: 'Value that the environment function returns.',
    type: text.default('staging'),
  },
  FEATURE_FLAGS: {
    about: 'Feature flags that are on, separated by commas; ignored if FLAGS_URL is set.',
    type: listOf(/^[a-z][a-z0-9-]*$/, 'names of flags').default([]),
  },
  FLAGS_URL: {
    about: 'Flag service with the OpenFeature remote evaluation protocol (OFREP); empty uses FEATURE_FLAGS.',
    type: address('http', 'https').transform(withoutSlash).optional(),
  },
  FLAGS_KEY: { about: 'API key for the flag service.', type: headerKey.optional() },
  SENTRY_DSN: {
    about:
      'Sentry-compatible error service, as https://key@host/project; empty stores reports only in the data folder.',
    type: address('http', 'https')
      .refine((value) => new URL(value).username !== '' && /\/[^/]+\/?$/.test(new URL(value).pathname), {
        error: 'must contain a key and a project, as https://key@host/project',
      })
      .optional(),
  },
  ERROR_REPORTS_PERSONAL_DATA: {
    about: 'Whether reports to the error service include the signed-in user: on or off.',
    type: z.enum(['on', 'off'], 'must be on or off').default('on'),
  },
  LECTERN_CHAT_URL: {
    about:
      "Service with OpenAI's chat completions that writes chat answers, as https://host/v1; empty quotes the passages.",
    type: address('http', 'https').transform(withoutSlash).optional(),
  },
  LECTERN_CHAT_MODEL: { about: 'Name of the model.', type: text.optional() },
  LECTERN_CHAT_KEY: { about: "API key for the model's service.", type: headerKey.optional() },
  LECTERN_CHAT_PROVIDER: {
    about: 'Package of an AI SDK provider to use instead, such as @ai-sdk/anthropic; install it next to the product.',
    type: z
      .string()
      .regex(/^(@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*$/, 'must be the name of a package')
      .optional(),
  },
  CONVERSION_TAG_URL: {
    about: 'Script that counts sign-ups for an advertisement, loaded after each sign-up. Empty disables it.',
    type: address('http', 'https').optional(),
  },
  CONVERSION_ID: {
    about: "Account of the sign-up counter, a slash, and the event's label.",
    type: text.optional(),
  },
  LECTERN_CONSENT: {
    about:
      'Set to required where the law asks for consent: sign-ups are then counted only for users who agreed to updates.',
    type: z.literal('required', 'must be required, or empty').optional(),
  },
  DOCS_URL: { about: 'Documentation of this installation, linked in the header.', type: siteLink },
  CONTACT_URL: {
    about: 'Contact page or address, linked in the footer. Defaults to the page on help.',
    type: siteLink,
  },
  SOURCE_URL: {
    about: 'Source repository, linked in the footer. Defaults to the page on help.',
    type: siteLink,
  },
  BUG_REPORT_URL: {
    about: 'Form for bug reports, linked in the footer. Defaults to the page on help.',
    type: siteLink,
  },
  MISSING_DOCS_URL: {
    about: 'Form for missing documentation, linked in the footer. Defaults to the page on help.',
    type: siteLink,
  },
  LECTERN_PARSE_WORKERS: {
    about:
      'Maximum number of threads that parse pages: one starts, others follow while pages wait and a processor is idle. Defaults to one per processor, at most 4.',
    type: wholeNumber(1, 64).default(Number(parseWorkersDefault)),
    example: '',
  },
  LECTERN_SEARCH_THREADS: {
    about:
      'Threads that rank while several searches run or one is large; 0 disables them. Defaults to 1 with several processors.',
    type: wholeNumber(0, 1).default(availableParallelism() > 1 ? 1 : 0),
    example: '',
  },
  LECTERN_CRAWL_CONCURRENCY: {
    about: 'Maximum simultaneous requests to one host while it is fast.',
    type: wholeNumber(1, 64).default(Number(crawlConcurrencyDefault)),
  },
  LECTERN_SHARED: {
    about: 'Folder with evaluation data that is not part of the project; suites that need it are skipped without it.',
    type: text.default('../shared'),
  },
  LECTERN_FAIL_POINT: {
    about:
      'For fault tests only, and refused without ENVIRONMENT=test: kills the process before this write to database or blob store, counted from its start.',
    type: wholeNumber(1, 1_000_000_000).optional(),
  },
} satisfies Record<string, Variable<unknown>>;
