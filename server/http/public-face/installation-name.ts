import { slugOf } from '#contract/product-name.ts';
import { placeholders } from '#contract/public-page.ts';
import { escapeMarkup } from './escape-markup.ts';

/** What this installation is called and where it is reached. */
export interface InstallationName {
  productName: string;
  /** The address, no slash at the end, for a request that came for `host` (name and port). */
  addressAt(host: string): string;
}

const placeholderSlug = slugOf(placeholders.productName);

/**
 * A page as it was built, with the name and address of this installation in place of what the build has written, also
 * where the name is part of the name of a tool (`_` between its words) or of a server in a client's settings (`-`).
 */
export function withName(page: string, productName: string, address: string): string {
  const slug = slugOf(productName);
  return page
    .replaceAll(placeholders.productName, escapeMarkup(productName))
    .replaceAll(placeholderSlug, slug)
    .replaceAll(placeholderSlug.replaceAll('_', '-'), slug.replaceAll('_', '-'))
    .replaceAll(placeholders.address, address);
}
