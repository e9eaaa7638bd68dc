import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../foundation/database/version.ts'

/** What one process counts about itself as it goes. What the database knows is added when somebody asks (figures.ts). */
export type Metrics = {
  registry: Registry
  /** `route`: as it was declared, `/desk/api/requests/:id`, so that no id becomes a label. */
  answered(method: string, route: string, status: number, ms: number): void
  worked(queue: string, isDone: boolean, ms: number): void
  /** What came in a payment provider's name and is not proven to be theirs. */
  unproven(provider: string, why: string): void
  /** A payment exception that staff have to decide about, by its reason. */
  manualReview(provider: string, why: string): void
}

/** From a cached page to the slowest report that is still let through, in seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 15]
const jobBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 60, 120, 600, 3_600]

/** A registry of its own for each context: two servers in one process, as in tests, do not count for each other. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const build = {
    name: 'atrium_build_info',
    help: 'Always 1; which version this process runs.',
    labelNames: ['version'],
  }
  new Gauge({ ...build, registers: [registry] }).set({ version }, 1)
  const requests = new Histogram({
    name: 'atrium_http_request_duration_seconds',
    help: 'Time to answer, by route as declared and by status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers: [registry],
  })
  const jobs = new Histogram({
    name: 'atrium_job_duration_seconds',
    help: 'Time a job took in this process, by its queue and whether it was done or failed.',
    labelNames: ['queue', 'outcome'],
    buckets: jobBuckets,
    registers: [registry],
  })
  const unproven = new Counter({
    name: 'atrium_provider_notifications_unproven_total',
    help: 'Notifications that are not proven to come from the payment provider. Those with a wrong signature are of a secret that was changed, or forged.',
    labelNames: ['provider', 'why'],
    registers: [registry],
  })
  const reviews = new Counter({
    name: 'atrium_payments_manual_review_total',
    help: 'Deposits and payouts that went to manual review, by the reason: unclear_word is a status word that the adapter does not know.',
    labelNames: ['provider', 'why'],
    registers: [registry],
  })
  return {
    registry,
    answered: (method, route, status, ms) => requests.observe({ method, route, status }, ms / 1_000),
    worked: (queue, isDone, ms) => jobs.observe({ queue, outcome: isDone ? 'done' : 'failed' }, ms / 1_000),
    unproven: (provider, why) => unproven.inc({ provider, why }),
    manualReview: (provider, why) => reviews.inc({ provider, why }),
  }
}

type Figure = { labels: Record<string, string>; value: number }

/** A gauge that is asked for its figures at each look; figures that are gone since the last look are gone from the page. */
export function gaugeOf(
  registry: Registry,
  { name, help, labels = [] }: { name: string; help: string; labels?: string[] },
  figures: () => Figure[] | Promise<Figure[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { labels: of, value } of await figures()) this.set(of, value)
    },
  })
}
