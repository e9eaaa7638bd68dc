import { connect } from 'node:net'

/** Sends the bytes as they are; answers everything that came back until the server closed. `ends`: by closing our half. */
export function exchangeRaw(port: number, bytes: string, { ends }: { ends: boolean }): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const parts: Buffer[] = []
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.on('error', (problem: NodeJS.ErrnoException) => {
      if (problem.code === 'ECONNRESET' || problem.code === 'EPIPE') resolve(Buffer.concat(parts).toString('latin1'))
      else reject(problem)
    })
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')))
    if (ends) socket.end(Buffer.from(bytes, 'latin1'))
    else socket.write(Buffer.from(bytes, 'latin1'))
  })
}
