import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { cli, startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { letGo } from './answered-calls.ts';
import { browserDrawsNothing } from './browser-faults.ts';
import { type SampleSite, serveSampleSite } from './sample-site.ts';

/** How long tests wait for a screen on a busy machine. */
const patienceMs = 15_000;

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const picturesFolder = join(root, '.cache', 'e2e');

export interface Screen {
  theme?: 'light' | 'dark';
  width?: 1280 | 390;
  /** Turns off animations, so that a screenshot or a check sees the final state. */
  isStill?: boolean;
  /** Leaves the mouse where it is: the harness does not move it. */
  isUntouched?: boolean;
  /** The user has not left the setup, which comes before the dashboard. */
  isNew?: boolean;
}

export interface Harness {
  readonly url: string;
  readonly site: SampleSite;
  /** Opens a new tab of a signed-in operator. */
  signedIn(screen?: Screen): Promise<Page>;
  /** Opens a new tab of a new user with a password and an unverified email. */
  person(screen?: Screen): Promise<{ page: Page; email: string; password: string }>;
  /** Returns the newest email to an address, once it has been sent. */
  mailTo(email: string, subject?: RegExp): Promise<{ subject: string; text: string; link: string }>;
  /** Opens a new tab of a visitor. */
  signedOut(screen?: Screen): Promise<Page>;
  /**
   * Returns a tab without animations. Each call returns the same tab with its old content and storage cleared: a
   * signed-in user gets the storage of the first sign-in. Much faster than a new browser context, for tests that show
   * many screens.
   */
  still(who: 'signed in' | 'visitor'): Promise<Page>;
  /** Returns a sign-in link that has not been used. */
  signInLink(): Promise<string>;
  /** Lets the tabs of this test go to another origin on this machine, such as a waiting program. */
  allowLeaving(origin: string): void;
  /** Runs the command line on the same data folder. Throws if the command fails. */
  run(...args: string[]): Promise<string>;
}

interface HarnessOptions {
  /** Returns the environment variables of the server; called right before it starts. */
  env?: () => Promise<Record<string, string>>;
}

interface OutboxEntry {
  id: string;
  to: string;
  subject: string;
}

type RunOptions = Parameters<AxeBuilder['options']>[0];
type Found = Pick<Awaited<ReturnType<AxeBuilder['analyze']>>, 'violations'>;
type SignedInState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Starts the built product on loopback with a browser, for the tests of one file. After each test, fails on script
 * errors, browser warnings, content security policy violations, and requests that leave the product's origin.
 */
export function useHarness(options: HarnessOptions = {}): Harness {
  let browser: Browser;
  let signedInState: SignedInState;
  let folder: string;
  let url: string;
  let site: SampleSite;
  let people = 0;
  const faults: string[] = [];
  const allowed = new Set<string>();
  const contexts: BrowserContext[] = [];

  const stills = new Map<'signed in' | 'visitor', Page>();

  const openContext = async (screen: Screen, storageState?: SignedInState): Promise<BrowserContext> => {
    const context = await browser.newContext({
      viewport: { width: screen.width ?? 1280, height: screen.width === 390 ? 844 : 800 },
      colorScheme: screen.theme ?? 'light',
      reducedMotion: screen.isStill ? 'reduce' : 'no-preference',
      baseURL: url,
      ...(storageState ? { storageState: { cookies: storageState.cookies, origins: [] } } : {}),
    });
    context.setDefaultTimeout(patienceMs);
    if (screen.isNew !== true) {
      // A blank tab has no storage.
      await context.addInitScript("if (location.protocol.startsWith('http')) localStorage.setItem('setup', 'left')");
    }
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    return context;
  };
  const openTab = async (context: BrowserContext, isUntouched = false, state?: SignedInState): Promise<Page> => {
    const page = await context.newPage();
    if (state !== undefined) await restoreStorage(page, state);
    if (isUntouched) await page.addInitScript(noMouse);
    else stir(page);
    watch(page, (origin) => origin === new URL(url).origin || allowed.has(origin), faults);
    return page;
  };
  const open = async (screen: Screen, storageState?: SignedInState): Promise<Page> => {
    const context = await openContext(screen, storageState);
    contexts.push(context);
    return openTab(context, screen.isUntouched, storageState);
  };

  const run = async (...args: string[]): Promise<string> => {
    const { code, output, errors } = await cli([...args, '--data', folder]);
    if (code !== 0) throw new Error(`lectern ${args.join(' ')} ended with ${code}: ${errors}`);
    return output;
  };
  const signInLink = async (): Promise<string> => {
    const link = /https?:\S+\/sign-in\?code=\S+/.exec(await run('link'))?.[0];
    if (link === undefined) throw new Error('the command line printed no sign-in link');
    return link;
  };

  beforeAll(async () => {
    await buildWeb();
    folder = temporaryFolder();
    site = await serveSampleSite();
    const [server, launched] = await Promise.all([
      startServer(folder, {
        env: { LECTERN_CREDITS: 'on', LECTERN_ALLOW_HOSTS: site.host, ...(await options.env?.()) },
      }),
      launchChromium(),
    ]);
    url = server.url;
    browser = launched;
    const page = await open({});
    await page.goto(await signInLink());
    await page.waitForURL(/\/dashboard/);
    signedInState = await page.context().storageState();
    await closeContexts(contexts);
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      const shown = [...stills.values()].map((page) => page.context());
      await keepPictures([...contexts, ...shown], task.name);
      await closeContexts(shown);
      stills.clear();
    }
    await closeContexts(contexts);
    allowed.clear();
    expect(faults.splice(0)).toEqual([]);
  });

  afterAll(() => browser?.close());

  return {
    get url() {
      return url;
    },
    get site() {
      return site;
    },
    signedIn: (screen = {}) => open(screen, signedInState),
    async person(screen = {}) {
      const page = await open(screen);
      people += 1;
      const email = `person-${people}@example.org`;
      const password = `secret-${people}`;
      const answer = await page.request.post('/api/identity/sign-up', {
        headers: { 'x-lectern-csrf': '1', origin: url },
        data: { email, password, displayName: `Person ${people}` },
      });
      if (!answer.ok()) throw new Error(`nobody could sign up: ${await answer.text()}`);
      return { page, email, password };
    },
    async mailTo(email, subject = /./) {
      const operator = await open({}, signedInState);
      const mail = await until(`a mail to ${email}`, async () => {
        const { mails } = (await (await operator.request.get('/api/outbox')).json()) as { mails: OutboxEntry[] };
        const found = mails.find((mail) => mail.to === email && subject.test(mail.subject));
        if (found === undefined) return undefined;
        const answer = await operator.request.get(`/api/outbox/${found.id}`);
        return ((await answer.json()) as { mail: { subject: string; text: string } }).mail;
      });
      return { ...mail, link: /https?:\/\/\S+/.exec(mail.text)?.[0] ?? '' };
    },
    signedOut: (screen = {}) => open(screen),
    async still(who) {
      const state = who === 'visitor' ? { cookies: [], origins: [] } : signedInState;
      const known = stills.get(who);
      const page = known ?? (await openTab(await openContext({ isStill: true }, state), false, state));
      stills.set(who, page);
      if (known !== undefined) await renew(page, state);
      return page;
    },
    signInLink,
    allowLeaving: (origin) => void allowed.add(origin),
    run,
  };
}

/**
 * Fails unless axe finds no violations of WCAG 2.2 AA, in the given themes, and nothing moves for users who prefer that.
 * A theme changes only colors, so only these are checked in the dark theme.
 */
export async function expectAccessible(page: Page, themes: ('light' | 'dark')[] = ['light', 'dark']): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await untilStill(page);
    await expectNoViolations(page, theme === 'dark' ? ofColours : ofEverything);
  }
  await expectNoMotion(page);
}

/** Fails if an element moves, or would, on a page for users who prefer reduced motion. */
async function expectNoMotion(page: Page): Promise<void> {
  const moving = await page.evaluate(`(() => {
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) return [];
    const isLong = (durations) => durations.split(',').some((duration) => parseFloat(duration) > 0.001);
    return [...document.querySelectorAll('*')].filter((element) =>
      ['', '::before', '::after', '::backdrop'].some((part) => {
        const style = getComputedStyle(element, part);
        const isAnimated = style.animationName !== 'none' && isLong(style.animationDuration);
        return isAnimated || isLong(style.transitionDuration) || style.scrollBehavior === 'smooth';
      }),
    ).map(({ outerHTML }) => outerHTML.slice(0, 160));
  })()`);
  expect(moving).toEqual([]);
}

/** Does the same without the color rules, for a screen whose colors were checked at another width. */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await untilStill(page);
  await expectNoMotion(page);
  await expectNoViolations(page, { ...ofEverything, rules: { ...ofEverything.rules, ...withoutColours } });
}

/** The axe rules, from the version that its Playwright package uses. */
const axeSource = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);
const colours = ['color-contrast', 'link-in-text-block'];
const ofColours: RunOptions = { runOnly: { type: 'rule', values: colours } };
const withoutColours = Object.fromEntries(colours.map((rule) => [rule, { enabled: false }]));
const ofEverything: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  // Floating menus and lists are at the end of the body, outside the landmarks.
  rules: { region: { enabled: false } },
};

/**
 * Waits until all animations and transitions have ended. A color inherited from an animated one starts its own
 * transition afterwards, so the check repeats until nothing moves. About once in thousands of tests, Chromium stops
 * drawing a tab that is otherwise alive: such a test is retried (`vitest.config.ts`) in a new tab.
 */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frames = () => new Promise((fulfil) => requestAnimationFrame(() => requestAnimationFrame(fulfil)));
    const tooLong = new Promise((_, reject) => {
      setTimeout(() => reject(new Error('${browserDrawsNothing}')), ${patienceMs});
    });
    for (let rounds = 0; rounds < 20; rounds += 1) {
      await Promise.race([frames(), tooLong]);
      const moving = document.getAnimations().filter(({ playState }) => playState === 'running');
      if (moving.length === 0) return;
      await Promise.race([Promise.all(moving.map((animation) => animation.finished.catch(() => {}))), tooLong]);
    }
  })()`);
}

async function expectNoViolations(page: Page, options: RunOptions): Promise<void> {
  const { violations } = page.frames().length > 1 ? await withFrames(page, options) : await alone(page, options);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ).toEqual([]);
}

function withFrames(page: Page, options: RunOptions): Promise<Found> {
  return new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze();
}

/** Does the same without frames: loads the rules once per page, and leaves out the list of passed rules. */
async function alone(page: Page, options: RunOptions): Promise<Found> {
  const isLoaded = await page.evaluate('window.axe !== undefined');
  if (!isLoaded) await page.evaluate(axeSource);
  const wanted = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return page.evaluate<Found>(`window.axe.run(document, ${wanted}).then(({ violations }) => ({ violations }))`);
}

/**
 * Opens a page of a signed-in user and waits for its frame (`web/features/shell/signed-in-frame.tsx`), which loads
 * after the first view: it manages the focus and requests live updates when it starts.
 */
export async function openWithFrame(page: Page, path: string): Promise<void> {
  const live = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/live');
  await Promise.all([page.goto(path), live]);
}

/** Waits until the element has the focus. */
export async function expectFocus(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor({ state: 'attached' });
}

/**
 * Fails if the page stays wider than the window, so that users would have to scroll sideways. A resize takes a moment.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  await expect.poll(() => page.evaluate(excess)).toBe(0);
}

/** Headless Chromium sends some pages a pointer event at their top left corner while they load. */
const noMouse = `addEventListener('pointermove', (event) => {
  if (event.clientX === 0 && event.clientY === 0) event.stopImmediatePropagation();
}, true)`;

/**
 * Moves the mouse on each page, as users do: text pages start their scripts on that event
 * (`scripts/start-of-pages.ts`).
 */
function stir(page: Page): void {
  page.on('load', () => {
    // The page may be closed or navigating by then.
    void page.mouse.move(1, 1).catch(() => undefined);
  });
}

/**
 * Console messages that are not errors of the page: rejected calls, which the page shows itself; windows that only the
 * test can close; malformed addresses that a test opens; and warnings that depend on how busy the machine is.
 */
const noFault = new RegExp(
  [
    'Failed to load resource',
    'Scripts may close only the windows',
    'The URL path .* could not be decoded',
    'The resource .* was preloaded using link preload but not used',
    'Throttling navigation',
  ]
    .map((text) => `^${text}`)
    .join('|'),
);

function watch(page: Page, isAllowed: (origin: string) => boolean, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !noFault.test(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('request', (request) => {
    if (request.frame() === page.mainFrame() && !isAllowed(new URL(request.url()).origin)) {
      faults.push(`left the origin: ${request.url()}`);
    }
  });
}

/** Saves screenshots of the open pages when a test failed. */
async function keepPictures(contexts: BrowserContext[], name: string): Promise<void> {
  const pages = contexts.flatMap((context) => context.pages());
  for (const [number, page] of pages.entries()) {
    const file = `${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)}-${number}.png`;
    try {
      await page.screenshot({ path: join(picturesFolder, file), fullPage: true });
      console.warn(`see ${join(picturesFolder, file)}`);
    } catch (error) {
      // The test has already failed; a page that cannot be drawn must not add another failure.
      console.warn(`no picture of ${page.url()}: ${String(error)}`);
    }
  }
}

/** Resets a used tab. */
async function renew(page: Page, state: SignedInState): Promise<void> {
  await restoreStorage(page, state);
  await letGo(page);
  await page.unrouteAll();
  await page.emulateMedia({ colorScheme: null });
  await page.context().clearCookies();
  await page.context().addCookies(state.cookies);
}

/**
 * Replaces the storage of the tab, from a file of the product that runs no scripts. The browser's `storageState` would
 * open a tab of its own for that.
 */
async function restoreStorage(page: Page, { origins }: SignedInState): Promise<void> {
  await page.goto('/favicon.svg');
  const items = origins.flatMap(({ localStorage }) => localStorage);
  await page.evaluate(`(() => {
    window.name = '';
    sessionStorage.clear();
    localStorage.clear();
    for (const { name, value } of ${JSON.stringify(items)}) localStorage.setItem(name, value);
  })()`);
}

async function closeContexts(contexts: BrowserContext[]): Promise<void> {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
}

/** Builds the browser application when its sources have changed. */
export async function buildWeb(): Promise<void> {
  const { ensureWebBuilt } = (await import(join(root, 'scripts', 'build-web.mjs'))) as {
    ensureWebBuilt(root: string): Promise<void>;
  };
  await ensureWebBuilt(root);
}
