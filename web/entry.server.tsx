import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';

/**
 * Renders a page at build time; no server runs this. Without this entry, the build tool would install its default
 * entry's packages and edit package.json.
 */
export default async function writePage(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const faults: unknown[] = [];
  const page = await renderToReadableStream(<ServerRouter context={context} url={request.url} />, {
    onError: (error) => {
      faults.push(error);
    },
  });
  await page.allReady;
  if (faults.length > 0) throw new AggregateError(faults, `the page ${request.url} could not be written`);
  headers.set('content-type', 'text/html');
  return new Response(page, { status, headers });
}
