import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type IndexRequest, indexRequestEndpoints } from '#contract/index-requests.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { hasChromium } from './chromium.ts';
import { expectAccessible, useHarness } from './harness.ts';
import { checkScene, heading, type Scene } from './scene.ts';

const dayMs = 86_400_000;

function someRequest(part: Partial<IndexRequest> = {}): IndexRequest {
  const now = Date.now();
  return {
    id: 'ask-1',
    address: 'https://docs.aurora.example/guide/',
    kind: 'site',
    moduleId: 'docs.aurora.example~guide',
    library: 'Aurora',
    version: '4.2',
    state: 'pending',
    askedBy: 'Claude Code on the laptop',
    askedFor: 'Anna Lind',
    askedAt: now - 4 * 60_000,
    expiresAt: now + 7 * dayMs,
    answeredBy: null,
    answeredAt: null,
    jobId: null,
    ...part,
  };
}

const answered = { answeredBy: 'Anna Lind', answeredAt: Date.now() - dayMs };
const allStates = [
  someRequest(),
  someRequest({
    ...{ id: 'ask-2', kind: 'git', library: null, version: null },
    address: `https://git.example/${'averylongnamewithoutanyspaceinit'.repeat(4)}.git (branch main, folder docs)`,
  }),
  someRequest({ id: 'ask-3', state: 'approved', ...answered, jobId: 'job_1' }),
  someRequest({ id: 'ask-4', state: 'declined', ...answered }),
  someRequest({ id: 'ask-5', state: 'expired', askedAt: Date.now() - 9 * dayMs, expiresAt: Date.now() - 2 * dayMs }),
];

describe.skipIf(!hasChromium)('index requests of agents', () => {
  const harness = useHarness();
  const path = '/resources?tab=requests';

  /** Returns a function that asks for an address as an agent and returns the text of the response. */
  async function agentWith(secret: string): Promise<(address: string) => Promise<string>> {
    const client = new Client({ name: 'editor', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${harness.url}/mcp`), { requestInit }));
    onTestFinished(() => client.close());
    return async (address) => {
      const { content } = await client.callTool({ name: 'lectern_index_source', arguments: { address } });
      return (content as { text: string }[])[0]?.text ?? '';
    };
  }

  test('an agent with a permitted key requests sources; its requests appear live and can be approved or declined', async () => {
    const page = await harness.signedIn();
    await page.goto('/keys#new');
    await page.getByLabel('Name').fill('Asking agent');
    await page.getByRole('checkbox', { name: 'Can request sources' }).check();
    await expectAccessible(page, ['light']);
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret =
      (await page
        .getByText(/^lec_\w{38}$/)
        .first()
        .textContent()) ?? '';
    await page.getByText('Can request sources').first().waitFor();
    const ask = await agentWith(secret);

    await page.goto(path);
    await page.getByText('No requests yet').waitFor();
    const wanted = `${harness.site.origin}/`;
    expect(await ask(wanted)).toContain(`${harness.url}/resources?tab=requests`);
    await page.getByText('Requested by Asking agent').waitFor();
    await page.getByRole('tab', { name: /^Requests\s*1/ }).waitFor();
    await page.getByRole('button', { name: `Approve ${wanted}` }).click();
    await page.getByText('No pending requests.').waitFor();
    await page.getByText('Approved', { exact: true }).waitFor();
    expect(await ask(wanted)).toMatch(/^Index(ed|ing)/);

    const unwanted = 'https://docs.unwanted.example/';
    await ask(unwanted);
    await page.getByRole('button', { name: `Decline ${unwanted}` }).click();
    await page.getByText('Declined', { exact: true }).waitFor();
    expect(await ask(unwanted)).toBe('Declined. Do not ask again within 24 h.');
    await page.getByRole('link', { name: 'Show the source' }).click();
    await page.waitForURL(/\/resources\/[^?]+/);
  });

  test('approving a request that is already decided shows an error', async () => {
    const page = await harness.signedIn();
    await answerWith(page, indexRequestEndpoints.listIndexRequests, { requests: [someRequest()] });
    await failWith(page, indexRequestEndpoints.approveIndexRequest, 'index-request-settled');
    await page.goto(path);
    await page.getByRole('button', { name: /^Approve/ }).click();
    await page.getByText('This request has already been decided or has expired.').waitFor();
  });

  const scenes: Scene[] = [
    {
      name: 'requests in every state',
      path,
      set: (page) => answerWith(page, indexRequestEndpoints.listIndexRequests, { requests: allStates }),
      until: heading('Answered'),
    },
    {
      name: 'no requests',
      path,
      set: (page) => answerWith(page, indexRequestEndpoints.listIndexRequests, { requests: [] }),
      until: async (page) => page.getByText('No requests yet').waitFor(),
    },
    {
      name: 'requests that cannot be loaded',
      path,
      set: (page) => failWith(page, indexRequestEndpoints.listIndexRequests, 'internal'),
      until: async (page) => page.getByText("Couldn't load the requests").waitFor(),
    },
    {
      name: 'requests that are being loaded',
      path,
      set: (page) => neverAnswer(page, indexRequestEndpoints.listIndexRequests),
      until: async (page) => page.getByText('Loading requests…').waitFor(),
    },
  ];
  test.each(scenes)('$name: accessible in both themes, wide and narrow', (scene) => checkScene(harness, scene));
});
