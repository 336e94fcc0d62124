import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { profileEndpoints } from '#contract/profile.ts';
import { type PackageRegistry, startPackageRegistry } from '../services/package-registry.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { letCallsThrough } from './answered-calls.ts';
import { answerWith, askAgain, failWith } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { dropPaths } from './drop-paths.ts';
import { expectAccessible, expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';
import { answerTeams } from './team-answers.ts';

const path = '/resources?tab=projects';

function lockfile(libraries: Record<string, string>, dev: string[] = []) {
  const packages: Record<string, unknown> = { '': { dependencies: libraries } };
  for (const [name, version] of Object.entries(libraries))
    packages[`node_modules/${name}`] = { version, ...(dev.includes(name) ? { dev: true } : {}) };
  return { name: 'package-lock.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ packages })) };
}

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Libraries of shop' }).getByRole('row').filter({ hasText: name });

describe.skipIf(!hasChromium)('projects', () => {
  let registry: PackageRegistry;
  const harness = useHarness({
    env: async () => {
      registry = await startPackageRegistry();
      registry.answers.set('/npm/silent/1.0.0', {});
      return registry.environment;
    },
  });
  afterAll(() => registry?.stop());

  test('a user adds a project and indexes a library at the version that its lockfile pins', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.goto(path);
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add a project' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.press('Enter');
    await page.getByText('Enter a name.').waitFor();
    await page.getByText('Choose a lockfile.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('shop');
    const input = page.locator('input[type=file]');
    await input.setInputFiles([
      lockfile({ kettle: '1.2.0', teapot: '2.0.1', silent: '1.0.0' }, ['teapot']),
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') },
    ]);
    await page.getByText("notes.txt isn't a supported lockfile.").waitFor();
    await input.setInputFiles([{ name: 'poetry.lock', mimeType: 'text/plain', buffer: Buffer.from('[[package') }]);
    await page.getByRole('button', { name: 'Leave out poetry.lock' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pin these versions' }).click();
    await page.getByText(/3 libraries pinned\. poetry\.lock was left out/).waitFor();

    await page.getByRole('button', { name: 'Find documentation' }).click();
    await row(page, 'kettle').getByText('/docs/kettle/1.2.0/').waitFor();
    await row(page, 'silent').getByText('No address found. Enter one.').waitFor();
    await expectAccessible(page);
    await row(page, 'kettle').getByRole('button', { name: 'Index kettle 1.2.0' }).click();
    await row(page, 'kettle').getByRole('link', { name: '1.2.0' }).waitFor();
    await row(page, 'silent').getByRole('textbox').fill('nonsense');
    await row(page, 'silent').getByRole('button', { name: 'Index silent 1.0.0' }).click();
    await row(page, 'silent').getByText('is not an https address').waitFor();
    await page.getByRole('radio', { name: 'Missing' }).click();
    await row(page, 'kettle').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Find a library' }).fill('nothing like it');
    await page.getByText('No library matches these filters.').waitFor();
    await page.waitForURL(/libraries=missing&library=nothing/);
    await page.reload();
    await page.getByText('No library matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, 'teapot').getByText('dev').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page, ['light']);
  });

  test('lockfiles can be updated, and a project can be removed', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.goto(path);
    await page.getByRole('button', { name: 'More for shop' }).click();
    await page.getByRole('menuitem', { name: 'Update lockfiles' }).click();
    await page.locator('input[type=file]').setInputFiles([lockfile({ kettle: '1.2.0' })]);
    await page.getByRole('button', { name: 'Pin these versions' }).click();
    await page.getByText('All indexed').waitFor();
    await page.getByRole('button', { name: 'More for shop' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await expectFocus(page.getByRole('button', { name: 'Cancel' }));
    await page.getByRole('button', { name: 'Remove project' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  });

  test('skipped entries are counted exactly, and files over the total limit show what to do', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.goto(path);
    await page.getByRole('button', { name: 'Add a project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('loose');
    const loose = Array.from({ length: 137 }, (_, at) => `library-${at}>=1\n`).join('');
    // Files on disk: passing this much text through the test's own connection takes seconds.
    const folder = temporaryFolder();
    const written = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const large = Array.from({ length: 3 }, (_, at) => `requirements-${at}.txt`);
    const paths = large.map((name) => written(name, `#${'x'.repeat(8_000_000)}`));
    const input = page.locator('input[type=file]');
    await input.setInputFiles([written('requirements.txt', `kettle==1.2.0\n${loose}`), ...paths]);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Pin these versions' }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'These files total 24 MB; the limit is 20 MB.' });
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain('run ./lectern profile in a subfolder');
    expect(sent).not.toContain('/api/profiles');
    for (const name of large) await page.getByRole('button', { name: `Leave out ${name}` }).click();
    await refusal.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pin these versions' }).click();
    await page.getByText('137 entries left out').click();
    const entries = page.getByRole('list', { name: 'Lockfiles of loose' }).getByRole('group').getByRole('listitem');
    await entries.filter({ hasText: 'and 117 more' }).waitFor();
    expect(await entries.count()).toBe(21);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'More for loose' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove project' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  });

  test('a dropped folder fills in its lockfiles and name, or shows that it has no lockfile', async () => {
    const folder = temporaryFolder();
    for (const name of ['shop/packages/till', 'shop/node_modules/kettle', 'poems']) {
      mkdirSync(join(folder, name), { recursive: true });
      const { buffer } = lockfile({ kettle: '1.2.0' });
      writeFileSync(join(folder, name, name === 'poems' ? 'ode.txt' : 'package-lock.json'), buffer);
    }
    const page = await harness.signedIn({ isStill: true });
    await page.goto(path);
    await page.getByRole('button', { name: 'Add a project' }).click();
    const zone = page.getByText('Drop lockfiles or a folder here, or');
    await dropPaths(page, zone, [join(folder, 'poems')], page.getByText('No lockfile found in poems.'));
    const files = page.getByRole('list', { name: 'Lockfiles' }).getByRole('listitem');
    await dropPaths(page, zone, [join(folder, 'shop')], files.filter({ hasText: 'packages/till/package-lock.json' }));
    expect(await files.count()).toBe(1);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('shop');
  });

  test('a team reader sees the pinned libraries, but no actions', async () => {
    const page = await harness.signedIn({ isStill: true });
    const now = Date.now();
    const profile = {
      ...{ profileId: 'p1', name: 'shop', createdAt: now, updatedAt: now },
      lockfiles: [
        {
          path: 'package-lock.json',
          kind: 'npm',
          ecosystem: 'npm' as const,
          libraries: 2,
          problems: [],
          problemCount: 0,
        },
      ],
      ...{ libraryCount: 2, directCount: 2, indexedCount: 0 },
    };
    const library = { ecosystem: 'npm' as const, version: '1.2.0', isDirect: true, isDev: false, answer: null };
    const libraries = ['kettle', 'teapot'].map((name) => ({
      ...{ ...library, name, job: null, offersFault: null },
      offers: [{ kind: 'documentation' as const, address: 'https://docs.example/', tag: null, version: null }],
    }));
    await answerTeams(page, 'reader');
    await answerWith(page, profileEndpoints.listProfiles, { profiles: [profile] });
    await answerWith(page, profileEndpoints.getProfile, { profile, libraries, total: 2 });
    await page.goto(path);
    await page.getByRole('button', { name: /^shop/ }).click();
    await row(page, 'kettle').waitFor();
    const panel = page.getByRole('region', { name: 'Projects' });
    const names = await panel.getByRole('button').allTextContents();
    // The buttons are the project, which expands, and the table headers, which sort.
    const [project, ...others] = names;
    expect(project).toContain('shop');
    expect(others.map((name) => name.replace(/\W/g, ''))).toEqual(['Library', 'Pinned', 'Indexed']);
    await expectAccessible(page);
  });

  test('a project list that fails to load shows an error and can be retried', async () => {
    const page = await harness.signedIn({ isStill: true });
    await failWith(page, profileEndpoints.listProfiles, 'unavailable');
    await page.goto(path);
    await page.getByText("Couldn't load the projects").waitFor();
    await expectAccessible(page);
    const again = page.getByRole('button', { name: 'Try again' });
    await askAgain(again, [profileEndpoints.listProfiles], () => letCallsThrough(page));
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    expect(await page.title()).toContain('Resources');
  });
});
