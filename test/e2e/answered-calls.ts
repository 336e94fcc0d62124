import type { CDPSession, Page } from 'playwright-core';
import type { Endpoint } from '#contract/endpoint.ts';

/** Left out: the call is not answered until there is one. */
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

/** What is answered here instead of by the server, the newest first, and the connection to the browser that does it. */
interface Desk {
  answered: AnsweredCall[];
  /** Not answered so far. */
  held: HeldCall[];
  scripts: string[];
  session: CDPSession;
}

const desks = new WeakMap<Page, Promise<Desk>>();

/**
 * Returns the calls of one endpoint that the page makes, whatever their input. No other request is held up, and what the
 * browser has loaded before it need not load again: with `page.route` it would, and ask for each script from here.
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

/** Returns how many calls of the page wait for an answer from here. */
export async function heldCalls(page: Page): Promise<number> {
  return (await deskOf(page)).held.length;
}

/** From now on the server answers every call of the page. */
export async function letCallsThrough(page: Page): Promise<void> {
  const desk = await desks.get(page);
  if (desk === undefined) return;
  desk.answered.splice(0);
  for (const call of desk.held.splice(0)) respond(desk, call);
  await desk.session.send('Fetch.disable');
}

const parameters = /:[A-Za-z]+/g;

/** Runs a script before those of each page that the tab shows, until it is let go. */
export async function runBefore(page: Page, source: string): Promise<void> {
  const { scripts, session } = await deskOf(page);
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
  scripts.push(identifier);
}

/** Nothing that was set here holds any longer. */
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
  // Without it no script would be run before others.
  await session.send('Page.enable');
  const desk: Desk = { answered: [], held: [], scripts: [], session };
  session.on('Fetch.requestPaused', (call) => respond(desk, call));
  return desk;
}

function respond({ answered, held, session }: Desk, { requestId, request }: HeldCall): void {
  const { method, url } = request;
  const call = answered.find(({ endpoint, address }) => endpoint.method === method && address.test(url));
  // The page may be gone by the time it is answered.
  if (call === undefined) void session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  else if (call.reply === undefined) held.push({ requestId, request });
  else {
    const responseHeaders = [{ name: 'content-type', value: 'application/json' }];
    const body = Buffer.from(call.reply.body).toString('base64');
    const answer = { requestId, responseCode: call.reply.status, responseHeaders, body };
    void session.send('Fetch.fulfillRequest', answer).catch(() => undefined);
  }
}
