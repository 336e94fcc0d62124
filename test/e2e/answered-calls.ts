import type { CDPSession, Page } from 'playwright-core';
import type { Endpoint } from '#contract/endpoint.ts';

/** If left out, the call stays pending until a reply is set. */
interface Reply {
  status: number;
  body: string;
}

interface AnsweredCall {
  endpoint: Endpoint;
  address: RegExp;
  reply: Reply | undefined;
}

interface HeldCall {
  requestId: string;
  request: { method: string; url: string };
}

/**
 * The calls of a page that the test answers instead of the server, newest first, and the browser session used for it.
 */
interface Desk {
  answered: AnsweredCall[];
  /** Pending calls. */
  held: HeldCall[];
  scripts: string[];
  session: CDPSession;
}

const desks = new WeakMap<Page, Promise<Desk>>();

/**
 * Answers the page's calls to one endpoint instead of the server, or holds them without a reply. Other requests are not
 * intercepted, and the browser keeps its cache: `page.route` would disable it and load each script again.
 */
export async function answerCalls(page: Page, endpoint: Endpoint, reply?: Reply): Promise<void> {
  const desk = await deskOf(page);
  const { answered, session } = desk;
  const address = new RegExp(`^https?://[^/]+${endpoint.path.replace(parameters, '[^/?]+')}(\\?|$)`);
  answered.unshift({ endpoint, address, reply });
  await session.send('Fetch.enable', {
    patterns: answered.map(({ endpoint: { path } }) => ({ urlPattern: `*${path.replace(parameters, '*')}*` })),
  });
  for (const call of desk.held.splice(0)) respond(desk, call);
}

/** Returns how many calls of the page are pending here. */
export async function heldCalls(page: Page): Promise<number> {
  return (await deskOf(page)).held.length;
}

/** Lets the server answer all calls of the page from now on, including pending ones. */
export async function letCallsThrough(page: Page): Promise<void> {
  const desk = await desks.get(page);
  if (desk === undefined) return;
  desk.answered.splice(0);
  for (const call of desk.held.splice(0)) respond(desk, call);
  await desk.session.send('Fetch.disable');
}

const parameters = /:[A-Za-z]+/g;

/** Runs a script before the scripts of each page in the tab, until `letGo`. */
export async function runBefore(page: Page, source: string): Promise<void> {
  const { scripts, session } = await deskOf(page);
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  scripts.push(identifier);
}

/** Removes all replies and scripts set for the page. */
export async function letGo(page: Page): Promise<void> {
  await letCallsThrough(page);
  const { scripts, session } = (await desks.get(page)) ?? {};
  for (const identifier of scripts?.splice(0) ?? [])
    await session?.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
}

function deskOf(page: Page): Promise<Desk> {
  const desk = desks.get(page) ?? openDesk(page);
  desks.set(page, desk);
  return desk;
}

async function openDesk(page: Page): Promise<Desk> {
  const session = await page.context().newCDPSession(page);
  // Required for scripts to run before those of the page.
  await session.send('Page.enable');
  const desk: Desk = { answered: [], held: [], scripts: [], session };
  session.on('Fetch.requestPaused', (call) => respond(desk, call));
  return desk;
}

function respond({ answered, held, session }: Desk, { requestId, request }: HeldCall): void {
  const { method, url } = request;
  const call = answered.find(({ endpoint, address }) => endpoint.method === method && address.test(url));
  // The page may be closed by then.
  if (call === undefined) void session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  else if (call.reply === undefined) held.push({ requestId, request });
  else {
    const responseHeaders = [{ name: 'content-type', value: 'application/json' }];
    const body = Buffer.from(call.reply.body).toString('base64');
    const answer = { requestId, responseCode: call.reply.status, responseHeaders, body };
    void session.send('Fetch.fulfillRequest', answer).catch(() => undefined);
  }
}
