import { setTimeout as delay } from 'node:timers/promises';
import { serveSite } from '../cli/run-cli.ts';

interface SamplePage {
  path: string;
  title: string;
  body: string;
}

/** Documentation of a fictional message queue: prose, code, a table, and a link to a page that robots.txt forbids. */
const pages: SamplePage[] = [
  {
    path: '/',
    title: 'Tidewater',
    body: `<p>Tidewater is a message queue that keeps its promises over a restart.</p>
      <ul><li><a href="/install.html">Install</a></li><li><a href="/queues.html">Queues</a></li>
      <li><a href="/workers.html">Workers</a></li><li><a href="/settings.html">Settings</a></li>
      <li><a href="/private/notes.html">Notes</a></li></ul>`,
  },
  {
    path: '/install.html',
    title: 'Install Tidewater',
    body: `<p>Install the command line tool, then create a data folder.</p>
      <pre><code class="language-sh">npm install --global tidewater
tidewater init ./data</code></pre>
      <h2 id="upgrade">Upgrade from version 1</h2>
      <p>Stop every worker first. The journal format has changed and is rewritten once, in place.</p>`,
  },
  {
    path: '/queues.html',
    title: 'Queues',
    body: `<p>A queue holds messages until a worker has acknowledged them.</p>
      <h2 id="dead-letters">Dead letter queues</h2>
      <p>A message that was refused five times is moved to the dead letter queue of its queue. Read it with
      <code>drainDeadLetters</code>, which never removes a message before your function has returned.</p>
      <pre><code class="language-js">import { drainDeadLetters } from 'tidewater';

await drainDeadLetters('orders', async (message) => {
  console.log(message.reason, message.body);
});</code></pre>`,
  },
  {
    path: '/workers.html',
    title: 'Workers',
    body: `<p>A worker takes messages from one queue. It may take several at once.</p>
      <h2 id="backoff">Retry with back-off</h2>
      <p>A refused message waits twice as long before each further try, at most one hour.</p>
      <pre><code class="language-python">from tidewater import Worker

worker = Worker("orders", parallel=4, backoff_seconds=2)
worker.run()</code></pre>`,
  },
  {
    path: '/settings.html',
    title: 'Settings',
    body: `<p>Every setting is an environment variable.</p>
      <table><thead><tr><th>Variable</th><th>Default</th><th>What it does</th></tr></thead><tbody>
      <tr><td><code>TIDEWATER_JOURNAL_SYNC</code></td><td>always</td><td>When the journal is written to disk.</td></tr>
      <tr><td><code>TIDEWATER_PARALLEL</code></td><td>4</td><td>Messages a worker takes at once.</td></tr>
      </tbody></table>`,
  },
];

export interface SampleSite {
  origin: string;
  /** `host:port`, for LECTERN_ALLOW_HOSTS. */
  host: string;
  /** Delays all responses until `release` is called, so that a run is visible in progress. */
  hold(): void;
  release(): void;
}

/** Serves the sample documentation on loopback. robots.txt disallows `/private/`; unknown paths return 404. */
export async function serveSampleSite(): Promise<SampleSite> {
  let isHeld = false;
  const { origin, host } = await serveSite((request, response) => {
    void (async () => {
      while (isHeld && request.url !== '/robots.txt' && request.url !== '/') await delay(20);
      if (request.url === '/robots.txt') {
        response.setHeader('content-type', 'text/plain').end('User-agent: *\nDisallow: /private/\n');
        return;
      }
      const page = pages.find(({ path }) => path === request.url);
      response.statusCode = page ? 200 : 404;
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page ? htmlOf(page) : 'not found');
    })();
  });
  return {
    origin,
    host,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
  };
}

function htmlOf({ title, body }: SamplePage): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head>
    <body><nav><a href="/">Tidewater</a></nav><main><h1>${title}</h1>${body}</main></body></html>`;
}
