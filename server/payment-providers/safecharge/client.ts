import { type Http, PaymentProblem } from '../contract.ts'
import { type JsonObject, readObject } from '../messages.ts'

export type Answered = JsonObject

/** Wrong keys, wrong site or a refused IP address: staff must act. */
const settingCodes = new Set([1001, 1013, 1021, 1022, -1001, -1005])
const notFoundCodes = new Set([1036, 9146])

/** One REST call. Null when they do not know the transaction. */
export async function callSafecharge(http: Http, url: string, body: object): Promise<Answered | null> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await http({ method: 'POST', url, headers, body: JSON.stringify(body) })
  const answer = readObject(text)
  if (!answer) throw new PaymentProblem('unknown', `HTTP ${status} without JSON`)
  if (answer.status === 'SUCCESS') return answer
  const code = Number(answer.errCode)
  if (notFoundCodes.has(code)) return null
  const reason = typeof answer.reason === 'string' ? answer.reason.slice(0, 120) : ''
  throw new PaymentProblem(settingCodes.has(code) ? 'misconfigured' : 'unknown', `${code} ${reason}`.trim())
}
