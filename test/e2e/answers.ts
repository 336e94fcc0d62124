import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type CreditInfo, type CreditTransaction, creditEndpoints, type UsageDay } from '#contract/credits.ts';
import type { Endpoint, OutputOf } from '#contract/endpoint.ts';
import { type ErrorCode, errorTable, sentenceOf } from '#contract/errors.ts';
import type { ApiKey } from '#contract/keys.ts';
import { type JobRun, type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { probeEndpoints } from '#contract/probes.ts';
import type { SearchHit, SearchOutput } from '#contract/search.ts';
import { answerCalls, heldCalls } from './answered-calls.ts';
import { someSavings } from './savings-answers.ts';

/**
 * Makes one endpoint return a state that the real server rarely reaches. The body is validated against the contract.
 */
export async function answerWith<E extends Endpoint>(page: Page, endpoint: E, output: OutputOf<E>): Promise<void> {
  await answerCalls(page, endpoint, { status: 200, body: JSON.stringify(endpoint.output.parse(output)) });
}

/** Makes one endpoint fail like the server, with an error code of the contract. */
export async function failWith(
  page: Page,
  endpoint: Endpoint,
  code: ErrorCode,
  values?: Record<string, string>,
): Promise<void> {
  const error = { code, message: sentenceOf(code, values), requestId: 'req_1' };
  await answerCalls(page, endpoint, { status: errorTable[code].status, body: JSON.stringify({ error }) });
}

/** Keeps calls of one endpoint pending, so that the loading state stays visible. */
export async function neverAnswer(page: Page, endpoint: Endpoint): Promise<void> {
  await answerCalls(page, endpoint);
}

/**
 * Presses a retry button and calls `change` to set another reply once the endpoints are called. The page also refetches
 * on its own; with the new reply set earlier, the button could be gone before it is pressed.
 */
export async function askAgain(button: Locator, endpoints: Endpoint[], change: () => Promise<void>): Promise<void> {
  const page = button.page();
  // Calls of an earlier press would be held too, and the button would stay busy.
  await expect.poll(() => button.getAttribute('aria-busy')).toBeNull();
  for (const endpoint of endpoints) await neverAnswer(page, endpoint);
  // A press does nothing while an earlier call is in progress.
  const press = async () => {
    await button.press('Enter');
    return heldCalls(page);
  };
  await expect.poll(press).toBeGreaterThanOrEqual(endpoints.length);
  await change();
}

const minuteMs = 60_000;

export function someModule(part: Partial<LibraryModule> = {}): LibraryModule {
  return {
    moduleId: 'docs.python.org~3',
    displayName: 'Python 3',
    visibility: 'public',
    kind: 'site',
    url: 'https://docs.python.org/3/',
    isSourceLost: false,
    limits: { maxPages: 2_000, depth: null, seeds: [] },
    library: 'docs.python.org',
    version: '3',
    hasCredential: false,
    rendersScripts: false,
    pageCount: 512,
    snippetCount: 14_881,
    tokenCount: 3_912_004,
    byteCount: 41_200_000,
    lastUpdated: Date.now() - 14 * minuteMs,
    ...part,
  };
}

export function someJob(part: Partial<JobRun> = {}): JobRun {
  const now = Date.now();
  return {
    id: 'job_1',
    executionId: 'run:1',
    uid: null,
    teamId: null,
    startedByUserId: null,
    stackName: 'default',
    quality: null,
    isHeld: false,
    isRetry: false,
    retryAt: null,
    docsCount: 0,
    moduleId: 'docs.python.org~3',
    displayName: 'Python 3',
    url: 'https://docs.python.org/3/',
    kind: 'site',
    limits: { maxPages: 2_000, depth: null, seeds: [] },
    visibility: 'public',
    status: 'COMPLETE',
    isCancelled: false,
    isModuleRemoved: false,
    found: 530,
    fetched: 512,
    unchanged: 0,
    skipped: 16,
    failed: 2,
    snippets: 14_881,
    contentBytes: 41_200_000,
    pagesPerSecond: 46.2,
    secondsLeft: null,
    skipReasons: [],
    error: null,
    createdAt: now - 15 * minuteMs,
    startTime: now - 15 * minuteMs,
    endTime: now - 14 * minuteMs,
    ...part,
  };
}

export function someKey(part: Partial<ApiKey> = {}): ApiKey {
  const now = Date.now();
  return {
    id: 'key_1',
    userId: 'local-owner',
    teamId: null,
    name: 'Claude Code on the laptop',
    maskedKey: 'lec_4fQz…a91B',
    createdAt: now - 3 * 24 * 60 * minuteMs,
    lastUsed: now - 4 * minuteMs,
    isActive: true,
    mayAskToIndex: false,
    hasDeepResearchTools: false,
    rights: ['search'],
    isRevealable: part.isActive ?? true,
    ...part,
  };
}

/** Mocks a library with one run in every state and modules of every kind. */
export async function answerFullLibrary(page: Page): Promise<void> {
  await answerWith(page, probeEndpoints.listProbes, { probes: [] });
  const modules = [
    someModule(),
    someModule({
      moduleId: 'postgresql.org~15',
      displayName: 'PostgreSQL 15',
      url: 'https://www.postgresql.org/docs/15/',
      pageCount: 1_172,
      snippetCount: 21_340,
      tokenCount: 5_120_331,
      byteCount: 27_800_000,
      lastUpdated: Date.now() - 26 * 60 * minuteMs,
    }),
    someModule({
      moduleId: 'handbook',
      displayName: 'Engineering handbook',
      url: '/srv/handbook',
      kind: 'folder',
      visibility: 'private',
      pageCount: 84,
      snippetCount: 930,
      tokenCount: 201_442,
      byteCount: 1_240_000,
      lastUpdated: Date.now() - 40 * minuteMs,
    }),
    someModule({
      moduleId: 'git-scm.com~docs',
      displayName: 'Git',
      url: 'https://git-scm.com/docs/',
      pageCount: 198,
      snippetCount: 6_120,
      tokenCount: 1_430_220,
      byteCount: 9_900_000,
      lastUpdated: Date.now() - 90 * 24 * 60 * minuteMs,
    }),
  ];
  const now = Date.now();
  const jobs = [
    someJob({
      id: 'job_5',
      displayName: 'Rust standard library',
      moduleId: 'doc.rust-lang.org~std',
      url: 'https://doc.rust-lang.org/std/',
      status: 'CRAWLING',
      found: 2_410,
      fetched: 903,
      skipped: 12,
      failed: 1,
      pagesPerSecond: 44.8,
      secondsLeft: 33,
      createdAt: now - 20_000,
      startTime: now - 20_000,
      endTime: null,
    }),
    someJob({
      id: 'job_4',
      displayName: 'Django',
      moduleId: 'docs.djangoproject.com~5',
      url: 'https://docs.djangoproject.com/en/5.2/',
      status: 'QUEUED',
      found: 0,
      fetched: 0,
      skipped: 0,
      failed: 0,
      snippets: 0,
      contentBytes: 0,
      pagesPerSecond: 0,
      createdAt: now - 10_000,
      startTime: null,
      endTime: null,
    }),
    someJob({
      id: 'job_3',
      displayName: 'Internal wiki',
      moduleId: 'wiki',
      url: 'https://wiki.example.com/',
      visibility: 'private',
      status: 'FAILED',
      found: 1,
      fetched: 0,
      skipped: 0,
      failed: 1,
      snippets: 0,
      contentBytes: 0,
      pagesPerSecond: 0,
      error:
        'https://wiki.example.com/ answered 401: it asks for a sign-in. Give the source its credentials, or index an address that needs none.',
    }),
    someJob({
      id: 'job_2',
      skipReasons: [
        {
          reason: 'robots.txt does not allow it',
          count: 9,
          examples: [
            'https://docs.python.org/3/_sources/library/asyncio.rst.txt',
            'https://docs.python.org/3/_sources/c-api/buffer.rst.txt',
          ],
        },
        { reason: 'not a document (image/png)', count: 7, examples: ['https://docs.python.org/3/_images/tk_msg.png'] },
      ],
    }),
    someJob({
      id: 'job_1',
      displayName: 'PostgreSQL 15',
      moduleId: 'postgresql.org~15',
      status: 'FAILED',
      isCancelled: true,
      found: 1_300,
      fetched: 214,
      skipped: 3,
      failed: 0,
      error: 'Cancelled.',
      endTime: now - 60 * minuteMs,
    }),
  ];
  await answerWith(page, libraryEndpoints.listModules, { modules });
  await answerWith(page, libraryEndpoints.listJobs, { jobs });
}

/** Returns a response with every kind of hit: code, a table, and a hit with only an address. */
export function someSearch(): SearchOutput {
  const hit: SearchHit = {
    url: 'https://docs.python.org/3/library/asyncio-task.html#task-groups',
    title: 'Coroutines and Tasks',
    headingPath: ['Coroutines and Tasks', 'Task Groups'],
    moduleId: 'docs.python.org~3',
    moduleName: 'Python 3',
    visibility: 'public',
    kind: 'prose',
    text: [
      'A group of tasks is awaited as one, with the help of an',
      '[asynchronous context manager](https://docs.python.org/3/reference/datamodel.html):',
      '',
      '```python',
      'async with asyncio.TaskGroup() as group:',
      '    first = group.create_task(some_coroutine(with_a_rather_long_argument, and_another_one, and_one_more))',
      '```',
      '',
      '- One thing to know about `create_task`',
      '- > And another, quoted',
    ].join('\n'),
    tokens: 214,
    score: 9.1,
    fetchedAt: Date.now() - 14 * minuteMs,
    version: null,
  };
  const table =
    '| Exception | Raised when |\n|---|---|\n| `asyncio.TimeoutError` | The deadline has passed. |\n\n![Diagram](https://docs.python.org/3/diagram.png)';
  return {
    query: 'task',
    results: [
      hit,
      {
        ...hit,
        url: 'https://docs.python.org/3/library/asyncio-exceptions.html',
        title: 'Exceptions',
        headingPath: [],
        visibility: 'private',
        kind: 'table',
        text: table,
        tokens: 96,
      },
      {
        ...hit,
        url: 'https://docs.python.org/3/library/asyncio-sync.html',
        title: 'Synchronization',
        headingPath: ['Locks'],
        text: '',
        tokens: 0,
      },
    ],
    text: `Found 3 passages.\n\n## Coroutines and Tasks > Task Groups\n${hit.url}\n\n${hit.text}\n`,
    tokens: 342,
    searchedSnippets: 159_204,
    tookMs: 3.4,
  };
}

export function someCredits(part: Partial<CreditInfo> = {}): CreditInfo {
  return {
    tier: 'Basic',
    isUnlimited: false,
    areCreditsOff: false,
    purchasedCredits: 1_184,
    monthlyAllowance: 1_000,
    monthlyCreditsUsed: 312,
    monthlyCreditsRemaining: 688,
    totalCreditsAvailable: 1_872,
    renewsAt: Date.UTC(2026, 11, 9),
    ...part,
  };
}

export function someTransaction(part: Partial<CreditTransaction> = {}): CreditTransaction {
  return {
    id: 'transaction_1',
    userId: 'anna',
    teamId: null,
    amount: -1,
    userAccountAmount: null,
    source: 'usage',
    isFromMonthlyAllowance: true,
    timestamp: Date.now() - 5 * minuteMs,
    details: 'Documentation search',
    metadata: { args: { query: 'asyncio.create_task', budget: 1_250 }, apiKeyName: 'Claude Code', user: 'Anna' },
    ...part,
  };
}

/** Mocks a user with credits, a month of calls, and a transaction of every kind. */
export async function answerFullAccount(page: Page): Promise<void> {
  const now = Date.now();
  const days: UsageDay[] = Array.from({ length: 30 }, (_, day) => ({
    at: now - (29 - day) * 24 * 60 * minuteMs,
    searches: (day * 7) % 12,
    answeredSearches: (day * 7) % 12,
    reads: (day * 5) % 6,
    credits: 9,
    tokensSent: 9_000,
    wholePageTokens: 81_000,
    withheldTokens: 1_200,
  }));
  const transactions = [
    someTransaction(),
    someTransaction({
      id: 'read',
      details: 'Page read',
      isFromMonthlyAllowance: false,
      timestamp: now - 50 * minuteMs,
      metadata: { args: { url: 'https://docs.python.org/3/library/asyncio-task.html' } },
    }),
    someTransaction({ id: 's', source: 'subscription', amount: 1_000, details: 'Basic plan', metadata: {} }),
    someTransaction({ id: 'p', source: 'purchase', amount: 1_000, details: '1,000 credits', metadata: {} }),
    someTransaction({ id: 'i', source: 'initial', amount: 200, details: 'Initial credits', metadata: {} }),
  ];
  await answerWith(page, creditEndpoints.getCreditInfo, { credits: someCredits() });
  await answerWith(page, creditEndpoints.getUsage, { days });
  await answerWith(page, creditEndpoints.getSavings, { savings: someSavings(now) });
  await answerWith(page, creditEndpoints.listTransactions, { transactions });
}
