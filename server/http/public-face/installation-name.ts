import { escapeUTF8 } from 'entities/escape';
import { shellWord } from '#contract/agent-setup.ts';
import { slugOf } from '#contract/product-name.ts';
import { placeholders } from '#contract/public-page.ts';

/** What this installation is called and where it is reached. */
export interface InstallationName {
  productName: string;
  /** The address, no slash at the end, for a request that came for `host` (name and port). */
  addressAt(host: string): string;
  /** The program, with its arguments, that agents start who reach the server at this address. */
  programAt(address: string): readonly string[];
}

const placeholderSlug = slugOf(placeholders.productName);

/**
 * A page as it was built, with the name, the address and the program of this installation in place of what the build has
 * written, also where the name is part of the name of a tool (`_` between its words) or of a server in a client's settings (`-`).
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

/** The program as JSON holds it, as a shell does, and as it is. */
function withProgram(page: string, program: readonly string[]): string {
  const [command = '', ...args] = program;
  const quoted = (words: readonly string[]) => words.map((word) => escapeUTF8(JSON.stringify(word))).join(', ');
  return page
    .replaceAll(`&quot;${placeholders.arguments}&quot;`, () => quoted(args))
    .replaceAll(`&quot;${placeholders.program}&quot;`, () => quoted([command]))
    .replaceAll(`${placeholders.program} ${placeholders.arguments}`, () => escapeUTF8(program.map(shellWord).join(' ')))
    .replaceAll(placeholders.program, () => escapeUTF8(command));
}
