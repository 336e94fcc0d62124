import { hash } from 'node:crypto';
import type { CompressedTexts } from './compressed-texts.ts';

interface TextAnswer {
  text: string;
  /** Media type with charset. */
  type: string;
  status?: 200 | 404;
  headers?: Record<string, string>;
  /** Request headers, other than the encoding, that the response depends on. */
  vary?: string[];
}

/** Returns a text generated for this request, which must be revalidated and is sent only if it has changed. */
export async function textAnswer(request: Headers, texts: CompressedTexts, answer: TextAnswer): Promise<Response> {
  const whole = Buffer.from(answer.text);
  const { bytes, coding } = await texts.of(whole, hash('sha256', whole), request.get('accept-encoding'));
  const headers = validators(bytes, [...(answer.vary ?? []), 'accept-encoding']);
  Object.assign(headers, answer.headers);
  const status = answer.status ?? 200;
  if (status === 200 && isKnown(headers['etag'] ?? '', request.get('if-none-match'))) {
    return new Response(null, { status: 304, headers });
  }
  headers['content-type'] = answer.type;
  headers['content-length'] = String(bytes.byteLength);
  if (coding !== undefined) headers['content-encoding'] = coding.name;
  return new Response(new Uint8Array(bytes), { status, headers });
}

/** Returns the headers for bytes that may be stored but must be revalidated. */
export function validators(bytes: Buffer, vary: string[]): Record<string, string> {
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  return { 'cache-control': 'no-cache', vary: vary.join(', '), etag };
}

export function isKnown(etag: string, ifNoneMatch: string | null): boolean {
  // A proxy that compresses the response marks the tag as weak.
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}
