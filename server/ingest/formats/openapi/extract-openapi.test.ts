import { describe, expect, it } from 'vitest';
import { ParseError } from '../../parse/parse-error.ts';
import { splitDocument } from '../../split/index.ts';
import { extractOpenApi } from './extract-openapi.ts';

const url = 'https://docs.example/openapi.yaml';

const shop = `
openapi: 3.1.0
info: { title: Shop, version: '2.0', description: Orders and *customers*. }
servers: [{ url: https://api.shop.example/v2 }]
security: [{ key: [] }]
paths:
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string, format: uuid }, description: Number of the order }
    get:
      tags: [Orders]
      operationId: readOrder
      summary: Read an order
      description: "# Limits\\nTen a second."
      parameters:
        - $ref: '#/components/parameters/Expand'
      responses:
        '200':
          description: The order
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
        '404': { $ref: '#/components/responses/Missing' }
    put:
      tags: [Orders]
      security: [{ oauth: [orders.write] }, {}]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
      responses: { '204': { description: Saved } }
webhooks:
  orderPaid: { post: { operationId: orderPaid, responses: { '200': { description: Taken } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  parameters:
    Expand: { name: expand, in: query, schema: { type: string, enum: [lines, customer], default: lines } }
  responses:
    Missing: { description: No such order, content: { application/json: { schema: { type: object } } } }
  schemas:
    Order:
      type: object
      required: [id]
      properties:
        id: { type: string, format: uuid }
        state: { $ref: '#/components/schemas/State' }
        customer: { $ref: '#/components/schemas/Customer' }
        lines: { type: array, items: { type: object, properties: { sku: { type: string } } } }
        parent: { $ref: '#/components/schemas/Order' }
    State: { type: string, enum: [open, paid] }
    Customer:
      allOf:
        - { $ref: '#/components/schemas/Person' }
        - { type: object, properties: { since: { type: string, format: date, description: First order } } }
    Person: { type: object, properties: { name: { type: [string, 'null'] } } }
`;

const snippets = (text: string) => splitDocument(extractOpenApi(text, { url }), { url });
const textOf = (text: string): string =>
  extractOpenApi(text, { url })
    .blocks.map((block) => block.markdown)
    .join('\n\n');

describe('extractOpenApi', () => {
  it('makes one snippet per operation and schema, found by method and path, id or name', () => {
    const found = snippets(shop).filter((one) => one.kind === 'api' && !one.identifiers.includes('key'));
    expect(found.map((one) => one.identifiers)).toEqual([
      ['GET /orders/{id}', '/orders/{id}', 'readOrder'],
      ['PUT /orders/{id}', '/orders/{id}'],
      ['POST orderPaid', 'orderPaid'],
      ['Order'],
      ['State'],
      ['Customer'],
      ['Person'],
    ]);
    expect(found[1]).toMatchObject({ anchor: 'put-orders-id', headingPath: ['Orders', 'PUT /orders/{id}'] });
  });

  it('shows the parameters, responses and security of an operation', () => {
    const get = snippets(shop).find((one) => one.identifiers.includes('readOrder'));
    expect(get?.text).toContain('**Read an order**');
    expect(get?.text).toContain('**Limits**');
    expect(get?.text).toContain('Operation id: `readOrder`');
    expect(get?.text).toContain('| `expand` | query | `"lines" \\| "customer"` | default "lines" |');
    expect(get?.text).toContain('| `id` (required) | path | `string<uuid>` | Number of the order |');
    expect(get?.text).toContain('- `200` The order: `Order`\n- `404` No such order');
    expect(get?.text).toContain('**Security:** `key`');
    const put = snippets(shop).find((one) => one.identifiers.includes('PUT /orders/{id}'));
    expect(put?.text).toContain('**Request body** (required) `application/json`');
    expect(put?.text).toContain('**Security:** `oauth` (orders.write) or none');
  });

  it('resolves references inside the document, merges compositions and ends circular references', () => {
    const put = snippets(shop).find((one) => one.identifiers.includes('PUT /orders/{id}'))?.text;
    expect(put).toContain('  id: string<uuid>;\n  state?: "open" | "paid";');
    expect(put).toContain(
      '  customer?: Customer {\n    name?: string | null;\n    since?: string<date>; // First order',
    );
    expect(put).toContain('  lines?: {\n    sku?: string;\n  }[];\n  parent?: Order;\n}');
  });

  it('shows the constraints of a property and whether it is deprecated', () => {
    const properties = {
      kind: { const: 'order' },
      old: { type: 'string', deprecated: true, readOnly: true },
      any: { description: 'Whatever' },
    };
    const text = textOf(JSON.stringify({ openapi: '3.1.0', components: { schemas: { A: { properties } } } }));
    expect(text).toContain('  kind?: "order";\n  old?: string; // deprecated; read only\n  any?: unknown; // Whatever');
  });

  it('cuts a schema with very many properties and counts the omitted ones', () => {
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const text = textOf(JSON.stringify({ openapi: '3.1.0', components: { schemas: { A: { properties } } } }));
    const shown = text.match(/^ {2}p\d+\?: string;$/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(20);
    expect(text).toContain(`// … ${5_000 - shown} more`);
  });

  it('reads Swagger 2.0 with the body among the parameters', () => {
    const old = {
      swagger: '2.0',
      info: { title: 'Pets' },
      host: 'pets.example',
      basePath: '/v1',
      consumes: ['application/json'],
      paths: {
        '/pets': {
          post: {
            parameters: [
              { in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } },
              { in: 'query', name: 'dry', type: 'boolean', description: 'Try only' },
            ],
            responses: { 200: { description: 'Made', schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
      definitions: { Pet: { properties: { name: { type: 'string' } } } },
    };
    const text = textOf(JSON.stringify(old));
    expect(text).toContain('**Servers:** `https://pets.example/v1`');
    expect(text).toContain('| `dry` | query | `boolean` | Try only |');
    expect(text).toContain('**Request body** (required) `application/json`\n\n```ts\n{\n  name?: string;\n}\n```');
    expect(text).toContain('- `200` Made: `Pet`');
  });

  it('never reads outside the document and keeps unresolved references as names', () => {
    const schema = (reference: string): string =>
      textOf(
        JSON.stringify({
          openapi: '3.0.0',
          components: { schemas: { A: { properties: { b: { $ref: reference } } } } },
        }),
      );
    expect(schema('file:///etc/passwd#/B')).toContain('b?: B;');
    expect(schema('https://other.example/api.json#/definitions/B')).toContain('b?: B;');
    expect(schema('#/components/schemas/None')).toContain('b?: None;');
    expect(schema('#/__proto__/toString')).toContain('b?: toString;');
  });

  it('handles circular references, deep nesting and a hundred thousand operations', () => {
    const circle = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    expect(textOf(JSON.stringify({ openapi: '3.0.0', components: { schemas: circle } }))).toContain('`B`');
    const deep = `{"openapi":"3.0.0","components":{"schemas":{"A":${'{"items":'.repeat(3000)}{}${'}'.repeat(3000)}}}}`;
    expect(textOf(deep)).toContain('object[]');
    const wide = Array.from({ length: 50_000 }, (_, at) => `"/p${at}":{"get":{},"put":{}}`).join();
    expect(extractOpenApi(`{"openapi":"3.0.0","paths":{${wide}}}`, { url }).blocks.length).toBeGreaterThan(100_000);
  });

  it.each(['allOf', 'oneOf'])('cuts schemas that grow exponentially by %s', (composition) => {
    const schemas = Array.from({ length: 40 }, (_, at) => {
      const parts = Array(4).fill({ $ref: `#/components/schemas/S${at + 1}` });
      return [`S${at}`, { [composition]: parts }];
    });
    const file = JSON.stringify({ openapi: '3.0.0', components: { schemas: Object.fromEntries(schemas) } });
    expect(textOf(file)).toContain('`S39`');
  });

  it('refuses a file that expands without limit by aliases', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`);
    const bomb = `openapi: 3.0.0\na0: &a0 [x]\n${lines.join('\n')}`;
    expect(() => extractOpenApi(bomb, { url })).toThrow(ParseError);
  });

  it('reads the rest of a file in which a quoted text continues without indentation', () => {
    const quoted = `swagger: '2.0'\npaths:\n  /a:\n    get:\n      summary: "Takes a\n      list."\n  /b:\n    put: {}\n`;
    const names = extractOpenApi(quoted, { url }).blocks.map(({ markdown }) => markdown);
    expect(names.filter((name) => /GET|PUT/.test(name))).toEqual(['`GET /a`', '`PUT /b`']);
  });

  it('reads files that turn out not to be descriptions as code', () => {
    const nested = '{"example": {"openapi": "3.0.0"}}';
    expect(textOf(nested)).toBe(`\`\`\`json\n${nested}\n\`\`\``);
    expect(textOf('{"openapi": "3.0.0", ')).toContain('```json');
    expect(textOf('openapi: 3.0.0\n\t- [broken')).toContain('```yaml');
  });
});
