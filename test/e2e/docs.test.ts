import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene, heading, type Scene } from './scene.ts';

const search = async (page: Parameters<Scene['until']>[0], query: string): Promise<void> => {
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill(query);
};

const scenes: Scene[] = [
  { name: 'the first page', path: '/docs', isVisitor: true, until: heading('Documentation') },
  {
    name: 'a guide page',
    path: '/docs/guide/getting-started',
    isVisitor: true,
    until: heading('Getting started'),
  },
  { name: 'a reference', path: '/docs/reference/rest/search', isVisitor: true, until: heading('Search and read') },
  {
    name: 'the search, with results',
    path: '/docs/guide/agents',
    isVisitor: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Search the docs' }).first().waitFor();
      await search(page, 'back up the data folder');
    },
    until: (page) => page.getByRole('option').first().waitFor(),
  },
  {
    name: 'a missing page',
    path: '/docs/guide/none',
    isVisitor: true,
    until: heading(/not found/),
  },
];

describe.skipIf(!hasChromium)('documentation', () => {
  const harness = useHarness();

  test.each(scenes)('$name is accessible in both themes and fits', (scene) => checkScene(harness, scene));

  test('a search by keyboard leads to the passage that answers it', async () => {
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Search the docs' }).first().waitFor();
    await search(page, 'restore a backup');
    await page
      .getByRole('option', { name: /Restore/ })
      .first()
      .waitFor();
    await page.getByText(/passages of \d+: [\d,]+ tokens instead of/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/operate\/backup#/);
    const { hash } = new URL(page.url());
    await page.locator(hash).waitFor();
    expect(await page.title()).toBe('Lectern - Data, backups and upgrades');
    await expect
      .poll(() => page.evaluate(`document.querySelector('${hash}').getBoundingClientRect().top`))
      .toBeLessThan(400);
  });

  test('links load no new document, Back works, and the copy button copies the exact code', async () => {
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/docs/guide/getting-started');
    await page.getByRole('button', { name: 'Copy sh code' }).first().click();
    await page.getByText('Copied to clipboard').first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('./lectern start');
    await page.evaluate('globalThis.isSame = true');
    await page.getByRole('link', { name: 'Next Connecting an agent' }).click();
    await page.getByRole('heading', { name: 'Connecting an agent', level: 1 }).waitFor();
    expect(await page.evaluate('globalThis.isSame')).toBe(true);
    expect(await page.title()).toBe('Lectern - Connecting an agent');
    await page.goBack();
    await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy sh code' }).nth(1).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe('./lectern index https://docs.python.org/3/ --name python');
  });

  test('pages can be read and reached without scripts', async () => {
    const visitor = await harness.signedOut();
    await visitor.goto('/docs');
    const context = await visitor.context().browser()?.newContext({ javaScriptEnabled: false });
    if (context === undefined) throw new Error('the browser is gone');
    const page = await context.newPage();
    await page.goto(visitor.url());
    await page
      .getByRole('navigation', { name: 'Documentation', exact: true })
      .getByRole('link', { name: 'Agents', exact: true })
      .click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    expect(await page.locator('.docs-prose p').first().textContent()).toContain('token budget');
    await context.close();
  });
});
