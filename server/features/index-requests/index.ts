export { type AnswerByAgent, answerByAgent } from './answer-by-agent.ts';
export { type AskInput, askToIndex, type Standing } from './ask-to-index.ts';
export { approveIndexRequest, declineIndexRequest } from './decide.ts';
export { listIndexRequests } from './list-index-requests.ts';
export { deleteRequests } from './store.ts';
