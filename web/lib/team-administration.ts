import type { z } from 'zod';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { type TeamCallName, teamCallFailure } from '#contract/team-texts.ts';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

/**
 * Calls a team administration endpoint. Throws `ApiError` with the server's message, or with this call's default
 * message if the server sent none.
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
