import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  url: string
  /** What was asked of a process that was gone before it answered, and was not asked of another: what became of it is unknown. */
  lost: readonly string[]
  close(): Promise<void>
}

const isRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['content-length'] === undefined && !headers['transfer-encoding']

/** Left out for this long after it refused a connection, or said that it is not ready. */
const restMs = 500
const lookEveryMs = 200

/**
 * A plain balancer, as HAProxy is with `balance roundrobin` and `option redispatch`, looking at `/readyz`: each request goes to the next process,
 * whoever asks; one that could not be handed over at all goes to another. What was handed over is sent again only if it asks to read,
 * and nothing came back because the process is gone.
 */
export async function startBalancer(targets: readonly string[], ownPort = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const restingUntil = new Map<string, number>()
  const lost: string[] = []
  let turn = 0

  function nextTargets(): string[] {
    turn = (turn + 1) % targets.length
    const inTurn = [...targets.slice(turn), ...targets.slice(0, turn)]
    const isUp = (target: string): boolean => (restingUntil.get(target) ?? 0) < performance.now()
    return [...inTurn.filter(isUp), ...inTurn.filter((target) => !isUp(target))]
  }

  function forward(asked: IncomingMessage, answer: ServerResponse, [target, ...others]: string[]): void {
    if (target === undefined) {
      answer.writeHead(503, { 'content-type': 'text/plain' }).end('No process answers.')
      return
    }
    const from = asked.socket.remoteAddress ?? ''
    const headers = { ...asked.headers, 'x-forwarded-for': from, 'x-forwarded-proto': 'http' }
    const sent = send(new URL(target), { path: asked.url, method: asked.method, headers, agent })
    sent.once('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.rawHeaders)
      got.pipe(answer)
      got.once('error', () => answer.destroy())
    })
    sent.once('error', (problem: NodeJS.ErrnoException) => {
      if (answer.closed) return // Nobody waits for it any more, and so it was let go.
      if (problem.code === 'ECONNREFUSED') {
        restingUntil.set(target, performance.now() + restMs)
        forward(asked, answer, others)
      } else if (!answer.headersSent && isRead(asked)) forward(asked, answer, others)
      else if (answer.headersSent) answer.destroy()
      else {
        lost.push(`${asked.method} ${asked.url?.split('?')[0]}`)
        answer.writeHead(502, { 'content-type': 'text/plain' }).end('The process ended while it answered.')
      }
    })
    // Whoever goes away, the other side is told.
    answer.once('close', () => sent.destroy())
    // Only to somebody who is there: what was read from the asker cannot be read again for the next.
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => asked.pipe(sent))
      else asked.pipe(sent)
    })
  }

  async function look(target: string): Promise<void> {
    const answer = await fetch(new URL('/readyz', target)).catch(() => null)
    if (answer?.status === 503) restingUntil.set(target, performance.now() + restMs)
    await answer?.body?.cancel()
  }
  const looking = setInterval(() => targets.forEach(look), lookEveryMs)

  const server = createServer((asked, answer) => forward(asked, answer, nextTargets()))
  server.listen(ownPort, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    lost,
    async close() {
      clearInterval(looking)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
