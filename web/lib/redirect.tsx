import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Replaces each location where it is rendered with `to`. The router's `Navigate` redirects once per target: a second
 * visit before the first redirect is rendered would leave the screen blank.
 */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate();
  const location = useLocation();
  useEffect(() => void navigate(to, { replace: true }), [navigate, to, location]);
  return null;
}
