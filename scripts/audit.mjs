import { spawnSync } from 'node:child_process';

const timeoutMs = 60_000;
/** What runs on people's machines may have no known fault that matters; what builds it, none that is critical. */
const gates = [
  { what: 'what is installed', arguments: ['--omit=dev'], levels: ['moderate', 'high', 'critical'] },
  { what: 'what is needed to build and test', arguments: [], levels: ['critical'] },
];

/**
 * Asks the advisory source of the npm registry about every dependency. Where no such source answers (a mirror, no
 * network) nothing is known, and one line says so. Answers how many gates passed, failed and were left out.
 */
export function audit(root) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const gate of gates) {
    const { left, faults } = ask(root, gate);
    if (left !== undefined) counts.skipped += 1;
    else if (faults.length > 0) counts.failed += 1;
    else counts.passed += 1;
    const sign = left === undefined ? (faults.length > 0 ? 'FAIL' : 'ok  ') : 'left out:';
    process.stdout.write(`${sign} known faults of ${gate.what}${left === undefined ? '' : ` (${left})`}\n`);
    for (const fault of faults) process.stdout.write(`     ${fault}\n`);
  }
  return counts;
}

function ask(root, { arguments: more, levels }) {
  // npm runs its own `node`; the registry is that of the user's configuration.
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...more], {
    ...{ cwd: root, encoding: 'utf8', timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 },
  });
  return readAudit(error === undefined ? stdout : '', levels);
}

/** What `npm audit --json` printed: faults of these levels, or why nothing is known. */
export function readAudit(text, levels) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return { left: 'the advisory source did not answer', faults: [] };
  }
  // A source that refuses is reported as a message, never as an empty list of faults.
  if (report.vulnerabilities === undefined) {
    return {
      left: `no advisory source: ${String(report.message ?? report.error?.summary ?? 'no report')}`,
      faults: [],
    };
  }
  const faults = Object.values(report.vulnerabilities)
    .filter(({ severity }) => levels.includes(severity))
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}; see "npm audit"`);
  return { left: undefined, faults };
}
