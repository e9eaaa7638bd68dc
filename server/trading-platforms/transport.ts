import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { GatewayError, type GatewayFailure } from './contract.ts'

export type HttpAnswer = { status: number; text: string; headers: IncomingMessage['headers'] }

/** `sent`: bytes of the call were sent, so the other side may have acted on it. */
export class TransportFailure extends Error {
  readonly kind: 'unreachable' | 'lost' | 'aborted'
  readonly sent: boolean
  constructor(kind: TransportFailure['kind'], sent: boolean) {
    super(`connection ${kind}`)
    this.kind = kind
    this.sent = sent
  }
}

export function transportError(error: TransportFailure, closed: boolean): GatewayError {
  const reasons = {
    unreachable: 'unreachable',
    lost: 'session_lost',
    aborted: closed ? 'shutdown' : 'timeout',
  } as const
  const reason: GatewayFailure['reason'] = reasons[error.kind]
  return new GatewayError({ outcome: error.sent ? 'unknown' : 'not_executed', reason, sent: error.sent })
}

export function shutdownError(): GatewayError {
  return new GatewayError({ outcome: 'not_executed', reason: 'shutdown', sent: false })
}

export type Trust = { caPem?: string | undefined; serverName?: string | undefined }

/** Verification cannot be disabled: a server with its own certificate is accepted by that certificate. */
export function tlsOptions({ caPem, serverName }: Trust, host: string) {
  const name = serverName ?? host
  return {
    // SNI allows names only; an address is checked against the certificate without it.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(caPem === undefined ? {} : { ca: caPem }),
    rejectUnauthorized: true,
  }
}

const ANSWER_BYTES_MAX = 32_000_000

export async function readAnswer(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > ANSWER_BYTES_MAX) throw new Error('The answer is too long')
  }
  if (!response.complete) throw new Error('The answer is cut off')
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(chunks).toString('utf8'),
    headers: response.headers,
  }
}
