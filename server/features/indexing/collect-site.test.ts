import { expect, test } from 'vitest';
import { siteNameOf } from './collect-site.ts';

test.each([
  ['Tidewater', 'Tidewater'],
  ['Deploying · Tidewater', 'Tidewater'],
  ['Welcome to Flask — Flask Documentation (3.1.x)', 'Flask Documentation (3.1.x)'],
  ['Introduction | Vue.js', 'Vue.js'],
  ['scikit-learn: machine learning', 'scikit-learn: machine learning'],
  ['', ''],
])('a start page with the title %s names its site %s', (title, name) => {
  expect(siteNameOf(title)).toBe(name);
});
