import type { Hono, Context as HonoContext } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sentenceOf } from '#contract/errors.ts';
import { type SocialProvider, socialProviders } from '#contract/identity.ts';
import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { beginSocialSignIn, finishSocialSignIn, type SocialDependencies } from '#server/features/accounts/index.ts';
import type { CallEffects } from './call-table.ts';
import { socialPage } from './social-page.ts';

export interface SocialParts {
  social: SocialDependencies;
  productName: string;
  isHttps: boolean;
  contextOf(c: HonoContext): Promise<Context>;
  effectsOf(c: HonoContext): CallEffects;
}

const defaultCont = '/dashboard';
// Named by the attempt, so that two popups at once do not overwrite each other's.
const cookieOf = (isHttps: boolean, state: string) => `${isHttps ? '__Host-' : ''}lectern_oauth_${state.slice(0, 8)}`;

type App = Hono<{ Variables: { requestId: string } }>;

/** The two pages of a social sign-in: the popup opens `start`, the provider sends it back to `callback`. */
export function addSocialSignIn(app: App, parts: SocialParts): void {
  app.get('/api/identity/oauth/:provider/start', (c) => {
    const cont = (c.req.query('cont') ?? defaultCont).slice(0, limits.urlCharactersMax);
    return tellingFailures(c, parts, cont, () => start(c, parts, cont));
  });
  app.get('/api/identity/oauth/:provider/callback', (c) =>
    tellingFailures(c, parts, defaultCont, () => finish(c, parts)),
  );
}

async function start(c: HonoContext, { social, isHttps, contextOf }: SocialParts, cont: string): Promise<Response> {
  const provider = providerOf(c);
  // The provider sends the browser back to the configured address, where the cookie set here would be missing.
  if (c.req.header('host') !== new URL(social.publicUrl).host) throw new AppError('unauthorized-domain');
  const { redirectTo, attempt, cookie } = await beginSocialSignIn(await contextOf(c), { provider, cont }, social);
  setCookie(c, cookieOf(isHttps, attempt.state), cookie, {
    httpOnly: true,
    // Lax: it must come along when the provider sends the browser back.
    sameSite: 'Lax',
    path: '/',
    secure: isHttps,
    expires: new Date(attempt.expiresAt),
  });
  c.header('cache-control', 'no-store');
  return c.redirect(redirectTo, 303);
}

async function finish(c: HonoContext, parts: SocialParts): Promise<Response> {
  const { social, productName, isHttps } = parts;
  const provider = providerOf(c);
  const query = new URL(c.req.url).searchParams;
  const name = cookieOf(isHttps, query.get('state') ?? '');
  const cookie = getCookie(c, name);
  if (cookie !== undefined) deleteCookie(c, name, { path: '/', secure: isHttps });
  const effects = parts.effectsOf(c);
  const ctx = await parts.contextOf(c);
  const outcome = await finishSocialSignIn(ctx, { provider, query, cookie }, effects.browser, social);
  effects.setSession(outcome.sessionToken, outcome.expiresAt);
  const { html, headers } = socialPage(
    { type: 'signed-in', isNewAccount: outcome.isNewAccount },
    outcome.cont,
    productName,
  );
  return c.body(html, 200, headers);
}

/** A popup has no other way to tell the page that opened it what went wrong. */
async function tellingFailures(
  c: HonoContext,
  { productName, contextOf }: SocialParts,
  cont: string,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw error;
    const code = error instanceof AppError ? error.code : 'sign-in-failed';
    if (!(error instanceof AppError)) (await contextOf(c)).log.error({ err: error }, 'a social sign-in failed');
    const { html, headers } = socialPage(
      { type: 'sign-in-failed', code, message: sentenceOf(code) },
      cont,
      productName,
    );
    return c.body(html, 200, headers);
  }
}

function providerOf(c: HonoContext): SocialProvider {
  const named = socialProviders.find((provider) => provider === c.req.param('provider'));
  if (named === undefined) throw new AppError('not-found');
  return named;
}
