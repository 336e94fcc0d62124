import { expect, test } from 'vitest';
import { linkParts } from './link-parts.ts';

test('addresses become links, and the text around them stays', () => {
  expect(linkParts('Open http://127.0.0.1:7331/auth/action?mode=verifyEmail&oobCode=a_b-c. Thanks.')).toEqual([
    { text: 'Open ' },
    {
      text: 'http://127.0.0.1:7331/auth/action?mode=verifyEmail&oobCode=a_b-c',
      href: 'http://127.0.0.1:7331/auth/action?mode=verifyEmail&oobCode=a_b-c',
    },
    { text: '. Thanks.' },
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'no address at all', 'http://', ''])(
  '%j contains no link',
  (text) => {
    expect(linkParts(text).filter(({ href }) => href !== undefined)).toEqual([]);
  },
);
