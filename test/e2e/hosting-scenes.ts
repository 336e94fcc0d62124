import type { AvailableRepository, HostedRepository, HostingConnection } from '#contract/hosting.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { answerWith, failWith, neverAnswer } from './answers.ts';
import { heading, type Scene } from './scene.ts';

const path = '/resources?tab=repositories';
const hourMs = 3_600_000;
const now = Date.now();

const connection: HostingConnection = {
  ...{ method: 'oauth', login: 'ada', url: 'https://github.com/ada', scopes: ['repo'], readsPrivate: true },
  ...{ state: 'connected', connectedAt: now - 48 * hourMs },
};

function hosted(part: Partial<HostedRepository> & { id: string }): HostedRepository {
  return {
    ...{ repositoryId: part.id, fullName: 'ada/handbook', url: 'https://github.com/ada/handbook', isPrivate: true },
    ...{ ref: { kind: 'branch', name: 'main' }, folder: null, moduleId: `github.com~ada~${part.id}` },
    ...{ readBy: { kind: 'connection', login: 'ada' }, addedBy: { displayName: 'Ada', isYou: true } },
    ...{ addedAt: now - 5 * hourMs, paused: null, isTold: true },
    stats: {
      ...{ files: 1_204, documentationFiles: 310, isPartial: false, sizeBytes: 48_000_000 },
      ...{ defaultBranch: 'main', pushedAt: now - hourMs, countedAt: now },
    },
    ...part,
  };
}

const repositories = [
  hosted({ id: 'one' }),
  hosted({
    ...{
      id: 'two',
      fullName: 'ada-and-friends/an-uncommonly-long-name-of-a-repository-that-has-to-wrap',
      folder: 'docs',
    },
    ...{ ref: { kind: 'tag', name: 'v2.1.0' }, isPrivate: false, isTold: false, stats: null },
    readBy: { kind: 'installation', login: 'ada-and-friends' },
  }),
  hosted({
    ...{ id: 'three', fullName: 'ada/kitchen', addedBy: { displayName: 'Ben Sample', isYou: false } },
    paused: { reason: 'adder-left', at: now - hourMs },
  }),
];

function available(number: number, part: Partial<AvailableRepository> = {}): AvailableRepository {
  return {
    ...{
      repositoryId: `r${number}`,
      fullName: `ada/project-${number}`,
      url: `https://github.com/ada/project-${number}`,
    },
    ...{
      description: 'What it is about, in a sentence that may be too long to be shown on one line of a small screen',
    },
    ...{ isPrivate: number % 2 === 0, isFork: false, isArchived: number === 3, defaultBranch: 'main' },
    ...{ sizeBytes: 1_000, pushedAt: now - number * hourMs, isAdded: number === 1 },
    ...part,
  };
}

const list = { page: 1, nextPage: 2, total: 45, isCut: false };
const some = Array.from({ length: 30 }, (_, at) => available(at + 1));
const state = (part: Partial<{ connection: HostingConnection | null; repositories: HostedRepository[] }>) => ({
  ...{ methods: ['oauth' as const], connection, repositories: [] },
  ...part,
});
type Page = Parameters<NonNullable<Scene['set']>>[0];
const set =
  (part: Parameters<typeof state>[0], methods: ('oauth' | 'app')[] = ['oauth']) =>
  (page: Page) =>
    answerWith(page, hostingEndpoints.getHosting, { ...state(part), methods });
const openPicker = (page: Page) => page.getByRole('button', { name: 'Add a repository' }).click();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();

/** The repositories panel in every state. */
export const hostingScenes: Scene[] = [
  {
    ...{ name: 'repositories while they load', path },
    set: (page) => neverAnswer(page, hostingEndpoints.getHosting),
    until: (page) => page.getByText('Loading repositories…').waitFor({ state: 'attached' }),
  },
  {
    ...{ name: 'repositories that failed to load', path },
    set: (page) => failWith(page, hostingEndpoints.getHosting, 'internal'),
    until: text("Couldn't load your repositories"),
  },
  {
    ...{ name: 'repositories where GitHub is not configured', path },
    set: set({ connection: null }, []),
    until: heading('GitHub authentication is not configured'),
  },
  {
    ...{ name: 'repositories before GitHub is connected, in two ways', path: `${path}&github=hosting-cancelled` },
    set: set({ connection: null }, ['app', 'oauth']),
    until: text('because you did not grant access'),
  },
  { ...{ name: 'repositories when there is none', path }, set: set({}), until: heading('No repositories yet') },
  { ...{ name: 'repositories', path }, set: set({ repositories }), until: text('ada/kitchen') },
  {
    ...{ name: 'repositories with an ended connection', path },
    set: set({
      connection: { ...connection, state: 'reconnect' },
      repositories: [hosted({ id: 'one', paused: { reason: 'reconnect-needed', at: now } })],
    }),
    until: text('Connect again'),
  },
  {
    ...{ name: 'choosing a repository', path },
    async set(page) {
      await set({})(page);
      await answerWith(page, hostingEndpoints.listRepositories, { ...list, repositories: some });
    },
    act: openPicker,
    until: text('30 of 45 repositories'),
  },
  {
    ...{ name: 'choosing a repository when nothing matches', path },
    async set(page) {
      await set({})(page);
      await answerWith(page, hostingEndpoints.listRepositories, {
        ...list,
        nextPage: null,
        total: 0,
        repositories: [],
      });
    },
    async act(page) {
      await openPicker(page);
      await page.getByRole('searchbox', { name: 'Search your repositories' }).fill('zebra');
    },
    until: text('No repository matches “zebra”'),
  },
  {
    ...{ name: 'choosing a repository when GitHub limits requests', path },
    async set(page) {
      await set({})(page);
      await failWith(page, hostingEndpoints.listRepositories, 'hosting-rate-limited', { minutes: '14' });
    },
    act: openPicker,
    until: text('Try again in 14 min'),
  },
  {
    ...{ name: 'choosing the branch and folder of a repository', path },
    async set(page) {
      await set({})(page);
      await answerWith(page, hostingEndpoints.listRepositories, { ...list, repositories: some });
      await answerWith(page, hostingEndpoints.listBranches, {
        ...{ repository: available(1), branches: ['main', 'next'], tags: ['v1.0'], isCut: true },
      });
    },
    async act(page) {
      await openPicker(page);
      await page
        .getByRole('button', { name: /project-2/ })
        .first()
        .click();
    },
    until: text('Not all are listed.'),
  },
  {
    ...{ name: 'confirming that GitHub is disconnected', path },
    set: set({ repositories }),
    act: (page) => page.getByRole('button', { name: 'Disconnect' }).click(),
    until: text('2 repositories in this workspace'),
  },
];
