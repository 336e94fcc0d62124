import { type Compilable, type CompiledQuery, SelectQueryNode } from 'kysely';
import type { Queries } from './database.ts';
import { DatabaseError } from './database-error.ts';

/** Placeholder for a value while a statement is built. */
class StandIn {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) });

/**
 * Creates a query function whose statement is built once per kind of database and then only bound to values. For
 * statements that every search runs, where building costs as much as running. `build` may only pass values on to the
 * statement, each any number of times. The function returns the rows; statements that write must run in a transaction
 * (`outside-transaction`).
 */
export function builtOnce<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Compilable<Row>,
): (queries: Queries, values: Values) => Promise<Row[]> {
  const builds = new WeakMap<object, { statement: CompiledQuery<Row>; isReading: boolean }>();
  return async (queries, values) => {
    // One adapter per open database, also in its transactions.
    const { adapter } = queries.getExecutor();
    let built = builds.get(adapter);
    if (built === undefined) {
      const statement = build(queries, standIns as Values).compile();
      built = { statement, isReading: SelectQueryNode.is(statement.query) };
      builds.set(adapter, built);
    }
    const { statement, isReading } = built;
    // Tests inject write failures when a statement is built or a transaction ends, so a prebuilt write would escape
    // them.
    if (!isReading && !('isTransaction' in queries && queries.isTransaction === true)) {
      throw new DatabaseError('outside-transaction', 'A statement that is built once and writes needs a transaction.');
    }
    const given = values as Record<string, unknown>;
    const parameters = statement.parameters.map((value) => (value instanceof StandIn ? given[value.name] : value));
    const { rows } = await queries.executeQuery<Row>({ ...statement, parameters });
    return rows;
  };
}
