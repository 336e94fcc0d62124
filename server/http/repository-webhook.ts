import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import { type Repositories, repositoryWebhookPath } from '#server/features/repositories/index.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { boundedBody } from './bounded-body.ts';
import { toErrorResponse } from './error-response.ts';

interface RepositoryWebhookParts {
  /** No one: an event is believed by its signature alone. */
  contextOf(): Context;
  repositories: Pick<Repositories, 'receivePush'>;
  errorReporter: ErrorReporter;
}

/** Where hosts of repositories other than GitHub deliver events, each module's under its own address. */
export function createRepositoryWebhook({ contextOf, repositories, errorReporter }: RepositoryWebhookParts) {
  return {
    path: `${repositoryWebhookPath}:moduleId`,
    method: 'POST' as const,
    async handle(request: Request): Promise<Response> {
      const ctx = contextOf();
      try {
        const body = await boundedBody(request, limits.hostingEventBytesMax);
        const moduleId = new URL(request.url).pathname.slice(repositoryWebhookPath.length);
        const header = (name: string) => request.headers.get(name) ?? undefined;
        await repositories.receivePush(ctx, { moduleId, body, header });
        return Response.json({ received: true }, { status: 202, headers: { 'cache-control': 'no-store' } });
      } catch (thrown) {
        const error = asKnownFault(thrown);
        const isTold = error instanceof AppError && error.code !== 'internal';
        if (!isTold) errorReporter.report(error, { from: 'server', requestId: ctx.requestId, path: 'POST /webhooks' });
        return toErrorResponse(error, ctx.requestId, ctx.log);
      }
    },
  };
}
