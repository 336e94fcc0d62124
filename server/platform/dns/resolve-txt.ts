import { Resolver } from 'node:dns/promises';

/** The TXT records of a name; none when the name does not exist. Throws when no name server gives an answer. */
export type ResolveTxt = (name: string) => Promise<string[]>;

const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the name servers of the machine, or these (`address` or `address:port`). */
export function createTxtResolver(servers: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
}
