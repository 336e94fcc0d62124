import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { searchEndpoints } from '#contract/search.ts';
import {
  answerFullAccount,
  answerFullLibrary,
  answerWith,
  failWith,
  neverAnswer,
  someKey,
  someModule,
  someSearch,
} from './answers.ts';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { answerHeldSource } from './held-source-answers.ts';
import { checkScene, heading, type Scene } from './scene.ts';

const scenes: Scene[] = [
  {
    name: 'home, as a visitor',
    path: '/',
    isVisitor: true,
    until: (page) => page.getByRole('link', { name: 'Sign in' }).first().waitFor(),
  },
  {
    name: 'home, signed in',
    path: '/',
    until: (page) => page.getByRole('link', { name: 'Get a key' }).waitFor(),
  },
  { name: 'sign-in screen', path: '/login', isVisitor: true, until: heading(/^Sign in to/) },
  {
    name: 'a sign-in link refused',
    path: '/sign-in?code=unknown',
    isVisitor: true,
    until: heading('This link no longer works'),
  },
  { name: 'an unknown address', path: '/no/such/page', until: heading('Page not found') },
  {
    name: 'a session that fails to load',
    path: '/keys',
    set: (page) => failWith(page, accountEndpoints.getSession, 'unavailable'),
    until: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
  },

  {
    name: 'setup, an error',
    path: '/welcome',
    set: (page) => failWith(page, libraryEndpoints.listModules, 'internal'),
    until: (page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
  },
  {
    name: 'dashboard, new user',
    path: '/dashboard',
    until: (page) => page.getByRole('link', { name: 'Run a first search' }).waitFor(),
  },
  {
    name: 'dashboard, in full',
    path: '/dashboard',
    set: async (page) => {
      await answerFullLibrary(page);
      await answerFullAccount(page);
      await showKeys(page);
    },
    until: (page) => page.getByText('1,872').waitFor(),
  },
  {
    name: 'dashboard, waiting',
    path: '/dashboard',
    set: async (page) => {
      await neverAnswer(page, creditEndpoints.getCreditInfo);
      await neverAnswer(page, creditEndpoints.getUsage);
    },
    until: (page) => page.getByText('Loading credits…').waitFor(),
  },
  {
    name: 'dashboard, errors',
    path: '/dashboard',
    set: async (page) => {
      await failWith(page, creditEndpoints.getCreditInfo, 'unavailable');
      await failWith(page, creditEndpoints.getUsage, 'unavailable');
    },
    until: async (page) => {
      await page.getByText("Couldn't load parts of this page").waitFor();
      await page.getByText("Couldn't load calls.").waitFor();
    },
  },

  {
    name: 'activity, in full with open arguments',
    path: '/activity',
    set: answerFullAccount,
    act: (page) => page.getByRole('button', { name: 'Arguments of documentation search' }).click(),
    until: (page) => page.getByText('1250').waitFor(),
  },
  {
    name: 'activity, numbers instead of the chart',
    path: '/activity',
    set: answerFullAccount,
    act: (page) => page.getByRole('button', { name: 'Show as table' }).click(),
    until: (page) => page.getByRole('columnheader', { name: 'Day' }).waitFor(),
  },
  {
    name: 'activity, choosing a type',
    path: '/activity',
    set: answerFullAccount,
    act: (page) => page.getByRole('combobox', { name: 'Type' }).click(),
    until: (page) => page.getByRole('option', { name: 'Purchase' }).waitFor(),
  },
  {
    name: 'activity, nothing matches',
    path: '/activity?type=purchase',
    until: (page) => page.getByText('No transactions matching the selected filters.').waitFor(),
  },
  {
    name: 'activity, nothing yet',
    path: '/activity',
    set: (page) => answerWith(page, creditEndpoints.listTransactions, { transactions: [] }),
    until: heading('No activity yet'),
  },
  {
    name: 'activity, waiting',
    path: '/activity',
    set: (page) => neverAnswer(page, creditEndpoints.listTransactions),
    until: (page) => page.getByText('Loading transactions...').waitFor(),
  },
  {
    name: 'activity, an error',
    path: '/activity',
    set: (page) => failWith(page, creditEndpoints.listTransactions, 'unavailable'),
    until: (page) => page.getByText(/^Failed to load transactions: /).waitFor(),
  },

  { name: 'search, nothing indexed', path: '/search', until: heading('No documentation yet') },
  {
    name: 'search, before a query',
    path: '/search',
    set: answerFullLibrary,
    // The heading is in the document before a script has loaded.
    until: (page) =>
      page
        .getByRole('button', { name: /^getting started with/ })
        .first()
        .waitFor(),
  },
  {
    name: 'search, results',
    path: '/search?q=task',
    set: showResults,
    until: (page) => page.getByRole('article').nth(2).waitFor(),
  },
  {
    name: 'search, as an agent gets it',
    path: '/search?q=task&view=raw',
    set: showResults,
    until: (page) => page.getByRole('tabpanel').getByText('Found').waitFor(),
  },
  {
    name: 'search, choosing a module',
    path: '/search?q=task',
    set: showResults,
    act: (page) => page.getByRole('combobox', { name: 'In' }).click(),
    until: (page) => page.getByRole('option', { name: /^Git/ }).waitFor(),
  },
  {
    name: 'search, waiting',
    path: '/search?q=task',
    set: (page) => neverAnswer(page, searchEndpoints.search),
    until: (page) => page.getByText('Searching…').waitFor(),
  },
  {
    name: 'search, nothing found',
    path: '/search?q=zyx',
    set: (page) => {
      const note = `Nothing found. Indexed: ${'unbroken'.repeat(15)}.`;
      return answerWith(page, searchEndpoints.search, { ...someSearch(), query: 'zyx', note, results: [] });
    },
    until: heading(/^Nothing found/),
  },
  {
    name: 'search, an error',
    path: '/search?q=task',
    set: (page) => failWith(page, searchEndpoints.search, 'unavailable'),
    until: (page) => page.getByRole('alert').waitFor(),
  },

  { name: 'resources, nothing yet', path: '/resources', until: heading('Nothing is indexed yet') },
  {
    name: 'resources, sources in every state',
    path: '/resources',
    set: answerFullLibrary,
    until: (page) => page.getByText('Refreshing').or(page.getByText('Stale')).locator('visible=true').first().waitFor(),
  },
  {
    name: 'resources, runs in every state',
    path: '/resources?tab=runs',
    set: answerFullLibrary,
    act: (page) => page.getByRole('button', { name: /Python 3.*Complete/ }).click(),
    until: heading('Left out, and why'),
  },
  {
    name: 'resources, options and a wrong address',
    path: '/resources',
    set: answerFullLibrary,
    act: fillWrongSource,
    until: (page) => page.getByText('This is not an address.').waitFor(),
  },
  {
    name: 'resources, waiting',
    path: '/resources',
    set: waitForLibrary,
    until: (page) => page.getByText('Loading sources…').waitFor(),
  },
  {
    name: 'resources, an error',
    path: '/resources',
    set: failLibrary,
    until: (page) => page.getByText("Couldn't load the sources").waitFor(),
  },
  {
    name: 'resources, menu of a source',
    path: '/resources',
    set: answerFullLibrary,
    act: (page) => page.getByRole('button', { name: 'More for Git' }).click(),
    until: (page) => page.getByRole('menuitem', { name: 'Remove…' }).waitFor(),
  },
  {
    name: 'one source, in full',
    path: '/resources/docs.python.org~3',
    set: answerFullLibrary,
    until: heading('Coverage of the last run'),
  },
  {
    name: 'one source, failed',
    path: '/resources/wiki',
    set: answerFullLibrary,
    until: (page) => page.getByText("Couldn't index this source").waitFor(),
  },
  {
    name: 'one source with a version held back',
    path: '/resources/docs.python.org~3',
    set: answerHeldSource,
    act: (page) => page.getByText('2 questions no longer answered').click(),
    until: (page) => page.getByRole('button', { name: 'Accept it anyway' }).waitFor(),
  },
  {
    name: 'one source with a damaged record',
    path: '/resources/docs.python.org~3',
    async set(page) {
      await answerFullLibrary(page);
      await answerWith(page, libraryEndpoints.listModules, { modules: [someModule({ url: '', isSourceLost: true })] });
      await answerWith(page, libraryEndpoints.listJobs, { jobs: [] });
    },
    until: (page) => page.getByText('This source has lost its address').waitFor(),
  },
  {
    name: 'resources, removing',
    path: '/resources',
    set: answerFullLibrary,
    act: askToRemove,
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },

  { name: 'keys, none yet', path: '/keys', until: heading("You don't have any API keys yet.") },
  {
    name: 'keys, active and revoked',
    path: '/keys',
    set: showKeys,
    until: (page) => page.getByText('Revoked').waitFor(),
  },
  {
    name: 'keys, only revoked ones',
    path: '/keys',
    set: (page) => answerWith(page, keyEndpoints.listKeys, { keys: [someKey({ isActive: false })] }),
    until: (page) => page.getByText("You don't have any active API keys.").waitFor(),
  },
  {
    name: 'install, no key yet',
    path: '/install',
    until: (page) => page.getByText("You don't have any active API keys.").first().waitFor(),
  },
  {
    name: 'install, a key to fill in',
    path: '/install',
    set: (page) => answerWith(page, keyEndpoints.listKeys, { keys: [someKey()] }),
    until: (page) => page.getByRole('button', { name: 'Fill in this key' }).waitFor(),
  },
  {
    name: 'install, waiting',
    path: '/install',
    set: (page) => neverAnswer(page, keyEndpoints.listKeys),
    until: (page) => page.getByText('Loading API keys...').waitFor(),
  },
  {
    name: 'install, an error',
    path: '/install',
    set: (page) => failWith(page, keyEndpoints.listKeys, 'unavailable'),
    until: (page) => page.getByText("Couldn't load your API keys").waitFor(),
  },
  {
    name: 'keys, waiting',
    path: '/keys',
    set: (page) => neverAnswer(page, keyEndpoints.listKeys),
    until: (page) => page.getByText('Loading API keys...').waitFor(),
  },
  {
    name: 'keys, an error',
    path: '/keys',
    set: (page) => failWith(page, keyEndpoints.listKeys, 'internal', { requestId: 'req_1' }),
    until: (page) => page.getByText("Couldn't load your API keys").waitFor(),
  },
  {
    name: 'keys, a name is missing',
    path: '/keys#new',
    set: showKeys,
    act: (page) => page.getByRole('button', { name: 'Create key' }).click(),
    until: (page) => page.getByText('API key name is required').waitFor(),
  },
  { name: 'keys, a fresh key', path: '/keys#new', set: showFreshKey, act: createKey, until: heading(/is ready$/) },
  {
    name: 'keys, revoking',
    path: '/keys',
    set: showKeys,
    act: (page) =>
      page
        .getByRole('button', { name: /^Revoke/ })
        .first()
        .click(),
    until: (page) => page.getByRole('alertdialog').waitFor(),
  },

  {
    name: 'the palette',
    path: '/keys',
    act: async (page) => {
      await page.getByRole('button', { name: 'Go to…' }).waitFor();
      await page.keyboard.press('Control+k');
    },
    until: (page) => page.getByRole('option', { name: 'API Keys' }).waitFor(),
  },
  {
    name: 'the theme menu',
    path: '/',
    act: (page) => page.getByRole('button', { name: 'Theme' }).click(),
    until: (page) => page.getByRole('menuitemradio', { name: 'Dark' }).waitFor(),
  },
  {
    name: 'the account menu',
    path: '/keys',
    act: (page) => page.getByRole('button', { name: /^Account of/ }).click(),
    until: (page) => page.getByRole('menuitem', { name: 'Sign out' }).waitFor(),
  },
];

describe.skipIf(!hasChromium)('each screen and state is accessible, in both themes and widths', () => {
  const harness = useHarness();

  test.each(scenes)('$name', (scene) => checkScene(harness, scene));
});

async function showResults(page: Page): Promise<void> {
  await answerFullLibrary(page);
  await answerWith(page, searchEndpoints.search, someSearch());
}

async function waitForLibrary(page: Page): Promise<void> {
  await neverAnswer(page, libraryEndpoints.listModules);
  await neverAnswer(page, libraryEndpoints.listJobs);
}

async function failLibrary(page: Page): Promise<void> {
  await failWith(page, libraryEndpoints.listModules, 'internal', { requestId: 'req_1' });
  await failWith(page, libraryEndpoints.listJobs, 'internal', { requestId: 'req_2' });
}

async function fillWrongSource(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Name, limits and credential' }).click();
  await page.getByRole('textbox', { name: 'Add a source' }).fill('what');
  await page.getByRole('button', { name: 'Index' }).click();
}

async function askToRemove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for Git' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
}

async function showKeys(page: Page): Promise<void> {
  const keys = [
    someKey(),
    someKey({ id: 'key_2', name: 'CI', lastUsed: null }),
    someKey({ id: 'key_3', name: 'Old', isActive: false }),
  ];
  await answerWith(page, keyEndpoints.listKeys, { keys });
}

async function showFreshKey(page: Page): Promise<void> {
  await showKeys(page);
  const secret = 'lec_4fQzW8r1LkT0mYb7nVcX2sHd9eGjPa5Qu91Bx0';
  await answerWith(page, keyEndpoints.createKey, { key: someKey(), secret });
}

async function createKey(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Claude Code on the laptop');
  await page.keyboard.press('Enter');
}
