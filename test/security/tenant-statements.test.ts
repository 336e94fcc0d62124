import { StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { endpointGroups } from '#contract/reference.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { askAgent, openStage } from './team-cast.ts';

interface Statement {
  text: string;
  rows: unknown[];
}

/** Records all statement results from now on, by listening at the database driver. */
function listenToStatements(): Statement[] {
  const heard: Statement[] = [];
  const driver = StatementSync.prototype as unknown as Record<'all' | 'get', Run>;
  const { all, get } = driver;
  const listening = (run: Run): Run =>
    function listen(this: StatementSync, ...values) {
      const answer = run.apply(this, values);
      heard.push({ text: this.sourceSQL, rows: [answer ?? []].flat() });
      return answer;
    };
  Object.assign(driver, { all: listening(all), get: listening(get) });
  onTestFinished(() => void Object.assign(driver, { all, get }));
  return heard;
}

type Run = (this: StatementSync, ...values: unknown[]) => unknown;

/** Statements for the process instead of a caller, such as waiting runs and due jobs. */
const ofTheProcess = /from "job_runs" where ("status" in|\("lease)|"due_at"|from "(settings|schema_migrations)"/;

const isReading = (endpoint: Endpoint) => endpoint.method === 'GET';

test('tenant-0030: no SQL statement run for one tenant returns another tenant’s row', async () => {
  const stage = await openStage();
  const { rig, senders } = stage;
  const acme = await stage.team();
  const a = { ...senders.founder, [teamHeader]: acme.teamId };
  const { set } = await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Secret manuals' }, a);
  const { keyId } = await stage.teamKey(acme, 'founder');
  const otherId = await sampleTeam(rig.running.installation.base.db, { id: 'other', members: { outsider: 'admin' } });
  const b = { ...senders.outsider, [teamHeader]: otherId };
  const { secret } = await rig.ask(keyEndpoints.createKey, { name: 'agent', teamId: otherId }, b);
  await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Own manuals' }, b);

  const heard = listenToStatements();
  const ids: Record<string, string> = { teamId: otherId, url: 'https://docs.example/', query: 'manuals' };
  const reading = endpointGroups.flatMap(({ endpoints }) => Object.values(endpoints)).filter(isReading);
  for (const endpoint of reading) {
    const shape = Object.keys((endpoint.input as { shape?: object }).shape ?? {});
    const wanted = [...endpoint.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
    const input = Object.fromEntries(
      [...new Set([...shape, ...wanted])].flatMap((name) => {
        const value = ids[name] ?? (wanted.includes(name) ? 'none' : undefined);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const { status } = await stage.ask(endpoint, input, b);
    expect([endpoint.path, status < 500]).toEqual([endpoint.path, true]);
  }
  // With the other tenant's ids no statement returns rows that a later check would have to withhold.
  for (const [endpoint, input] of [
    [keyEndpoints.revealKey, { keyId }],
    [pdfSetEndpoints.getPdfSet, { setId: set.setId }],
    [teamAdministration.removeMember, { teamId: otherId, membershipId: acme.membershipIds.writer }],
  ] as const) {
    await stage.ask(endpoint, input, b);
  }
  await askAgent(rig, secret, 'lectern_search_documentation', { query: 'manuals' });
  await askAgent(rig, secret, 'lectern_read_url', { url: 'pdf://secret-manuals/a.pdf' });

  expect(heard.filter(({ rows }) => rows.length > 0).length).toBeGreaterThan(50);
  const marks = [acme.teamId, acme.moduleId, set.setId, keyId, ...Object.values(acme.membershipIds), 'Secret manuals'];
  const foreign = heard.filter(
    ({ text, rows }) =>
      !ofTheProcess.test(text) && rows.some((row) => marks.some((mark) => JSON.stringify(row).includes(mark))),
  );
  expect(foreign.map(({ text, rows }) => [text, rows[0]])).toEqual([]);
});
