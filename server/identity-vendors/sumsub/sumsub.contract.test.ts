// spec: DK documents
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import {
  type Answered,
  type SumsubSimulator,
  signWebhook,
  startSumsubSimulator,
} from '../../../simulators/sumsub/simulator.ts'
import type { VendorHttp } from '../contract.ts'
import { VendorProblem } from '../contract.ts'
import { testVendor } from '../contract-tests.ts'
import { sumsub } from './index.ts'
import { isSignedBy, readWebhookEvent, reportOf, signRequest } from './translate.ts'

let simulator: SumsubSimulator

before(async () => {
  simulator = await startSumsubSimulator()
})
after(() => simulator.close())

/** Real HTTP requests; the server sends them through its guarded client, which knows nothing about Sumsub. */
const http: VendorHttp = async ({ url, ...request }) => {
  const answer = await fetch(url, request)
  return { status: answer.status, text: await answer.text() }
}

const settings = () => ({
  base_url: simulator.url,
  level_name: simulator.keys.level,
  app_token: simulator.keys.appToken,
  secret_key: simulator.keys.secretKey,
  webhook_secret: simulator.keys.webhookSecret,
})
const connect = (over: object = {}) => sumsub.connect({ ...settings(), ...over }, http, () => new Date())

const verdicts: Record<'approved' | 'retry' | 'rejected', Answered> = {
  approved: { reviewAnswer: 'GREEN' },
  retry: { reviewAnswer: 'RED', reviewRejectType: 'RETRY', moderationComment: 'The picture is blurred.' },
  rejected: { reviewAnswer: 'RED', reviewRejectType: 'FINAL' },
}

testVendor('Sumsub', () => ({
  vendor: (settings = {}) => connect(settings),
  withWrongKey: () => connect({ secret_key: 'another' }),
  setFault: (fault) => {
    simulator.control.fault = fault
  },
  links: 'https://in.sumsub.com',
  setLinks: (origin) => {
    simulator.control.linksAt = origin
  },
  submit: (checkId) => simulator.control.submit(checkId),
  review: (checkId, verdict) => simulator.control.review(checkId, verdicts[verdict]),
  forge: ({ body }) => signWebhook('another secret', body),
}))

it('accepts a webhook signed with SHA-512, refuses one with SHA-1 or an unknown algorithm', () => {
  const body = Buffer.from('{}')
  assert.ok(isSignedBy('secret', signWebhook('secret', body, 'sha512')))
  for (const name of ['HMAC_SHA1_HEX', 'none', '__proto__']) {
    const signed = signWebhook('secret', body)
    const headers = { ...signed.headers, 'x-payload-digest-alg': name }
    assert.equal(isSignedBy('secret', { body, headers }), false, name)
  }
})

it("signs a request as the vendor's published examples do, and a webhook as OpenSSL does", () => {
  // The examples' concatenation, computed by `openssl dgst -hmac`.
  const request = {
    secret: 'sumsub-demo',
    at: new Date(1_720_000_000_500),
    ...{ method: 'POST', path: '/resources/applicants?levelName=basic-kyc-level' },
    body: '{"externalUserId":"random-JSToken-9hd8x"}',
  }
  assert.deepEqual(signRequest(request), {
    ts: '1720000000',
    signature: '4e6b255a19264e512286151c6c37a19a5093acde13a06326f14cf15b47ee8593',
  })
  const body = Buffer.from(
    '{"applicantId":"5cb56e8e0a975a35f333cb83","externalUserId":"member-1","type":"applicantReviewed","reviewStatus":"completed","reviewResult":{"reviewAnswer":"GREEN"},"createdAtMs":"2020-02-21 13:23:19.002"}',
  )
  for (const [algorithm, digest] of [
    ['HMAC_SHA256_HEX', '2d45dc30bc1c7ad34dd9d294c424654bd6b1bcf6e8cc59676c133f4c5614666e'],
    [
      'HMAC_SHA512_HEX',
      'b0aa0f0de9384c080c046bbfcc7baf3151cf46a427cbfe6b8464ce78e610558247f81c65301d2356281a3425617b77d2683e3b00535059c1c259d8472e046603',
    ],
  ] as const) {
    const headers = { 'x-payload-digest-alg': algorithm, 'x-payload-digest': digest }
    const read = readWebhookEvent('sumsub-demo', { body, headers })
    assert.ok(read.isGenuine, algorithm)
    assert.deepEqual([read.checkId, read.report?.state], ['member-1', 'approved'])
  }
})

it('a signed message that is not documented matches nothing', () => {
  for (const text of ['', '[]', 'null', '{"applicantId":7}', '{"type":"applicantReviewed"}'])
    assert.deepEqual(readWebhookEvent('secret', signWebhook('secret', Buffer.from(text))), {
      isGenuine: false,
      why: 'unreadable',
    })
})

it('a message of another type is genuine and ignored', () => {
  const payload = {
    applicantId: 'a',
    externalUserId: 'b',
    type: 'applicantDeleted',
    reviewStatus: 'init',
    createdAtMs: 0,
  }
  const read = readWebhookEvent('secret', signWebhook('secret', Buffer.from(JSON.stringify(payload))))
  assert.ok(read.isGenuine)
  assert.equal(read.report, null)
})

it('reads a message that begins with a byte order mark', () => {
  const payload = { applicantId: 'a', externalUserId: 'b', type: 'applicantReviewed', createdAtMs: 0 }
  const reviewed = { ...payload, reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } }
  const read = readWebhookEvent('secret', signWebhook('secret', Buffer.from(`\ufeff${JSON.stringify(reviewed)}`)))
  assert.ok(read.isGenuine)
  assert.equal(read.report?.state, 'approved')
})

it('an outcome in words that are not known is not ignored, and an unfinished check is', () => {
  const payload = { applicantId: 'a', externalUserId: 'b', type: 'applicantReviewed', createdAtMs: 0 }
  const read = (more: object) => {
    const reading = readWebhookEvent(
      'secret',
      signWebhook('secret', Buffer.from(JSON.stringify({ ...payload, ...more }))),
    )
    return reading.isGenuine ? reading.report : reading.why
  }
  for (const more of [{ reviewStatus: 'Completed' }, { reviewStatus: 'completed' }, { reviewStatus: 'escalated' }])
    assert.equal(read(more), 'unreadable', JSON.stringify(more))
  for (const reviewStatus of ['init', 'awaitingUser']) assert.equal(read({ reviewStatus }), null, reviewStatus)
})

it("a rejection carries the vendor's comment for the member, and is final only if the vendor says so", () => {
  const red = (more: object) => reportOf({ reviewStatus: 'completed', reviewResult: { reviewAnswer: 'RED', ...more } })
  assert.deepEqual(red({ reviewRejectType: 'FINAL' }), { state: 'rejected', reason: null })
  assert.deepEqual(red({ moderationComment: ' Blurred. ' }), { state: 'retry', reason: 'Blurred.' })
  assert.equal(reportOf({ reviewStatus: 'init' }), null)
})

it('reads an outcome whose fields without a value are null, whatever spelling its time has', () => {
  const said = { applicantId: 'a', externalUserId: 'b', type: 'applicantReviewed', reviewStatus: 'completed' }
  const nothing = { reviewRejectType: null, moderationComment: null, rejectLabels: null, reviewAnswer: 'GREEN' }
  const read = (more: object) => {
    const body = Buffer.from(JSON.stringify({ ...said, reviewResult: nothing, ...more }))
    const reading = readWebhookEvent('secret', signWebhook('secret', body))
    return reading.isGenuine ? [reading.report?.state, reading.at.toISOString()] : reading.why
  }
  for (const createdAtMs of [
    1_795_251_600_123,
    '1795251600123',
    '2026-11-21 09:00:00.123',
    '2026-11-21T09:00:00.123Z',
    '2026-11-21 09:00:00.123+0000',
    '2026-11-21 12:00:00.123+03:00',
  ])
    assert.deepEqual(read({ createdAtMs }), ['approved', '2026-11-21T09:00:00.123Z'], String(createdAtMs))
  for (const createdAtMs of ['soon', '2026-13-21 09:00:00', '-1', 1e300])
    assert.equal(read({ createdAtMs }), 'unreadable', String(createdAtMs))
})

it('refuses to connect without its secrets', () => {
  for (const name of ['app_token', 'secret_key', 'webhook_secret', 'level_name'])
    assert.throws(() => connect({ [name]: '' }), VendorProblem, name)
})
