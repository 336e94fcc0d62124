import { spawnSync } from 'node:child_process';

const timeoutMs = 60_000;
/** Packages that users run must have no known vulnerability from moderate upwards; build tools no critical one. */
const gates = [
  { what: 'installed packages', arguments: ['--omit=dev'], levels: ['moderate', 'high', 'critical'] },
  { what: 'packages for building and testing', arguments: [], levels: ['critical'] },
];

/**
 * Queries the npm registry's advisories for all dependencies. If no advisories are available (a mirror, no network),
 * prints one line that says so. Returns how many gates passed, failed and were skipped.
 */
export function audit(root) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const gate of gates) {
    const { left, faults } = ask(root, gate);
    if (left !== undefined) counts.skipped += 1;
    else if (faults.length > 0) counts.failed += 1;
    else counts.passed += 1;
    const sign = left === undefined ? (faults.length > 0 ? 'FAIL' : 'ok  ') : 'left out:';
    process.stdout.write(`${sign} known vulnerabilities in ${gate.what}${left === undefined ? '' : ` (${left})`}\n`);
    for (const fault of faults) process.stdout.write(`     ${fault}\n`);
  }
  return counts;
}

function ask(root, { arguments: more, levels }) {
  // npm runs its own `node`; the registry comes from the user's configuration.
  const { stdout, error } = spawnSync('npm', ['audit', '--json', ...more], {
    ...{ cwd: root, encoding: 'utf8', timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 },
  });
  return readAudit(error === undefined ? stdout : '', levels);
}

/** Returns the vulnerabilities of these levels in the output of `npm audit --json`, or why they are unknown. */
export function readAudit(text, levels) {
  let report;
  try {
    report = JSON.parse(text);
  } catch {
    return { left: 'the advisory source did not answer', faults: [] };
  }
  // A registry that refuses returns a message, never an empty list of vulnerabilities.
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
