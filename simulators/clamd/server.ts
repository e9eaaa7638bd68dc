import { createServer, type Socket } from 'node:net'
import { inflateRawSync } from 'node:zlib'

/** The EICAR test file, in two pieces: as one string, a virus scanner would remove this source. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** Faults: reads everything without an answer, answers nonsense, or reports an error. */
export type ClamdFault = 'silent' | 'garbage' | 'error' | null

/** A ClamAV daemon that knows one virus, plain or in a zip, and implements INSTREAM. */
export async function startClamd() {
  let fault: ClamdFault = null
  let scans = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      const stream = readStream(received)
      if (!stream || fault === 'silent') return
      scans += 1
      const verdict = hasVirus(stream) ? 'Eicar-Test-Signature FOUND' : 'OK'
      const said = { garbage: 'what?', error: 'stream: Can not read. ERROR\0' }
      socket.end(fault ? said[fault] : `stream: ${verdict}\0`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('No port')
  return {
    address: { host: '127.0.0.1', port: address.port },
    misbehave(next: ClamdFault) {
      fault = next
    },
    scans: () => scans,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const command = Buffer.from('zINSTREAM\0')

/** The file, once all chunks and the terminating empty one have arrived. */
function readStream(received: Buffer): Buffer | null {
  if (!received.subarray(0, command.length).equals(command)) return null
  const pieces: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(pieces)
    if (at + 4 + length > received.length) return null
    pieces.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

function hasVirus(content: Buffer, depth = 0): boolean {
  if (content.includes(eicar)) return true
  return depth < 3 && partsOf(content).some((part) => hasVirus(part, depth + 1))
}

const localHead = Buffer.from('504b0304', 'hex')

function partsOf(content: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (
    let at = content.indexOf(localHead);
    at !== -1 && at + 30 < content.length;
    at = content.indexOf(localHead, at + 4)
  ) {
    const start = at + 30 + content.readUInt16LE(at + 26) + content.readUInt16LE(at + 28)
    const packed = content.subarray(start, start + content.readUInt32LE(at + 18))
    try {
      parts.push(content.readUInt16LE(at + 8) === 8 ? inflateRawSync(packed) : packed)
    } catch {
      // Invalid zip content, which no program could open.
    }
  }
  return parts
}
