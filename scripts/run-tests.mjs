import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { audit } from './audit.mjs';
import { ensureWebBuilt } from './build-web.mjs';
import { runChecks } from './check.mjs';

/**
 * Runs everything that continuous integration runs, and prints a final line that sums all suites. With arguments, runs
 * only the tests whose path matches, without the checks. Returns the exit code: not 0 if anything failed or nothing
 * ran.
 */
export async function runTests(root, args) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const add = (counts) => {
    for (const key of Object.keys(total)) total[key] += counts[key] ?? 0;
  };
  const isWhole = args.length === 0;

  const shared = resolve(process.env.LECTERN_SHARED ?? join(root, '../shared'));
  if (process.env.CI && !existsSync(shared)) {
    add({ failed: 1 });
    console.log(`FAIL the shared test data is not at ${shared}; set LECTERN_SHARED to its folder`);
  }
  if (isWhole) {
    installServices(root);
    add(await runChecks(root));
    add(audit(root));
  }
  try {
    await ensureWebBuilt(root);
  } catch (error) {
    add({ failed: 1 });
    console.log(`FAIL build: ${error.message}`);
  }
  add(runVitest(root, args, shared));

  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

/**
 * The full run of the fault tests: every write of every flow, on both databases, and all other test files for listed
 * faults. Arguments are passed to the test runner. Returns the exit code.
 */
export function runFaults(root, args) {
  const faults = Object.values(JSON.parse(readFileSync(join(root, 'test/faults/faults.json'), 'utf8')));
  const elsewhere = faults.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'));
  const files = ['test/faults', ...new Set(elsewhere)];
  const { status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, LECTERN_FAULTS: 'all' } },
  );
  if (args.length === 0) {
    const withRest = faults.filter(({ leftOut }) => leftOut !== undefined);
    console.log(
      `${faults.length} faults have a test, which ran above unless it says "skipped"; of ${withRest.length} a part is left out (test/faults/faults.json); load: ./lectern load`,
    );
  }
  return status ?? 1;
}

/** Installs the browser and the database server; if that fails, the tests that need them are skipped. */
function installServices(root) {
  const status = spawnSync('sh', [join(root, 'scripts/test-services.sh')], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status.status !== 0)
    console.log('note: the services above could not be installed; tests that need them are skipped');
}

function runVitest(root, args, shared) {
  const report = join(root, '.cache', 'vitest-report.json');
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      ...['--disable-warning=ExperimentalWarning', join(root, 'node_modules/vitest/vitest.mjs'), 'run'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(existsSync(shared) ? { LECTERN_SHARED: shared } : {}) },
    },
  );
  if (!existsSync(report)) return { failed: 1 };
  const counts = countTests(JSON.parse(readFileSync(report, 'utf8')));
  // An error outside any test (an unhandled rejection) fails the run without failing a test.
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function countTests(report) {
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  for (const file of report.testResults) {
    // A file that fails to load contains no failed test.
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
  }
  return counts;
}
