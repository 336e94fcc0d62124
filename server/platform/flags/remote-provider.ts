import { GeneralError, type Provider } from '@openfeature/server-sdk';
import type { Outbound } from '../outbound/index.ts';
import { booleanProvider } from './boolean-provider.ts';

const answerTimeoutMs = 2_000;
const answerBytesMax = 64_000;

interface RemoteFlags {
  url: string;
  key: string | undefined;
}

/**
 * Reads each flag at a service over the OpenFeature remote evaluation protocol (OFREP), which the common flag services
 * speak. https://openfeature.dev/docs/reference/other-technologies/ofrep/
 */
export function remoteProvider({ url, key }: RemoteFlags, outbound: Outbound): Provider {
  return booleanProvider('remote', async (flag, context) => {
    const answer = await outbound.request(`${url}/ofrep/v1/evaluate/flags/${encodeURIComponent(flag)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(key === undefined ? {} : { credentials: { authorization: `Bearer ${key}` } }),
      body: JSON.stringify({ context }),
      timeoutMs: answerTimeoutMs,
      bytesMax: answerBytesMax,
      redirectsMax: 0,
    });
    const { value } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { value?: unknown };
    if (answer.status !== 200 || typeof value !== 'boolean') {
      throw new GeneralError(`the flag service answered ${answer.status} without a value`);
    }
    return { value };
  });
}
