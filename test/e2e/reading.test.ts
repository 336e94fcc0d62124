import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasChromium } from './chromium.ts';
import { useHarness } from './harness.ts';
import { checkScene, heading, type Scene } from './scene.ts';

const root = join(import.meta.dirname, '../..');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

interface Form {
  count: number;
  figures: Record<'in search' | 'on the path' | 'page@5' | 'tokens of a path', { mean: number }>;
  tokensMost: number;
}

interface Baseline {
  summary: { forms: { agent: Form; cold: Form }; latency: { search: { p50Ms: number } } };
}

const scenes: Scene[] = [
  { name: 'the page for connecting', path: '/mcp', isVisitor: true, until: heading('Connect over MCP') },
  { name: 'the blog', path: '/blog', isVisitor: true, until: heading('How we use MCP') },
  {
    name: 'a post with film and charts',
    path: '/blog/how-make-search-good',
    isVisitor: true,
    until: heading('Repeat it'),
  },
  { name: 'a post with samples', path: '/blog/how-does-ref-mcp', isVisitor: true, until: heading('How fast it is') },
];

describe.skipIf(!hasChromium)('MCP page and blog', () => {
  const harness = useHarness();

  test.each(scenes)('$name is accessible and fits', (scene) => checkScene(harness, scene));

  test('the MCP page lets visitors choose a client by keyboard and shows this server and its tool definitions', async () => {
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/mcp');
    await page.getByRole('radio', { name: 'Claude Code' }).focus();
    const keyless = (name: string) => page.getByRole('group', { name: `Configuration for ${name} without a key` });
    const command = `claude mcp add --scope user --transport http lectern ${harness.url}/mcp`;
    await keyless('Claude Code').getByText(command).waitFor();
    await page.keyboard.press('ArrowRight');
    await keyless('Cursor').waitFor();
    expect(await keyless('Claude Code').isVisible()).toBe(false);
    for (let place = 0; place < 5; place += 1) await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Zed' }).isChecked()).toBe(true);
    await page.getByRole('group', { name: 'Configuration for Zed over stdio' }).getByText('LECTERN_API_KEY').waitFor();

    const { tools, toolsTokens } = read<{ tools: { name: string; tokens: number }[]; toolsTokens: number }>(
      'web/lib/agent-surface.json',
    );
    await page.getByText(`defined in ${toolsTokens} tokens`).waitFor();
    for (const { name, tokens } of tools) {
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name }) })
        .getByText(`${tokens} tokens`)
        .waitFor();
    }
    expect(await page.getByRole('link', { name: 'credits-exhausted' }).getAttribute('href')).toBe(
      '/docs/errors/credits-exhausted',
    );
  });

  test('blog posts show the committed figures, a title, the reading time and a link back', async () => {
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/blog');
    await page.getByRole('link', { name: 'How we make search good for agents' }).click();
    await page.getByRole('heading', { level: 1, name: 'How we make search good for agents' }).waitFor();
    await expect.poll(() => page.title()).toBe('Lectern - How we make search good for agents');
    const { forms, latency } = read<Baseline>('eval/baseline.json').summary;
    const { agent, cold } = forms;
    const text = ((await page.getByRole('article').textContent()) ?? '').replace(/\s+/g, ' ');
    const count = (value: number) => Math.round(value).toLocaleString('en');
    const percents = ({ figures }: Form) =>
      [figures['in search'], figures['on the path'], figures['page@5']]
        .map(({ mean }) => `${Math.round(mean * 100)}%`)
        .join('');
    const tokens = agent.figures['tokens of a path'].mean;
    expect(text).toContain(`There are ${agent.count} questions`);
    expect(text).toContain(`As a coding agent writes it${percents(agent)}`);
    expect(text).toContain(`As a person types it${percents(cold)}`);
    expect(text).toContain(`An agent’s question costs ${count(tokens)} tokens`);
    expect(text).toContain(`${count(10_000 - tokens)} fewer than the baseline`);
    expect(text).toContain(`the most expensive ${count(agent.tokensMost)}`);
    expect(text).toContain(`A search took ${Math.round(latency.search.p50Ms)} ms`);
    expect(text).toMatch(/\d min to read/);
    await page.getByRole('article').getByRole('link', { name: 'Blog' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Blog' }).waitFor();

    await page.goto('/blog/how-does-ref-mcp');
    const { searchOverMcp } = read<{ searchOverMcp: { alone: { p50Ms: number } } }>('bench/last.json');
    await page.getByRole('cell', { name: `${Math.round(searchOverMcp.alone.p50Ms)} ms`, exact: true }).waitFor();
    expect(await page.locator('.token-string').count()).toBeGreaterThan(0);
  });

  test('the video is self-hosted, has captions, does not autoplay, and plays', async () => {
    const page = await harness.signedOut({ isStill: true });
    await page.goto('/blog/how-make-search-good');
    await page.locator('video').waitFor();
    const film = "document.querySelector('video')";
    expect(await page.evaluate(`${film}.paused && ${film}.controls`)).toBe(true);
    const seconds = await page.evaluate(
      `new Promise((fulfil, reject) => {
        const film = ${film};
        film.addEventListener('playing', () => fulfil(film.duration));
        film.querySelector('source').addEventListener('error', () => reject(new Error('there is no film')));
        film.play().catch(reject);
      })`,
    );
    expect(seconds).toBeGreaterThan(20);
    await expect.poll(() => page.evaluate(`${film}.textTracks[0].cues?.length ?? 0`)).toBe(4);
  });
});
