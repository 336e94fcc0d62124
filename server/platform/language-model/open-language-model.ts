import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Outbound } from '../outbound/index.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { type LanguageModel, type LanguageModelConfig, ModelError } from './language-model.ts';
import { sdkModel } from './sdk-model.ts';

/** What a provider of the AI SDK is made with, as far as all of them agree. */
interface ProviderSettings {
  apiKey: string | undefined;
  baseURL: string | undefined;
  fetch: typeof globalThis.fetch;
}
type CreateProvider = (settings: ProviderSettings) => (model: string) => LanguageModelV4;

/**
 * The model the configuration names; undefined for none. Its code is loaded with the first question, so that it costs
 * nothing at start. Silence of `silenceMs` fails an answer.
 */
export function openLanguageModel(
  config: LanguageModelConfig,
  { outbound, silenceMs }: { outbound: Outbound; silenceMs: number },
): LanguageModel | undefined {
  if (config.kind === 'none') return undefined;
  const fetch = guardedFetch(outbound, silenceMs);
  const { model, key, url } = config;
  if (config.kind === 'openai-compatible') {
    return sdkModel(model, async () => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const settings = { name: 'chat', baseURL: config.url, fetch, includeUsage: true };
      return createOpenAICompatible(key === undefined ? settings : { ...settings, apiKey: key })(model);
    });
  }
  return sdkModel(model, async () => {
    const create = await loadProvider(config.packageName);
    return create({ apiKey: key, baseURL: url, fetch })(model);
  });
}

/** The one function of a provider's package that makes a provider: `createAnthropic`, `createMistral` and so on. */
async function loadProvider(packageName: string): Promise<CreateProvider> {
  let exports: Record<string, unknown>;
  try {
    exports = (await import(packageName)) as Record<string, unknown>;
  } catch (cause) {
    throw new ModelError(`the package ${packageName} of LECTERN_CHAT_PROVIDER is not installed`, { cause });
  }
  const short = packageName.replace(/^.*\//, '').replace(/[^a-z0-9]/gi, '');
  const makers = Object.keys(exports).filter((name) => /^create[A-Z]/.test(name));
  const name = makers.find((maker) => maker.toLowerCase() === `create${short}`) ?? makers[0];
  const create = name === undefined ? undefined : exports[name];
  if (typeof create !== 'function') throw new ModelError(`${packageName} is no provider of the AI SDK`);
  // Every provider of the SDK has this shape; one that has not fails at its first use, and says so in the log.
  return create as CreateProvider;
}
