import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentEndpoints } from '#contract/documents.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { attacksOf } from '../services/attacks.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectFocus, useHarness } from './harness.ts';
import { checkScene, heading } from './scene.ts';

const manual = [
  '# The long manual',
  ...Array.from(
    { length: 150 },
    (_, at) => `## Chapter ${at}\n\n${`Sentence ${at} about lamps and wicks. `.repeat(12)}`,
  ),
  '[Another page](plain.md)',
].join('\n\n');
const hostile = [...attacksOf<{ markdown: string }>('xss-markdown.jsonl').map(({ markdown }) => markdown)];

describe.skipIf(!hasChromium)('the document viewer', () => {
  const harness = useHarness();
  const files = temporaryFolder();
  const fileAt = (name: string) => `folder://files/${name}`;
  const queues = () => `${harness.site.origin}/queues.html`;

  beforeAll(async () => {
    writeFileSync(join(files, 'manual.md'), manual);
    writeFileSync(join(files, 'plain.md'), 'No heading, only a sentence about lamps.');
    writeFileSync(
      join(files, 'hostile.md'),
      `# Hostile\n\n${hostile.map((text, at) => `## Case ${at}\n\n${text}`).join('\n\n')}`,
    );
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
    await harness.run('index', files, '--name', 'files', '--wait');
  });

  test('shows visitors a page at the passage in the URL, with details about the page', async () => {
    const page = await harness.signedOut();
    await page.goto(`/document/${queues()}#dead-letters`);
    await page.getByRole('heading', { name: 'Queues', level: 1 }).waitFor();
    await page.getByRole('heading', { name: /Dead letter queues/, level: 2 }).waitFor();
    expect(await page.title()).toBe('Lectern - Queues');
    const about = page.getByRole('complementary', { name: 'About this page' });
    expect(await about.textContent()).toMatch(/tidewater.*Site.*\d+ tokens in \d+ passages?/);
    const original = page.getByRole('link', { name: 'Original' });
    expect(await original.getAttribute('href')).toBe(`${queues()}#dead-letters`);
    expect(await original.getAttribute('rel')).toContain('noopener');
    await page.locator('span[style*="--shiki-token-keyword"]').first().waitFor();
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# Queues\n[^]*## Dead letter queues\n/);
  });

  test('keeps the footer below the window while its page loads', async () => {
    for (const width of [1280, 390] as const) {
      const page = await harness.signedOut({ isStill: true, width });
      await neverAnswer(page, documentEndpoints.showDocument);
      await page.goto(`/document/${queues()}`);
      await page.getByText('Loading the page…').waitFor();
      const { y } = (await page.getByRole('contentinfo').boundingBox()) ?? { y: 0 };
      expect(y).toBeGreaterThanOrEqual(page.viewportSize()?.height ?? Number.NaN);
    }
  });

  test('opens from a search result and from a fully encoded URL', async () => {
    const page = await harness.signedIn();
    await page.goto('/search?q=dead+letter+queue');
    const result = page.getByRole('article').first();
    // The link moves when the text is formatted.
    await result.locator('.prose p:not(.whitespace-pre-wrap)').first().waitFor();
    await result.getByRole('link', { name: /^Read on the page/ }).click();
    await page.getByRole('heading', { name: 'Queues', level: 1 }).waitFor();
    await page.goto(`/document/${encodeURIComponent(`${queues()}#dead-letters`)}`);
    await page.getByRole('heading', { name: 'Queues', level: 1 }).waitFor();
  });

  test('marks the passages that a read would send, and shows its exact text', async () => {
    const page = await harness.signedOut();
    await page.goto(`/document/${fileAt('manual.md')}`);
    await page.getByRole('textbox', { name: "Agent's question" }).fill('sentence 7 about lamps');
    const answered = page.waitForResponse(/[?&]query=/);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const { cut } = documentEndpoints.showDocument.output.parse(await (await answered).json());
    await page.getByText('Sent', { exact: true }).first().waitFor();
    await page.getByText('Left out', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'As an agent gets it' }).click();
    await page.getByRole('button', { name: 'Copy Text for the agent' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(cut?.text);
    await page.reload();
    await page.getByRole('button', { name: 'Copy Text for the agent' }).waitFor();
    await page.getByRole('tab', { name: 'Passages' }).click();
    await page.getByText('Sent', { exact: true }).first().waitFor();
    expect(page.url()).not.toContain('view');
  });

  test('keeps the scroll position when the user changes the query, and still follows a link to the passage', async () => {
    const page = await harness.signedOut();
    await page.goto(`/document/${fileAt('manual.md')}#chapter-12`);
    const passage = page.getByRole('region', { name: /^Passage/ }).filter({ hasText: 'Sentence 12 ' });
    await expectFocus(passage);
    await page.mouse.wheel(0, 3_000);
    const top = async () => (await passage.boundingBox())?.y ?? 0;
    await expect.poll(top).toBeLessThan(-2_000);
    const field = page.getByRole('textbox', { name: "Agent's question" });
    await field.fill('sentence 7 about lamps');
    const before = await top();
    await field.press('Enter');
    await page.getByText('Left out', { exact: true }).first().waitFor();
    await page.waitForURL(/~query=sentence.*#chapter-12$/);
    await expectFocus(field);
    // Marks above the passage move it a little; a jump back would bring it all the way to the top.
    expect(await top()).toBeLessThan(before / 2);
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: /^Chapter 12\b/ })
      .click();
    await expectFocus(passage);
  });

  test('says that the page has no section with that name, until the user chooses one', async () => {
    const page = await harness.signedOut();
    await page.goto(`/document/${fileAt('manual.md')}#chapter-1000`);
    const note = page.getByText('This page has no section #chapter-1000.');
    await note.waitFor();
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: /^Chapter 140/ })
      .click();
    await note.waitFor({ state: 'detached' });
    await page.goto(`/document/${fileAt('manual.md')}#chapter-149`);
    await page.getByText('Sentence 149 ').first().waitFor();
    expect(await page.getByText('This page has no section').count()).toBe(0);
  });

  test('follows a running refresh until the page is removed', async () => {
    const page = await harness.signedOut();
    const answer = await page.request.get('/api/documents', { params: { url: fileAt('plain.md') } });
    const { refresh: _, ...shown } = (await answer.json()) as OutputOf<typeof documentEndpoints.showDocument>;
    await answerWith(page, documentEndpoints.showDocument, { ...shown, refresh: { isRunning: true, failedAt: null } });
    await page.clock.install();
    await page.goto(`/document/${fileAt('plain.md')}`);
    await page.getByText('Refreshing').waitFor();
    await failWith(page, documentEndpoints.showDocument, 'document-not-found');
    await page.clock.fastForward(6_000);
    await heading('This page is not indexed')(page);
  });

  test('loads a long page in parts, and the outline and the J key move through it', async () => {
    const page = await harness.signedOut();
    await page.goto(`/document/${fileAt('manual.md')}`);
    const outline = page.getByRole('navigation', { name: 'On this page' });
    await outline.getByRole('link', { name: /^Chapter 140/ }).click();
    const passage = (text: string) => page.getByRole('region', { name: /^Passage/ }).filter({ hasText: text });
    await expectFocus(passage('Sentence 140 '));
    await page.keyboard.press('j');
    await expectFocus(passage('Sentence 141 '));
    await outline
      .locator('[aria-current]')
      .filter({ hasText: /Chapter 14[01]/ })
      .waitFor();
    await page.goto(`/document/${fileAt('manual.md')}#chapter-75`);
    await expectFocus(passage('Sentence 75 '));
    await page.goto(`/document/${fileAt('manual.md')}#chapter-149`);
    const marked = outline.locator('[aria-current]:visible');
    await expect.poll(async () => (await marked.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
    await page.getByRole('link', { name: 'Another page' }).click();
    await page.getByText('only a sentence about lamps').waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

  test('shows the same text for private and unindexed pages, and offers the possible next step', async () => {
    const owner = await harness.person();
    const page = await harness.signedOut();
    const texts: string[] = [];
    for (const address of [`${harness.site.origin}/nothing.html`, 'https://docs.example/private.html']) {
      await page.goto(`/document/${address}`);
      await heading('This page is not indexed')(page);
      texts.push(((await page.locator('main').textContent()) ?? '').replace(address, ''));
    }
    expect(texts[0]).toBe(texts[1]);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    await owner.page.goto('/document/https://docs.example/private.html');
    await owner.page.getByRole('link', { name: 'Add this documentation' }).click();
    await owner.page.waitForURL(/\/resources\?source=/);
    const field = owner.page.getByRole('textbox', { name: 'Add a source' });
    await field.waitFor();
    expect(await field.inputValue()).toBe('https://docs.example/private.html');
  });

  test.skipIf(hostile.length === 0)('runs no script from a malicious page', async () => {
    const page = await harness.signedOut();
    const ran: string[] = [];
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(`/document/${fileAt('hostile.md')}`);
    await heading('Hostile')(page);
    const next = page.getByRole('button', { name: /^Show next/ });
    const passages = page.getByRole('region', { name: /^Passage/ });
    while ((await next.count()) > 0) {
      const shown = await passages.count();
      await next.click();
      await expect.poll(() => passages.count()).toBeGreaterThan(shown);
    }
    await heading(`Case ${hostile.length - 1}`)(page);
    expect(await harmIn(page)).toEqual([]);
    expect(ran).toEqual([]);
  });

  test.each([
    {
      name: 'a page, cut',
      path: () => `/document/${fileAt('manual.md')}?~query=lamps&~tokens=500`,
      until: (page: Page) => page.getByText('Left out', { exact: true }).first().waitFor(),
    },
    {
      name: 'a page without headings',
      path: () => `/document/${fileAt('plain.md')}`,
      until: (page: Page) => page.getByText('only a sentence about lamps').waitFor(),
    },
    { name: 'every Markdown element', path: () => '/test_doc2', until: heading('A page with everything on it') },
    { name: 'not indexed', path: () => '/document/https://docs.example/', until: heading('This page is not indexed') },
    {
      name: 'loading',
      path: () => `/document/${queues()}`,
      set: (page: Page) => neverAnswer(page, documentEndpoints.showDocument),
      until: (page: Page) => page.getByText('Loading the page…').waitFor({ state: 'attached' }),
    },
    {
      name: 'an error',
      path: () => `/document/${queues()}`,
      set: (page: Page) => failWith(page, documentEndpoints.showDocument, 'unavailable'),
      until: (page: Page) => page.getByRole('button', { name: 'Try again' }).waitFor(),
    },
  ])('is accessible in both themes and fits: $name', async ({ name, path, until, ...scene }) => {
    await checkScene(harness, { name, path: path(), until, isVisitor: true, ...scene });
  });
});

/** Returns everything in the shown page that could run or load something. */
async function harmIn(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.prose *')].flatMap((element) => [
    ...(element.matches('script,iframe,object,embed,form,style,svg:not(button svg),math,base,meta,link') ? [element.localName] : []),
    ...[...element.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
    ...(element.matches('img[src]') ? ['img src'] : []),
    ...(/^\\s*(javascript|data|vbscript):/i.test(element.getAttribute('href') ?? '') ? ['href'] : []),
  ])`);
}
