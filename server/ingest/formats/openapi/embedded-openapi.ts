import { inflateSync } from 'node:zlib';
import { unquoted } from '../front-matter.ts';
import { fieldsOf, textOf } from '../parsed-data.ts';

const scriptStart = /<script\b([^<>]{0,500})>/gi;
const scriptEnd = /<\/script/gi;
const redocState = /\b__redoc_(?:state|definition)\b/;
const viewerCall = /\b(?:Redoc\.init|SwaggerUI(?:Bundle)?|createApiReference)\(/;
const scalar = /\bid=["']api-reference["']/;
const beginning = /\{\s*"(?:openapi|swagger|asyncapi)"\s*:\s*"\d/;

export interface EmbeddedOpenApi {
  json: string;
  /**
   * True if the page shows nothing else: Redoc's exports contain parts of the description as HTML, but without methods,
   * paths and codes.
   */
  isWholePage: boolean;
}

/**
 * Returns the API description in a script of a viewer's page (Redoc, Swagger UI, Scalar); undefined for other pages.
 */
export function embeddedOpenApi(html: string): EmbeddedOpenApi | undefined {
  scriptStart.lastIndex = 0;
  for (let opening = scriptStart.exec(html); opening; opening = scriptStart.exec(html)) {
    scriptEnd.lastIndex = scriptStart.lastIndex;
    const end = scriptEnd.exec(html)?.index;
    if (end === undefined) return undefined;
    const text = html.slice(scriptStart.lastIndex, end);
    scriptStart.lastIndex = end;
    const isRedoc = redocState.test(text);
    if (!isRedoc && !scalar.test(opening[1]!) && !viewerCall.test(text)) continue;
    const json = objectAt(text, beginning.exec(text)?.index);
    if (json !== undefined) return { json, isWholePage: isRedoc };
  }
  return undefined;
}

/** Returns the JSON object that starts at `start`, up to its closing brace. */
function objectAt(text: string, start: number | undefined): string | undefined {
  if (start === undefined) return undefined;
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (isString && sign === '\\') at++;
    else if (sign === '"') isString = !isString;
    else if (!isString && sign === '{') depth++;
    else if (!isString && sign === '}' && --depth === 0) return text.slice(start, at + 1);
  }
  return undefined;
}

const unpackedBytesMax = 5_000_000;

/**
 * Returns the operation stored compressed in a Docusaurus page's front matter; the components below it show nothing
 * else.
 */
export function packedOpenApi(mdx: string): EmbeddedOpenApi | undefined {
  const packed = /^api: (eJ[\w+/]+=*)\s*$/m.exec(mdx)?.[1];
  if (packed === undefined || !mdx.startsWith('---')) return undefined;
  const summary = unquoted(/^title: (.*)$/m.exec(mdx)?.[1] ?? '');
  try {
    const bytes = inflateSync(Buffer.from(packed, 'base64'), { maxOutputLength: unpackedBytesMax });
    const { method, path, servers, ...operation } = fieldsOf(JSON.parse(bytes.toString()));
    if (textOf(path) === '' || textOf(method) === '') return undefined;
    const paths = { [textOf(path)]: { [textOf(method)]: { summary, ...operation } } };
    const json = { openapi: '3.1.0', info: { title: summary }, servers, paths };
    return { json: JSON.stringify(json), isWholePage: true };
  } catch (error) {
    // Damaged or a different format: the page is read as written.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
