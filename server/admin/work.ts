import { type Queue, queues } from '../queue/jobs.ts'
import { listFailedJobs, readQueues, retryFailedJobs } from '../queue/queue-metrics.ts'
import { readDay } from '../reconciliation/queries.ts'
import { askForDay } from '../reconciliation/requests.ts'
import { Alarm, type Command, UsageProblem, workspaceOf } from './command.ts'

export const workCommands: Command[] = [
  {
    words: 'jobs list',
    takes: '',
    summary: 'lists waiting, running and failed jobs by queue',
    async run(context) {
      const queues = await readQueues(context, { isExact: true })
      return queues.map(({ age, ...each }) => ({ ...each, waiting_seconds: Math.round(age) }))
    },
  },
  {
    words: 'jobs failed',
    takes: '[<queue>]',
    summary: 'lists the latest thousand jobs that failed after all attempts; the log has the reasons',
    run: async (context, [name]) => listFailedJobs(context, name === undefined ? undefined : queueOf(name)),
  },
  {
    words: 'jobs retry',
    takes: '<queue> [<job>]',
    summary: 'retries a failed job, or all of a queue',
    more: 'Every job checks the current state first, so a job whose work is already done does nothing.',
    async run(context, [name, job]) {
      const queue = queueOf(name)
      const begun_anew = await retryFailedJobs(context, queue, job)
      if (job !== undefined && begun_anew === 0) throw new UsageProblem(`${queue} has no failed job ${job}.`)
      return { queue, begun_anew }
    },
  },
  {
    words: 'reconcile day',
    takes: '<subdomain> <day>',
    summary: 'starts the comparison of a day (2026-05-31) with the platforms and providers',
    more: 'A process with the role jobs compares it; reconcile show and the desk show the result.',
    async run(context, [subdomain, named]) {
      const day = dayOf(named)
      await askForDay(await workspaceOf(context, subdomain), day)
      return {
        day,
        state: 'asked',
        next: `a process with the role jobs compares it; then run: reconcile show ${subdomain} ${day}`,
      }
    },
  },
  {
    words: 'reconcile show',
    takes: '<subdomain> <day>',
    summary: 'shows the comparison of a day: progress, totals and differences',
    more: 'An unexplained difference or a platform that could not be read raises an alarm.',
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
  if (!isDay(text)) throw new UsageProblem('Enter the day as 2026-05-31.')
  return text
}

/** Compares with the text, since Date parses 30 February as 2 March. */
function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === text
}

function queueOf(name: string | undefined): Queue {
  const queue = queues.find((known) => known === name)
  if (!queue) throw new UsageProblem(`Unknown queue: ${name}. Queues: ${queues.join(', ')}`)
  return queue
}
