import { escapeUTF8 } from 'entities/escape';
import type { PublicPage } from '#contract/public-page-schema.ts';

/** The public pages for search engines, as https://www.sitemaps.org/protocol.html says. */
export function siteMap(pages: readonly PublicPage[], address: string): string {
  const urls = pages.map(
    ({ path, updatedOn }) =>
      `  <url>\n    <loc>${escapeUTF8(address + path)}</loc>\n    <lastmod>${updatedOn}</lastmod>\n  </url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** Paths that hold no page for a crawler: interfaces, and addresses that carry the codes of mails. */
const closedPaths = ['/api/', '/callable/', '/admin/', '/auth/', '/sign-in/', '/accept/', '/oauth/', '/billing/'];

/** What crawlers may ask for (RFC 9309). */
export function robotsFile(address: string): string {
  return [
    'User-agent: *',
    ...closedPaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${address}/sitemap.xml`,
    '',
  ].join('\n');
}
