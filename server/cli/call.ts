import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';

/** Asks an endpoint as the operator: over HTTP when a server runs on the data folder, else in this process. */
export type Call = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<OutputOf<E>>;
