import { bodyTooLarge } from '#server/app-error.ts';

/** The bytes of a body as they came; refuses (`body-too-large`) without reading on once it is over the limit. */
export async function boundedBody(request: Request, bytesMax: number, insteadOfMore?: string): Promise<Buffer> {
  const tooLarge = () => bodyTooLarge(bytesMax, insteadOfMore);
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
