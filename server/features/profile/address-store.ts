import type { LibraryOffer } from '#contract/profile.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';

export interface NamedPin {
  ecosystem: string;
  name: string;
  version: string;
}

/** A registry's last response about a library. */
export interface KnownAnswer {
  offers: LibraryOffer[] | null;
  fault: string | null;
  askedAt: number;
}

const namesAtOnce = 1_000;

/** Returns a lookup of the stored responses for these libraries. */
export async function findAnswers(db: Queries, pins: NamedPin[]): Promise<(pin: NamedPin) => KnownAnswer | undefined> {
  const names = [...new Set(pins.map(({ name }) => name))];
  const known = new Map<string, KnownAnswer>();
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const rows = await db
      .selectFrom('libraryAddresses')
      .selectAll()
      .where('name', 'in', names.slice(at, at + namesAtOnce))
      .execute();
    for (const row of rows) {
      const offers = row.fault === null ? storedJson<LibraryOffer[] | null>(row.offers, null) : null;
      known.set(keyOf(row), { offers, fault: row.fault, askedAt: row.askedAt });
    }
  }
  return (pin) => known.get(keyOf(pin));
}

function keyOf({ ecosystem, name, version }: NamedPin): string {
  return JSON.stringify([ecosystem, name, version]);
}

/** Stores responses in place of earlier ones, and deletes those older than `forgetBefore`. */
export async function keepAnswers(
  tx: Transaction,
  rows: NewRow<'libraryAddresses'>[],
  forgetBefore: number,
): Promise<void> {
  for (const row of rows) {
    const { offers, fault, askedAt } = row;
    await tx
      .insertInto('libraryAddresses')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['ecosystem', 'name', 'version']).doUpdateSet({ offers, fault, askedAt }),
      )
      .execute();
  }
  await deleteOldest(tx, 'libraryAddresses', {
    key: ['ecosystem', 'name', 'version'],
    column: 'askedAt',
    before: forgetBefore,
  });
}
