import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { placeholders } from '#contract/public-page.ts';
import { type AppParts, createApp } from '#server/http/app.ts';
import { ChangeFeed } from '#server/http/live/change-feed.ts';
import { readWebBuild } from '#server/http/public-face/web-build.ts';
import { pagePolicy } from '#server/http/security-headers.ts';
import { createStaticFiles } from '#server/http/static-files.ts';
import { markdownOfPage } from '#server/ingest/extract/markdown-of-page.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createMetrics } from '#server/platform/metrics.ts';
import { traced } from '#server/platform/tracing.ts';
import { freshDatabase } from '../services/database.ts';
import { silentLog } from '../services/log.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

export const hash = 'sha256-9oCE+xxKpYsnEuX0bbtlRx3kvmVvzUwZ2n4dEZqH1nA=';

const about = `Later, of ${placeholders.productName}.`;
const listed = [
  { path: '/', title: 'Home', description: 'What it is.', kind: 'page' },
  { path: '/mcp', title: 'MCP', description: 'How to "connect".', kind: 'page' },
  { path: '/blog/one', title: 'One & only', description: 'The first.', kind: 'post' },
  { path: '/blog/two', title: 'Two', description: about, kind: 'post', publishedOn: '2026-02-03' },
].map((entry) => ({ publishedOn: '2026-01-02', updatedOn: '2026-03-04', ...entry }));

function builtPage(title: string, main: string): string {
  return `<html><head><title>${placeholders.productName} - ${title}</title></head><body><nav><a href="/">Back</a></nav><main><h1>${title}</h1>${main}</main></body></html>`;
}

const unread = { report: undefined, history: undefined, latency: undefined, incidents: undefined };

/** Creates a small build of the browser application, in a new folder for each call. */
export function builtFolder(): string {
  const folder = join(temporaryFolder(), 'web');
  const files: Record<string, string> = {
    'index.html': '<title>Home</title>',
    '__spa-fallback.html': '<head><title>Shell</title></head>',
    '__not-found.html': '<title>Nothing</title>',
    'routes.json': JSON.stringify({
      ...Object.fromEntries(['/', '/login', '/sign-in/:code?', '/document/*'].map((path) => [path, []])),
      '/modules/:moduleId': ['/assets/module-1a2b.js'],
    }),
    'public-pages.json': JSON.stringify(listed),
    'blog/one/index.html': builtPage('One', '<p>The first &amp; last.</p>'),
    'mcp/index.html': builtPage('MCP', '<p>How to <a href="/keys">connect</a>.</p><pre><code>lectern mcp</code></pre>'),
    'login/index.html': '<title>Login</title>',
    'assets/app-1a2b.js': 'go()',
    'favicon.svg': '<svg/>',
    'csp.json': JSON.stringify({ 'index.html': [hash] }),
    '../outside.txt': 'a secret',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Opens the HTTP app over a build, without any features behind it. */
export async function appOver(folder: string) {
  const app = createApp({
    base: { db: await freshDatabase(), clock: systemClock, log: silentLog },
    metrics: createMetrics({ version: '0', roles: ['web'] }),
    trace: traced,
    metricsToken: undefined,
    authenticators: {
      bySession: async () => undefined,
      byKey: () => Promise.reject(new Error('no keys here')),
      byIdentityToken: () => Promise.reject(new Error('no tokens here')),
      byOperatorToken: () => undefined,
      sessionCookie: 'lectern_session',
    },
    calls: [],
    callables: [],
    // These tests use no sign-in provider.
    features: {} as AppParts['features'],
    productName: 'Lectern',
    publicUrl: 'http://127.0.0.1',
    region: 'us-central1',
    feed: new ChangeFeed({ onChange: () => undefined, onGap: () => undefined }),
    about: { product: 'Lectern', version: '0.0.0', roles: ['web'] },
    reachNeeds: async () => undefined,
    serveStatic: createStaticFiles({
      root: folder,
      build: await readWebBuild(folder),
      installation: { productName: 'A & B', addressAt: (host) => `https://${host}`, programAt: () => ['lectern-mcp'] },
      toMarkdown: async (html, url) => markdownOfPage(html, url),
      showcase: async () => undefined,
      status: async () => ({ at: 0, ...unread }),
      sessionCookie: 'lectern_session',
      policyOf: (scriptHashes) => pagePolicy({ scriptHashes, tagOrigin: undefined }),
    }),
    mounts: [],
    oauth: new Hono(),
    isOwnOrigin: () => true,
    isOwnHost: () => true,
    isHttps: false,
    isTrustedProxy: () => false,
    errorReporter: { report: () => undefined, close: async () => undefined },
    tagOrigin: undefined,
    roles: ['web', 'mcp', 'worker'],
    draining: new AbortController().signal,
    ending: new AbortController().signal,
  });
  return (path: string, init?: RequestInit) => app.request(path, init);
}
