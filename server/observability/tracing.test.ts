// spec: OP operation
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../tests/doubles/child-server.ts'
import { callerOf } from '../../tests/fixtures/caller.ts'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addMember, addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { sessionJobs } from '../sessions/jobs.ts'
import { contextOf, traceparent } from './trace-carrier.ts'
import { makeSampler, startTracing } from './trace-export.ts'
import { inSpan, traceCalls } from './tracing.ts'

type Sent = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  status?: { code?: number; message?: string }
}
type Named = { attributes: { key: string; value: Record<string, unknown> }[] }
type Proto = Sent & Named & { startTimeUnixNano: unknown; endTimeUnixNano: unknown; kind: unknown }
type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }

/** The sent bodies and their spans. */
const bodies: string[] = []
/** The headers they were sent with. */
const shown = new Set<string | undefined>()
const spans = (): Sent[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body) as Body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )
const email = 'traced.person@harbour.test'
const logLines: string[] = []
let receiver: Server
let tracing: ReturnType<typeof startTracing>
let made: MadeContext
let app: FastifyInstance
before(async () => {
  receiver = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    if (request.url === '/v1/traces') bodies.push(body)
    shown.add(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  process.env.OTEL_BSP_SCHEDULE_DELAY = '50'
  const sampling = { sampler: 'parentbased_traceidratio', share: 1 } as const
  const headers = { authorization: 'Bearer of-this-test' }
  tracing = startTracing({ serviceName: 'atrium-tests', ...sampling, headers })
  made = await makeTestContext({ logLines })
  const system = await addWorkspace(made.context, { subdomain: 'harbour', isDefault: true })
  await addMember(system, { email })
  made.context.config.trustedProxies = 1
  app = await buildApp(made.context)
  await made.context.jobs.start(sessionJobs(made.context))
})
after(async () => {
  await app.close()
  await made.close()
  await tracing.stop()
  receiver.close()
})

test('puts a request, its database work and its job into one trace without personal data', async () => {
  const outside = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }
  const answer = await app.inject({
    method: 'POST',
    url: '/members/reset-password/request?from=somebody',
    headers: { traceparent: `00-${outside.trace}-${outside.span}-01` },
    payload: { email },
  })
  assert.equal(answer.statusCode, 200)
  await eventually('the job is traced', async () => spans().some(({ name }) => name === 'job sessions.issue-reset'))
  const all = spans().filter(({ traceId }) => traceId === outside.trace)
  const request = all.find(({ name }) => name === 'POST /members/reset-password/request')
  const job = all.find(({ name }) => name === 'job sessions.issue-reset')
  assert.equal(request?.parentSpanId, outside.span)
  const inRequest = all.filter(({ parentSpanId }) => parentSpanId === request?.spanId).map(({ name }) => name)
  assert.ok(inRequest.includes('unit of work'))
  const enqueuing = all.find(({ spanId }) => spanId === job?.parentSpanId)
  assert.equal(enqueuing?.name, 'unit of work')
  assert.ok(all.some(({ name, parentSpanId }) => name === 'unit of work' && parentSpanId === job?.spanId))
  for (const personal of [email, 'from=somebody']) assert.ok(!bodies.join('').includes(personal), personal)
  const line = logLines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'request')
  assert.equal(line.trace_id, outside.trace)
})

test('sends OTLP JSON as the official protos map it', () => {
  const [span] = (
    JSON.parse(bodies[0] ?? '{}') as { resourceSpans: { resource: Named; scopeSpans: { spans: Proto[] }[] }[] }
  ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  assert.ok(span)
  // Exceptions of the mapping: ids in hex instead of base64, 64-bit numbers as text, enums as numbers.
  assert.match(span.traceId, /^[0-9a-f]{32}$/)
  assert.match(span.spanId, /^[0-9a-f]{16}$/)
  for (const time of [span.startTimeUnixNano, span.endTimeUnixNano]) assert.match(String(time), /^\d{19}$/)
  assert.equal(typeof span.startTimeUnixNano, 'string')
  assert.ok(typeof span.kind === 'number' && span.kind >= 1 && span.kind <= 5)
  for (const { key, value } of span.attributes) {
    assert.equal(typeof key, 'string')
    assert.equal(Object.keys(value).length, 1, key)
    assert.match(Object.keys(value)[0] ?? '', /^(string|int|double|bool|array)Value$/)
  }
})

test('sends traces with the configured headers, also from a file', () => {
  assert.deepEqual([...shown], ['Bearer of-this-test'])
})

test('ignores the trace context of an untrusted client', async () => {
  made.context.config.trustedProxies = 0
  const open = await buildApp(made.context)
  const trace = '11111111111111111111111111111111'
  await open.inject({ url: '/healthz', headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })
  await open.close()
  await eventually('it is traced', async () => spans().some(({ name }) => name === 'GET /healthz'))
  assert.ok(!spans().some(({ traceId }) => traceId === trace))
  await callerOf(app).get('/readyz')
})

test('records a call to an external service as a span with success or failure, without the message', async () => {
  const outside = traceCalls('platform', {
    async ask(word: string) {
      if (word === 'no') throw Object.assign(new Error(`${email} is unknown`), { code: 'REFUSED' })
      return word
    },
    async *list() {
      yield 'one'
    },
    kind: 'mt5',
  })
  assert.equal(outside.kind, 'mt5')
  await inSpan('around', {}, async () => {
    assert.equal(await outside.ask('yes'), 'yes')
    await assert.rejects(outside.ask('no'))
    for await (const each of outside.list()) assert.equal(each, 'one')
  })
  await eventually('they are sent', async () => spans().some(({ name }) => name === 'around'))
  const around = spans().find(({ name }) => name === 'around')
  const calls = spans().filter(({ parentSpanId }) => parentSpanId === around?.spanId)
  assert.deepEqual(
    calls.map(({ name, status }) => [name, status?.code ?? 0, status?.message]),
    [
      ['platform ask', 0, undefined],
      ['platform ask', 2, undefined],
      ['platform list', 0, undefined],
    ],
  )
  assert.ok(!bodies.join('').includes(email))
})

test('reads back the trace context of a job, and starts a new trace for an invalid one', async () => {
  await inSpan('sender', {}, async () => {
    const carried = traceparent()
    assert.match(carried ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    await inSpan('receiver', { parent: contextOf(carried) }, async () => {
      assert.equal(traceparent()?.slice(3, 35), carried?.slice(3, 35))
    })
    for (const nonsense of ['', '00-0-0-01', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 7])
      await inSpan('receiver', { parent: contextOf(nonsense) }, async () => {
        assert.notEqual(traceparent()?.slice(3, 35), carried?.slice(3, 35))
      })
  })
})

test('samples all, none, a ratio, or as the parent decided', () => {
  const trace = 'ffffffff000000000000000000000001' // Outside every ratio below 1.
  const parents = {
    nobody: ROOT_CONTEXT,
    traced: contextOf(`00-${trace}-b7ad6b7169203331-01`),
    untraced: contextOf(`00-${trace}-b7ad6b7169203331-00`),
  }
  const takenBy = (sampler: Parameters<typeof makeSampler>[0]['sampler']): string[] =>
    Object.entries(parents)
      .filter(([, parent]) => {
        const { decision } = makeSampler({ sampler, share: 0.5 }).shouldSample(
          parent,
          trace,
          'x',
          SpanKind.SERVER,
          {},
          [],
        )
        return decision === SamplingDecision.RECORD_AND_SAMPLED
      })
      .map(([name]) => name)
  assert.deepEqual(takenBy('always_on'), ['nobody', 'traced', 'untraced'])
  assert.deepEqual(takenBy('always_off'), [])
  assert.deepEqual(takenBy('traceidratio'), [])
  assert.deepEqual(takenBy('parentbased_always_on'), ['nobody', 'traced'])
  assert.deepEqual(takenBy('parentbased_always_off'), ['traced'])
  assert.deepEqual(takenBy('parentbased_traceidratio'), ['traced'])
})
