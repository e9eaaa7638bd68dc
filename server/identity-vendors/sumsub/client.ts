/** HTTP only: paths, headers, signing, and the meaning of status codes. */

import { z } from 'zod'
import { type VendorHttp, VendorProblem } from '../contract.ts'
import { signRequest } from './translate.ts'

type Options = { baseUrl: string; appToken: string; secretKey: string; http: VendorHttp; now: () => Date }

export function makeClient({ baseUrl, appToken, secretKey, http, now }: Options) {
  const send = async (method: 'GET' | 'POST', path: string, content?: object) => {
    const body = content ? JSON.stringify(content) : ''
    const { ts, signature } = signRequest({ secret: secretKey, at: now(), method, path, body })
    const { status, text } = await http({
      method,
      url: `${baseUrl.replace(/\/$/, '')}${path}`,
      headers: {
        'x-app-token': appToken,
        'x-app-access-ts': ts,
        'x-app-access-sig': signature,
        ...(content && { 'content-type': 'application/json' }),
      },
      ...(content && { body }),
    })
    return { status, answer: parse(text) }
  }
  const must = async (method: 'GET' | 'POST', path: string, content?: object): Promise<unknown> => {
    const { status, answer } = await send(method, path, content)
    if (status >= 200 && status < 300) return answer
    throw problemOf(status)
  }

  return {
    /** A repeated external id is the same applicant: after a 409 the existing one is read. */
    async createApplicant(level: string, externalUserId: string, email: string): Promise<string> {
      const path = `/resources/applicants?levelName=${encodeURIComponent(level)}`
      const { status, answer } = await send('POST', path, { externalUserId, email })
      if (status >= 200 && status < 300) return read(applicant, answer).id
      if (status !== 409) throw problemOf(status)
      const known = await must(
        'GET',
        `/resources/applicants/-;externalUserId=${encodeURIComponent(externalUserId)}/one`,
      )
      return read(applicant, known).id
    },
    async makeToken(level: string, userId: string, ttlInSecs: number): Promise<string> {
      return read(token, await must('POST', '/resources/accessTokens/sdk', { userId, levelName: level, ttlInSecs }))
        .token
    },
    async makeLink(level: string, userId: string, ttlInSecs: number): Promise<string> {
      const path = `/resources/sdkIntegrations/levels/${encodeURIComponent(level)}/websdkLink`
      return read(link, await must('POST', path, { userId, ttlInSecs })).url
    },
    readStatus: (applicantId: string) => must('GET', `/resources/applicants/${encodeURIComponent(applicantId)}/status`),
  }
}

const applicant = z.object({ id: z.string().min(1).max(100) })
const token = z.object({ token: z.string().min(1).max(4_000) })
const link = z.object({ url: z.url({ protocol: /^https?$/ }).max(2_000) })

function read<Shape extends z.ZodType>(shape: Shape, answer: unknown): z.output<Shape> {
  const parsed = shape.safeParse(answer)
  if (!parsed.success) throw new VendorProblem('unknown', 'the answer was not as documented')
  return parsed.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A 4xx refusal of our key or request is our misconfiguration; anything else is theirs and may be retried. */
function problemOf(status: number): VendorProblem {
  const isOurs = status >= 400 && status < 500 && status !== 429
  return new VendorProblem(isOurs ? 'misconfigured' : 'unavailable', `answered ${status}`)
}
