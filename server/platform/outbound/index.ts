export { createRangeMatcher } from './address-ranges.ts';
export type { BodySink } from './exchange.ts';
export {
  type CheckHost,
  createGuardedExit,
  createHostCheck,
  type GuardedExit,
  type ProxyPass,
} from './guarded-exit.ts';
export { createOutbound, type Outbound, type OutboundRequest, type OutboundResponse } from './outbound.ts';
export { OutboundError, type OutboundErrorCode } from './outbound-error.ts';
export { outboundLimits } from './outbound-limits.ts';
