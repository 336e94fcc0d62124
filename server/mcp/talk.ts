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

/** What can be said to a client, and asked of the person at it, while a call is answered. */
export interface Talk {
  /**
   * How the person can be asked: by the result of this call, which the client sends again with the answer (the
   * session-less revision), by a request in its stream (those before), or not at all.
   */
  asks: 'by-result' | 'by-request' | 'not-at-all';
  /** The person's answer to the question of this id, when the call came again with it. */
  answerTo(id: string): { action: ElicitedAnswer; content: Record<string, unknown> } | undefined;
  /** The same with the id that the client says it answers: anyone who takes it looks whose question that is. */
  answered(): { id: string; action: ElicitedAnswer; content: Record<string, unknown> } | undefined;
  /** The result that asks. */
  question(id: string, params: ElicitRequestFormParams): InputRequiredResult;
  /** Sends the request that asks. */
  ask(id: string, params: ElicitRequestFormParams): Promise<void>;
  /** Tells how far a call is, to clients that want to know. Never fails. */
  progress(done: number, total: number | undefined, message: string): Promise<void>;
  signal: AbortSignal;
}

const responseKey = 'consent';

/** The ways that a request of either era offers; `elicit` is there for one whose answer is a stream. */
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

/** Every request of the session-less revision carries what its client is; none of the others does. */
function isSessionLess({ envelope }: ServerContext['mcpReq']): boolean {
  return envelope !== undefined && PROTOCOL_VERSION_META_KEY in envelope;
}

/** Over a connection that stays, only the message itself says what its client can. */
function canElicit(server: Server, { envelope }: ServerContext['mcpReq']): boolean {
  const said = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return elicitsForms(said ?? server.getClientCapabilities());
}

/** A client that names no mode takes forms, as the first revision with elicitation had it. */
export function elicitsForms(capabilities: unknown): boolean {
  const elicitation = (capabilities as { elicitation?: Record<string, unknown> } | undefined)?.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}
