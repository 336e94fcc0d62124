import { askDocsInput, askDocsPath, chatEventSchema, chatStreamType } from '#contract/chat.ts';
import type { Method } from '#contract/endpoint.ts';
import * as limits from '#contract/limits.ts';
import { liveInput } from '#contract/live.ts';
import { endpointGroups } from '#contract/reference.ts';
import { jsonContent } from './example.ts';
import { codesOf, faultsOf } from './faults.ts';
import { inputSchema, type JsonSchema, outputSchema } from './json-schema.ts';
import { securityOf } from './security.ts';
import type { Operation } from './types.ts';

interface RawOperation {
  path: string;
  method: Method;
  operation: Operation;
}

/** Returns operations that are not contract calls because their body or response is not JSON. */
export function rawOperations(schemas: Record<string, JsonSchema>): RawOperation[] {
  return [pdfPart(), askDocs(schemas), liveStream(), health()];
}

function tagOf(slug: string): string {
  return endpointGroups.find((group) => group.slug === slug)?.title ?? slug;
}

function pdfPart(): RawOperation {
  const operation: Operation = {
    operationId: 'sendPdfPart',
    tags: [tagOf('pdf-sets')],
    summary: 'Stores one part of an upload, sent as raw bytes. Returns the offset of the next part.',
    security: securityOf({}),
    parameters: [
      { name: 'uploadId', in: 'path', required: true, schema: { type: 'string' }, example: 'upload-1' },
      { name: 'offset', in: 'query', required: true, schema: { type: 'integer', minimum: 0 }, example: 0 },
    ],
    requestBody: {
      required: true,
      content: {
        'application/octet-stream': {
          schema: {
            type: 'string',
            description: `At most ${limits.pdfPartBytesMax} bytes. Parts of ${limits.pdfBytesPerPartMin} bytes or more are never too many`,
          },
        },
      },
    },
    responses: {
      200: {
        description: 'The part was received completely.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { upload: { $ref: '#/components/schemas/PdfUpload' } } },
          },
        },
      },
      ...faultsOf(codesOf('sendPdfPart', 'PUT')),
    },
    'x-error-codes': codesOf('sendPdfPart', 'PUT'),
  };
  return { path: '/api/pdf-uploads/{uploadId}/parts', method: 'PUT', operation };
}

function askDocs(schemas: Record<string, JsonSchema>): RawOperation {
  const operation: Operation = {
    operationId: 'askDocs',
    tags: [tagOf('chat')],
    summary:
      'Streams the answer to a question from the documentation: one JSON event per line, the last one `done` or `error`.',
    security: securityOf({ access: 'anyone' }),
    requestBody: { required: true, content: jsonContent(inputSchema(askDocsInput), schemas) },
    responses: {
      200: { description: 'The answer.', content: { [chatStreamType]: { schema: outputSchema(chatEventSchema) } } },
      ...faultsOf(codesOf('askDocs', 'POST')),
    },
    'x-error-codes': codesOf('askDocs', 'POST'),
  };
  return { path: askDocsPath, method: 'POST', operation };
}

function liveStream(): RawOperation {
  const { properties = {}, required = [] } = inputSchema(liveInput);
  const operation: Operation = {
    operationId: 'streamLive',
    tags: [tagOf('installation')],
    summary: 'Streams server-sent events that name the queries whose results have changed.',
    security: securityOf({ access: 'anyone' }),
    parameters: Object.entries(properties).map(([name, { description, ...schema }]) => ({
      ...{ name, in: 'query', required: required.includes(name), schema },
      ...(description === undefined ? {} : { description }),
    })) as NonNullable<Operation['parameters']>,
    responses: {
      200: { description: 'The stream.', content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...faultsOf(codesOf('streamLive', 'GET')),
    },
    'x-error-codes': codesOf('streamLive', 'GET'),
  };
  return { path: '/api/live', method: 'GET', operation };
}

function health(): RawOperation {
  const schema = { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] };
  const answer = (
    description: string,
  ): { description: string; content: Record<string, { schema: typeof schema }> } => ({
    description,
    content: { 'application/json': { schema } },
  });
  const operation: Operation = {
    operationId: 'getHealth',
    tags: [tagOf('installation')],
    summary: 'Reports whether the process is running.',
    security: securityOf({ access: 'anyone' }),
    responses: { 200: answer('It is running.'), 503: answer('It is stopping.') },
  };
  return { path: '/healthz', method: 'GET', operation };
}
