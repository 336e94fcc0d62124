import { describe, expect, it } from 'vitest';
import { ParseError } from '../../parse/parse-error.ts';
import { splitDocument } from '../../split/index.ts';
import { extractGraphql } from './extract-graphql.ts';

const url = 'https://docs.example/schema.graphql';

const schema = `
"""A shop."""
schema { query: Shop }
"Marks a price"
directive @money("ISO code" currency: String = "EUR") on FIELD_DEFINITION
type Shop {
  """
  Finds orders.
  # Order
  Newest first.
  """
  orders("How many" first: Int = 10, state: State!): [Order!]!
  other: String
}
"One order"
type Order implements Node & Dated {
  id: ID!
  "What it costs" total(rounded: Boolean = false): Float @deprecated(reason: "Use \`price\`")
}
enum State { "Not paid" OPEN PAID @deprecated }
input OrderInput { "Which" id: ID!, note: String = "none" }
union Found = Order | Shop
scalar Date
extend type Order { more: Int }
`;

const snippets = splitDocument(extractGraphql(schema, { url }), { url });
const named = (name: string): string | undefined => snippets.find((one) => one.identifiers.includes(name))?.text;

describe('extractGraphql', () => {
  it('makes one snippet per call, type and directive, found by its name', () => {
    expect(snippets.map((one) => [one.kind, one.anchor, ...one.identifiers])).toEqual([
      ['api', '@money', '@money'],
      ['api', 'Shop', 'Shop', 'Shop.orders', 'orders'],
      ['api', 'Shop.other', 'Shop.other', 'other'],
      ['api', 'Order', 'Order', 'Order.id', 'Order.total'],
      ['api', 'State', 'State'],
      ['api', 'OrderInput', 'OrderInput'],
      ['api', 'Found', 'Found'],
      ['api', 'Date', 'Date'],
      ['api', 'Order', 'Order', 'Order.more'],
    ]);
  });

  it('shows the arguments, type and replacement of a field', () => {
    expect(named('Shop.orders')).toContain('```graphql\norders(first: Int = 10, state: State!): [Order!]!\n```');
    expect(named('Shop.orders')).toContain('**Order**\n\nNewest first.\n\n- `first`: How many');
    expect(named('Order.total')).toContain('type Order implements Node & Dated');
    expect(named('Order.total')).toContain('`total(rounded: Boolean = false): Float`\n\nWhat it costs');
    expect(named('Order.total')).toContain('> **Deprecated:** Use `price`');
    expect(named('@money')).toContain('directive @money(currency: String = "EUR") on FIELD_DEFINITION');
    expect(named('@money')).toContain('- `currency`: ISO code');
  });

  it('shows inputs, enumerations and unions whole', () => {
    expect(named('State')).toContain('enum State {\n  OPEN # Not paid\n  PAID # deprecated: No longer supported\n}');
    expect(named('OrderInput')).toContain('input OrderInput {\n  id: ID! # Which\n  note: String = "none"\n}');
    expect(named('Found')).toContain('union Found = Order | Shop');
  });

  it('reads queries and damaged files as code', () => {
    for (const text of ['query A { b }', 'type A {', ''])
      expect(extractGraphql(text, { url }).blocks.map((block) => block.type)).toEqual(text === '' ? [] : ['code']);
  });

  it('refuses an endlessly nested file and reads a hundred thousand fields', () => {
    expect(() => extractGraphql(`type A { a: ${'['.repeat(200_000)}`, { url })).toThrow(ParseError);
    const fields = Array.from({ length: 100_000 }, (_, at) => `f${at}: Int`).join('\n');
    expect(extractGraphql(`type A { ${fields} }`, { url }).blocks).toHaveLength(100_001);
  });
});
