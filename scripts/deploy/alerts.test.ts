// spec: OP operation
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { buildApp } from '../../server/app.ts'
import { openPaymentFixture, type PaymentFixture } from '../../tests/fixtures/payments/payment-fixture.ts'
import { readQuery } from './promql.ts'

const root = dirname(dirname(import.meta.dirname))
const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

const { groups } = parse(read('alerts.yaml')) as { groups: { name: string; rules: Alert[] }[] }
const rules = groups.flatMap(({ rules: each }) => each)
const { scrape_configs: jobs } = parse(read('prometheus.yml')) as { scrape_configs: Scraping[] }

/** Labels that Prometheus and relabelling add. */
const fromScraping = [
  ...['job', 'instance'],
  ...jobs.flatMap(({ relabel_configs = [] }) => relabel_configs.map(({ target_label }) => target_label)),
]

/** Replaces Grafana's variables, which Prometheus does not parse. */
const asPrometheus = (expr: string): string => expr.replaceAll('$__rate_interval', '5m')

const drawn = (JSON.parse(read('grafana-dashboard.json')) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, asPrometheus(expr)] as const),
)
const asked = [...rules.map(({ alert, expr }) => [alert, expr] as const), ...drawn]

describe('a query', () => {
  for (const [text, problems] of [
    ['sum by (a) (rate(x_count{b=~"5.."}[5m])) > 1', 0],
    ['sum by (a) (rate(x_count[5m]) > 1', 1],
    ['sum by a (x)', 1],
    ['histogram_quantil(0.9, x)', 1],
    ['rate(x_count)', 1],
    ['histogram_quantile(0.9, x_bucket[5m])', 1],
    ['quantile_over_time(0.5, count by (a) (x)[1h:1m])', 0],
    ['x{a="b}', 1],
    ['x > > 1', 1],
  ] as const)
    it(`${text} is ${problems ? 'refused' : 'accepted'}`, () =>
      assert.equal(readQuery(text).problems.length > 0, problems > 0))
})

describe('alerts and dashboard', () => {
  let setup: PaymentFixture
  /** The metrics of a running server, with the values of their labels. */
  let metrics: Map<string, Map<string, Set<string>>>

  before(async () => {
    setup = await openPaymentFixture({ environment: { DATABASE_READ_URL: '' } })
    const { context, system, platformId } = setup
    // A metric has labels only after an event: an answer, a job, a connection, a busy queue.
    await setup.app.inject({ url: '/readyz' })
    context.metrics.worked('mails', true, 1)
    context.metrics.unproven('zotapay', 'wrong_signature')
    context.metrics.unprovenIdentity('sumsub', 'unreadable')
    context.metrics.manualReview('zotapay', 'unclear_word')
    await context.platforms.link(system, platformId)
    await context.providers.find(system, 'zotapay').then((found) => found?.connect())
    const app = await buildApp(context)
    metrics = metricsOf((await app.inject({ url: '/metrics' })).body)
    await app.close()
  })
  after(() => setup.close())

  for (const [name, expr] of asked)
    it(`${name} uses valid PromQL with existing metrics and labels`, () => {
      const { problems, selectors, groupings } = readQuery(expr)
      assert.deepEqual(problems, [], expr)
      assert.ok(selectors.length > 0, expr)
      const known = new Set(fromScraping)
      for (const { metric, labels } of selectors) {
        const values = metric === 'up' ? new Map<string, Set<string>>() : metrics.get(metric)
        assert.ok(values, `${metric} is not one of our metrics: ${expr}`)
        for (const label of values.keys()) known.add(label)
        for (const { name: label, sign, value } of labels) {
          assert.ok(values.has(label) || fromScraping.includes(label), `${metric} has no label ${label}`)
          const isOne = sign === '=' && values.has(label)
          if (isOne) assert.ok(values.get(label)?.has(value), `${metric} never has ${label} ${value}`)
        }
      }
      assert.deepEqual(
        groupings.filter((label) => !known.has(label)),
        [],
        expr,
      )
    })

  for (const name of ['mails_undelivered', 'reconciliation_differences_open', 'backup_finished_timestamp_seconds'])
    it(`atrium_${name} has an alert and a chart`, () => {
      const asksFor = ([, expr]: readonly [string, string]) =>
        readQuery(expr).selectors.some(({ metric }) => metric === `atrium_${name}`)
      assert.ok(rules.some(({ alert, expr }) => asksFor([alert, expr])))
      assert.ok(drawn.some(asksFor))
    })

  it('every alert names only labels that its expression keeps', () => {
    for (const { alert, expr, annotations = {} } of rules) {
      const { groupings, selectors } = readQuery(expr)
      const own = selectors.flatMap(({ metric }) => [...(metrics.get(metric)?.keys() ?? [])])
      const left = /\b(by|sum|count)\b/.test(expr) ? groupings : [...fromScraping, ...own]
      for (const [, label = ''] of Object.values(annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g))
        assert.ok(left.includes(label), `${alert}: ${label}`)
    }
  })

  it('use the vocabulary of Prometheus', () => {
    const names = rules.map(({ alert }) => alert)
    assert.equal(new Set(names).size, names.length)
    for (const rule of rules) {
      const words = ['alert', 'expr', 'for', 'labels', 'annotations']
      assert.deepEqual(
        Object.keys(rule).filter((word) => !words.includes(word)),
        [],
        rule.alert,
      )
      assert.match(rule.for ?? '1m', /^\d+[smhd]$/, rule.alert)
    }
    const { rule_files } = parse(read('prometheus.yml')) as { rule_files: string[] }
    for (const file of rule_files) assert.ok(existsSync(join(root, 'deploy', file)), file)
  })

  const showPromtool = (promtool: string): void => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-promtool-'))
    try {
      cpSync(join(root, 'deploy', 'alerts.yaml'), join(folder, 'alerts.yaml'))
      writeFileSync(join(folder, 'token'), 'of the test')
      const scraping = read('prometheus.yml').replace('/run/secrets/metrics_token', join(folder, 'token'))
      writeFileSync(join(folder, 'prometheus.yml'), scraping)
      const { status, stdout, stderr } = spawnSync(promtool, ['check', 'config', join(folder, 'prometheus.yml')], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout + stderr)
      assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules found`))
      writeFileSync(join(folder, 'cases.yaml'), JSON.stringify({ rule_files: ['alerts.yaml'], tests: cases() }))
      const judged = spawnSync(promtool, ['test', 'rules', join(folder, 'cases.yaml')], { encoding: 'utf8' })
      assert.equal(judged.status, 0, judged.stdout + judged.stderr)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  /** Input series by minute, and the expected alerts. JSON is valid YAML. */
  const cases = () => {
    const since = (named: string, values: Record<string, string>, due: Record<string, boolean>) => {
      const { alert, labels, annotations } = rules.find((rule) => rule.alert === named) ?? assert.fail()
      const summary = annotations?.summary?.replace('{{ $labels.provider }}', 'zotapay')
      const expected = [
        { exp_labels: { ...labels, ...notifiedOf[named] }, exp_annotations: { ...annotations, summary } },
      ]
      return {
        interval: '1m',
        input_series: Object.entries(values).map(([series, seen]) => ({ series, values: seen })),
        alert_rule_test: Object.entries(due).map(([eval_time, isDue]) => ({
          eval_time,
          alertname: alert,
          exp_alerts: isDue ? expected : [],
        })),
      }
    }
    const notifiedOf: Record<string, object> = {
      AtriumNotificationsUnproven: { provider: 'zotapay' },
      AtriumPaymentWordUnknown: { provider: 'zotapay' },
      AtriumPaymentPendingTooLong: { provider: 'zotapay' },
      AtriumPaymentProviderForStaff: { provider: 'zotapay' },
    }
    const backup = 'atrium_backup_finished_timestamp_seconds{job="atrium",instance="a"}'
    const unproven = (why: string) =>
      `atrium_provider_notifications_unproven_total{job="atrium",instance="a",provider="zotapay",why="${why}"}`
    const reviewed = (why: string) =>
      `atrium_payments_manual_review_total{job="atrium",instance="a",provider="zotapay",why="${why}"}`
    return [
      // A backup at time zero, and no backup at all.
      since('AtriumBackupLate', { [backup]: '1+0x1800' }, { '26h': false, '28h': true }),
      since('AtriumBackupLate', {}, { '30m': false, '2h': true }),
      // The first one that this process reports, and another three hours later.
      since(
        'AtriumNotificationsUnproven',
        { [unproven('wrong_signature')]: '_x10 1+0x180 2+0x180' },
        { '5m': false, '15m': true, '2h': false, '195m': true, '6h': false },
      ),
      since('AtriumNotificationsUnproven', { [unproven('unsigned')]: '_x10 1+0x180' }, { '15m': false }),
      since(
        'AtriumPaymentWordUnknown',
        { [reviewed('unclear_word')]: '_x10 1+0x180 2+0x180' },
        { '5m': false, '15m': true, '2h': false, '195m': true, '6h': false },
      ),
      since('AtriumPaymentWordUnknown', { [reviewed('amount_differs')]: '_x10 1+0x180' }, { '15m': false }),
      since(
        'AtriumPaymentPendingTooLong',
        { [reviewed('pending_too_long')]: '_x10 1+0x180' },
        { '15m': true, '2h': false },
      ),
      since(
        'AtriumPaymentProviderForStaff',
        { [reviewed('provider_misconfigured')]: '_x10 1+0x180' },
        { '15m': true, '2h': false },
      ),
    ]
  }

  // npm has no Prometheus package: the variable names an installed promtool.
  const { ATRIUM_TEST_PROMTOOL: named } = process.env
  if (named) it('are accepted by promtool', () => showPromtool(named))

  it('a process that is gone is noticed although its target disappears with its address', () => {
    const about = rules.filter(({ expr }) => /\bup\{/.test(expr))
    const { services } = parse(read('compose.yaml'), { merge: true }) as { services: object }
    for (const { job_name, dns_sd_configs, relabel_configs = [] } of jobs) {
      for (const name of dns_sd_configs.flatMap(({ names }) => names)) assert.ok(name in services, name)
      // The count groups by the DNS name: every other label disappears with the address.
      const [label] = relabel_configs.filter(({ source_labels: [from] }) => from === '__meta_dns_name')
      assert.ok(label)
      const counting = about.filter(({ expr }) =>
        expr.includes(`count by (${label.target_label}) (up{job="${job_name}"}`),
      )
      assert.ok(counting.some(({ expr }) => /quantile_over_time\(.*\[1h:1m\]\)\s+unless count/s.test(expr)))
      assert.ok(counting.some(({ expr }) => expr.includes(`absent_over_time(up{job="${job_name}"}`)))
      const expected = about.flatMap(({ annotations = {} }) => [
        ...(annotations.summary?.matchAll(/\$labels\.(\w+)/g) ?? []),
      ])
      for (const [, name] of expected) assert.ok(['instance', label.target_label].includes(name ?? ''), name)
    }
  })

  it('every alert has a severity, a summary and first steps', () => {
    assert.ok(rules.length > 10)
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels?.severity ?? '', /^(page|ticket)$/, alert)
      assert.ok(annotations?.summary && annotations.action, alert)
    }
  })
})

/** Parses the names of the Prometheus text format. A metric without a value is included. */
function metricsOf(page: string): Map<string, Map<string, Set<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>()
  const labelsOf = (name: string) => metrics.get(name) ?? metrics.set(name, new Map()).get(name) ?? new Map()
  for (const [, name = '', kind] of page.matchAll(/^# TYPE (\w+) (\w+)$/gm)) if (kind !== 'histogram') labelsOf(name)
  for (const [, name = '', labels = ''] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const values = labelsOf(name)
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      values.set(label, (values.get(label) ?? new Set()).add(value))
  }
  return metrics
}

type Dashboard = { panels: { title: string; targets?: { expr: string }[] }[] }
type Scraping = {
  job_name: string
  dns_sd_configs: { names: string[] }[]
  relabel_configs?: { source_labels: string[]; target_label: string }[]
}
type Alert = {
  alert: string
  expr: string
  for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}
