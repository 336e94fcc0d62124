export type { AskInput, Standing } from './ask-to-index.ts';
export type { AnswerByAgent } from './decide.ts';
