import { type Compilable, type CompiledQuery, SelectQueryNode } from 'kysely';
import type { Queries } from './database.ts';
import { DatabaseError } from './database-error.ts';

/** Stands for a value while a statement is built. */
class StandIn {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) });

/**
 * A statement that always has the same text: built once for each kind of database, then only given its values. For those that
 * every search runs, where building costs as much as running. `build` may do nothing with a value but hand it to the statement,
 * once or several times. The function made answers the rows; what changes something it runs in transactions only
 * (`outside-transaction`).
 */
export function builtOnce<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Compilable<Row>,
): (queries: Queries, values: Values) => Promise<Row[]> {
  const builds = new WeakMap<object, { statement: CompiledQuery<Row>; isReading: boolean }>();
  return async (queries, values) => {
    // The database's own for as long as it is open, in its transactions too.
    const { adapter } = queries.getExecutor();
    let built = builds.get(adapter);
    if (built === undefined) {
      const statement = build(queries, standIns as Values).compile();
      built = { statement, isReading: SelectQueryNode.is(statement.query) };
      builds.set(adapter, built);
    }
    const { statement, isReading } = built;
    // The points at which a write may fail in tests watch the building of statements, or the end of a transaction.
    if (!isReading && !('isTransaction' in queries && queries.isTransaction === true)) {
      throw new DatabaseError('outside-transaction', 'A statement that is built once and writes needs a transaction.');
    }
    const given = values as Record<string, unknown>;
    const parameters = statement.parameters.map((value) => (value instanceof StandIn ? given[value.name] : value));
    const { rows } = await queries.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
