import { createReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** `unknown`: no answer, or one without a verdict. */
export type Verdict = 'clean' | 'infected' | 'unknown'
export type Scanner = { scan(path: string): Promise<Verdict> }

/** Longer than a large file takes; a scanner silent for so long counts as unavailable. */
const silentMsMax = 30_000
const answerBytesMax = 4_096

type Address = { host: string; port: number }

/**
 * Client of the ClamAV daemon; sends the file in chunks (INSTREAM), so that the scanner may be on another machine.
 * Never throws: callers must handle an unavailable scanner.
 */
export function openClamd(address: Address, silentMs = silentMsMax): Scanner {
  return {
    async scan(path) {
      try {
        return readVerdict(await ask(address, path, silentMs))
      } catch {
        return 'unknown'
      }
    },
  }
}

async function ask({ host, port }: Address, path: string, silentMs: number): Promise<string> {
  const socket = connect({ host, port })
  socket.setTimeout(silentMs, () => socket.destroy(new Error('The scanner is silent')))
  const answer = readAnswer(socket)
  // The scanner may answer before the whole file is sent and stop reading; only the answer counts.
  const sending = send(socket, path).catch(() => undefined)
  try {
    return await answer
  } finally {
    socket.destroy()
    await sending
  }
}

async function send(socket: Socket, path: string): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'))
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(chunk.length)
    await write(socket, Buffer.concat([length, chunk]))
  }
  await write(socket, Buffer.alloc(4))
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (problem) => (problem ? reject(problem) : resolve()))
  })
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      if (answer.includes('\0') || answer.length > answerBytesMax) resolve(answer)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

function readVerdict(answer: string): Verdict {
  const said = /^stream: ([^\0]*)\0/.exec(answer)?.[1] ?? ''
  if (said === 'OK') return 'clean'
  return said.endsWith(' FOUND') ? 'infected' : 'unknown'
}
