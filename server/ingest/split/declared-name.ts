import type { Block } from '../document.ts';

const plainWord = /^`?(_*[A-Za-z]\w*)`?$/;
const commandLanguages = /^(?:sh|bash|zsh|shell|console|shellsession|powershell|text)$/;
const codeCharsMax = 400;

/**
 * Adds the identifier if a title is a single word that the code right below declares: `reader` above `protected Reader
 * reader`. Without such a declaration, the word could be prose.
 */
export function withDeclaredName(block: Block, next: Block | undefined): Block {
  const isTitle = block.type === 'heading' || block.type === 'term';
  if (!isTitle || block.identifiers || next?.type !== 'code' || commandLanguages.test(next.language ?? ''))
    return block;
  const name = plainWord.exec(block.markdown.replaceAll('\\', ''))?.[1];
  const code = next.markdown.split('\n').slice(1, -1).join('\n').slice(0, codeCharsMax).trim();
  const isDeclared = name !== undefined && new RegExp(`(?:^|[\\s.*&:])${name}\\s*(?:[(<:=;[{]|$)`).test(code);
  return isDeclared ? { ...block, identifiers: [name] } : block;
}
