import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A database that answers every query with the same row of texts, until its machine loses power. */
export type SilentMachine = {
  url: string
  /** As seen by a client: its connections stay open, and nothing is answered. */
  losePower(): void
  close(): void
}

export async function openMachine(row: Record<string, string>): Promise<SilentMachine> {
  let isAlive = true
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => {
    let hasBegun = false
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (asked) => {
      if (!isAlive) return
      if (!hasBegun) socket.write(Buffer.concat([message('R', int32(0)), ready]))
      else if (asked.includes('select')) socket.write(Buffer.concat([...oneRow(row), ready]))
      else socket.write(Buffer.concat([message('C', ended('COMMIT')), ready]))
      hasBegun = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://reader@127.0.0.1:${port}/atrium`,
    losePower() {
      isAlive = false
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const int16 = (number: number): Buffer => Buffer.from([number >> 8, number & 255])
const int32 = (number: number): Buffer => Buffer.concat([int16(number >>> 16), int16(number & 65_535)])
const ended = (text: string): Buffer => Buffer.from(`${text}\0`)

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

const ready = message('Z', Buffer.from('I'))

function oneRow(row: Record<string, string>): Buffer[] {
  const columns = Object.keys(row).flatMap((name) => [
    ...[ended(name), int32(0), int16(0), int32(25), int16(65_535), int32(0xffff_ffff), int16(0)],
  ])
  const values = Object.values(row).flatMap((text) => [int32(text.length), Buffer.from(text)])
  const count = int16(Object.keys(row).length)
  return [message('T', count, ...columns), message('D', count, ...values), message('C', ended('SELECT 1'))]
}
