import { createHash } from 'node:crypto';
import { escapeUTF8 } from 'entities/escape';
import { type IdentityMessage, identityChannel } from '#contract/identity-channel.ts';

// A popup closes itself. Otherwise the page continues to the sign-in page's target after success, and stays open to
// show a failure.
const script = `
const { message, next } = JSON.parse(document.getElementById('outcome').textContent);
history.replaceState(null, '', location.pathname);
const channel = new BroadcastChannel(${JSON.stringify(identityChannel)});
channel.postMessage(message);
if (message.type === 'signed-in') channel.postMessage({ type: 'session-changed' });
if (window.opener) window.opener.postMessage(message, location.origin);
window.close();
if (message.type === 'signed-in') setTimeout(() => location.replace(next), 500);
`;
// Posts to the page's own address; the response contains the other site's address or an error.
const askingScript = `
const button = document.querySelector('button');
const says = document.querySelector('[role=status]');
button.addEventListener('click', async () => {
  button.disabled = true;
  const answer = await fetch(location.href, { method: 'POST', headers: { 'x-lectern-csrf': '1' } }).catch(() => undefined);
  const { redirectTo, error } = (await answer?.json().catch(() => undefined)) ?? {};
  if (redirectTo !== undefined) return location.replace(redirectTo);
  says.textContent = error?.message ?? 'No response. Try again.';
  button.disabled = false;
});
`;

interface SocialPage {
  html: string;
  headers: Record<string, string>;
}

/** Returns the page that a popup ends on, which reports the sign-in's result to its opener. */
export function socialPage(message: IdentityMessage, cont: string, productName: string): SocialPage {
  // The sign-in page checks whether `cont` is safe and redirects the signed-in user.
  const next = `/login?cont=${encodeURIComponent(cont)}`;
  const said = message.type === 'sign-in-failed' ? message.message : 'You are signed in. You can close this window.';
  const outcome = JSON.stringify({ message, next }).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return page(
    `<p role="status">${escapeUTF8(said)}</p><p><a href="${escapeUTF8(next)}">Continue</a></p>
<script type="application/json" id="outcome">${outcome}</script>`,
    script,
    productName,
  );
}

/** Returns the page that asks a user who opened a link whether they want to sign in at another site. */
export function askingPage(at: string, productName: string): SocialPage {
  return page(
    `<p>Sign in with ${escapeUTF8(at)}? Continue only if you wanted to sign in.</p>
<p><button type="button">Continue</button></p><p role="status"></p>`,
    askingScript,
    productName,
  );
}

function page(body: string, code: string, productName: string): SocialPage {
  const hash = createHash('sha256').update(code).digest('base64');
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeUTF8(productName)} - Sign in</title></head>
<body>
<main><h1>${escapeUTF8(productName)}</h1>${body}</main>
<script>${code}</script>
</body>
</html>
`;
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
    },
  };
}
