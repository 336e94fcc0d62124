import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Outbound } from '../outbound/index.ts';
import { type LanguageModel, type LanguageModelConfig, ModelError } from './language-model.ts';
import { sdkModel } from './sdk-model.ts';

/** Settings that all AI SDK providers have in common. */
interface ProviderSettings {
  apiKey: string | undefined;
  baseURL: string | undefined;
  fetch: typeof globalThis.fetch;
}
type CreateProvider = (settings: ProviderSettings) => (model: string) => LanguageModelV4;

/**
 * Opens the configured model; undefined if there is none. Its code is loaded with the first question, so that it costs
 * nothing at start. An answer fails after `silenceMs` without data.
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

/** Loads a provider package and returns its factory function: `createAnthropic`, `createMistral` and so on. */
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
  // Every SDK provider has this shape; one without it fails at first use, with a log entry.
  return create as CreateProvider;
}

/** A larger answer means that the model is broken: 2,000 tokens with their wrapping take about 600 kB. */
const answerBytesMax = 5_000_000;

/** Provides the part of `fetch` that the SDK uses: every request passes the guarded client, and bodies are streamed. */
function guardedFetch(outbound: Outbound, silenceMs: number): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address);
    const answer = await outbound.stream(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers).entries()),
      body: typeof init.body === 'string' ? init.body : undefined,
      idleTimeoutMs: silenceMs,
      bytesMax: answerBytesMax,
      signal: init.signal ?? undefined,
    });
    const hasBody = ![204, 205, 304].includes(answer.status);
    if (!hasBody) await answer.body.cancel();
    return new Response(hasBody ? answer.body : null, { status: answer.status, headers: { ...answer.headers } });
  };
}
