import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import type { Database } from '#server/platform/db/database.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { type RunningCommand, startServer } from '../cli/run-cli.ts';
import { emptyDatabaseConfig } from '../services/database.ts';
import { startS3 } from '../services/s3.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

/** One process of an installation, with its own data folder. */
export interface Process extends RunningCommand {
  roles: string;
  url: string;
  /** Calls an endpoint as the operator; only for a process with the web role. */
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Kills it like a power cut. */
  kill(): Promise<void>;
  /** Stops it as a rollout does; returns the exit code. */
  stop(): Promise<number | null>;
}

export interface Installation {
  db: Database;
  start(roles: string): Promise<Process>;
}

/** Creates an empty PostgreSQL database and an empty bucket for any number of processes. */
export async function openInstallation(environment: Record<string, string>): Promise<Installation> {
  const [database, s3] = await Promise.all([emptyDatabaseConfig('postgres'), startS3()]);
  onTestFinished(() => s3.stop());
  if (database.kind !== 'postgres') throw new Error('not the database that was asked for');
  const { bucket, prefix, endpoint, region, credentials } = s3.config;
  const shared = {
    ...{ DATABASE_URL: database.url, BLOB_STORE: `s3://${bucket}/${prefix}`, LECTERN_SECRET: 'ab'.repeat(32) },
    ...{ S3_ENDPOINT: endpoint ?? '', S3_REGION: region },
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    ...{ LOG_LEVEL: 'error', LECTERN_PARSE_WORKERS: '1', ...environment },
  };
  const db = await openDatabase({ ...database, connectionsMax: 2 });
  onTestFinished(() => db.close());
  return { db, start: (roles) => startProcess(roles, { ...shared, LECTERN_ROLES: roles }) };
}

async function startProcess(roles: string, env: Record<string, string>): Promise<Process> {
  const dataFolder = join(temporaryFolder(), 'data');
  const running = await startServer(dataFolder, { env });
  const operatorToken = (await findRunningServer(dataFolder))?.operatorToken;
  return {
    ...running,
    roles,
    async call(endpoint, input) {
      const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
      const headers = { authorization: `Bearer ${operatorToken}` };
      const response = await fetch(`${running.url}${path}`, { method: endpoint.method, headers, body });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`${endpoint.path}: ${JSON.stringify(answer)}`);
      return endpoint.output.parse(answer) as OutputOf<typeof endpoint>;
    },
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
    async stop() {
      running.child.kill('SIGTERM');
      return (await running.ended).code;
    },
  };
}
