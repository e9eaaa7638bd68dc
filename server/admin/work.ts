import { type Queue, queues } from '../foundation/jobs.ts'
import { listFailedJobs, readQueues, retryFailedJobs } from '../foundation/queue-figures.ts'
import { askForDay } from '../reconciliation/ask.ts'
import { type Command, UsageProblem, workspaceOf } from './command.ts'

export const workCommands: Command[] = [
  {
    words: 'jobs list',
    takes: '',
    says: 'what waits, is under way and was given up, queue by queue',
    async run(ground) {
      const figures = await readQueues(ground, { isExact: true })
      return figures.map(({ age, ...each }) => ({ ...each, waiting_seconds: Math.round(age) }))
    },
  },
  {
    words: 'jobs failed',
    takes: '[<queue>]',
    says: 'the latest thousand jobs that were given up after all their tries; why is in the log',
    run: async (ground, [name]) => listFailedJobs(ground, name === undefined ? undefined : queueOf(name)),
  },
  {
    words: 'jobs retry',
    takes: '<queue> [<job>]',
    says: 'begins anew one job that was given up, or all of a queue',
    more: 'Every job looks at how things stand before it does anything, so one that was done meanwhile does nothing.',
    async run(ground, [name, job]) {
      const queue = queueOf(name)
      const begun_anew = await retryFailedJobs(ground, queue, job)
      if (job !== undefined && begun_anew === 0) throw new UsageProblem(`${queue} has no job ${job} that was given up.`)
      return { queue, begun_anew }
    },
  },
  {
    words: 'reconcile day',
    takes: '<subdomain> <day>',
    says: 'reads what platforms and providers say of a day (2026-05-31) and compares it with our books',
    more: 'A process with the role jobs does it; differences stand at the desk, under Reconciliation.',
    async run(ground, [subdomain, day = '']) {
      if (!isDay(day)) throw new UsageProblem('A day is written like 2026-05-31.')
      await askForDay(await workspaceOf(ground, subdomain), day)
      return { day, state: 'asked' }
    },
  },
]

/** A 30th of February can be read as well, as the 2nd of March. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text
}

function queueOf(name: string | undefined): Queue {
  const queue = queues.find((known) => known === name)
  if (!queue) throw new UsageProblem(`There is no queue ${name}. Queues: ${queues.join(', ')}`)
  return queue
}
