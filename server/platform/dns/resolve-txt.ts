import { Resolver } from 'node:dns/promises';

/** Returns the TXT records of a name; none if the name does not exist. Throws if no name server responds. */
export type ResolveTxt = (name: string) => Promise<string[]>;

const absent = new Set(['ENOTFOUND', 'ENODATA']);

/** Creates a resolver that queries the machine's name servers, or these (`address` or `address:port`). */
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
