import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Connection, connectionEndpoints } from '#contract/connections.ts';
import { type LibraryModule, libraryEndpoints } from '#contract/library.ts';
import { type Membership, teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { until } from '../services/until.ts';
import { answerWith, someModule } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, openWithFrame, useHarness } from './harness.ts';
import { answerSets } from './pdf-set-scenes.ts';
import { answerTeams, someMember } from './team-answers.ts';

interface List<Item> {
  path: string;
  /** Makes the server return these items. */
  fill: (page: Page, items: Item[]) => Promise<void>;
  items: Item[];
  /** Makes the server accept a removal. */
  agree: (page: Page) => Promise<void>;
  /** Removes the item by keyboard, including the confirmation. */
  remove: (page: Page, item: Item) => Promise<void>;
  /** Name of the button that removes an item. */
  control: (item: Item) => string;
  /** The element that has the focus when the list is empty. */
  end: (page: Page) => Locator;
}

const connections = ['Editor', 'Terminal', 'Notebook'].map(
  (clientName, at): Connection => ({
    ...{ id: String(at), clientName, vouchedBy: null, teamId: null, workspaceName: 'Individual', mayAskToIndex: false },
    ...{ connectedAt: Date.now() - 3_600_000, lastUsedAt: null },
  }),
);
const modules = ['First', 'Second', 'Third'].map((displayName) =>
  someModule({ displayName, moduleId: displayName.toLowerCase(), visibility: 'private' }),
);
const own = someMember();
const members = ['Bo', 'Cy', 'Di'].map((displayName) =>
  someMember({ displayName, membershipId: displayName, userId: displayName, email: `${displayName}@example.org` }),
);
const invites = members.map((member): Membership => ({ ...member, state: 'invited', userId: null, displayName: '' }));

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true });

const inMenu = (item: string) => async (page: Page, name: string, confirm: string) => {
  await page.getByRole('button', { name }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
  await page.getByRole('button', { name: confirm, exact: true }).press('Enter');
};

const connectionList: List<Connection> = {
  path: '/account',
  fill: (page, shown) => answerWith(page, connectionEndpoints.listConnections, { connections: shown }),
  items: connections,
  agree: (page) => answerWith(page, connectionEndpoints.revokeConnection, {}),
  remove: async (page, { clientName }) => {
    await page.getByRole('button', { name: `Revoke access for ${clientName}` }).press('Enter');
    await page.getByRole('button', { name: 'Revoke access', exact: true }).press('Enter');
  },
  control: ({ clientName }) => `Revoke access for ${clientName}`,
  end: heading('Connected applications'),
};

const sourceList: List<LibraryModule> = {
  path: '/resources',
  fill: async (page, shown) => {
    await answerWith(page, libraryEndpoints.listJobs, { jobs: [] });
    await answerWith(page, libraryEndpoints.listModules, { modules: shown });
  },
  items: modules,
  agree: (page) => answerWith(page, libraryEndpoints.removeModule, { moduleId: '' }),
  remove: (page, { displayName }) => inMenu('Remove…')(page, `More for ${displayName}`, 'Remove source'),
  control: ({ displayName }) => `More for ${displayName}`,
  end: (page) => page.getByRole('tabpanel', { name: 'Sources' }),
};

const teamList = {
  path: '/team',
  agree: (page: Page) => answerWith(page, teamAdministration.removeMember, { success: true }),
};

const memberList: List<Membership> = {
  ...teamList,
  fill: async (page, shown) => {
    await answerTeams(page);
    await answerWith(page, teamEndpoints.listTeamMembers, { members: [own, ...shown] });
  },
  items: members,
  remove: (page, { displayName }) => inMenu('Remove…')(page, `More for ${displayName}`, 'Remove'),
  control: ({ displayName }) => `More for ${displayName}`,
  // The admin's own row stays.
  end: (page) => page.getByRole('button', { name: 'More for Ada Lovelace' }),
};

const inviteList: List<Membership> = {
  ...teamList,
  fill: memberList.fill,
  items: invites,
  remove: async (page, { email }) => {
    await page.getByRole('button', { name: `Withdraw the invite to ${email}` }).press('Enter');
    await page.getByRole('button', { name: 'Withdraw invite' }).press('Enter');
  },
  control: ({ email }) => `Withdraw the invite to ${email}`,
  end: (page) => page.getByRole('tabpanel', { name: 'Members' }),
};

describe.skipIf(!hasChromium)('keyboard focus', () => {
  const harness = useHarness({ env: async () => ({ FEATURE_FLAGS: 'teams' }) });

  /** Removes the second of three items, then the last, then the only one. */
  async function expectFocusStays<Item>({ items, ...list }: List<Item>): Promise<void> {
    const [first, second, third] = items as [Item, Item, Item];
    const page = await harness.signedIn({ isStill: true });
    await list.fill(page, items);
    await list.agree(page);
    await openWithFrame(page, list.path);
    const controlOf = (item: Item) => page.getByRole('button', { name: list.control(item), exact: true });
    const removeFrom = async (item: Item, left: Item[]) => {
      await controlOf(item).waitFor();
      await list.fill(page, left);
      await list.remove(page, item);
      await controlOf(item).waitFor({ state: 'detached' });
    };
    await removeFrom(second, [first, third]);

    await expectFocus(controlOf(third));
    await removeFrom(third, [first]);
    await expectFocus(controlOf(first));
    await removeFrom(first, []);
    await expectFocus(list.end(page));
  }

  test('enters the visible items of the account menu and reaches "Sign out", on wide and narrow screens', async () => {
    for (const width of [1280, 390]) {
      const page = await harness.signedIn({ isStill: true });
      await page.setViewportSize({ width, height: 800 });
      await openWithFrame(page, '/account');
      await page.getByRole('button', { name: 'Account of' }).press('Enter');
      const items = page.getByRole('menuitem');
      await expectFocus(items.first());
      await page.keyboard.press('End');
      await expectFocus(page.getByRole('menuitem', { name: 'Sign out' }));
      await page.keyboard.press('Alt+ArrowDown');
      await expectFocus(page.getByRole('menuitem', { name: 'Sign out' }));
    }
  });

  test('stays on the theme button until its menu has loaded', async () => {
    const page = await harness.signedIn({ isStill: true });
    let send = () => {};
    const asked = new Promise<void>((fulfil) => {
      void page.route('**/theme-choice-*.js', async (route) => {
        fulfil();
        await new Promise<void>((go) => {
          send = go;
        });
        await route.continue();
      });
    });
    await openWithFrame(page, '/keys');
    await page.getByRole('link', { name: 'Status' }).last().focus();
    const theme = page.getByRole('button', { name: 'Theme' });
    await theme.press('Enter');
    await asked;
    await page.waitForTimeout(150);
    await expectFocus(theme);
    send();
    await expectFocus(page.getByRole('menuitemradio', { name: 'System' }));
    await page.keyboard.press('Escape');
    await expectFocus(theme);
  });

  test('reaches every control of a screen visibly, and returns when a popover closes', async () => {
    const page = await harness.signedIn({ isStill: true });
    const faults: string[] = [];
    for (const path of ['/resources', '/activity', '/keys', '/console/people', '/search']) {
      await openWithFrame(page, path);
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      for (let stop = await page.evaluate<Stop>(lookAtFocus); !stop.isSeen; ) {
        if (!stop.isShown) faults.push(`${path}: nothing shows the focus of ${stop.html}`);
        await page.keyboard.press('Tab');
        stop = await page.evaluate<Stop>(lookAtFocus);
      }
      const missed = await page.evaluate<string[]>(notSeen);
      faults.push(...missed.map((control) => `${path}: Tab does not lead to ${control}`));
      for (const opener of await page.locator('[data-seen][popovertarget]').all()) {
        await opener.press('Enter');
        await page.locator(':popover-open:focus, :popover-open :focus').waitFor();
        await page.keyboard.press('Escape');
        await expectFocus(opener);
      }
    }
    expect(faults).toEqual([]);
  });

  test('skips the navigation, by the link and after a navigation', async () => {
    const page = await harness.signedIn({ isStill: true });
    await openWithFrame(page, '/keys');
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('link', { name: 'Set an agent up step by step' }));
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Account' }).press('Enter');
    await expectFocus(page.getByRole('main'));
    await page.keyboard.press('Tab');
    await expectFocus(page.getByRole('textbox', { name: 'Name' }));
  });

  test('stays above the bar at the bottom, and enters the libraries that "Show all" adds', async () => {
    const page = await harness.signedIn({ isStill: true, isNew: true });
    await openWithFrame(page, '/welcome');
    const showAll = page.getByRole('button', { name: 'Show all' });
    await page.getByRole('combobox', { name: 'Topic' }).focus();
    const covered: string[] = [];
    for (const library of await page.getByRole('button', { name: /^Add / }).all()) {
      await page.keyboard.press('Tab');
      await expectFocus(library);
      const cover = await page.evaluate<string | null>(coverOfFocus);
      if (cover !== null) covered.push(cover);
    }
    expect(covered).toEqual([]);
    await showAll.press('Enter');
    await showAll.waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('button', { name: /^Add / }).nth(12));
  });

  test('stays on the result when the passages replace the matches of a search', async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
    const { page } = await harness.person({ isStill: true });
    const focused = Promise.withResolvers<void>();
    await page.route(/\/api\/search\?(?!.*isDraft)/, async (route) => {
      await focused.promise;
      await route.continue();
    });
    await openWithFrame(page, '/search');
    const matches = page.getByText(/^[1-9]\d* match(es)?\. .*to get the passages/);
    // On a busy machine, matches may come when typing counts as finished, and are shown the next time.
    await until('matches', async () => {
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Backspace');
      await page.waitForURL(/\/search$/);
      await page.keyboard.type('queue');
      return matches.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    });
    await page.keyboard.press('ArrowDown');
    const name = await page.evaluate<string>('document.activeElement.textContent');
    focused.resolve();
    await page.getByRole('button', { name: 'Copy passage' }).first().waitFor();
    await expectFocus(page.getByRole('link', { name, exact: true }).first());
  });

  test('is in the question of a new chat', async () => {
    const page = await harness.signedIn({ isStill: true });
    await openWithFrame(page, '/keys');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Chat' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Your question' }));
  });

  test('leaves the form for a new PDF set by Escape', async () => {
    const page = await harness.signedIn({ isStill: true });
    await openWithFrame(page, '/resources?tab=pdf-sets');
    const open = page.getByRole('button', { name: 'New PDF set' });
    await open.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).press('Escape');
    await expectFocus(open);
  });

  test('stays in the row when a rename is left', async () => {
    const page = await harness.signedIn({ isStill: true });
    await answerSets(page);
    await openWithFrame(page, '/resources?tab=pdf-sets');
    const more = page.getByRole('button', { name: 'More for Papers' });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).press('Escape');
    await page.getByRole('textbox', { name: 'Name' }).waitFor({ state: 'detached' });
    await expectFocus(more);
  });

  test('moves to the next connection when one is revoked', () => expectFocusStays(connectionList));
  test('moves to the next source when one is removed', () => expectFocusStays(sourceList));
  test('moves to the next member when one is removed', () => expectFocusStays(memberList));
  test('moves to the next invite when one is withdrawn', () => expectFocusStays(inviteList));

  test('moves to another key when one is revoked', async () => {
    for (const name of ['One', 'Two', 'Three']) await harness.run('key', 'create', name);
    const page = await harness.signedIn({ isStill: true });
    await openWithFrame(page, '/keys');
    const revoke = async (name: string) => {
      await page.getByRole('button', { name: `Revoke ${name}`, exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
    };
    await revoke('Two');
    await expectFocus(page.getByRole('button', { name: 'Revoke One', exact: true }));
    await revoke('One');
    await expectFocus(page.getByRole('button', { name: 'Revoke Three', exact: true }));
    await revoke('Three');
    await expectFocus(page.getByRole('heading', { name: 'API Keys', exact: true }));
  });

  test('moves to the next browser when a session is ended', async () => {
    const { page, email, password } = await harness.person({ isStill: true });
    for (const device of ['first', 'second']) {
      const elsewhere = await harness.signedOut();
      await elsewhere.goto(`/login?cont=%2Fkeys%23${device}`);
      await elsewhere.getByRole('textbox', { name: 'Email' }).fill(email);
      await elsewhere.getByLabel('Password', { exact: true }).fill(password);
      await elsewhere.keyboard.press('Enter');
      await elsewhere.waitForURL(/\/keys/);
    }
    await openWithFrame(page, '/account');
    const sessions = page.getByRole('region', { name: 'Sessions' });
    const end = sessions.getByRole('button', { name: /^Sign out Chrome/ });
    await end.nth(1).waitFor();
    await end.nth(0).press('Enter');
    await end.nth(1).waitFor({ state: 'detached' });
    await expectFocus(end);
    await end.press('Enter');
    await end.waitFor({ state: 'detached' });
    await expectFocus(sessions.getByRole('heading', { name: 'Sessions' }));
  });

  test('stays in a dialog when a dialog that it opened closes', async () => {
    const page = await harness.signedIn({ isStill: true, width: 390 });
    await page.goto('/chat');
    for (const question of ['How high is the tide?', 'Who reads the tide?']) {
      await page.getByRole('textbox', { name: 'Your question' }).fill(question);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'History' }).press('Enter');
      await page.getByRole('button', { name: `Actions for ${question}` }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'New chat' }).press('Enter');
    }
    await page.getByRole('button', { name: 'History' }).press('Enter');
    const actions = page.getByRole('button', { name: 'Actions for Who reads the tide?' });
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await expectFocus(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expectFocus(actions);
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('button', { name: 'Actions for How high is the tide?' }));
    await page.locator('dialog:modal').waitFor();
    await page.getByRole('dialog', { name: 'Conversations' }).getByRole('button', { name: 'Close' }).press('Enter');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expectFocus(page.getByRole('button', { name: 'History' }));
  });
});

interface Stop {
  html: string;
  isShown: boolean;
  /** The focus has been here before. A date input is several stops of one element. */
  isSeen: boolean;
}

const lookAtFocus = `(() => {
  const { activeElement: at, body } = document;
  const isSeen = at.hasAttribute('data-seen') && at !== window.before;
  window.before = at;
  if (at !== body) at.setAttribute('data-seen', '');
  const around = [at, at.parentElement, at.parentElement?.parentElement].filter((one) => one !== null);
  const isShown = at === body || around.some((one) => getComputedStyle(one).outlineStyle !== 'none');
  return { html: at.outerHTML.slice(0, 120), isShown, isSeen };
})()`;

/** What lies over the middle of the focused element; null if nothing does. */
const coverOfFocus = `(() => {
  const { activeElement: at } = document;
  const { left, top, width, height } = at.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  return at.contains(over) ? null : at.ariaLabel + ' under ' + over?.className;
})()`;

/** The arrow keys, not Tab, move through the radios and tabs of a group. */
const notSeen = `[...document.querySelectorAll('a[href], button, input, textarea, summary')]
  .filter((one) => one.checkVisibility() && !one.matches(':disabled, [data-seen], [role=tab], [type=radio]'))
  .filter(({ offsetWidth }) => offsetWidth > 1)
  .map(({ outerHTML }) => outerHTML.slice(0, 120))`;
