import type { ModuleOfTest } from './memory-shelf.ts';

const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu'.split(' ');

/** Returns prose of about `tokens` tokens, different for every seed. */
export function prose(seed: string, tokens: number): string {
  const sentences: string[] = [];
  for (let index = 0; index * 9 < tokens; index++) {
    sentences.push(`The ${seed} ${words[index % 12]} number ${index} does ${words[(index * 5) % 12]}.`);
  }
  return sentences.join(' ');
}

/** Two small fictional public libraries and a private one. */
export const sampleModules: ModuleOfTest[] = [
  {
    moduleId: 'tasklib',
    displayName: 'Tasklib',
    pages: [
      {
        url: 'https://tasklib.example/tasks',
        title: 'Tasks',
        sections: [
          { text: 'Tasklib runs tasks one after another.' },
          {
            anchor: 'create-task',
            headingPath: ['Creating tasks'],
            identifiers: ['create_task'],
            text: 'Call `create_task(name)` to start a task.\n\n```python\ntask = create_task("build")\n```',
          },
          { anchor: 'cancel', headingPath: ['Cancelling'], text: 'Call `task.cancel()` to cancel a task that runs.' },
          { anchor: 'long', headingPath: ['Scheduling'], text: prose('scheduler', 300) },
        ],
      },
      {
        url: 'https://tasklib.example/manual',
        title: 'The manual',
        sections: Array.from({ length: 40 }, (_, index) => ({
          anchor: `chapter-${index}`,
          headingPath: [`Chapter ${index}`],
          text: `${prose(`chapter${index}`, 200)}${index === 25 ? ' A zebra guards the widget registry.' : ''}`,
        })),
      },
      {
        url: 'https://tasklib.example/errors',
        title: 'Errors',
        sections: [{ anchor: 'e42', headingPath: ['E42'], text: 'E42: the task was cancelled before it began.' }],
      },
    ],
  },
  {
    moduleId: 'otherlib',
    displayName: 'Otherlib',
    pages: [
      {
        url: 'https://otherlib.example/guide.html',
        title: 'Guide to Otherlib',
        sections: [{ anchor: 'jobs', headingPath: ['Jobs'], text: 'A job is cancelled with `stop_job`.' }],
      },
    ],
  },
  {
    moduleId: 'ours',
    displayName: 'Our handbook',
    visibility: 'private',
    ownerId: 'anna',
    pages: [
      {
        url: 'https://intranet.example/deploy',
        title: 'How we deploy',
        sections: [
          { anchor: 'tasks', headingPath: ['Tasks'], text: 'We cancel deploy tasks with the big red button.' },
        ],
      },
    ],
  },
];
