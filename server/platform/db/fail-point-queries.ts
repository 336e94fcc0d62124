import type { Kysely, KyselyPlugin, PluginTransformQueryArgs } from 'kysely';
import { beforeWrite, type FailPoint } from '../fail-point.ts';
import type { Schema } from './schema.ts';

const reading = /^\s*(select|pragma|explain)\b/i;

/** The same statements, with a place to fail before each that changes something and commits by itself. */
export function failPointQueries(queries: Kysely<Schema>, failPoint: FailPoint): Kysely<Schema> {
  const watch: KyselyPlugin = {
    transformQuery(args) {
      if (isWrite(args.node)) beforeWrite(failPoint);
      return args.node;
    },
    transformResult: async ({ result }) => result,
  };
  return queries.withPlugin(watch);
}

function isWrite(node: PluginTransformQueryArgs['node']): boolean {
  if (node.kind === 'SelectQueryNode') return false;
  return node.kind !== 'RawNode' || !reading.test(node.sqlFragments[0] ?? '');
}
