import { Agent, request } from 'node:http'
import type { Asked } from './load-generator.ts'

export type Answer = { status: number; retryAfter: string | undefined }
export type Ask = (asked: Asked) => Promise<Answer>

export function makeAsk(url: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 300 })
  return ({ method = 'GET', path, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, agent, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }))
      })
      sent.on('error', reject)
      sent.end(body)
    })
}

export const expectStatus =
  (status: number) =>
  (answer: Answer): void => {
    if (answer.status !== status) throw new Error(`Answered ${answer.status} and not ${status}`)
  }
