import { productToolNames } from '#contract/product-name.ts';

/** Returns rules for an agent's configuration that make it search here instead of guessing. */
export function agentRules(productName: string): string {
  const { search, read } = productToolNames(productName);
  return [
    '## Documentation',
    '',
    `Before you write code against a library, framework or service, and whenever you are unsure about an API, an option or an error message, look it up with ${productName} instead of answering from memory.`,
    '',
    `- \`${search}\`: ask one specific question in plain words, with the names of the library and of the function or option. Add \`source:private\` to search only what this workspace added itself.`,
    `- \`${read}\`: read a page, or one section of it (an address with \`#anchor\`), that a search named.`,
    '- Prefer the documentation over what you remember, and cite the address you took it from.',
    '- If nothing is found, say so. Do not invent an API.',
    '',
  ].join('\n');
}
