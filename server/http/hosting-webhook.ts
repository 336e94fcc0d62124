import { hostingWebhookPath } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Hosting } from '#server/features/hosting/index.ts';
import { asKnownFault } from '#server/features/known-fault.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { boundedBody } from './bounded-body.ts';
import { toErrorResponse } from './error-response.ts';

export interface HostingWebhookParts {
  /** No one: an event is believed by its signature alone. */
  contextOf(): Context;
  hosting: Pick<Hosting, 'receiveHostingEvent'>;
  errorReporter: ErrorReporter;
}

/** Where the code host delivers its events: all signed events get the same response, regardless of the result. */
export function createHostingWebhook({ contextOf, hosting, errorReporter }: HostingWebhookParts) {
  return {
    path: hostingWebhookPath,
    method: 'POST' as const,
    async handle(request: Request): Promise<Response> {
      const ctx = contextOf();
      try {
        const header = (name: string) => request.headers.get(name) ?? '';
        const delivery = {
          body: await boundedBody(request, limits.hostingEventBytesMax),
          event: header('x-github-event'),
          deliveryId: header('x-github-delivery'),
          signature: header('x-hub-signature-256'),
        };
        await hosting.receiveHostingEvent(ctx, delivery);
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
