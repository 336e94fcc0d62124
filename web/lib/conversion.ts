import { type Site, siteEndpoints } from '#contract/site.ts';
import { callApi } from './api-client.ts';

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Tells the configured counter that someone has signed up. Without a counter, or without the consent that the
 * installation asks for, nothing is loaded and nothing is sent.
 */
export async function trackConversion(hasConsent: boolean): Promise<void> {
  const { conversionTag } = await callApi(siteEndpoints.getSite, {});
  if (conversionTag === null || (conversionTag.needsConsent && !hasConsent)) return;
  load(conversionTag);
  tell('event', 'conversion', { send_to: conversionTag.id });
}

/** Loads the tag's script once; events before it has loaded wait in its queue. */
function load({ url, id }: NonNullable<Site['conversionTag']>): void {
  if (window.dataLayer) return;
  window.dataLayer = [];
  tell('js', new Date());
  // Without its query, which may hold where to go on: the link of an invitation.
  tell('config', id.split('/')[0], { page_location: location.origin + location.pathname });
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  document.head.append(script);
}

/** The tag reads its queue for argument lists, not for arrays. */
function tell(..._words: unknown[]): void {
  window.dataLayer?.push(arguments);
}
