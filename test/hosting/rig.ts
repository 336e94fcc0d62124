import { onTestFinished } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { openWebSession } from '#server/features/accounts/web-session.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { type CodeHostServer, startCodeHost } from '../services/code-host.ts';
import { userRow } from '../services/rows.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

export interface HostingRig {
  rig: HttpRig;
  host: CodeHostServer;
  /** Creates an account and signs it in, in one browser. */
  person(id: string): Promise<Sender>;
  /** Goes to the host, signs in there, and returns; returns the address that the browser is redirected to. */
  connect(sender: Sender, login: string, method?: 'oauth' | 'app'): Promise<string>;
}

/** Starts a server and a fake GitHub, configured for one or both ways to connect. */
export async function openHostingRig(
  ways: ('oauth' | 'app')[] = ['oauth'],
  environment: Record<string, string> = {},
): Promise<HostingRig> {
  const host = await startCodeHost(temporaryFolder());
  onTestFinished(() => host.stop());
  const configured = Object.assign({}, ...ways.map((way) => host.environment[way])) as Record<string, string>;
  // git is an external program.
  const allowed = [configured['LECTERN_ALLOW_HOSTS'], environment['LECTERN_ALLOW_HOSTS']].filter(Boolean).join(',');
  const given = { ...configured, ...environment, LECTERN_ALLOW_HOSTS: allowed };
  const rig = await openHttpRig({ PATH: process.env['PATH'] ?? '', ...given });
  host.appWebhookUrl = ways.includes('app') ? `${rig.url}/webhooks/github` : undefined;
  return {
    ...{ rig, host },
    person: (id) => signedIn(rig, id),
    async connect(sender, login, method) {
      const { url } = await rig.ask(hostingEndpoints.connectGithub, { method }, sender);
      return comeBack(rig, await choose(url, login), sender);
    },
  };
}

export async function signedIn(rig: HttpRig, id: string): Promise<Sender> {
  const { db } = rig.running.installation.base;
  const row = userRow({ id, emailVerifiedAt: 0, credits: 100 });
  await db.query
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const browser = { address: '127.0.0.1', userAgent: 'test', sessionToken: undefined };
  const { sessionToken } = await db.transaction((tx) => openWebSession(tx, Date.now(), id, browser));
  return { cookie: `lectern_session=${sessionToken}`, 'x-lectern-csrf': '1' };
}

/** Clicks as the user at the host; returns the address that the browser is redirected to. */
export async function choose(at: string, login: string): Promise<string> {
  const chosen = new URL(at);
  chosen.searchParams.set('person', login);
  const response = await fetch(chosen, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

/** Opens that address in a browser with this session; returns the address that it is redirected to. */
export async function comeBack(rig: HttpRig, address: string, sender: Sender): Promise<string> {
  const { pathname, search } = new URL(address);
  const headers = sender['cookie'] === undefined ? {} : { cookie: sender['cookie'] };
  const response = await rig.send(pathname + search, { headers });
  return response.headers.get('location') ?? `${response.status}`;
}
