import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { type TeamCallName, teamCallFailure } from '#contract/team-texts.ts';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

/**
 * Calls an endpoint of team administration. Throws `ApiError` with the server's own words, or with what is said of a
 * call of this name when the server said nothing.
 */
export async function callAdministration<Input extends z.ZodType, Output extends z.ZodType>(
  name: TeamCallName,
  endpoint: Endpoint<Input, Output>,
  input: InputOf<Endpoint<Input, Output>>,
): Promise<OutputOf<Endpoint<Input, Output>>> {
  try {
    return await callApi(endpoint, input);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'unreadable' || error.httpStatus === undefined) throw error;
    throw new ApiError('unreadable', teamCallFailure(name, error.httpStatus), undefined, error.httpStatus);
  }
}
