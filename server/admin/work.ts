import { type Queue, queues } from '../queue/jobs.ts'
import { listFailedJobs, readQueues, retryFailedJobs } from '../queue/queue-figures.ts'
import { askForDay } from '../reconciliation/ask.ts'
import { readDay } from '../reconciliation/queries.ts'
import { Alarm, type Command, UsageProblem, workspaceOf } from './command.ts'

export const workCommands: Command[] = [
  {
    words: 'jobs list',
    takes: '',
    says: 'what waits, is under way and was given up, queue by queue',
    async run(context) {
      const figures = await readQueues(context, { isExact: true })
      return figures.map(({ age, ...each }) => ({ ...each, waiting_seconds: Math.round(age) }))
    },
  },
  {
    words: 'jobs failed',
    takes: '[<queue>]',
    says: 'the latest thousand jobs that were given up after all their tries; why is in the log',
    run: async (context, [name]) => listFailedJobs(context, name === undefined ? undefined : queueOf(name)),
  },
  {
    words: 'jobs retry',
    takes: '<queue> [<job>]',
    says: 'begins anew one job that was given up, or all of a queue',
    more: 'Every job looks at how things stand before it does anything, so one that was done meanwhile does nothing.',
    async run(context, [name, job]) {
      const queue = queueOf(name)
      const begun_anew = await retryFailedJobs(context, queue, job)
      if (job !== undefined && begun_anew === 0) throw new UsageProblem(`${queue} has no job ${job} that was given up.`)
      return { queue, begun_anew }
    },
  },
  {
    words: 'reconcile day',
    takes: '<subdomain> <day>',
    says: 'asks for a day (2026-05-31) to be compared with what platforms and providers say of it',
    more: 'A process with the role jobs reads and compares; what it found is told by reconcile show, and at the desk.',
    async run(context, [subdomain, named]) {
      const day = dayOf(named)
      await askForDay(await workspaceOf(context, subdomain), day)
      return {
        day,
        state: 'asked',
        next: `a process with the role jobs reads it; then: reconcile show ${subdomain} ${day}`,
      }
    },
  },
  {
    words: 'reconcile show',
    takes: '<subdomain> <day>',
    says: 'what came of comparing a day: how far it was read, sums, and differences',
    more: 'A difference that nobody has explained at the desk is an alarm, and so is a platform that could not be read.',
    isNested: true,
    async run(context, [subdomain, named]) {
      const found = await readDay(await workspaceOf(context, subdomain), dayOf(named))
      const unread = found.day.platforms.filter(({ problem }) => problem !== null)
      if (found.day.open === 0 && unread.length === 0) return found
      const sentences = [
        ...(found.day.open > 0 ? [`Open differences: ${found.day.open}.`] : []),
        ...unread.map(({ name, problem }) => `${name} was not read: ${problem}.`),
      ]
      throw new Alarm(`${found.day.day}: ${sentences.join(' ')}\n${JSON.stringify(found, null, 2)}`, found)
    },
  },
]

function dayOf(text = ''): string {
  if (!isDay(text)) throw new UsageProblem('A day is written like 2026-05-31.')
  return text
}

/** Compares with the text, since Date parses 30 February as 2 March. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text
}

function queueOf(name: string | undefined): Queue {
  const queue = queues.find((known) => known === name)
  if (!queue) throw new UsageProblem(`There is no queue ${name}. Queues: ${queues.join(', ')}`)
  return queue
}
