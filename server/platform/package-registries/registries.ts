import { type Ecosystem, ecosystemLabels } from '#contract/profile.ts';
import { type Outbound, OutboundError } from '../outbound/index.ts';
import { findTag } from './find-tag.ts';
import { type Declared, type RegistryReader, readers } from './readers.ts';

/** Thrown if a registry did not respond; the message is a sentence for people. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

export type RegistryAddresses = Readonly<Record<Ecosystem, string>>;

export const publicRegistries: RegistryAddresses = {
  npm: 'https://registry.npmjs.org',
  pypi: 'https://pypi.org',
  crates: 'https://crates.io',
  go: 'https://proxy.golang.org',
  rubygems: 'https://rubygems.org',
  packagist: 'https://repo.packagist.org',
};

/** Finds the documentation of libraries. Its results were written by the publishers of the libraries. */
export interface PackageRegistries {
  /**
   * Returns the registry's data about this version. Throws `RegistryError` with a sentence if the registry does not
   * respond.
   */
  declaredFor(library: { ecosystem: Ecosystem; name: string; version: string }): Promise<Declared>;
  /**
   * Returns the tag of an https repository from which a version was released; undefined if none of the usual names
   * exists.
   */
  findTag(repository: string, library: { name: string; version: string }): Promise<string | undefined>;
}

const timeoutMs = 10_000;

/** With undefined `addresses`, no registry is used and every call throws `RegistryError`. */
export function createPackageRegistries(deps: {
  addresses: RegistryAddresses | undefined;
  /** Client for the registries, whose addresses the operator configures. */
  registries: Outbound;
  /** Client for addresses from registries and people. */
  outbound: Outbound;
}): PackageRegistries {
  const { addresses } = deps;
  return {
    async declaredFor({ ecosystem, name, version }) {
      if (addresses === undefined) throw new RegistryError('This server does not query registries. Enter an address.');
      const reader: RegistryReader = readers[ecosystem];
      const paths = [reader.path(name, version), ...(reader.pathOfAll === undefined ? [] : [reader.pathOfAll(name)])];
      for (const path of paths) {
        const answer = await askJson(deps.registries, `${addresses[ecosystem].replace(/\/+$/, '')}${path}`);
        if (answer !== notThere) return reader.read(answer, { name, version });
      }
      throw new RegistryError(`${ecosystemLabels[ecosystem]} has no ${name} ${version}.`);
    },
    findTag: (repository, library) => findTag(deps.outbound, repository, library),
  };
}

const notThere = Symbol('not there');

async function askJson(outbound: Outbound, url: string): Promise<unknown> {
  const host = new URL(url).host;
  try {
    const { status, body } = await outbound.request(url, { headers: { accept: 'application/json' }, timeoutMs });
    if (status === 404 || status === 410) return notThere;
    if (status !== 200) throw new RegistryError(`${host} answered with status ${status}. Try again later.`);
    return JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    if (error instanceof OutboundError)
      throw new RegistryError(`${host} could not be queried: ${error.message}`, error);
    if (error instanceof SyntaxError) throw new RegistryError(`${host} did not answer in JSON.`, error);
    throw error;
  }
}
