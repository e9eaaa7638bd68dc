import { type Http, type HttpAnswer, type HttpRequest, PaymentProblem } from '../contract.ts'

export type Answered = Record<string, unknown>

/** One call: paths and what their codes mean. A body that is no JSON of theirs says nothing about what happened. */
export async function callZota(http: Http, request: HttpRequest): Promise<Answered> {
  const answer = await http({ ...request, headers: { 'content-type': 'application/json', ...request.headers } })
  const { code, message, data } = parse(answer)
  if (code === 200 && isObject(data)) return data
  throw new PaymentProblem(failureOf(code), `${code} ${message}`.trim())
}

function parse({ status, text }: HttpAnswer): { code: number; message: string; data: unknown } {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new PaymentProblem('unknown', `HTTP ${status} without JSON`)
  }
  if (!isObject(body) || body.code === undefined) throw new PaymentProblem('unknown', `HTTP ${status} without a code`)
  return {
    code: Number(body.code),
    message: typeof body.message === 'string' ? body.message.slice(0, 120) : '',
    data: body.data,
  }
}

function failureOf(code: number): PaymentProblem['failure'] {
  if (code === 401 || code === 403) return 'misconfigured'
  if (code === 429) return 'unavailable'
  return code >= 400 && code < 500 ? 'declined' : 'unknown'
}

const isObject = (value: unknown): value is Answered =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
