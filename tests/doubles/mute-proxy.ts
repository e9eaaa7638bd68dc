import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy that, once muted, drops all data silently without closing a connection. */
export async function openMuteProxy(url: string) {
  const to = new URL(url)
  const sockets = new Set<Socket>()
  let isMute = false
  let lines = 0
  const server = createServer((from) => {
    lines += 1
    const on = connect(Number(to.port), to.hostname)
    for (const [one, other] of [
      [from, on],
      [on, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('data', (chunk) => isMute || other.write(chunk))
      one.on('close', () => isMute || other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: through.href,
    /** The number of connections opened so far. */
    lines: () => lines,
    mute(is: boolean) {
      isMute = is
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
