import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { createFolder } from '../create-folder.ts';
import { isThere, readText, writeSynced } from '../system-files.ts';
import { lazyTransport, type Mail, MailError, type Mailer, requireMail } from './mailer.ts';

/** A mail that was stored instead of sent. */
export interface KeptMail extends Mail {
  /** Also the name of its file, which ends in `.eml`. Sorts by time. */
  id: string;
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
}

const noteSuffix = '.json';

/** Stores each mail as it would be sent in a file `<id>.eml`, with its fields in a JSON file beside it. */
export function outboxMailer({ folder, from }: { folder: string; from: string }, clock: Clock): Mailer {
  const transport = lazyTransport(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from }),
  );
  return {
    async send(mail) {
      requireMail(mail);
      const sentAt = clock.now();
      const id = `${new Date(sentAt).toISOString().replaceAll(/\W/g, '')}-${randomUUID().slice(0, 8)}`;
      const kept: KeptMail = { ...mail, id, from, sentAt };
      const { message, messageId } = await (await transport.open()).sendMail({
        ...mail,
        date: new Date(sentAt),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await createFolder(folder, 0o700);
        await writeWhole(join(folder, `${id}.eml`), message as Buffer);
        // Written last: a mail is listed by its JSON file.
        await writeWhole(join(folder, `${id}${noteSuffix}`), JSON.stringify(kept));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new MailError(
          'failed',
          `The mail could not be stored in ${folder} (${reason}). Free space or give access.`,
          {
            cause: error,
          },
        );
      }
      return messageId;
    },
    check: async () => undefined,
    async close() {
      transport.close();
    },
  };
}

/** Returns the newest mails of an outbox, newest first; empty if nothing was ever sent. */
export async function listOutbox(folder: string, { limit }: { limit: number }): Promise<KeptMail[]> {
  const names = (await isThere(folder)) ? await readdir(folder) : [];
  const notes = names
    .filter((name) => name.endsWith(noteSuffix))
    .sort()
    .reverse();
  return Promise.all(
    notes.slice(0, limit).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as KeptMail),
  );
}

/** Returns one mail of an outbox; undefined for an unknown id. */
export async function readOutbox(folder: string, id: string): Promise<KeptMail | undefined> {
  // The id comes from outside and becomes a file name.
  if (!/^[\w-]{1,100}$/.test(id)) return undefined;
  const text = await readText(join(folder, `${id}${noteSuffix}`));
  return text === undefined ? undefined : (JSON.parse(text) as KeptMail);
}

async function writeWhole(path: string, content: Buffer | string): Promise<void> {
  await writeSynced(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}
