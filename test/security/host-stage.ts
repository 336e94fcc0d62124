import { onTestFinished } from 'vitest';
import { hostingEndpoints } from '#contract/hosting.ts';
import { teamHeader } from '#contract/team-header.ts';
import { choose, comeBack } from '../hosting/rig.ts';
import { startCodeHost } from '../services/code-host.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { openStage, people, type Stage, type Team } from './team-cast.ts';

/** Opens a stage on which every person has connected the same code host account: only roles differ. */
export async function openHostStage(): Promise<Stage> {
  const host = await startCodeHost(temporaryFolder());
  onTestFinished(() => host.stop());
  host.addPerson('ada');
  await host.addProject('ada/handbook', { isPrivate: true, files: { 'README.md': '# Handbook' } });
  const stage = await openStage(host.environment.oauth);
  for (const id of people) {
    const { url } = await stage.rig.ask(hostingEndpoints.connectGithub, {}, stage.senders[id]);
    await comeBack(stage.rig, await choose(url, 'ada'), stage.senders[id]);
  }
  return stage;
}

/** Adds a repository as the founder for the team; returns its id. */
export async function teamRepository({ rig, senders }: Stage, { teamId }: Team): Promise<string> {
  const founder = { ...senders.founder, [teamHeader]: teamId };
  const { repository } = await rig.ask(hostingEndpoints.addRepository, { repository: 'ada/handbook' }, founder);
  return repository.id;
}
