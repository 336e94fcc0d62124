import { escapeUTF8 } from 'entities/escape';
import { shellWord } from '#contract/agent-setup.ts';
import { slugOf } from '#contract/product-name.ts';
import { placeholders } from '#contract/public-page.ts';

/** Name and addresses of this installation. */
export interface InstallationName {
  productName: string;
  /** Returns the address, without a trailing slash, for a request to `host` (name and port). */
  addressAt(host: string): string;
  /** Returns the program with arguments that agents start to reach the server at this address. */
  programAt(address: string): readonly string[];
}

const placeholderSlug = slugOf(placeholders.productName);

/**
 * Replaces the build's product name, address and program in a page with this installation's, also inside tool names
 * (`_` between words) and server names in client settings (`-`).
 */
export function withName(page: string, { productName, address, program }: NamedPage): string {
  const slug = slugOf(productName);
  return withProgram(page, program)
    .replaceAll(placeholders.productName, escapeUTF8(productName))
    .replaceAll(placeholderSlug, slug)
    .replaceAll(placeholderSlug.replaceAll('_', '-'), slug.replaceAll('_', '-'))
    .replaceAll(placeholders.address, address);
}

export interface NamedPage {
  productName: string;
  address: string;
  program: readonly string[];
}

/** Replaces the program in its JSON, shell and plain forms. */
function withProgram(page: string, program: readonly string[]): string {
  const [command = '', ...args] = program;
  const quoted = (words: readonly string[]) => words.map((word) => escapeUTF8(JSON.stringify(word))).join(', ');
  return page
    .replaceAll(`&quot;${placeholders.arguments}&quot;`, () => quoted(args))
    .replaceAll(`&quot;${placeholders.program}&quot;`, () => quoted([command]))
    .replaceAll(`${placeholders.program} ${placeholders.arguments}`, () => escapeUTF8(program.map(shellWord).join(' ')))
    .replaceAll(placeholders.program, () => escapeUTF8(command));
}
