import { join } from 'node:path';
import type { Config } from '#server/platform/config/config.ts';
import { loadOrCreateSecret, readText, writePrivateFile } from '#server/platform/data-folder.ts';
import { erasureRecord } from '#server/platform/erasure-record.ts';
import { MoveError } from './move-error.ts';

type Keys = readonly Uint8Array[];

/** Throws MoveError unless what is sealed in the rows can be opened with the other configuration, or will be. */
export async function requireSameSecret(from: Config, to: Config): Promise<void> {
  const [source, target] = [await keysOf(from), await keysOf(to)];
  if (source.length === 0) {
    throw new MoveError(`The file secret is missing in ${from.dataFolder}. Put it back, or set LECTERN_SECRET.`);
  }
  if (target.length === 0 && source.length === 1) return;
  const missing = source.filter((key) => !target.some((other) => Buffer.from(key).equals(other)));
  if (missing.length === 0) return;
  throw new MoveError(
    to.secrets === undefined
      ? `${to.dataFolder} has another secret than the rows to be moved were sealed with. Set LECTERN_SECRET to what it is now.`
      : `LECTERN_SECRET of the new configuration lacks what the rows to be moved were sealed with. Add it, after a comma: ${
          from.secrets === undefined ? `the text of ${secretFile(from)}` : 'LECTERN_SECRET as it is now'
        }.`,
  );
}

/** Leaves the secret in the new data folder where the new configuration looks for it there. */
export async function carrySecret(from: Config, to: Config): Promise<void> {
  const [key] = await keysOf(from);
  if ((await keysOf(to)).length > 0 || key === undefined) return;
  await writePrivateFile(secretFile(to), `${Buffer.from(key).toString('hex')}\n`);
}

/** Ids of deleted accounts go along to the new data folder, so that they stay deleted. */
export async function carryErasures(from: Config, to: Config): Promise<void> {
  if (from.dataFolder === to.dataFolder) return;
  const there = erasureRecord(to.dataFolder);
  const known = new Set((await there.list()).map(({ userId }) => userId));
  await there.add((await erasureRecord(from.dataFolder).list()).filter(({ userId }) => !known.has(userId)));
}

async function keysOf(config: Config): Promise<Keys> {
  if (config.secrets !== undefined) return config.secrets;
  return (await readText(secretFile(config))) === undefined ? [] : [await loadOrCreateSecret(config.dataFolder)];
}

function secretFile({ dataFolder }: Config): string {
  return join(dataFolder, 'secret');
}
