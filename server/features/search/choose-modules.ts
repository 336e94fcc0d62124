import { AppError } from '#server/app-error.ts';
import type { ReadableModule } from '#server/features/catalog/index.ts';
import { versionsNamed } from './choose-versions.ts';
import type { ParsedQuery } from './parse-query.ts';

const namedModulesMax = 5;

/**
 * Returns the modules that a search covers. `filter` is a module's id or name in any case, or a library with its
 * version (`django@4.2`); an unknown filter is refused with the nearest names, or with the available ones.
 */
export function chooseModules(
  modules: ReadableModule[],
  filter: string | undefined,
  visibility: ParsedQuery['visibility'],
): ReadableModule[] {
  const allowed = visibility === 'any' ? modules : modules.filter((module) => module.visibility === visibility);
  const wanted = filter?.trim().toLowerCase() ?? '';
  if (wanted === '') return allowed;
  const byId = allowed.filter((module) => module.moduleId.toLowerCase() === wanted);
  if (byId.length > 0) return byId;
  const byName = allowed.filter(
    (module) => module.displayName.toLowerCase() === wanted || module.library.toLowerCase() === wanted,
  );
  const chosen = byName.length > 0 ? byName : (versionsNamed(allowed, wanted) ?? []);
  if (chosen.length > 0) return chosen;
  throw new AppError('module-unknown', { values: { module: wanted.slice(0, 60), next: nextStep(modules, wanted) } });
}

function nextStep(modules: ReadableModule[], wanted: string): string {
  if (modules.length === 0) return 'Nothing is indexed yet';
  const near = nearestModules(modules, wanted);
  const listed = (near.length > 0 ? near : modules).slice(0, namedModulesMax).map((module) => module.moduleId);
  const rest = near.length > 0 ? 0 : modules.length - listed.length;
  const names = listed.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return near.length > 0 ? `Did you mean ${names}` : `Indexed modules: ${names}`;
}

/**
 * Returns modules whose id or name contains the wanted name, is contained in it, or differs from it in few characters.
 */
export function nearestModules(modules: ReadableModule[], wanted: string): ReadableModule[] {
  const scored = modules.flatMap((module) => {
    const distance = Math.min(...[module.moduleId, module.displayName].map((name) => distanceOf(name, wanted)));
    return distance <= 0.4 ? [{ module, distance }] : [];
  });
  return scored.sort((a, b) => a.distance - b.distance).map((entry) => entry.module);
}

/** Returns 0 for equal names, up to 0.3 if one contains the other, else the share of edited characters. */
function distanceOf(name: string, wanted: string): number {
  const known = name.toLowerCase();
  if (known === wanted) return 0;
  if (wanted.length >= 2 && (known.includes(wanted) || wanted.includes(known))) {
    return 0.3 * (1 - Math.min(known.length, wanted.length) / Math.max(known.length, wanted.length));
  }
  const length = Math.max(known.length, wanted.length);
  return length > 120 ? 1 : edits(known, wanted) / length;
}

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
