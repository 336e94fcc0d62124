import type { PublicPage } from '#contract/public-page-schema.ts';
import { escapeMarkup } from './escape-markup.ts';

/** The posts as RSS 2.0, newest first. */
export function feed(pages: readonly PublicPage[], productName: string, address: string): string {
  const posts = pages
    .filter(({ kind }) => kind === 'post')
    .sort((a, b) => b.publishedOn.localeCompare(a.publishedOn) || a.path.localeCompare(b.path));
  const changedOn = posts
    .map(({ updatedOn }) => updatedOn)
    .sort()
    .at(-1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', `${productName} blog`),
    element('link', `${address}/blog`),
    element('description', `How ${productName} works, with numbers and how to repeat them.`),
    element('language', 'en'),
    ...(changedOn === undefined ? [] : [element('lastBuildDate', rssDate(changedOn))]),
    `<atom:link href="${escapeMarkup(address)}/blog/rss.xml" rel="self" type="application/rss+xml"/>`,
    ...posts.map((post) => item(post, address)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function item({ path, title, description, publishedOn }: PublicPage, address: string): string {
  return [
    '<item>',
    element('title', title),
    element('link', address + path),
    `<guid isPermaLink="true">${escapeMarkup(address + path)}</guid>`,
    element('pubDate', rssDate(publishedOn)),
    element('description', description),
    '</item>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

/** A day as RFC 822 wants it. */
function rssDate(day: string): string {
  return new Date(`${day}T00:00:00Z`).toUTCString();
}
