import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type CodeHost, CodeHostError } from '#server/platform/code-host/code-host.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { needReconnect } from './pause-repositories.ts';
import { accessTokenOf, requireCodeHost } from './person-token.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>;
interface Asked {
  host: CodeHost;
  token: string;
  connection: ConnectionRow;
}

/**
 * Calls the host as a user, with its failures as errors for users; `repository` is named if it is not found. A token
 * that the host rejects marks the connection for reconnecting. Without a name, a CodeHostError for a missing repository
 * is passed on.
 */
export async function askAsPerson<T>(
  ctx: Ctx,
  userId: string,
  deps: HostingDependencies,
  work: (asked: Asked) => Promise<T>,
  repository?: string,
): Promise<T> {
  const asked = await tellingFaults(ctx, () => accessTokenOf(ctx, userId, deps), repository);
  try {
    return await work({ host: requireCodeHost(deps), ...asked });
  } catch (error) {
    if (error instanceof CodeHostError && error.fault === 'unauthorized') {
      await needReconnect(ctx, asked.connection);
    }
    throw toldFault(ctx, error, repository);
  }
}

/** Translates failures in the same way, for calls without a user's token. */
export async function tellingFaults<T>(ctx: Ctx, work: () => Promise<T>, repository?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toldFault(ctx, error, repository);
  }
}

function toldFault(ctx: Ctx, error: unknown, repository: string | undefined): unknown {
  if (!(error instanceof CodeHostError)) return error;
  const options = { detail: error.message };
  switch (error.fault) {
    case 'cancelled':
      return new AppError('hosting-cancelled', options);
    case 'unauthorized':
      return new AppError('hosting-reconnect-needed', options);
    case 'forbidden':
      return new AppError('hosting-forbidden', options);
    case 'not-found':
      return repository === undefined
        ? error
        : new AppError('hosting-repository-unreadable', { ...options, values: { repository } });
    case 'rate-limited': {
      const waitMs = Math.max(0, (error.retryAt ?? 0) - ctx.clock.now());
      const values = { minutes: Math.max(1, Math.ceil(waitMs / 60_000)) };
      return new AppError('hosting-rate-limited', {
        ...options,
        values,
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      });
    }
    case 'forged':
      return new AppError('webhook-refused', options);
    case 'unreachable':
    case 'refused':
      ctx.log.warn({ err: error }, 'the code host returned an unexpected response');
      return new AppError('hosting-unreachable', options);
  }
}
