import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readText, writePrivateFile } from './data-folder.ts';
import { findHolder } from './data-folder-lock.ts';

/** What a command needs to talk to the server of a data folder. */
export interface RunningServer {
  pid: number;
  host: string;
  port: number;
  /** Proves that the caller can read the data folder, and so may do everything. New at each start. */
  operatorToken: string;
}

/** Leaves the server's address in the data folder, readable by its owner alone. Call it once it listens. */
export async function announceServer(folderPath: string, server: RunningServer): Promise<void> {
  await writePrivateFile(serverFile(folderPath), `${JSON.stringify(server)}\n`);
}

/** Removes the address again; harmless when there is none. */
export async function withdrawServer(folderPath: string): Promise<void> {
  await rm(serverFile(folderPath), { force: true });
}

/** The server that works on this folder now. What a server that died has left behind is not believed. */
export async function findRunningServer(folderPath: string): Promise<RunningServer | undefined> {
  const text = await readText(serverFile(folderPath));
  if (text === undefined) return undefined;
  const holder = await findHolder(folderPath);
  const server = JSON.parse(text) as RunningServer;
  return holder?.pid === server.pid ? server : undefined;
}

function serverFile(folderPath: string): string {
  return join(folderPath, 'server.json');
}
