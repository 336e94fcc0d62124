import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bus } from '#server/platform/bus/bus.ts';
import { openBus } from '#server/platform/bus/open-bus.ts';
import type { Database, DatabaseConfig } from '#server/platform/db/database.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { createLogger } from '#server/platform/log.ts';
import { startCuttableProxy } from '#test/services/cuttable-proxy.ts';
import { freshDatabaseConfig, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { until } from '#test/services/until.ts';

onEachDatabase('bus', (kind) => {
  let config: DatabaseConfig;
  let db: Database;
  let bus: Bus;
  beforeEach(async () => {
    config = await freshDatabaseConfig(kind);
    db = connectDatabase(config);
    bus = await openBus(config, silentLog);
  });
  afterEach(async () => {
    await bus.close();
    await db.close();
  });

  /** Collects a topic's messages. */
  function collect(topic: string, from: Bus = bus) {
    const heard: string[] = [];
    const stop = from.subscribe(topic, (payload) => void heard.push(payload));
    return { heard, stop };
  }

  test('a message reaches every listener of its topic and no other, in order, after the sender has finished', async () => {
    const [first, second, other] = [collect('a'), collect('a'), collect('b')];
    const sent = Array.from({ length: 200 }, (_, at) => `message ${at} ü "quoted"`);
    for (const payload of sent) bus.publish('a', payload);
    expect(first.heard).toEqual([]);
    await until('all have arrived', () => second.heard.length === 200);
    expect([first.heard, second.heard, other.heard]).toEqual([sent, sent, []]);
  });

  test('a message can be empty, long, and contain any character', async () => {
    const { heard } = collect('topic with : and \n');
    const sent = ['', 'x'.repeat(100_000), '\0\u{1F600}:\n', '{"a":1}'];
    for (const payload of sent) bus.publish('topic with : and \n', payload);
    await until('all have arrived', () => heard.length === sent.length);
    expect(heard).toEqual(sent);
  });

  test('a stopped listener receives nothing more, a second one on the same topic still does', async () => {
    const [stopped, kept] = [collect('a'), collect('a')];
    stopped.stop();
    stopped.stop();
    bus.publish('a', 'x');
    await until('the twin has heard', () => kept.heard.length === 1);
    expect(stopped.heard).toEqual([]);
  });

  test('a listener that throws is logged and does not prevent others from receiving', async () => {
    const lines: string[] = [];
    const log = createLogger('error', { write: (line) => void lines.push(line) });
    const loud = await openBus(config, log);
    loud.subscribe('a', () => {
      throw new Error('listener broke');
    });
    const { heard } = collect('a', loud);
    loud.publish('a', '1');
    loud.publish('a', '2');
    await until('both have arrived', () => heard.length === 2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('listener broke');
    await loud.close();
  });

  test('a listener can use the database even if the message was sent inside a transaction', async () => {
    let answer: Promise<unknown> | undefined;
    bus.subscribe('a', () => {
      answer = db.query.selectFrom('users').selectAll().execute();
    });
    await db.transaction(async () => {
      bus.publish('a', '');
      await until('the listener has run', () => answer !== undefined);
    });
    expect(await answer).toEqual([]);
  });

  test('nothing is received after closing, and closing twice or publishing afterwards is harmless', async () => {
    const { heard } = collect('a');
    await bus.close();
    bus.publish('a', 'x');
    await bus.close();
    expect(heard).toEqual([]);
  });
});

describe('the bus between processes', () => {
  onEachDatabase('bus', (kind) => {
    test.runIf(kind === 'postgres')(
      'a message reaches other processes on the same database, and the last one sent arrives',
      async () => {
        const config = await freshDatabaseConfig(kind);
        const elsewhere = await openBus(await freshDatabaseConfig(kind), silentLog);
        const [one, two] = [await openBus(config, silentLog), await openBus(config, silentLog)];
        const [heard, heardElsewhere]: string[][] = [[], []];
        two.subscribe('a', (payload) => void heard?.push(payload));
        elsewhere.subscribe('a', (payload) => void heardElsewhere?.push(payload));
        for (let at = 0; at < 50; at++) one.publish('a', `${at}`);
        await one.close();
        await until('all have arrived', () => heard?.length === 50);
        expect(heardElsewhere).toEqual([]);
        await Promise.all([two.close(), elsewhere.close()]);
      },
    );

    test.runIf(kind === 'postgres')(
      'a broken connection is reopened, everything is announced as changed, and no sent message is lost',
      async () => {
        const config = await freshDatabaseConfig(kind);
        const db = connectDatabase(config);
        const bus = await openBus(config, silentLog);
        const [heard, gaps]: [Set<string>, number[]] = [new Set(), []];
        bus.subscribe('a', (payload) => void heard.add(payload));
        bus.onGap(() => void gaps.push(1));
        for (let round = 1; round <= 3; round++) {
          for (let at = 0; at < 20; at++) bus.publish('a', `before ${round} ${at}`);
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(db.query);
          expect(rows).toHaveLength(1);
          for (let at = 0; at < 20; at++) bus.publish('a', `after ${round} ${at}`);
          await until('the gap is announced', () => gaps.length >= round);
          bus.publish('a', `again ${round}`);
          await until('the bus works again', () => heard.has(`again ${round}`));
          for (let at = 0; at < 20; at++) expect(heard).toContain(`after ${round} ${at}`);
        }
        await bus.close();
        await db.close();
      },
    );

    test.runIf(kind === 'postgres')(
      'a silent connection is reopened, and everything is announced as changed',
      async () => {
        const config = await freshDatabaseConfig(kind);
        const url = new URL(config.kind === 'postgres' ? config.url : '');
        const proxy = await startCuttableProxy(Number(url.port));
        const sender = await openBus(config, silentLog);
        url.port = String(proxy.port);
        const bus = await openBus({ kind: 'postgres', url: url.href }, silentLog);
        const [heard, gaps]: [string[], number[]] = [[], []];
        bus.subscribe('a', (payload) => void heard.push(payload));
        bus.onGap(() => void gaps.push(1));
        sender.publish('a', 'before');
        await until('it is heard', () => heard.length === 1);
        proxy.mute();
        sender.publish('a', 'lost');
        await until('the gap is announced', () => gaps.length > 0, 50_000);
        sender.publish('a', 'after');
        await until('the bus works again', () => heard.length === 2);
        expect(heard).toEqual(['before', 'after']);
        await Promise.all([bus.close(), sender.close()]);
      },
      120_000,
    );
  });
});
