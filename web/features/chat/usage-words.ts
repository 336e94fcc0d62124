import type { ChatUsage } from '#contract/chat.ts';
import { countOf } from '../../ui/quantities.ts';

/** '2 searches, 1 read, 1,240 tokens of documentation, 3 credits'. Credits are left out where no one pays. */
export function usageWords(usage: ChatUsage, isCharged: boolean): string {
  return [
    countOf(usage.searches, 'search', 'searches'),
    ...(usage.reads > 0 ? [countOf(usage.reads, 'read')] : []),
    `${countOf(usage.documentationTokens, 'token')} of documentation`,
    ...(isCharged ? [countOf(usage.credits, 'credit')] : []),
  ].join(', ');
}

/** '900 tokens in, 40 out' as the model counts them; nothing where it does not say. */
export function modelWords({ modelInputTokens, modelOutputTokens }: ChatUsage): string | undefined {
  if (modelInputTokens === null || modelOutputTokens === null) return undefined;
  return `Model: ${countOf(modelInputTokens, 'token')} in, ${countOf(modelOutputTokens, 'token')} out`;
}
