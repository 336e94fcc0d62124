import * as limits from '#contract/limits.ts';
import type { Ecosystem, LibraryOffer, Pin } from '#contract/profile.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recogniseSource } from '#server/features/indexing/index.ts';
import { type Declared, RegistryError } from '#server/platform/package-registries/index.ts';
import { findAnswers, type KnownAnswer, keepAnswers } from './address-store.ts';
import type { ProfileDependencies } from './dependencies.ts';

const dayMs = 86_400_000;
/** Registries ask clients to limit their requests. */
const askedAtOnce = 4;

/**
 * Returns the addresses from which libraries' documentation can be indexed: the registries' responses of the last week,
 * else current ones. Responses are untrusted: only https addresses (or hosts the operator allows) that a run would
 * accept are offered. A failed lookup is reported with its reason and retried next time.
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

/** Returns the offers, those for the pinned version first, and documentation before its repository. */
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
    // Without a tag, an address at an unknown host may be a page about the repository rather than the repository.
    const isRepository = tag !== null || (await recogniseSource(ctx, { address: repository })).kind === 'git';
    if (isRepository)
      offers.push({ kind: 'repository', address: repository, tag, version: tag === null ? null : plain(pin) });
  }
  return offers.toSorted((a, b) => Number(a.version === null) - Number(b.version === null));
}

/** Returns true if an address may be offered; a repository at an unknown host is recognized only by its name. */
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

/** Returns the version if the address contains it: pages at `/latest/` change over time. */
function versionIn(address: string, version: string): string | null {
  const number = version.replace(/^v(?=\d)/, '');
  const parts = new URL(address).pathname.split(/[/@]/).map((part) => part.replace(/^v(?=\d)/, ''));
  return parts.includes(number) ? number : null;
}

/** Returns the version as modules state it: without the `v` that Go writes before it. */
export function plain({ ecosystem, version }: { ecosystem: Ecosystem; version: string }): string {
  return ecosystem === 'go' ? version.replace(/^v/, '') : version;
}
