import { expect, onTestFinished, test } from 'vitest';
import { askDocsPath, chatEndpoints } from '#contract/chat.ts';
import { type Endpoint, toRequest } from '#contract/endpoint.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { nameLine } from '#contract/name-line.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { searchEndpoints } from '#contract/search.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { attacksOf } from '../services/attacks.ts';
import { emptyDatabaseConfig, onEachDatabase } from '../services/database.ts';
import { until } from '../services/until.ts';
import { askAgent } from './team-cast.ts';

const listed = attacksOf<{ id: string; text: string }>('naughty-strings.jsonl');
/** More strings that break databases and text formats. */
const ours = ['a\u0000b', '\ud800', 'a\udc00', '\u2028', '{"$ne":null}', '{{7*7}}', '%s%n', '\uffff'].map(
  (text, at) => ({
    id: `ours-${at}`,
    text,
  }),
);
const strings = listed.length === 0 ? [] : [...listed, ...ours];

interface Asking {
  rig: HttpRig;
  sender: Sender;
  /** Sends a call and fails on a server error; returns undefined if the call was refused. */
  ask(id: string, endpoint: Endpoint, input: Record<string, unknown>): Promise<Record<string, unknown> | undefined>;
}

async function openAsking(environment: Record<string, string>): Promise<Asking> {
  const rig = await openHttpRig(environment);
  const sender = await rig.signIn();
  return {
    ...{ rig, sender },
    async ask(id, endpoint, input) {
      const { path, body } = toRequest(endpoint, input);
      const response = await rig.send(path, { method: endpoint.method, headers: sender, body: body ?? null });
      const told = (await response.json()) as Record<string, unknown>;
      const isOurs = response.status >= 500 && response.status !== 502;
      expect([id, endpoint.path, isOurs ? told : 'no fault']).toEqual([id, endpoint.path, 'no fault']);
      return response.status === 200 ? told : undefined;
    },
  };
}

const isControl = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Sets each name and reads it back. An accepted name is stored as given, without surrounding spaces. */
async function nameAll(
  asking: Asking,
  endpoint: Endpoint,
  input: (text: string) => object,
  nameIn: (told: never) => string,
  before: () => Promise<unknown> = async () => undefined,
) {
  let kept = 0;
  for (const { id, text } of strings) {
    await before();
    const told = await asking.ask(id, endpoint, { ...input(text) });
    if (told === undefined) continue;
    kept += 1;
    if (isControl.test(text)) continue;
    expect([id, nameIn(told as never)]).toEqual([id, nameLine(text.toWellFormed())]);
  }
  expect(kept).toBeGreaterThan(strings.length / 2);
}

onEachDatabase('strings that often break programs', (kind) => {
  const environmentOf = async (): Promise<Record<string, string>> => {
    if (kind === 'sqlite') return {};
    const config = await emptyDatabaseConfig(kind);
    return config.kind === 'postgres' ? { DATABASE_URL: config.url } : {};
  };

  test.skipIf(strings.length === 0)(
    'are valid names and are stored unchanged',
    async () => {
      const asking = await openAsking(await environmentOf());
      const { rig, sender, ask } = asking;
      const { query } = rig.running.installation.base.db;
      await query.updateTable('users').set({ emailVerifiedAt: 1 }).execute();
      // More keys than a user may create in an hour, or have at a time.
      const forgetKeys = async () => {
        await query.deleteFrom('rateCounts').execute();
        await query.updateTable('apiKeys').set({ revokedAt: 1 }).execute();
      };
      await nameAll(
        asking,
        keyEndpoints.createKey,
        (name) => ({ name }),
        (told: { key: { name: string } }) => told.key.name,
        forgetKeys,
      );
      // All active keys are listed, but only some of the revoked ones.
      await query.updateTable('apiKeys').set({ revokedAt: null }).execute();
      const { keys } = await rig.ask(keyEndpoints.listKeys, {}, sender);
      const names = new Set(keys.map(({ name }) => name));
      for (const { id, text } of listed) {
        const name = nameLine(text);
        if (name !== '' && text.length <= 100) expect([id, names.has(name)]).toEqual([id, true]);
      }
      // The following checks use the same statements on both databases.
      if (kind === 'postgres') return;
      const { teamId } = await rig.ask(teamAdministration.createTeam, { teamName: 'First' }, sender);
      await nameAll(
        asking,
        teamEndpoints.updateTeam,
        (name) => ({ teamId, name }),
        (told: { team: { name: string } }) => told.team.name,
      );
      const { set } = await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'First' }, sender);
      const rename = (displayName: string) => ({ setId: set.setId, displayName });
      await nameAll(
        asking,
        pdfSetEndpoints.renamePdfSet,
        rename,
        (told: { set: { displayName: string } }) => told.set.displayName,
      );
      const person = (displayName: string) => ({ displayName });
      await nameAll(
        asking,
        identityEndpoints.updateProfile,
        person,
        (told: { user: { displayName: string } }) => told.user.displayName,
      );
      for (const [at, { id, text }] of strings.entries()) {
        await ask(id, pdfSetEndpoints.startPdfUpload, { setId: set.setId, fileName: text, sizeBytes: 10 });
        await ask(id, teamAdministration.inviteMembers, { teamId, teamMembers: [text] });
        await ask(id, libraryEndpoints.recogniseSource, { address: text.toWellFormed() });
        // Password hashing is slow by design.
        if (at % 16 !== 0) continue;
        await ask(id, identityEndpoints.signUpWithEmail, { email: `${text}@example.org`, password: 'correct horse' });
        await ask(id, identityEndpoints.signInWithEmail, { email: text, password: text });
        const secret = { kind: 'cookie', value: text };
        await ask(id, sourceCredentialEndpoints.createSourceCredential, {
          url: 'https://a.example',
          label: text,
          secret,
        });
      }
    },
    300_000,
  );
});

test.skipIf(strings.length === 0)(
  'strings that often break programs are valid queries and addresses',
  async () => {
    const site = await startSampleSite(2);
    onTestFinished(() => site.close());
    const asking = await openAsking({ LECTERN_ALLOW_HOSTS: site.host });
    const { rig, sender, ask } = asking;
    site.pages.set(
      'page0',
      strings.map(({ text }) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')).join('</p><p>'),
    );
    const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'sample' }, sender);
    await until('indexed', async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id }, sender)).job.endTime);
    const { secret } = await rig.createKey();
    const { query } = rig.running.installation.base.db;
    let chatId: string | undefined;
    for (const [at, { id, text }] of strings.entries()) {
      const found = await ask(id, searchEndpoints.search, { query: text.toWellFormed() });
      if (/[\p{L}\p{N}]/u.test(text) && text.length <= 2_000) expect([id, found === undefined]).toEqual([id, false]);
      if (!URL.canParse(text)) await ask(id, searchEndpoints.read, { url: text.toWellFormed() });
      if (at % 40 !== 0) continue;
      await query.deleteFrom('rateCounts').execute();
      const body = JSON.stringify({ question: text });
      const answer = await rig.send(askDocsPath, { method: 'POST', headers: sender, body });
      expect([id, answer.status < 500]).toEqual([id, true]);
      chatId = /"chatId":"([^"]+)"/.exec(await answer.text())?.[1] ?? chatId;
      expect(await askAgent(rig, secret, 'lectern_search_documentation', { query: text })).not.toContain('"internal"');
    }
    for (const { id, text } of strings) {
      await ask(id, chatEndpoints.renameChat, { chatId: chatId ?? '', title: text });
      const files = [{ path: text, text: `{"name":${JSON.stringify(text)},"lockfileVersion":3,"packages":{}}` }];
      if (id.endsWith('0')) await ask(id, profileEndpoints.setProfile, { name: text, files });
    }
  },
  300_000,
);
