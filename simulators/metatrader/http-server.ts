import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const BODY_CHARS_MAX = 1_000_000

/** Listens on loopback only; 0 takes any free port. Returns the port. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  return (server.address() as AddressInfo).port
}

export async function closeServer(server: Server, hangUp: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  hangUp()
  server.closeAllConnections()
  await closed
}

export async function readText(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  for await (const chunk of request) {
    text += chunk as string
    if (text.length > BODY_CHARS_MAX) throw new Error('The body is too long')
  }
  return text
}
