import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parsePage } from '../../parse/parse-page.ts';

const api = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: { '/pets/{id}': { get: { operationId: 'getPet', summary: 'Gets "a" pet }', responses: { 404: {} } } } },
});

function textOf(html: string): { title: string; text: string } {
  const page = parsePage({ url: 'https://docs.example/api.html', bytes: new TextEncoder().encode(html) });
  return { title: page.title, text: page.snippets.map(({ text }) => text).join('\n\n') };
}

test.each([
  ['__redoc_state = {"menu":{},"spec":{"data":', '}};'],
  ['const __redoc_definition = ', ';'],
])('a Redoc export is read from the description in its script: %s', (before, after) => {
  const shown = '<title>Docs</title><h1>Pets (1)</h1><h2>Gets "a" pet }</h2><h3>Responses</h3>';
  const { title, text } = textOf(`${shown}<script>var x;</script><script>${before}${api}${after}</script>`);
  expect(title).toBe('Pets');
  expect(text).toContain('`GET /pets/{id}`');
  expect(text).toContain('`404`');
  expect(text).not.toContain('Pets (1)');
});

test.each([
  `<script id="api-reference" type="application/json">${api}</script>`,
  `<script>SwaggerUIBundle({ dom_id: '#ui', spec: ${api} })</script>`,
])('a description in another viewer’s page follows the text of the page', (viewer) => {
  const { title, text } = textOf(`<title>Our API</title><h1>Our API</h1><p>Ask for a key first.</p>${viewer}`);
  expect(title).toBe('Our API');
  expect(text).toMatch(/^# Our API\n\nAsk for a key first\.[\s\S]*`GET \/pets\/\{id\}`/);
});

test('a description shown as an example does not count', () => {
  const html = `<h1>Start</h1><p>Call the viewer so:</p><pre>SwaggerUIBundle({ spec: ${api} })</pre><script>x = ${api}</script>`;
  expect(textOf(html).text).not.toContain('`GET /pets/{id}`');
});

test('a Docusaurus page is read from the compressed operation in its front matter', () => {
  const operation = {
    operationId: 'getPet',
    method: 'get',
    path: '/pets/{id}',
    responses: { 404: { description: 'Gone' } },
  };
  const packed = (value: unknown) => deflateSync(JSON.stringify(value)).toString('base64');
  const read = (api: string) => {
    const mdx = `---\nid: get-pet\ntitle: "Find a \\"pet\\""\napi: ${api}\n---\n\n<ParamsDetails>\n</ParamsDetails>\n\nFinds it.\n`;
    const { title, snippets } = parsePage({
      url: 'folder://pets/get-pet.api.mdx',
      bytes: new TextEncoder().encode(mdx),
    });
    return {
      title,
      text: snippets.map(({ text }) => text).join('\n\n'),
      names: snippets.flatMap((each) => each.identifiers),
    };
  };
  expect(read(packed(operation))).toMatchObject({
    title: 'Find a "pet"',
    text: expect.stringMatching(/### `GET \/pets\/\{id\}`\n\n\*\*Find a "pet"\*\*[^]*`404` Gone/),
    names: expect.arrayContaining(['getPet']),
  });
  for (const other of ['eJdamaged', packed({ openapi: '3.1.0' }), packed([])])
    expect(read(other).text).toBe('Finds it.');
});
