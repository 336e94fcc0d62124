import type { ComponentType } from 'react';
import { markdownPathOf } from '#contract/public-page.ts';
import type { PublicPage } from '#contract/public-page-schema.ts';
import { installation } from './installation.ts';
import { publicPageAt } from './public-pages.ts';
import { useProductName } from './session.ts';

/**
 * Title, description, canonical address and sharing metadata of a listed public page. React moves them into the head.
 */
export function PublicPageHead({ path }: { path: string }) {
  return <PageHead page={publicPageAt(path)} />;
}

/** Returns the route of a listed public page: a screen with its head. */
export function publicPage(path: string, Screen: ComponentType) {
  return () => (
    <>
      <PublicPageHead path={path} />
      <Screen />
    </>
  );
}

/** Like `PublicPageHead`, for a page outside `web/lib/public-pages.ts`, a list that every browser downloads. */
export function PageHead({ page }: { page: PublicPage }) {
  const productName = useProductName();
  const { address } = installation();
  const title = `${productName} - ${page.title}`;
  const image = address + (page.socialImage ?? '/social/home.png');
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={page.description} />
      <link rel="canonical" href={address + page.path} />
      <link rel="alternate" type="text/markdown" href={markdownPathOf(page.path)} title="This page as Markdown" />
      <link rel="alternate" type="application/rss+xml" href="/blog/rss.xml" title={`${productName} blog`} />
      <meta property="og:site_name" content={productName} />
      <meta property="og:type" content={page.kind === 'post' ? 'article' : 'website'} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:url" content={address + page.path} />
      <meta property="og:image" content={image} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={page.title} />
      {page.kind === 'post' && <meta property="article:published_time" content={page.publishedOn} />}
      {page.kind === 'post' && <meta property="article:modified_time" content={page.updatedOn} />}
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={page.description} />
      <meta name="twitter:image" content={image} />
    </>
  );
}
