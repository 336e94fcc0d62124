import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './data-folder.ts';
import { findHolder } from './data-folder-lock.ts';
import { readText } from './system-files.ts';

/** Data that commands need to reach the server of a data folder. */
export interface RunningServer {
  pid: number;
  host: string;
  port: number;
  /** Proves that the caller can read the data folder, which grants all rights. New at each start. */
  operatorToken: string;
}

/** Writes the server's address to the data folder, readable only by the owner. Call it once the server listens. */
export async function announceServer(folderPath: string, server: RunningServer): Promise<void> {
  await writePrivateFile(serverFile(folderPath), `${JSON.stringify(server)}\n`);
}

/** Removes the server's address; harmless if there is none. */
export async function withdrawServer(folderPath: string): Promise<void> {
  await rm(serverFile(folderPath), { force: true });
}

/** Returns the running server of this folder. Ignores data left by a dead server. */
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
