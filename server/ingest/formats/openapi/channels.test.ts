import { expect, test } from 'vitest';
import { formatOf } from '../format-of.ts';
import { extractOpenApi } from './extract-openapi.ts';

const linesOf = (text: string): string[] =>
  extractOpenApi(text, { url: 'https://docs.example/asyncapi.yaml' }).blocks.map(({ markdown }) => markdown);

const current = `asyncapi: 3.0.0
info: { title: Lamps, version: 1.0.0 }
defaultContentType: application/json
servers:
  main: { host: broker.example, protocol: kafka }
channels:
  lit:
    address: 'lamps.{id}.lit'
    description: Every lamp that is lit.
    parameters: { id: { description: The lamp, enum: [a, b] } }
    messages: { lit: { $ref: '#/components/messages/Lit' } }
operations:
  onLit:
    action: receive
    channel: { $ref: '#/channels/lit' }
    summary: Hear of a lamp
    traits: [{ bindings: { kafka: { clientId: hall } } }]
    reply: { channel: { $ref: '#/channels/lit' } }
  sendElsewhere: { action: send, channel: { $ref: 'other.yaml#/channels/elsewhere' } }
components:
  messages:
    Lit:
      traits: [{ headers: { type: object, properties: { trace: { type: string } } } }]
      payload: { $ref: '#/components/schemas/State' }
      examples: [{ payload: { on: true } }]
    Unused: { payload: { schemaFormat: application/vnd.apache.avro, schema: { type: record, fields: [] } } }
  schemas:
    State: { type: object, required: [on], properties: { on: { type: boolean } } }
`;

test('AsyncAPI 3: channels, operations with their messages, and unused messages', () => {
  expect(linesOf(current)).toEqual([
    'Lamps',
    'Version 1.0.0',
    '**Servers:** `kafka://broker.example`',
    'Channels',
    '`lamps.{id}.lit`',
    'Every lamp that is lit.',
    '| Parameter | In | Type | Description |\n| --- | --- | --- | --- |\n| `id` |  | `"a" \\| "b"` | The lamp |',
    '`receive lamps.{id}.lit`',
    'Operation id: `onLit`',
    '**Hear of a lamp**',
    '**Message** `Lit` `application/json`',
    '**Headers**',
    '```ts\n{\n  trace?: string;\n}\n```',
    '**Payload**',
    '```ts\n{\n  on: boolean;\n}\n```',
    '**Example**',
    '```json\n{\n  "payload": {\n    "on": true\n  }\n}\n```',
    '**Reply** on `lamps.{id}.lit`',
    '**Bindings**',
    '```json\n{\n  "kafka": {\n    "clientId": "hall"\n  }\n}\n```',
    '`elsewhere`',
    '`send elsewhere`',
    'Operation id: `sendElsewhere`',
    'Messages',
    '`Unused`',
    '**Message** `application/json`',
    '**Payload**',
    '```json\n{\n  "type": "record",\n  "fields": []\n}\n```',
    'Schemas',
    '`State`',
    '```ts\n{\n  on: boolean;\n}\n```',
  ]);
  const operation = extractOpenApi(current, { url: 'https://docs.example/asyncapi.yaml' }).blocks.find(
    ({ anchor }) => anchor === 'onLit',
  );
  expect(operation?.identifiers).toEqual(['receive lamps.{id}.lit', 'onLit']);
});

test('AsyncAPI 2: operations belong to a channel', () => {
  const older = `{"asyncapi":"2.6.0","info":{"title":"Lamps"},"servers":{"a":{"url":"mqtt://b.example"}},"channels":{"lamp/lit":{
    "subscribe":{"operationId":"onLit","message":{"oneOf":[{"name":"Lit","payload":{"type":"string"}},{"name":"Out"}]}}}}}`;
  expect(linesOf(older)).toEqual([
    'Lamps',
    '**Servers:** `mqtt://b.example`',
    'Channels',
    '`lamp/lit`',
    '`subscribe lamp/lit`',
    'Operation id: `onLit`',
    '**Message** `Lit`',
    '**Payload**',
    '```ts\nstring\n```',
    '**Message** `Out`',
  ]);
});

test.each([
  ['api.yaml', current],
  ['api.json', '{"asyncapi": "2.6.0"}'],
])('%s is detected by its root', (path, text) => {
  expect(formatOf(path, undefined, new TextEncoder().encode(text))).toBe('openapi');
});
