export { withSurroundings } from './link-surroundings.ts';
export { splitDocument } from './split-document.ts';
export { countTokens, countTokensAround } from './tokens.ts';
