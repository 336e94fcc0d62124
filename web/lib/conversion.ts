import { type Site, siteEndpoints } from '#contract/site.ts';
import { callApi } from './api-client.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Reports a sign-up to the configured conversion tag. Without a tag, or without the consent that the installation
 * requires, nothing is loaded or sent.
 */
export async function trackConversion(hasConsent: boolean): Promise<void> {
  const { conversionTag } = await callApi(siteEndpoints.getSite, {});
  if (conversionTag === null || (conversionTag.needsConsent && !hasConsent)) return;
  load(conversionTag);
  tell('event', 'conversion', { send_to: conversionTag.id });
}

/** Loads the tag's script once; earlier events wait in its queue. */
function load({ url, id }: NonNullable<Site['conversionTag']>): void {
  if (window.dataLayer) return;
  window.dataLayer = [];
  tell('js', new Date());
  // Without its query, which may contain the next page, such as an invitation link.
  tell('config', id.split('/')[0], { page_location: location.origin + location.pathname });
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  document.head.append(script);
}

/** The tag requires `arguments` objects in its queue, not arrays. */
function tell(..._words: unknown[]): void {
  window.dataLayer?.push(arguments);
}
