import type { Hono, Context as HonoContext } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sentenceOf } from '#contract/errors.ts';
import { type SocialProvider, serviceNames, socialProviders } from '#contract/identity.ts';
import { signOnCallbackPath, signOnStartPath } from '#contract/sign-on.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { type Accounts, type SocialOutcome, unpackAttempt } from '#server/features/accounts/index.ts';
import type { CallEffects } from '#server/features/call.ts';
import type { SignOn } from '#server/features/sign-on/index.ts';
import { askingPage, socialPage } from './social-page.ts';

export interface SocialParts {
  accounts: Pick<Accounts, 'beginSocialSignIn' | 'finishSocialSignIn' | 'needs' | 'social'>;
  signOn: Pick<SignOn, 'siteOf' | 'beginSignOn' | 'finishSignOn'>;
  productName: string;
  publicUrl: string;
  isHttps: boolean;
  contextOf(c: HonoContext): Promise<Context>;
  effectsOf(c: HonoContext): CallEffects;
}

const defaultCont = '/dashboard';
// Browsers drop cookies of more than 4,096 bytes; the attempt's cookie contains it in base64.
const contBytesMax = 2_400;
// The name contains the attempt's state, so that two popups do not overwrite each other's cookies.
const cookieOf = (isHttps: boolean, state: string) => `${isHttps ? '__Host-' : ''}lectern_oauth_${state.slice(0, 8)}`;

type App = Hono<{ Variables: { requestId: string } }>;

/**
 * A sign-in through another site: a POST to `startPath` returns the site's address, and the site redirects the browser
 * back to `callbackPath`.
 */
interface WayIn {
  startPath: string;
  callbackPath: string;
  /** The service named in the question before the browser leaves for the other site. */
  nameOf(c: HonoContext): string;
  begin(c: HonoContext, ctx: Context, cont: string, effects: CallEffects): ReturnType<Accounts['beginSocialSignIn']>;
  finish(
    c: HonoContext,
    ctx: Context,
    back: { query: URLSearchParams; cookie: string | undefined },
    effects: CallEffects,
  ): Promise<SocialOutcome>;
}

/** Adds the pages of each way to sign in: through a social provider, and through a team's single sign-on. */
export function addSocialSignIn(app: App, parts: SocialParts): void {
  const { accounts, signOn } = parts;
  addWayIn(app, parts, {
    startPath: signOnStartPath,
    callbackPath: signOnCallbackPath(':teamId'),
    nameOf: (c) => {
      const domain = signOn.siteOf(c.req.query('email') ?? '');
      return domain === undefined ? "your team's single sign-on" : `the single sign-on of ${domain}`;
    },
    begin: (c, ctx, cont, { browser }) => signOn.beginSignOn(ctx, { email: c.req.query('email') ?? '', cont }, browser),
    finish: (c, ctx, back, { browser }) =>
      signOn.finishSignOn(ctx, { teamId: c.req.param('teamId') ?? '', ...back }, browser),
  });
  addWayIn(app, parts, {
    startPath: '/api/identity/oauth/:provider/start',
    callbackPath: '/api/identity/oauth/:provider/callback',
    nameOf: (c) => serviceNames[providerOf(c)],
    begin: (c, ctx, cont) => accounts.beginSocialSignIn(ctx, { provider: providerOf(c), cont }),
    finish: (c, ctx, back, { browser }) =>
      accounts.finishSocialSignIn(ctx, { provider: providerOf(c), ...back }, browser),
  });
}

function addWayIn(app: App, parts: SocialParts, way: WayIn): void {
  // A GET starts nothing: a link's sender could otherwise sign this browser in to the sender's account.
  app.get(way.startPath, (c) => {
    const { html, headers } = askingPage(way.nameOf(c), parts.productName);
    return c.body(html, 200, headers);
  });
  app.post(way.startPath, (c) => start(c, parts, way));
  app.get(way.callbackPath, (c) => tellingFailures(c, parts, () => finish(c, parts, way)));
}

async function start(c: HonoContext, parts: SocialParts, way: WayIn): Promise<Response> {
  const { publicUrl, isHttps, contextOf } = parts;
  const asked = c.req.query('cont') ?? defaultCont;
  const cont = Buffer.byteLength(JSON.stringify(asked)) > contBytesMax ? defaultCont : asked;
  // The provider redirects to the configured address, which would not receive a cookie set for another host.
  if (c.req.header('host') !== new URL(publicUrl).host) throw new AppError('unauthorized-domain');
  const { redirectTo, attempt, cookie } = await way.begin(c, await contextOf(c), cont, parts.effectsOf(c));
  setCookie(c, cookieOf(isHttps, attempt.state), cookie, {
    httpOnly: true,
    // Lax, because the browser must send the cookie when the provider redirects back.
    sameSite: 'Lax',
    path: '/',
    secure: isHttps,
    expires: new Date(attempt.expiresAt),
  });
  return c.json({ redirectTo }, 200, { 'cache-control': 'no-store' });
}

async function finish(c: HonoContext, parts: SocialParts, way: WayIn): Promise<Response> {
  const { productName, isHttps } = parts;
  const { query, name, cookie } = attemptOf(c, isHttps);
  if (cookie !== undefined) deleteCookie(c, name, { path: '/', secure: isHttps });
  const effects = parts.effectsOf(c);
  const outcome = await way.finish(c, await parts.contextOf(c), { query, cookie }, effects);
  effects.setSession(outcome.sessionToken, outcome.expiresAt);
  effects.setDevice(parts.accounts.needs.devices.tokenFor(outcome.user.id));
  const { html, headers } = socialPage(
    { type: 'signed-in', isNewAccount: outcome.isNewAccount },
    outcome.cont,
    productName,
  );
  return c.body(html, 200, headers);
}

/** Returns the query from the provider, and the cookie set when the attempt began. */
function attemptOf(c: HonoContext, isHttps: boolean) {
  const query = new URL(c.req.url).searchParams;
  const name = cookieOf(isHttps, query.get('state') ?? '');
  return { query, name, cookie: getCookie(c, name) };
}

/** Shows failures in a page that reports them to its opener: a popup has no other way to. */
async function tellingFailures(
  c: HonoContext,
  { accounts, productName, isHttps, contextOf }: SocialParts,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') throw error;
    const [code, message] =
      error instanceof AppError
        ? ([error.code, error.message] as const)
        : (['sign-in-failed', sentenceOf('sign-in-failed')] as const);
    const { log, clock } = await contextOf(c);
    if (!(error instanceof AppError)) log.error({ err: error }, 'a social sign-in failed');
    const { cookie } = attemptOf(c, isHttps);
    const attempt = cookie === undefined ? undefined : unpackAttempt(accounts.social.attemptKey, clock.now(), cookie);
    const cont = attempt?.cont ?? defaultCont;
    const { html, headers } = socialPage({ type: 'sign-in-failed', code, message }, cont, productName);
    return c.body(html, 200, headers);
  }
}

function providerOf(c: HonoContext): SocialProvider {
  const named = socialProviders.find((provider) => provider === c.req.param('provider'));
  if (named === undefined) throw new AppError('not-found');
  return named;
}
