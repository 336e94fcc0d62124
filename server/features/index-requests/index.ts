export { type AskInput, askToIndex, type Standing } from './ask-to-index.ts';
export { type AnswerByAgent, answerByAgent, approveIndexRequest, declineIndexRequest } from './decide.ts';
export { listIndexRequests } from './list-index-requests.ts';
export { deleteRequests } from './store.ts';
