import type { Config } from '#server/platform/config/config.ts';
import { DataFolderError } from '#server/platform/data-folder.ts';
import { requireInstallation } from '#server/platform/require-installation.ts';
import { findRunningServer, type RunningServer } from '#server/platform/running-server.ts';
import { type Call, printNote } from './command.ts';
import { httpCall, remoteCall } from './http-api.ts';
import { UsageError } from './usage.ts';

interface Connection {
  config: Config;
  port: string | undefined;
  command: string;
  /** Address of another server to call. */
  server: string | undefined;
  /** True if the command may create the installation; otherwise a missing installation is an error. */
  mayCreate: boolean;
}

/** Calls endpoints of a named server, otherwise of the data folder. See `Invocation.withCall`. */
export async function withCall<T>(
  { config, port, command, server: named, mayCreate }: Connection,
  { isExclusive }: { isExclusive: boolean },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  if (named !== undefined) return work(remoteCall(named, config.apiKey));
  const server = await findServer(config.dataFolder);
  if (server !== undefined) {
    refuseOtherPort(server, port, config.dataFolder);
    // A server restarted during the work has another token, and possibly another port.
    let latest = server;
    return work(async (endpoint, input) => {
      latest = (await findServer(config.dataFolder)) ?? latest;
      return httpCall(originOf(latest), latest.operatorToken)(endpoint, input);
    });
  }
  const isNew = await isMissing(config, mayCreate);
  const { openInstallation } = await import('#server/main.ts');
  const installation = await openInstallation(
    config,
    isExclusive ? { exclusive: { purpose: `"lectern ${command}"` } } : {},
  );
  // In a mistyped folder, the running server never sees the new key or index.
  if (isNew) printNote(`Created a new installation in ${placeOf(config)}.`);
  try {
    return await work(installation.call);
  } finally {
    await installation.close();
  }
}

/** Returns true if there is no installation yet; throws instead if the command must not create one. */
async function isMissing(config: Config, mayCreate: boolean): Promise<boolean> {
  try {
    await requireInstallation(config);
    return false;
  } catch (error) {
    if (mayCreate && error instanceof DataFolderError && error.code === 'no-installation') return true;
    throw error;
  }
}

function placeOf({ database, dataFolder }: Config): string {
  return database.kind === 'sqlite' ? dataFolder : 'the PostgreSQL database';
}

/** Returns the running server of a data folder; none for a path that is not a folder, which fails when it is opened. */
async function findServer(dataFolder: string): Promise<RunningServer | undefined> {
  try {
    return await findRunningServer(dataFolder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Returns the address at which this machine reaches the server; loopback for a server that listens on all interfaces.
 */
export function originOf({ host, port }: Pick<RunningServer, 'host' | 'port'>): string {
  if (host === '0.0.0.0' || host === '') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

function refuseOtherPort(server: RunningServer, port: string | undefined, dataFolder: string): void {
  if (port === undefined || Number(port) === server.port) return;
  throw new UsageError(
    `the server for ${dataFolder} listens on port ${server.port}, not ${port}; omit --port, or name its folder with --data`,
  );
}
