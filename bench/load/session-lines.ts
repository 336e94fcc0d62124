import { setTimeout as delay } from 'node:timers/promises';
import { Agent, fetch as fetchBy } from 'undici';
import { residentBytes } from '../../eval/drive/processes.ts';
import { type Ask, callAtRate, callEach, errorsOf, p } from './callers.ts';
import { queryAt } from './corpus.ts';
import { type Line, type LoadRun, lineOf, ms, secondsOf } from './load-run.ts';

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'load', version: '1' } },
};
const sessionHeader = 'mcp-session-id';
/** Time for a process to release temporary memory. */
const settleMs = 3_000;
const callers = 8;

/** Returns an MCP request for `fetch`. */
function message(run: LoadRun, body: object, session?: string) {
  return {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${run.key}`, 'content-type': 'application/json' },
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { [sessionHeader]: session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  };
}

function post(run: LoadRun, body: (index: number) => object, session?: string): Ask {
  return (index) => fetch(`${run.product.origin}/mcp`, message(run, { id: index, ...body(index) }, session));
}

async function openSession(run: LoadRun): Promise<string> {
  const response = await post(run, () => initialize)(0);
  await response.arrayBuffer();
  return response.headers?.get(sessionHeader) ?? '';
}

/** Sessions are rows, so memory is measured after the process had time to release temporary memory. */
export async function sessionMemoryLine(run: LoadRun): Promise<Line> {
  const count = run.isQuick ? 200 : 2_000;
  const open = post(run, () => initialize);
  await callEach(open, 50, callers);
  await delay(settleMs);
  const before = residentBytes(run.product.pid) ?? 0;
  const calls = await callEach(open, count, callers);
  await delay(settleMs);
  const each = ((residentBytes(run.product.pid) ?? 0) - before) / count / 1_000;
  const figures = `${each.toFixed(1)} kB each over ${count}, ${calls.refusedMs.length} refused`;
  const isWhole = calls.timesMs.length === count;
  return lineOf('load-0004', figures, [isWhole && each <= 100, each <= 55], errorsOf(calls));
}

/** Opens each session over a separate connection, like separate agents. */
export async function sessionConnectLine(run: LoadRun): Promise<Line> {
  const count = run.isQuick ? 300 : 5_000;
  const connections = new Agent({ pipelining: 0 });
  const connect: Ask = (index) =>
    fetchBy(`${run.product.origin}/mcp`, { ...message(run, { id: index, ...initialize }), dispatcher: connections });
  const calls = await callEach(connect, count, callers);
  await connections.close();
  const p95 = p(calls, 0.95);
  const isWhole = calls.timesMs.length === count;
  const rate = (count / calls.seconds).toFixed(0);
  const figures = `p95 ${ms(p95)} over ${count} at ${rate}/s, ${calls.refusedMs.length} refused`;
  return lineOf('load-0005', figures, [isWhole && p95 <= 150, p95 <= 50], errorsOf(calls));
}

/** The handshake consists of the request that opens a session, and the notification that the client is ready. */
export async function listToolsLine(run: LoadRun): Promise<Line> {
  const seconds = secondsOf(run, 5);
  const shakeHands: Ask = async () => {
    const session = await openSession(run);
    return fetch(`${run.product.origin}/mcp`, message(run, { method: 'notifications/initialized' }, session));
  };
  const handshakes = await callAtRate(shakeHands, 20, seconds);
  const lists = await callAtRate(
    post(run, () => ({ method: 'tools/list' }), await openSession(run)),
    20,
    seconds,
  );
  const worst = Math.max(p(handshakes, 0.95), p(lists, 0.95));
  const figures = `p95 ${ms(p(lists, 0.95))}, handshake ${ms(p(handshakes, 0.95))}`;
  return lineOf('load-0006', figures, [worst <= 20, worst <= 5], errorsOf(handshakes, lists));
}

/** Searches in several agents' sessions in turn, each opened on first use. A tool that reports an error fails. */
export function searchIn(run: LoadRun, sessions: number): Ask {
  const opened = new Map<number, Promise<string>>();
  return async (index) => {
    const number = index % sessions;
    if (!opened.has(number)) opened.set(number, openSession(run));
    const params = { name: 'lectern_search_documentation', arguments: { query: queryAt(index) } };
    const response = await post(run, () => ({ method: 'tools/call', params }), await opened.get(number))(index);
    const bytes = await response.arrayBuffer();
    if (response.ok && !isAnswer(Buffer.from(bytes).toString('utf8'))) throw new ToolError();
    return { ok: response.ok, status: response.status, arrayBuffer: async () => bytes };
  };
}

class ToolError extends Error {
  override readonly name = 'an answer without a result';
}

function isAnswer(text: string): boolean {
  const said = JSON.parse(text) as { result?: { isError?: boolean } };
  return said.result !== undefined && said.result.isError !== true;
}
