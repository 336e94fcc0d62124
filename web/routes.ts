import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('login', 'routes/login.tsx'),
  route('signup', 'routes/signup.tsx'),
  route('auth/reset-password', 'routes/reset-password.tsx'),
  route('auth/action', 'routes/action.tsx'),
  route('signin', 'routes/signin.tsx'),
  route('sign-in/:code?', 'routes/sign-in.tsx'),
  route('subscribe', 'routes/subscribe.tsx'),
  route('accept/:tokenId?', 'routes/accept.tsx'),
  layout('routes/signed-in.tsx', [
    layout('routes/console.tsx', [
      route('console', 'routes/console-start.tsx'),
      route('dashboard', 'routes/dashboard.tsx'),
      route('search', 'routes/search.tsx'),
      route('resources', 'routes/resources.tsx'),
      route('activity', 'routes/activity.tsx'),
      route('keys', 'routes/keys.tsx'),
      route('install', 'routes/install.tsx'),
      route('account', 'routes/account.tsx'),
      route('team', 'routes/team.tsx'),
      route('create-team', 'routes/create-team.tsx'),
      route('add-members', 'routes/add-members.tsx'),
      route('outbox/:mailId?', 'routes/outbox.tsx'),
    ]),
    route('oauth/consent', 'routes/oauth-consent.tsx'),
  ]),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig;
