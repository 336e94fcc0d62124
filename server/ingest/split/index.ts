export { splitDocument } from './split-document.ts';
export { countTokens } from './tokens.ts';
