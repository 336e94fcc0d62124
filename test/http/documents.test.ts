import { expect, onTestFinished, test } from 'vitest';
import { documentPath } from '#contract/document-path.ts';
import { documentEndpoints } from '#contract/documents.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { until } from '../services/until.ts';
import { type HttpRig, openHttpRig, rawRequest } from './http-rig.ts';

async function index(rig: HttpRig, source: string, moduleId: string, visibility: 'public' | 'private') {
  const { job } = await rig.ask(libraryEndpoints.startIndexJob, { source, moduleId, visibility });
  const hasEnded = async () => (await rig.ask(libraryEndpoints.getJob, { jobId: job.id })).job.endTime !== null;
  await until('the run has ended', hasEnded, 120_000);
}

interface Documents {
  rig: HttpRig;
  page: string;
  privatePage: string;
}

/** Opens a server with a public page and a private one. */
async function openDocuments(): Promise<Documents> {
  const [open, hidden] = [await startSampleSite(2), await startSampleSite(2)];
  onTestFinished(() => open.close());
  onTestFinished(() => hidden.close());
  hidden.pages.set('page1', 'The quagga is private');
  open.pages.set('page1', 'The quagga is public');
  const rig = await openHttpRig({ LECTERN_ALLOW_HOSTS: `${open.host},${hidden.host}` });
  await index(rig, open.url, 'open', 'public');
  await index(rig, hidden.url, 'hidden', 'private');
  return { rig, page: `${open.url}page1.html`, privatePage: `${hidden.url}page1.html` };
}

// A single test, because indexing takes most of the time.
test('a page requested at its viewer address is sent as Markdown, in any spelling, to permitted readers', async () => {
  const documents = await openDocuments();
  await sendsMarkdown(documents);
  await readsEveryForm(documents);
  await hidesThePrivate(documents);
}, 400_000);

/** Sends the page in full once and then as unchanged to clients that request Markdown; browsers get the viewer. */
async function sendsMarkdown({ rig, page }: Documents) {
  const path = documentPath(page);
  const markdown = { accept: 'text/markdown' };
  const first = await rig.send(path, { headers: markdown });
  expect(first.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('public, no-cache');
  expect(first.headers.get('vary')).toContain('accept');
  expect(first.headers.get('link')).toBe(`<${page}>; rel="canonical"`);
  const text = await first.text();
  expect(text).toContain('The quagga is public');

  const etag = first.headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await rig.send(path, { headers: { ...markdown, 'if-none-match': tag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  }
  const stale = await rig.send(path, { headers: { ...markdown, 'if-none-match': '"other"' } });
  expect([stale.status, await stale.text()]).toEqual([200, text]);
  const head = await rawRequest(rig.port, { path, method: 'HEAD', headers: markdown });
  expect([head.status, head.headers['etag'], head.text]).toEqual([200, etag, '']);

  const asksFor = async (accept: string, at = path) =>
    (await rig.send(at, { headers: { accept } })).headers.get('content-type')?.split(';')[0];
  expect(await asksFor('text/html,*/*;q=0.8')).toBe('text/html');
  expect(await asksFor('*/*')).toBe('text/html');
  expect(await asksFor('text/markdown;q=0.4, text/html')).toBe('text/html');
  expect(await asksFor('text/markdown;q=0')).toBe('text/html');
  expect(await asksFor('text/html;q=0.4, TEXT/Markdown')).toBe('text/markdown');
  expect(await asksFor('*/*', `${path}.md`)).toBe('text/markdown');
}

async function readsEveryForm({ rig, page }: Documents) {
  const bare = page.replace('://', ':/');
  const forms = [
    ...[page, bare, encodeURIComponent(page), page.replace('://', '%3A%2F%2F'), page.replace('://', ':///')],
    ...[`${page}?~module=open`, page.replace('page1', '%70age1')],
  ];
  for (const form of forms) {
    const { status, text, headers } = await rawRequest(rig.port, {
      path: `/document/${form}`,
      headers: { accept: 'text/markdown' },
    });
    expect({ form, status, link: headers['link'] }).toEqual({ form, status: 200, link: `<${page}>; rel="canonical"` });
    expect(text).toContain('The quagga is public');
  }
  for (const form of ['', '//', '%', '%00', 'https://', 'javascript:alert(1)', '..%2Fapi%2Fsession', 'nowhere']) {
    const { status, headers } = await rawRequest(rig.port, {
      path: `/document/${form}`,
      headers: { accept: 'text/markdown' },
    });
    expect({ form, isRefused: status >= 400 && status < 500 }).toEqual({ form, isRefused: true });
    expect(headers['content-type']).not.toMatch(/markdown/);
  }
}

/** Only the owner reads it, and it is not cached; for others the page does not exist. */
async function hidesThePrivate({ rig, privatePage }: Documents) {
  const path = documentPath(privatePage);
  const own = await rig.send(path, { headers: { ...rig.operator, accept: 'text/markdown' } });
  expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(own.headers.get('etag')).toBeNull();
  expect(await own.text()).toContain('The quagga is private');

  const missing = privatePage.replace('page1', 'page9');
  for (const url of [privatePage, missing]) {
    const { requestId: _, ...refusal } = await rig.refusal(documentEndpoints.showDocument, { url }, rig.visitor);
    expect(refusal).toMatchObject({ status: 404, code: 'document-not-found' });
    expect(refusal.message).not.toContain('quagga');
  }
  const answers = await Promise.all(
    [path, documentPath(missing), `${path}.md`].map((at) => rig.send(at, { headers: { accept: 'text/markdown' } })),
  );
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(texts.join('')).not.toContain('quagga');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
}
