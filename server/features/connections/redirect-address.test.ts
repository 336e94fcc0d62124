import { expect, test } from 'vitest';
import { describeRedirect, isNamedRedirect } from './redirect-address.ts';

test('sites, loopback addresses and app schemes are valid redirect addresses', () => {
  expect(describeRedirect('https://app.example/cb?x=1')).toEqual({ kind: 'site', target: 'app.example' });
  expect(describeRedirect('http://127.0.0.1:51234/cb')).toEqual({ kind: 'this-computer', target: '127.0.0.1:51234' });
  expect(describeRedirect('http://[::1]/cb')).toEqual({ kind: 'this-computer', target: '[::1]' });
  expect(describeRedirect('http://localhost/cb')).toEqual({ kind: 'this-computer', target: 'localhost' });
  expect(describeRedirect('cursor://anysphere.cursor-retrieval/cb')).toEqual({ kind: 'app', target: 'cursor' });
  expect(describeRedirect('com.example.app:/cb')).toEqual({ kind: 'app', target: 'com.example.app' });
});

test.each([
  'http://app.example/cb',
  'http://127.0.0.1.example.org/cb',
  'http://localhost.example.org/cb',
  'http://0.0.0.0/cb',
  'http://192.168.0.1/cb',
  'https://app.example/cb#part',
  'https://app.example/cb#',
  'https://user@app.example/cb',
  'https://docs.example:password@app.example/cb',
  'https://app.example\\@evil.example/cb',
  'https://app.example/cb\n',
  ' https://app.example/cb',
  'https://äpp.example/cb',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.example/1',
  'view-source:https://app.example',
  'intent://x#Intent;end',
  'ws://app.example',
  'ms-settings:privacy',
  'ms-msdt:/id',
  'ms-officecmd:{}',
  'microsoft-edge:https://evil.example',
  'itms-services://?action=download-manifest',
  'x-apple.systempreferences:com.apple',
  'search:query=x',
  'mhtml:https://evil.example',
  'res://mshtml.dll',
  'opera:about',
  '/callback',
  '//app.example/cb',
  '',
  `https://app.example/${'a'.repeat(2_000)}`,
])('%s is refused', (address) => {
  expect(describeRedirect(address)).toBeUndefined();
  expect(isNamedRedirect(address, [address])).toBe(false);
});

test('only the loopback port may differ from the registered address', () => {
  const named = ['http://127.0.0.1/cb', 'http://[::1]:1/cb?a=1', 'https://app.example/cb', 'editor://cb'];
  for (const address of ['http://127.0.0.1/cb', 'http://127.0.0.1:65000/cb', 'http://[::1]:2/cb?a=1']) {
    expect(isNamedRedirect(address, named)).toBe(true);
  }
  for (const address of [
    'http://127.0.0.1:65000/other',
    'http://localhost:65000/cb',
    'https://127.0.0.1/cb',
    'http://127.0.0.1/cb?more=1',
    'http://[::1]:2/cb',
    'https://app.example:8443/cb',
    'https://app.example/cb/../evil',
    'https://app.example/CB',
    'https://evil.example/cb',
    'editor://cb/x',
  ]) {
    expect(isNamedRedirect(address, named)).toBe(false);
  }
});
