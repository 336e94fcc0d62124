import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askDocsPath, type ChatMessage, chatEndpoints } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { attacksOf } from '../services/attacks.ts';
import { type ModelServer, startModelServer } from '../services/chat-model.ts';
import { until } from '../services/until.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, expectFocus, expectNoSidewaysScroll, useHarness } from './harness.ts';

const attacksAtOnce = 250;
const attacks = [
  ...attacksOf<{ id: string; payload: string }>('xss-html.jsonl').map(({ id, payload }) => ({ id, text: payload })),
  ...attacksOf<{ id: string; markdown: string }>('xss-markdown.jsonl').map(({ id, markdown }) => ({
    id,
    text: markdown,
  })),
];
const box = (page: Page) => page.getByRole('textbox', { name: 'Your question' });

describe.skipIf(!hasChromium)('the chat', () => {
  let model: ModelServer;
  const harness = useHarness({
    env: async () => {
      model = await startModelServer();
      return model.environment;
    },
  });
  beforeAll(async () => {
    await harness.run('index', `${harness.site.origin}/`, '--name', 'tidewater', '--wait');
  });
  afterAll(() => model?.stop());

  const askIn = async (page: Page, question: string) => {
    await box(page).fill(question);
    await page.keyboard.press('Enter');
  };

  test('a question that is too long shows an error beside the source choice, also on narrow screens', async () => {
    for (const width of [1280, 390] as const) {
      const page = await harness.signedOut({ width });
      await page.goto('/chat');
      await box(page).fill('x'.repeat(limits.chatQuestionCharactersMax + 3));
      const told = await page.getByRole('alert').filter({ hasText: 'the limit is 2,000' }).boundingBox();
      const name = await page.getByText('All documentation', { exact: true }).first().boundingBox();
      expect(name?.width ?? 0).toBeGreaterThan(30);
      expect(told?.x ?? 0).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
    }
  });

  test('an answer streams in with citations that link to passages, and is still there after a reload', async () => {
    const go = Promise.withResolvers<void>();
    model.script = [
      [
        { say: '**Dead letters** are read with `drainDeadLetters` [1]. ' },
        { wait: go.promise },
        { say: 'Nothing else [9].' },
      ],
    ];
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'How do I drain a dead letter queue?');
    await page.getByText('Dead letters').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    go.resolve();
    await page.getByText('Nothing else.').waitFor();
    const chip = page.getByRole('link', { name: /^Source 1: / });
    expect(await chip.getAttribute('href')).toMatch(/^\/document\/http:.*queues\.html\?~module=tidewater/);
    await page.getByText(/^1 search, [\d,]+ tokens of documentation$/).waitFor();
    await chip.focus();
    await page
      .getByText(/holds messages until a worker/)
      .last()
      .waitFor();
    await page.waitForURL(/\/chat\?c=/);
    await page.reload();
    await page.getByRole('link', { name: /^Source 1: / }).waitFor();
    expect(await page.title()).toBe('Lectern - Chat');
  });

  test('an answer can be stopped, regenerated, replaced by editing the question, and copied with its sources', async () => {
    const never = new Promise<void>(() => undefined);
    model.script = [[{ say: 'Begun [1] ' }, { wait: never }]];
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'What is a worker?');
    await page.getByText('Begun').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. The answer so far is kept.').waitFor();
    await until('the model is left alone', () => model.underWay() === 0);
    model.script = [[{ say: 'Second [1]' }], [{ say: 'Third [1]' }]];
    await page.getByRole('button', { name: 'Answer again' }).click();
    await page.getByText('Second').waitFor();
    await page.getByRole('button', { name: 'Edit question' }).click();
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill('What does a worker take?');
    await page.keyboard.press('Enter');
    await page.getByText('Third').waitFor();
    expect(await page.getByText('Second').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy answer as Markdown' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toMatch(/^Third \[1\]\n\nSources:\n\n1\. \[.*\]\(http/);
    await page.reload();
    await page.getByRole('heading', { name: 'What does a worker take?' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });

  test('a double click asks once, and stopping early shows a message and does not send the draft', async () => {
    const page = await harness.signedIn();
    await neverAnswer(page, { ...chatEndpoints.describeChat, method: 'POST', path: askDocsPath });
    await page.goto('/chat');
    await box(page).fill('What is a worker?');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    const stop = page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    await box(page).fill('Not sent yet');
    await stop.click();
    await page.getByText('Stopped before the answer began.').waitFor();
    expect(await box(page).inputValue()).toBe('Not sent yet');
    expect(await page.getByRole('article').count()).toBe(1);
    await expectAccessible(page);
  });

  test('an edited question that is too long keeps its text, shows the limit and is not sent', async () => {
    for (const width of [1280, 390] as const) {
      model.script = [[{ say: 'Before [1]' }]];
      const page = await harness.signedIn({ width });
      await page.goto('/chat');
      await askIn(page, 'What is a worker?');
      await page.getByText('Before').waitFor();
      await page.getByRole('button', { name: 'Edit question' }).click();
      const edited = page.getByRole('textbox', { name: 'Question', exact: true });
      await edited.fill('');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: 'Enter a question.' }).waitFor();
      const tooLong = 'x '.repeat(limits.chatQuestionCharactersMax / 2 + 1) + 'y';
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(tooLong)})`);
      await page.keyboard.press('ControlOrMeta+V');
      await page.getByRole('alert').filter({ hasText: '2,003 characters; the limit is 2,000. Shorten it.' }).waitFor();
      expect(await edited.inputValue()).toBe(tooLong);
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Ask again' }).click();
      expect(await edited.inputValue()).toBe(tooLong);
      expect(model.underWay()).toBe(0);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Before').waitFor();
    }
  });

  test('a silent model shows how long the user has waited, and the answer can be stopped', async () => {
    const never = new Promise<void>(() => undefined);
    model.script = [[{ say: 'Begun [1] ' }, { wait: never }]];
    const page = await harness.signedIn({ isStill: true });
    await page.clock.install();
    await page.goto('/chat');
    await askIn(page, 'What does a silent worker do?');
    await page.getByText('Begun').waitFor();
    await page.getByText('Writing…').waitFor();
    await page.clock.runFor(10_000);
    await page.getByText(/^Still waiting for the model, \d+ s…$/).waitFor();
    await page.getByRole('status').filter({ hasText: 'Escape in the question box stops the answer.' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. The answer so far is kept.').waitFor();
    expect(await page.getByText(/Still waiting/).count()).toBe(0);
    await until('the model is left alone', () => model.underWay() === 0);
  });

  test('focus stays in place with keyboard use, and Escape stops an answer', async () => {
    const never = new Promise<void>(() => undefined);
    model.script = [[{ say: 'Whole [1]' }], [{ say: 'Begun [1] ' }, { wait: never }]];
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'Who takes from a queue?');
    await page.getByText('Whole').waitFor();
    await page.getByRole('button', { name: 'Edit question' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'Question', exact: true }));
    await page.keyboard.press('Escape');
    await expectFocus(page.getByRole('button', { name: 'Edit question' }));
    await page.getByRole('button', { name: 'Answer again' }).press('Enter');
    await page.getByText('Begun').waitFor();
    await expectFocus(box(page));
    await page.keyboard.press('Escape');
    await page.getByText('Stopped. The answer so far is kept.').waitFor();
    const actions = page.getByRole('button', { name: 'Actions for Who takes from a queue?' });
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await expectFocus(page.getByRole('textbox', { name: 'New title of Who takes from a queue?' }));
    await page.keyboard.press('Escape');
    await expectFocus(actions);
    await actions.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await page.keyboard.type('Focus');
    await page.keyboard.press('Enter');
    await expectFocus(page.getByRole('button', { name: 'Actions for Focus' }));
  });

  test('an answer longer than the limit says that it was cut off', async () => {
    model.script = [[{ say: `Long [1] ${'and more '.repeat(limits.chatAnswerCharactersMax / 8)}` }]];
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'How long may it be?');
    const cut = page.getByText('Cut off: an answer can have at most 24,000 characters.');
    await cut.waitFor();
    await page.reload();
    await cut.waitFor();
  });

  test('an answer without citations says so', async () => {
    model.script = [[{ say: 'It surely works.' }], [{ say: 'It works [1].' }]];
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'How long may it be?');
    await page.getByText('No passage is cited. Compare the answer with the passages found.').waitFor();
    await askIn(page, 'And how short?');
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    expect(await page.getByText('No passage is cited').count()).toBe(1);
  });

  test('conversations can be listed, renamed and deleted', async () => {
    const page = await harness.signedIn();
    await page.goto('/chat');
    await askIn(page, 'Which settings are there?');
    await page.getByText('From the documentation').waitFor();
    const list = page.getByRole('list', { name: 'Conversations' });
    await list.getByRole('button', { name: 'Actions for Which settings are there?' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.keyboard.type('Settings');
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'Settings' }).waitFor();
    await list.getByRole('button', { name: 'Actions for Settings' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete conversation' }).click();
    await page.getByRole('heading', { name: 'Ask the documentation' }).waitFor();
    await list.getByRole('link', { name: 'Settings' }).waitFor({ state: 'detached' });
  });

  test('a question can be limited to one source, and an unknown source shows an error', async () => {
    const page = await harness.signedIn();
    await page.goto('/chat/tidewater');
    await page.getByRole('heading', { name: 'Ask tidewater' }).waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith(askDocsPath) && request.method() === 'POST');
    await page.getByRole('button', { name: 'How is tidewater configured?' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ moduleId: 'tidewater' });
    await page.getByText('From the documentation').waitFor();
    await page.goto('/chat/no-such-module');
    await page.getByText('Source not found').waitFor();
  });

  test('Shift+Enter starts a new line, a reload keeps the draft, and errors keep the question', async () => {
    const page = await harness.signedIn();
    await page.goto('/chat');
    await box(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter a question.').waitFor();
    await page.keyboard.type('queue');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('and worker');
    await page.reload();
    await expect.poll(() => box(page).inputValue()).toBe('queue\nand worker');
    await page.route(`**${askDocsPath}`, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await box(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The server is not responding').waitFor();
    await expectFocus(box(page));
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('From the documentation').waitFor();
    await failWith(page, chatEndpoints.listChats, 'unavailable');
    await page.reload();
    await page.getByRole('alert').getByText('The service is restarting').waitFor();
  });

  test('a visitor can ask about public sources up to a rate limit, and the chat is not kept', async () => {
    const page = await harness.signedOut();
    await page.goto('/demo');
    await askIn(page, 'What is a queue?');
    await page.getByText('From the documentation').waitFor();
    expect(page.url()).toMatch(/\/demo$/);
    expect(await page.getByRole('complementary', { name: 'History' }).count()).toBe(0);
    for (let asked = 1; asked < limits.chatVisitorQuestionsMax; asked += 1) {
      await page.request.post(askDocsPath, { data: { question: 'queue' }, headers: { origin: harness.url } });
    }
    await askIn(page, 'And a worker?');
    await page.getByText(/Ask again in \d+ minutes/).waitFor();
    await page.getByRole('link', { name: 'Sign up' }).last().waitFor();
  });

  test.skipIf(attacks.length === 0)('attack texts run no script, load nothing and cover nothing', async () => {
    const page = await harness.signedIn({ isStill: true });
    const ran: string[] = [];
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    const chat = { chatId: 'c1', title: 'Attacks', moduleId: null, createdAt: 1, updatedAt: 1 };
    const blank = { writer: 'model' as const, errorCode: null, citations: [], usage: null, createdAt: 1 };
    for (let from = 0; from < attacks.length; from += attacksAtOnce) {
      const some = attacks.slice(from, from + attacksAtOnce);
      const messages = some.flatMap(({ id, text }): ChatMessage[] => [
        { ...blank, id: `q-${id}`, role: 'question', text: `${id} ${text}`, state: 'complete' },
        { ...blank, id: `a-${id}`, role: 'answer', text: `${text}\n\nEnd of ${id}`, state: 'complete' },
      ]);
      await answerWith(page, chatEndpoints.readChat, { chat, messages, next: null });
      await page.goto('/chat?c=c1');
      await page
        .getByRole('article')
        .nth(some.length - 1)
        .locator('.prose')
        .waitFor();
      const found = await page.evaluate(`(() => {
        const inside = [...document.querySelectorAll('article .prose, article h2')];
        const bad = inside.flatMap((part) => [...part.querySelectorAll('script, iframe, object, embed, form, style, link, meta, base, img, video, audio, math')]);
        const handlers = inside.flatMap((part) => [...part.querySelectorAll('*')]).filter((element) =>
          [...element.attributes].some(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|xlink:href)$/i.test(name) && !value.startsWith('/document/'))));
        return [...bad, ...handlers].map((element) => element.outerHTML.slice(0, 200));
      })()`);
      expect(found).toEqual([]);
    }
    expect(ran).toEqual([]);
  });

  test('without a model, the best passage is the answer and the others expand below it', async () => {
    const page = await harness.signedIn({ isStill: true });
    const chat = { chatId: 'c1', title: 'Queues', moduleId: null, createdAt: 1, updatedAt: 1 };
    const citation = {
      ...{
        url: 'https://tidewater.example/queues',
        title: 'Queues',
        headingPath: ['Dead letters'],
        text: 'Drain them.',
      },
      ...{ moduleId: 'tidewater', moduleName: 'Tidewater', visibility: 'private' as const, tokens: 9 },
    };
    const blank = {
      state: 'complete' as const,
      errorCode: null,
      citations: [],
      usage: null,
      writer: null,
      createdAt: 1,
    };
    const text = '**Queues › Dead letters** [1]\n\n> Drain them.';
    const citations = [
      { ...citation, number: 1 },
      { ...citation, number: 2, headingPath: ['Workers'], text: 'A worker takes `one` message.' },
    ];
    const messages: ChatMessage[] = [
      { ...blank, id: 'q', role: 'question', text: 'How do I drain a queue?' },
      { ...blank, id: 'a', role: 'answer', text, writer: 'passages', citations },
    ];
    await answerWith(page, chatEndpoints.readChat, { chat, messages, next: null });
    await page.goto('/chat?c=c1');
    const more = page.getByRole('region', { name: 'More passages' });
    await more.getByText('1 more passage').waitFor();
    await more.locator('summary').press('Enter');
    await more.getByText('A worker takes').waitFor();
    await more.getByRole('link', { name: 'Open the page' }).waitFor();
    await expectAccessible(page);
  });

  test('the source card stays beside its number while the page scrolls, until the number is out of view', async () => {
    const page = await harness.signedIn({ isStill: true });
    const chat = { chatId: 'c1', title: 'Queues', moduleId: null, createdAt: 1, updatedAt: 1 };
    const citation = {
      ...{ number: 1, url: 'https://tidewater.example/queues', title: 'Queues', headingPath: [], tokens: 9 },
      ...{ text: 'Drain them. '.repeat(200), moduleId: 'tidewater', moduleName: 'Tidewater' },
      visibility: 'private' as const,
    };
    const text = `Drain them [1].\n\n${'Then wait.\n\n'.repeat(120)}`;
    const blank = { state: 'complete' as const, errorCode: null, usage: null, writer: 'model' as const, createdAt: 1 };
    const messages: ChatMessage[] = [
      { ...blank, id: 'q', role: 'question', text: 'How do I drain a queue?', citations: [] },
      { ...blank, id: 'a', role: 'answer', text, citations: [citation] },
    ];
    await answerWith(page, chatEndpoints.readChat, { chat, messages, next: null });
    await page.goto('/chat?c=c1');
    const chip = page.getByRole('link', { name: /^Source 1: / });
    await chip.scrollIntoViewIfNeeded();
    // The page will scroll the number away from under a mouse, but the focus stays.
    await chip.focus();
    const words = page.locator('[popover="manual"] p', { hasText: 'Drain them. Drain them.' });
    await words.waitFor();
    // The pointer is on the card, since the number will scroll away from under it.
    await words.hover();
    const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
    const aboveCard = async () => Math.round((await topOf(words)) - (await topOf(chip)));
    const [before, distance] = [await topOf(chip), await aboveCard()];
    await words.evaluate('(words) => { words.scrollTop = 20; }');
    await page.mouse.wheel(0, 40);
    await expect.poll(() => topOf(chip)).toBeLessThan(before);
    await expect.poll(aboveCard).toBe(distance);
    expect(await words.count()).toBe(1);
    await page.mouse.wheel(0, 4_000);
    await words.waitFor({ state: 'detached' });
  });

  test('the main states are accessible and fit, in both themes and on wide and narrow screens', async () => {
    const page = await harness.signedIn({ isStill: true });
    await page.goto('/chat');
    await page.getByRole('button', { name: /get started with tidewater/ }).waitFor();
    await expectAccessible(page);
    await askIn(page, 'How do I drain a dead letter queue?');
    await page.getByText('From the documentation').waitFor();
    await page.getByRole('button', { name: 'Answer again' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog').getByRole('list', { name: 'Conversations' }).waitFor();
    await expectAccessible(page, ['light']);
  });
});
