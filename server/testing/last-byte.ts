import { connect, type Socket } from 'node:net'

/** `from`: another loopback address of this machine to come from. */
type Sent = { url: string; path: string; body: object; token?: string; from?: string }

export type Received = { status: number; text: string }

/**
 * Posts all of them at the same instant: each is sent but for its last byte, and when every server waits for that, all the
 * last bytes go out together. What a limit lets through between looking and counting comes through here.
 */
export async function postAtOnce(requests: Sent[]): Promise<Received[]> {
  const open = await Promise.all(requests.map(sendAllButTheLastByte))
  const answers = open.map(({ socket }) => readAnswer(socket))
  for (const { socket, lastByte } of open) socket.write(lastByte)
  return Promise.all(answers)
}

function sendAllButTheLastByte({ url, path, body, token, from }: Sent): Promise<{ socket: Socket; lastByte: Buffer }> {
  const { hostname, port, host } = new URL(url)
  const content = Buffer.from(JSON.stringify(body))
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${content.length}`,
    'connection: close',
    ...(token ? [`authorization: Bearer ${token}`] : []),
  ]
  return new Promise((resolve, reject) => {
    const place = { host: hostname, port: Number(port), ...(from && { localAddress: from }) }
    const socket = connect({ ...place, noDelay: true }, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
      socket.write(content.subarray(0, -1), () => resolve({ socket, lastByte: content.subarray(-1) }))
    })
    socket.once('error', reject)
  })
}

function readAnswer(socket: Socket): Promise<Received> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    socket.setTimeout(60_000, () => socket.destroy(new Error('The server does not answer.')))
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.once('error', reject)
    socket.once('close', () => {
      const text = Buffer.concat(parts).toString()
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    })
  })
}
