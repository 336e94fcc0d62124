import { expect, test } from 'vitest';
import { siteNameOf } from './collect-site.ts';

test.each([
  ['Tidewater', 'Tidewater'],
  ['Deploying · Tidewater', 'Tidewater'],
  ['Welcome to Flask — Flask Documentation (3.1.x)', 'Flask Documentation (3.1.x)'],
  ['Introduction | Vue.js', 'Vue.js'],
  ['scikit-learn: machine learning', 'scikit-learn: machine learning'],
  ['', ''],
])('a site whose start page has the title %s is named %s', (title, name) => {
  expect(siteNameOf(title)).toBe(name);
});
