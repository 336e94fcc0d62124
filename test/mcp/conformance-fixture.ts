import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
});

/** The results that the conformance tool expects from a server; sent over the transport under test. */
const results: Record<string, () => Record<string, unknown>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource')] }),
  test_multiple_content_types: () => ({
    content: [text('Multiple content types test:'), image, embedded('test://mixed-content-resource')],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_logging_tool: () => ({ content: [text('Nothing was logged.')] }),
};

const contactSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const prompts: Record<string, (values: Record<string, string>) => object> = {
  test_simple_prompt: () => text('This is a simple prompt for testing.'),
  test_prompt_with_arguments: ({ arg1, arg2 }) => text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  test_prompt_with_embedded_resource: ({ resourceUri }) => embedded(resourceUri ?? ''),
  test_prompt_with_image: () => image,
};

/** Creates a server with the conformance tool's fixtures, except those that send a message before the response. */
export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '0' },
    { capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: [
      ...[...Object.keys(results), 'test_missing_capability', 'test_streaming_elicitation'].map((name) => ({
        name,
        inputSchema: { type: 'object' as const },
      })),
      { name: 'json_schema_2020_12_tool', inputSchema: contactSchema },
    ],
  }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    if (params.name === 'test_missing_capability' && server.getClientCapabilities()?.sampling === undefined) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }
    if (params.name === 'test_streaming_elicitation' && mcpReq.inputResponses === undefined) {
      const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } };
      return inputRequired({
        inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema }) },
      });
    }
    return (results[params.name]?.() ?? { content: [text('done')] }) as never;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(prompts).map((name) => ({ name })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => ({
    messages: [{ role: 'user', content: prompts[params.name]?.(params.arguments ?? {}) as never }],
  }));
  server.setRequestHandler('resources/list', () => ({
    resources: ['static-text', 'static-binary'].map((name) => ({ uri: `test://${name}`, name })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    if (uri === 'test://static-text') {
      return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
    }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    if (id === undefined) throw new ResourceNotFoundError(uri);
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  });
  return server;
}
