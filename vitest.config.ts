import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browserDrawsNothing } from './test/e2e/browser-faults.ts';

const shared = {
  environment: 'node',
  globalSetup: fileURLToPath(new URL('./test/services/run-folder.ts', import.meta.url)),
  exclude: ['**/node_modules/**', '**/dist/**', '**/.data*/**'],
  // As long as the browser's own waiting, where one second is the default: a busy machine shows the same, later.
  expect: { poll: { timeout: 15_000 } },
};

/** A file that takes a minute and comes last, as its size would have it, keeps all processors but one waiting. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('/bench/load/load.test.ts');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  cacheDir: '.cache/vite',
  test: {
    // Most tests wait for a server, a browser or a clock: of two processors one would stand idle otherwise.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'rooms',
          include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'eval/**/*.test.ts', 'bench/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        resolve: { tsconfigPaths: false },
        test: { ...shared, name: 'web', include: ['web/**/*.test.ts', 'web/**/*.test.tsx'], testTimeout: 60_000 },
      },
      {
        test: {
          ...shared,
          name: 'crossing',
          include: ['test/**/*.test.ts'],
          exclude: [...shared.exclude, 'test/e2e/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // For nothing else: a test that fails by what the page does fails at once.
          retry: { count: 1, condition: new RegExp(browserDrawsNothing) },
        },
      },
    ],
  },
});
