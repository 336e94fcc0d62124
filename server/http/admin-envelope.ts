import type { ErrorEnvelope } from '#contract/errors.ts';

/** Paths of team administration; the same origin check and body limit hold for them as for `/api`. */
export const adminPaths = '/admin/*';

/** A fault at a path of team administration is reported as `{success: false, error, code}`. */
export async function inAdminEnvelope(path: string, response: Response): Promise<Response> {
  if (!path.startsWith('/admin/')) return response;
  const { error } = (await response.json()) as ErrorEnvelope;
  const body = { success: false, error: error.message, code: error.code, requestId: error.requestId };
  return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
}
