import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { version } from '../foundation/database/version.ts'

/** Metrics that a process counts itself. Those from the database are read on request (operating-metrics.ts). */
export type Metrics = {
  registry: Registry
  /** `route`: as declared, e.g. `/desk/api/requests/:id`, so that no id becomes a label. */
  answered(method: string, route: string, status: number, ms: number): void
  worked(queue: string, isDone: boolean, ms: number): void
  /** Counts unverified callbacks. */
  unproven(provider: string, why: string): void
  /** Counts webhooks of identity vendors that cannot be read or verified. */
  unprovenIdentity(vendor: string, why: string): void
  /** Counts payment exceptions sent to manual review, by reason. */
  manualReview(provider: string, why: string): void
}

/** In seconds, from a cached page to the slowest permitted report. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 15]
const jobBuckets = [0.01, 0.05, 0.25, 1, 5, 15, 60, 120, 600, 3_600]

/** One registry per context, so that two servers in one test process count separately. */
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
    help: 'Webhook events that are not proven to come from the payment provider. A wrong signature means a changed secret or a forgery.',
    labelNames: ['provider', 'why'],
    registers: [registry],
  })
  const unprovenIdentity = new Counter({
    name: 'atrium_identity_notifications_unproven_total',
    help: 'Webhooks of identity vendors that decide nothing: unreadable ones are signed, and forged ones mean a changed secret or a forgery.',
    labelNames: ['vendor', 'why'],
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
    unprovenIdentity: (vendor, why) => unprovenIdentity.inc({ vendor, why }),
    manualReview: (provider, why) => reviews.inc({ provider, why }),
  }
}

type Sample = { labels: Record<string, string>; value: number }

/** A gauge read on each scrape; values missing since the last one disappear. */
export function gaugeOf(
  registry: Registry,
  { name, help, labels = [] }: { name: string; help: string; labels?: string[] },
  samples: () => Sample[] | Promise<Sample[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset()
      for (const { labels: of, value } of await samples()) this.set(of, value)
    },
  })
}
