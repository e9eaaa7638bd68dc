import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  url: string
  /** Requests dropped by a process and not retried; their outcome is unknown. */
  lost: readonly string[]
  close(): Promise<void>
}

const isRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['content-length'] === undefined && !headers['transfer-encoding']

/** How long a process is skipped after it refused a connection or reported not ready. */
const downMs = 500
const checkEveryMs = 200

/**
 * A plain balancer like HAProxy with `balance roundrobin` and `option redispatch`, checking `/readyz`: each request goes to
 * the next process, and to another one if the connection is refused. A request that was sent is retried only if it is a read
 * and the process died before responding.
 */
export async function startBalancer(targets: readonly string[], ownPort = 0): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const downUntil = new Map<string, number>()
  const lost: string[] = []
  let turn = 0

  function nextTargets(): string[] {
    turn = (turn + 1) % targets.length
    const inTurn = [...targets.slice(turn), ...targets.slice(0, turn)]
    const isUp = (target: string): boolean => (downUntil.get(target) ?? 0) < performance.now()
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
      if (answer.closed) return // The client has disconnected, so the upstream request was aborted.
      if (problem.code === 'ECONNREFUSED') {
        downUntil.set(target, performance.now() + downMs)
        forward(asked, answer, others)
      } else if (!answer.headersSent && isRead(asked)) forward(asked, answer, others)
      else if (answer.headersSent) answer.destroy()
      else {
        lost.push(`${asked.method} ${asked.url?.split('?')[0]}`)
        answer.writeHead(502, { 'content-type': 'text/plain' }).end('The process ended while it answered.')
      }
    })
    // When one side disconnects, the other is closed.
    answer.once('close', () => sent.destroy())
    // Pipes only after connecting: the request body cannot be read again for the next process.
    sent.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => asked.pipe(sent))
      else asked.pipe(sent)
    })
  }

  async function check(target: string): Promise<void> {
    const answer = await fetch(new URL('/readyz', target)).catch(() => null)
    if (answer?.status === 503) downUntil.set(target, performance.now() + downMs)
    await answer?.body?.cancel()
  }
  const timer = setInterval(() => targets.forEach(check), checkEveryMs)

  const server = createServer((asked, answer) => forward(asked, answer, nextTargets()))
  server.listen(ownPort, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    lost,
    async close() {
      clearInterval(timer)
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
