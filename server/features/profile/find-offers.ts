import * as limits from '#contract/limits.ts';
import type { Ecosystem, LibraryOffer, Pin } from '#contract/profile.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recogniseSource } from '#server/features/indexing/index.ts';
import { type Declared, RegistryError } from '#server/platform/package-registries/index.ts';
import { findAnswers, type KnownAnswer, keepAnswers } from './address-store.ts';
import type { ProfileDependencies } from './dependencies.ts';

const dayMs = 86_400_000;
/** Registries ask their callers to be modest. */
const askedAtOnce = 4;

/**
 * Where the documentation of libraries can be indexed from: what the registries said within a week, else what they say now.
 * What they say was written by strangers: only addresses under https (or of a host the operator allows) that an index run
 * would take are offered. A failed look-up is reported with its reason and retried the next time.
 */
export async function findOffers(
  ctx: Context,
  pins: Pin[],
  deps: ProfileDependencies,
): Promise<(pin: Pin) => Omit<KnownAnswer, 'askedAt'>> {
  const now = ctx.clock.now();
  const freshFrom = now - limits.registryAnswerDays * dayMs;
  const known = await findAnswers(ctx.db.query, pins);
  const isFresh = (answer: KnownAnswer | undefined) => answer?.fault === null && answer.askedAt >= freshFrom;
  const toAsk = pins.filter((pin) => !isFresh(known(pin)));
  const asked = new Map<Pin, Omit<KnownAnswer, 'askedAt'>>();
  const queue = [...toAsk];
  await Promise.all(
    Array.from({ length: askedAtOnce }, async () => {
      for (let pin = queue.shift(); pin !== undefined; pin = queue.shift())
        asked.set(pin, await askFor(ctx, pin, deps));
    }),
  );
  const rows = [...asked].map(([{ ecosystem, name, version }, { offers, fault }]) => ({
    ...{ ecosystem, name, version, fault, askedAt: now },
    offers: JSON.stringify(offers ?? []),
  }));
  await ctx.db.transaction((tx) => keepAnswers(tx, rows, now - 4 * limits.registryAnswerDays * dayMs));
  return (pin) => asked.get(pin) ?? known(pin) ?? { offers: null, fault: null };
}

async function askFor(ctx: Context, pin: Pin, deps: ProfileDependencies): Promise<Omit<KnownAnswer, 'askedAt'>> {
  try {
    return { offers: await offersOf(ctx, pin, await deps.registries.declaredFor(pin), deps), fault: null };
  } catch (error) {
    if (error instanceof RegistryError) return { offers: null, fault: error.message.slice(0, 500) };
    throw error;
  }
}

/** What documents the pinned version goes first, and documentation before the repository it is kept in. */
async function offersOf(
  ctx: Context,
  pin: Pin,
  declared: Declared,
  deps: ProfileDependencies,
): Promise<LibraryOffer[]> {
  const offers: LibraryOffer[] = [];
  for (const address of declared.documentation) {
    if (!(await isUsable(ctx, address, 'site', deps))) continue;
    offers.push({ kind: 'documentation', address, tag: null, version: versionIn(address, pin.version) });
  }
  const { repository } = declared;
  if (repository !== undefined && (await isUsable(ctx, repository, 'git', deps))) {
    const tag = declared.tag ?? (await deps.registries.findTag(repository, pin)) ?? null;
    // Without a tag nothing says that the address of a host no one knows is a repository and not its page about one.
    const isRepository = tag !== null || (await recogniseSource(ctx, { address: repository })).kind === 'git';
    if (isRepository)
      offers.push({ kind: 'repository', address: repository, tag, version: tag === null ? null : plain(pin) });
  }
  return offers.toSorted((a, b) => Number(a.version === null) - Number(b.version === null));
}

/** Returns true if an address may be offered at all; a repository on a host of its own is recognised by its name alone. */
export async function isUsable(
  ctx: Context,
  address: string,
  kind: 'site' | 'git',
  { allowHosts }: Pick<ProfileDependencies, 'allowHosts'>,
): Promise<boolean> {
  if (!URL.canParse(address) || address.length > limits.urlCharactersMax) return false;
  const { protocol, hostname, port } = new URL(address);
  const isAllowed = allowHosts.includes(`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`);
  if (protocol !== 'https:' && !(protocol === 'http:' && isAllowed)) return false;
  try {
    const source = await recogniseSource(ctx, { address });
    return kind === 'git' ? source.kind === 'git' || source.kind === 'site' : source.kind === 'site';
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The version where a part of the address names it: what lies at `/latest/` changes under us. */
function versionIn(address: string, version: string): string | null {
  const number = version.replace(/^v(?=\d)/, '');
  const parts = new URL(address).pathname.split(/[/@]/).map((part) => part.replace(/^v(?=\d)/, ''));
  return parts.includes(number) ? number : null;
}

/** As a module says it: without the `v` that Go writes before versions. */
export function plain({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): string {
  return ecosystem === 'go' ? version.replace(/^v/, '') : version;
}
