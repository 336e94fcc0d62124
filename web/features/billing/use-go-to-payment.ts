import { useNavigate } from 'react-router';

/**
 * Goes to a page that a payment call answered: within this program in the test mode, else to the provider's site, which
 * the browser opens in place of this page.
 */
export function useGoToPayment(): (answer: { url: string }) => void {
  const navigate = useNavigate();
  return ({ url }) => {
    const target = new URL(url, window.location.origin);
    if (target.origin === window.location.origin) void navigate(`${target.pathname}${target.search}${target.hash}`);
    else window.location.assign(target);
  };
}
