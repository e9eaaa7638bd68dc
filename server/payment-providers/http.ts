import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { guardedLookup, isReachable } from '../foundation/database/reachable.ts'
import { type Http, type HttpAnswer, type HttpRequest, PaymentProblem } from './contract.ts'

type Options = { production: boolean; timeoutMs?: number }

/**
 * Excludes the networks opened for trading platforms (`PLATFORM_NETWORKS`): a provider is never in an internal network.
 */
const reachOf = ({ production }: Options) => ({ production, platformNetworks: [] })

/** Longer than any provider normally takes, and shorter than a member waits before retrying. */
const usualTimeoutMs = 12_000
const answerBytesMax = 1_000_000

/**
 * HTTP to providers: in production no internal addresses and no plain HTTP (simulators use both), never a redirect,
 * always a timeout. A request that was not sent is `unavailable`; one sent without an answer is `unknown`.
 */
export function openHttp(options: Options): Http {
  return (request) => send(request, options)
}

export function refuseInward(address: string, options: Options): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new PaymentProblem('misconfigured', 'no address')
  if (options.production && url.protocol !== 'https:') throw new PaymentProblem('misconfigured', 'not https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isReachable(reachOf(options), host))
    throw new PaymentProblem('misconfigured', 'in a private network')
  return url
}

async function send(request: HttpRequest, options: Options): Promise<HttpAnswer> {
  const url = refuseInward(request.url, options)
  const open = url.protocol === 'https:' ? secureRequest : plainRequest
  const timeoutMs = options.timeoutMs ?? usualTimeoutMs
  return new Promise((resolve, reject) => {
    let sent = false
    const fail = (detail: string): void => reject(new PaymentProblem(sent ? 'unknown' : 'unavailable', detail))
    const outgoing = open(
      url,
      {
        method: request.method,
        agent: false,
        lookup: guardedLookup(reachOf(options)),
        headers: {
          accept: 'application/json',
          ...request.headers,
          ...(request.body !== undefined && { 'content-length': String(Buffer.byteLength(request.body)) }),
        },
        signal: AbortSignal.timeout(timeoutMs),
      },
      (answer) => {
        const chunks: Buffer[] = []
        let sizeBytes = 0
        answer.on('data', (chunk: Buffer) => {
          sizeBytes += chunk.length
          if (sizeBytes > answerBytesMax) answer.destroy(new Error('too long'))
          else chunks.push(chunk)
        })
        answer.on('error', () => fail('the answer broke off'))
        answer.on('end', () =>
          answer.complete
            ? resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
            : fail('the answer broke off'),
        )
      },
    )
    outgoing.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (sent = true)),
    )
    outgoing.on('error', (problem) => {
      // The signal's time-out arrives as the abortion of the request.
      if (problem.name === 'AbortError') fail('no answer in time')
      else fail(sent ? 'the connection broke off' : 'not reachable')
    })
    outgoing.end(request.body)
  })
}
