import { createHash } from 'node:crypto';
import { type IdentityMessage, identityChannel } from '#contract/identity-channel.ts';

// The page closes itself where it is a popup; else it goes on to where the sign-in page leads.
const script = `
const { message, next } = JSON.parse(document.getElementById('outcome').textContent);
history.replaceState(null, '', location.pathname);
const channel = new BroadcastChannel(${JSON.stringify(identityChannel)});
channel.postMessage(message);
if (message.type === 'signed-in') channel.postMessage({ type: 'session-changed' });
if (window.opener) window.opener.postMessage(message, location.origin);
window.close();
setTimeout(() => location.replace(next), 500);
`;
const scriptHash = createHash('sha256').update(script).digest('base64');
const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface SocialPage {
  html: string;
  headers: Record<string, string>;
}

/** The page that a popup ends on: tells the page that opened it how the sign-in ended. */
export function socialPage(message: IdentityMessage, cont: string, productName: string): SocialPage {
  // The sign-in page decides whether `cont` is safe, and sends the person who is signed in on.
  const next = `/login?cont=${encodeURIComponent(cont)}`;
  const said = message.type === 'sign-in-failed' ? message.message : 'You are signed in. You can close this window.';
  const outcome = JSON.stringify({ message, next }).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(productName)} - Sign in</title></head>
<body>
<main><h1>${escaped(productName)}</h1><p role="status">${escaped(said)}</p><p><a href="${escaped(next)}">Continue</a></p></main>
<script type="application/json" id="outcome">${outcome}</script>
<script>${script}</script>
</body>
</html>
`;
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
    },
  };
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
