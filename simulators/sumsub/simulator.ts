import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Sumsub as publicly documented: signed requests, applicants, tokens, links, and signed webhooks. */
export type SumsubKeys = { appToken: string; secretKey: string; webhookSecret: string; level: string }
export const usualKeys: SumsubKeys = {
  appToken: 'sbx:simulated',
  secretKey: 'simulated-secret',
  webhookSecret: 'simulated-webhook-secret',
  level: 'basic-kyc',
}

type Applicant = { id: string; externalUserId: string; reviewStatus: string; reviewResult?: object }
export type Answered = {
  reviewAnswer: 'GREEN' | 'RED'
  reviewRejectType?: 'FINAL' | 'RETRY'
  moderationComment?: string
}
type Fault = 'none' | 'fail-before' | 'garbage' | 'silent'

export type SumsubSimulator = {
  url: string
  keys: SumsubKeys
  control: {
    fault: Fault
    /** The origin of the links to the page of a check. */
    linksAt: string
    applicants(): Applicant[]
    /** The member has submitted all documents. */
    submit(externalUserId: string): SignedWebhook
    review(externalUserId: string, result: Answered): SignedWebhook
  }
  /** Does not keep the process alive. */
  unref(): void
  close(): Promise<void>
}

export type SignedWebhook = { body: Buffer; headers: Record<string, string> }

/** A request whose timestamp differs by more than this is refused, as at Sumsub. */
const clockToleranceMs = 60_000

export async function startSumsubSimulator(
  keys: SumsubKeys = usualKeys,
  now = () => new Date(),
): Promise<SumsubSimulator> {
  const applicants = new Map<string, Applicant>()
  const control: SumsubSimulator['control'] = {
    fault: 'none',
    linksAt: 'https://in.sumsub.com',
    applicants: () => [...applicants.values()],
    submit: (externalUserId) => sign(externalUserId, 'applicantPending', { reviewStatus: 'pending' }),
    review: (externalUserId, reviewResult) =>
      sign(externalUserId, 'applicantReviewed', { reviewStatus: 'completed', reviewResult }),
  }

  function sign(externalUserId: string, type: string, change: Partial<Applicant>): SignedWebhook {
    const applicant = applicants.get(externalUserId)
    if (!applicant) throw new Error(`There is no applicant ${externalUserId}`)
    Object.assign(applicant, change)
    const { id: applicantId, reviewStatus, reviewResult } = applicant
    const createdAtMs = now().toISOString().replace('T', ' ').replace('Z', '')
    const message = {
      applicantId,
      externalUserId,
      type,
      reviewStatus,
      reviewResult,
      createdAtMs,
      levelName: keys.level,
    }
    return signWebhook(keys.webhookSecret, Buffer.from(JSON.stringify(message)))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const send = (status: number, content: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(content))
    }
    if (control.fault === 'silent') return
    if (control.fault === 'fail-before') return send(503, { description: 'Try again later' })
    if (control.fault === 'garbage') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>')
      return
    }
    if (!isSigned(request, body)) return send(401, { description: 'Request signature mismatch' })
    const path = (request.url ?? '').split('?')[0] ?? ''
    const sent = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
    if (request.method === 'POST' && path === '/resources/applicants') return create(sent, send)
    const known = /^\/resources\/applicants\/-;externalUserId=([^/]+)\/one$/.exec(path)?.[1]
    if (known) {
      const found = applicants.get(decodeURIComponent(known))
      return found ? send(200, found) : send(404, { description: 'Applicant not found' })
    }
    const asked = /^\/resources\/applicants\/([^/]+)\/status$/.exec(path)?.[1]
    if (asked) {
      const found = [...applicants.values()].find(({ id }) => id === asked)
      return found ? send(200, found) : send(404, { description: 'Applicant not found' })
    }
    const { userId = '' } = sent
    if (path === '/resources/accessTokens/sdk' && applicants.has(userId))
      return send(200, { token: `_act-sbx-${randomBytes(12).toString('hex')}`, userId })
    if (path === `/resources/sdkIntegrations/levels/${encodeURIComponent(keys.level)}/websdkLink`)
      return send(200, { url: `${control.linksAt}/websdk/p/${randomBytes(8).toString('hex')}` })
    return send(404, { description: 'Not found' })
  }

  function create(sent: Record<string, string>, send: (status: number, content: object) => void): void {
    const { externalUserId = '' } = sent
    if (applicants.has(externalUserId)) {
      send(409, { description: 'Applicant with such user id exists' })
      return
    }
    const applicant = { id: randomBytes(12).toString('hex'), externalUserId, reviewStatus: 'init' }
    applicants.set(externalUserId, applicant)
    send(201, applicant)
  }

  function isSigned({ headers, method, url }: IncomingMessage, body: string): boolean {
    const ts = String(headers['x-app-access-ts'])
    const wanted = createHmac('sha256', keys.secretKey).update(`${ts}${method}${url}${body}`).digest('hex')
    const isOfNow = Math.abs(now().getTime() - Number(ts) * 1_000) <= clockToleranceMs
    return isOfNow && headers['x-app-token'] === keys.appToken && headers['x-app-access-sig'] === wanted
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    control,
    unref: () => server.unref(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export function signWebhook(secret: string, body: Buffer, algorithm: 'sha256' | 'sha512' = 'sha256'): SignedWebhook {
  const name = algorithm === 'sha256' ? 'HMAC_SHA256_HEX' : 'HMAC_SHA512_HEX'
  const digest = createHmac(algorithm, secret).update(body).digest('hex')
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-payload-digest': digest, 'x-payload-digest-alg': name },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
