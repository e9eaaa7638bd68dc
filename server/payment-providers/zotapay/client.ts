import { type Http, type HttpAnswer, type HttpRequest, PaymentProblem } from '../contract.ts'
import { isFinalRefusal, isObject, type JsonObject, readObject } from '../messages.ts'

export type Answered = JsonObject

/** One call: paths and the meaning of their codes. Any body but their JSON leaves the outcome unknown. */
export async function callZota(http: Http, request: HttpRequest): Promise<Answered> {
  const answer = await http({ ...request, headers: { 'content-type': 'application/json', ...request.headers } })
  const { code, message, data } = parse(answer)
  if (code === 200 && isObject(data)) return data
  throw new PaymentProblem(failureOf(code), `${code} ${message}`.trim())
}

function parse({ status, text }: HttpAnswer): { code: number; message: string; data: unknown } {
  const body = readObject(text)
  if (!body) throw new PaymentProblem('unknown', `HTTP ${status} without JSON`)
  if (body.code === undefined) throw new PaymentProblem('unknown', `HTTP ${status} without a code`)
  return {
    code: Number(body.code),
    message: typeof body.message === 'string' ? body.message.slice(0, 120) : '',
    data: body.data,
  }
}

function failureOf(code: number): PaymentProblem['failure'] {
  if (code === 401 || code === 403) return 'misconfigured'
  if (code === 429) return 'unavailable'
  return isFinalRefusal(code) ? 'declined' : 'unknown'
}
