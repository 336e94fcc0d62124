import {
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** Sends `elicitation/create` under this id. */
export type Elicit = (question: { id: string; params: ElicitRequestFormParams }) => Promise<void>;

export type ElicitedAnswer = 'accept' | 'decline' | 'cancel';

/** The ways to report progress to a client, and to ask its user, during a call. */
export interface Talk {
  /**
   * How the person can be asked: with the call's result, after which the client repeats the call with the answer
   * (session-less revision); with a request in the response stream (earlier revisions); or not at all.
   */
  asks: 'by-result' | 'by-request' | 'not-at-all';
  /** Returns the person's answer to the question with this id, if the client repeated the call with it. */
  answerTo(id: string): { action: ElicitedAnswer; content: Record<string, unknown> } | undefined;
  /**
   * Same as `answerTo`, with the question id that the client claims; the recipient must check whose question that is.
   */
  answered(): { id: string; action: ElicitedAnswer; content: Record<string, unknown> } | undefined;
  question(id: string, params: ElicitRequestFormParams): InputRequiredResult;
  ask(id: string, params: ElicitRequestFormParams): Promise<void>;
  /** Reports progress to clients that asked for it. Never fails. */
  progress(done: number, total: number | undefined, message: string): Promise<void>;
  signal: AbortSignal;
}

const responseKey = 'consent';

/** Creates the talk for a request of either era; `elicit` is set for a request with a streamed response. */
export function talkOf(server: Server, { mcpReq }: ServerContext, elicit: Elicit | undefined): Talk {
  const token = mcpReq._meta?.progressToken;
  return {
    asks: isSessionLess(mcpReq)
      ? canElicit(server, mcpReq)
        ? 'by-result'
        : 'not-at-all'
      : elicit
        ? 'by-request'
        : 'not-at-all',
    answerTo: (id) => (mcpReq.requestState() === id ? answerIn(mcpReq) : undefined),
    answered() {
      const id = mcpReq.requestState();
      const answer = answerIn(mcpReq);
      return typeof id !== 'string' || answer === undefined ? undefined : { id, ...answer };
    },
    question: (id, params) =>
      inputRequired({ inputRequests: { [responseKey]: inputRequired.elicit(params) }, requestState: id }),
    async ask(id, params) {
      await elicit?.({ id, params });
    },
    async progress(progress, total, message) {
      if (token === undefined) return;
      const params = { progressToken: token, progress, message, ...(total === undefined ? {} : { total }) };
      await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    signal: mcpReq.signal,
  };
}

function answerIn({ inputResponses }: ServerContext['mcpReq']) {
  const answer = inputResponse(inputResponses, responseKey);
  return answer.kind === 'elicit' ? { action: answer.action, content: answer.content ?? {} } : undefined;
}

/** Returns true for the session-less revision, whose requests alone carry their protocol version. */
function isSessionLess({ envelope }: ServerContext['mcpReq']): boolean {
  return envelope !== undefined && PROTOCOL_VERSION_META_KEY in envelope;
}

/** Over a long-lived connection, only the message itself declares the client's capabilities. */
function canElicit(server: Server, { envelope }: ServerContext['mcpReq']): boolean {
  const said = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return elicitsForms(said ?? server.getClientCapabilities());
}

/**
 * Returns true if the client accepts forms; a client without a mode does, as in the first revision with elicitation.
 */
export function elicitsForms(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: Record<string, unknown> } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
