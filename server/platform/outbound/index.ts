export type { NetworkPolicy } from './address-guard.ts';
export { createRangeMatcher } from './address-ranges.ts';
export type { Resolve, ResolvedAddress } from './checked-lookup.ts';
export type { BodySink, ResponseHead, ResponseHeaders } from './exchange.ts';
export {
  type CheckHost,
  createGuardedExit,
  createHostCheck,
  type GuardedExit,
  type ProxyPass,
} from './guarded-exit.ts';
export type { StreamRequest, StreamResponse } from './open-stream.ts';
export {
  createOutbound,
  type Outbound,
  type OutboundOptions,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound.ts';
export { OutboundError, type OutboundErrorCode } from './outbound-error.ts';
export { type OutboundLimits, outboundLimits } from './outbound-limits.ts';
