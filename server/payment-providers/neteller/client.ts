import { type Http, PaymentProblem } from '../contract.ts'
import { isFinalRefusal, isObject, type JsonObject, readObject, textIn } from '../messages.ts'

export type Caller = {
  post(path: string, body: string): Promise<JsonObject>
  /** The records under our attempt id; empty if there are none. */
  list(path: string, attempt: string, name: string): Promise<readonly JsonObject[]>
}

/** Authenticates every call with the key's name and secret by HTTP Basic. */
export function openCaller(http: Http, of: { baseUrl: string; username: string; password: string }): Caller {
  const authorization = basic(of.username, of.password)
  return {
    async post(path, body) {
      const headers = { authorization, 'content-type': 'application/json' }
      const { status, text } = await http({ method: 'POST', url: `${of.baseUrl}${path}`, headers, body })
      return answerIn(status, text)
    },
    async list(path, attempt, name) {
      const url = `${of.baseUrl}${path}?merchantRefNum=${encodeURIComponent(attempt)}`
      const { status, text } = await http({ method: 'GET', url, headers: { authorization } })
      if (status === 404 && readObject(text) !== null) return []
      const found = answerIn(status, text)[name]
      if (!Array.isArray(found)) throw new PaymentProblem('unknown', `an answer without ${name}`)
      return found.filter(isObject).filter((each) => textIn(each.merchantRefNum) === attempt)
    },
  }
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`

function answerIn(status: number, text: string): JsonObject {
  const answer = readObject(text)
  if (!answer) throw new PaymentProblem('unknown', `HTTP ${status} without JSON`)
  if (status === 200 || status === 201) return answer
  const error = isObject(answer.error) ? answer.error : {}
  const code = textIn(error.code)
  const detail = `${status} ${code} ${textIn(error.message)}`.trim()
  if (code === '5031') throw new UsedBefore('unknown', detail)
  throw new PaymentProblem(failureOf(status, code), detail)
}

/** Our attempt id was used before, so the outcome is looked up and nothing is sent again. */
export class UsedBefore extends PaymentProblem {}

function failureOf(status: number, code: string): PaymentProblem['failure'] {
  if (code === '5279' || status === 401 || status === 403) return 'misconfigured'
  if (code === '1200' || status === 429) return 'unavailable'
  return isFinalRefusal(status) ? 'declined' : 'unknown'
}
