/**
 * One step of the schema, applied once and never edited afterwards (its text is checksummed). Statements use the common
 * subset of SQLite and PostgreSQL with two column types, `text` and `integer`.
 */
export interface Migration {
  /** Sorts by its four digits: `0002-teams`. */
  name: string;
  statements: string[];
}
