import type { Hono, Context as HonoContext } from 'hono';
import { z } from 'zod';
import * as limits from '#contract/limits.ts';
import { AppError, bodyTooLarge } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { parseInput } from '#server/features/call.ts';
import type { PdfSets } from '#server/features/pdf-sets/index.ts';
import { requireRight } from '#server/features/teams/index.ts';

const partInput = z.object({ uploadId: z.string().max(100), offset: z.coerce.number().int().min(0) });

/** Path of upload parts: their bodies are larger than those of other calls, and are limited while they are read. */
export const pdfPartRoute = '/api/pdf-uploads/:uploadId/parts';

/** Returns true for the path of an upload part. */
export function isPdfPartPath(path: string): boolean {
  return /^\/api\/pdf-uploads\/[^/]+\/parts$/.test(path);
}

/** Receives upload parts as raw bytes, neither form data nor JSON. The response is that of `getPdfUpload`. */
export function addPdfParts(
  app: Hono<{ Variables: { requestId: string } }>,
  { pdfSets, contextOf }: { pdfSets: Pick<PdfSets, 'addPdfPart'>; contextOf(c: HonoContext): Promise<Context> },
): void {
  app.put(pdfPartRoute, async (c) => {
    const ctx = await contextOf(c);
    // Checked before the bytes of a part are read.
    requirePerson(ctx);
    requireRight(ctx, 'sources.write');
    if (/^multipart\//i.test(c.req.header('content-type') ?? '')) {
      throw new AppError('invalid-input', { values: { reason: 'send the bytes of the part alone, not a form' } });
    }
    if (Number(c.req.header('content-length') ?? 0) > limits.pdfPartBytesMax) {
      throw bodyTooLarge(limits.pdfPartBytesMax);
    }
    const input = parseInput(partInput, { ...c.req.query(), ...c.req.param() });
    const upload = await pdfSets.addPdfPart(ctx, input, c.req.raw.body ?? noBytes());
    return c.json({ upload }, 200, { 'cache-control': 'no-store', 'x-request-id': ctx.requestId });
  });
}

async function* noBytes(): AsyncIterable<Uint8Array> {}
