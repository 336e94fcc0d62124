import type { Context } from '#server/context.ts';
import { type BillingDependencies, catchUpBilling } from '#server/features/billing/index.ts';

/** How soon what no request asks for is done; billing that was closed does not wait for it. */
const everyMs = 60_000;

export interface BillingChores {
  /** Does what is due now. */
  wake(): void;
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Sees to what is due in billing, over and over until stopped; one round at a time. */
export function startBillingChores(ctx: Context, deps: BillingDependencies): BillingChores {
  let isStopped = false;
  let isAskedAgain = false;
  let round: Promise<void> | undefined;
  const wake = () => {
    if (isStopped) return;
    isAskedAgain = true;
    round ??= rounds().finally(() => {
      round = undefined;
    });
  };
  const rounds = async () => {
    while (isAskedAgain && !isStopped) {
      isAskedAgain = false;
      await catchUpBilling(ctx, deps).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'what is due in billing was not done'),
      );
    }
  };
  const timer = setInterval(wake, everyMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await round;
    },
  };
}
