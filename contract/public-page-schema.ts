import { z } from 'zod';

const day = z.iso.date();

/** A public page, written at build time. */
export const publicPage = z.object({
  path: z.string().startsWith('/'),
  /** Follows the product's name in the title. */
  title: z.string(),
  /** One or two sentences, for search engines, feeds and previews of links. */
  description: z.string(),
  kind: z.enum(['page', 'post', 'use-case', 'docs']),
  publishedOn: day,
  updatedOn: day,
  /** Path of a 1200 × 630 pixel image for link previews, made by `./lectern social-images`. */
  socialImage: z.string().startsWith('/social/').optional(),
});
export type PublicPage = z.infer<typeof publicPage>;
