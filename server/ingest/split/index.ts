export { splitDocument } from './split-document.ts';
export { countTokens, countTokensAround } from './tokens.ts';
