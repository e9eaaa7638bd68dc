import { type Http, PaymentProblem } from '../contract.ts'
import { formBody, formType, type JsonObject, readObject } from '../messages.ts'

type Sent = readonly (readonly [string, string])[]

/** Their answer to one payout. Anything but their JSON leaves the outcome unknown. */
export async function sendPayout(http: Http, url: string, fields: Sent): Promise<JsonObject> {
  const { status, text } = await http({ method: 'POST', url, headers: formType, body: formBody(fields) })
  const answer = readObject(text)
  if (!answer || answer.RespCode === undefined) throw new PaymentProblem('unknown', `HTTP ${status} without a code`)
  return answer
}

/** One line of text: the payout's record or an error sentence. HTML or an empty body is an unknown outcome. */
export async function askAboutPayout(http: Http, url: string, fields: Sent): Promise<string> {
  const { status, text } = await http({ method: 'POST', url, headers: formType, body: formBody(fields) })
  const line = text.trim()
  if (status !== 200 || line === '' || line.startsWith('<')) throw new PaymentProblem('unknown', `HTTP ${status}`)
  return line
}
