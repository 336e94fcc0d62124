export { withSurroundings } from './link-surroundings.ts';
export { splitDocument } from './split-document.ts';
export { countTokens } from './tokens.ts';
