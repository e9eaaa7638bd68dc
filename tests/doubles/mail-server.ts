import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/**
 * The server's behaviour for the next mail; `silence…` closes the connection without a reply, `deaf…` keeps it open without a
 * reply.
 */
export type MailServerBehaviour =
  | 'accept'
  | 'refuse-recipient'
  | 'busy'
  | 'refuse-content'
  | 'silence-before-content'
  | 'silence-after-content'
  | 'refuse-credentials'
  | 'deaf-from-the-start'
  | 'deaf-before-content'
  | 'deaf-after-content'

export type MailServer = {
  url: string
  /** The accepted mails as received, including those whose connection it closed after the content. */
  received: string[]
  /** Lines received without a reply. */
  unanswered: string[]
  /** Envelope recipients of each started mail. */
  recipients: string[]
  setBehaviour(behaviour: MailServerBehaviour): void
  close(): Promise<void>
}

/** A mail server with a minimal SMTP, which misbehaves on request. */
export async function startMailServer(): Promise<MailServer> {
  let behaviour: MailServerBehaviour = 'accept'
  const received: string[] = []
  const recipients: string[] = []
  const unanswered: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    converse(socket)
  })

  function converse(socket: Socket): void {
    let content: string | null = null
    let unread = ''
    const reply = (line: string) => socket.write(`${line}\r\n`)
    if (behaviour === 'deaf-from-the-start') unanswered.push('')
    else reply('220 mail.test ready')
    socket.setEncoding('utf8')
    socket.on('data', (part: string) => {
      unread += part
      for (let end = unread.indexOf('\r\n'); end >= 0; end = unread.indexOf('\r\n')) {
        const line = unread.slice(0, end)
        unread = unread.slice(end + 2)
        if (content === null) command(line)
        else if (line === '.') finish()
        else content += `${line}\n`
      }
    })

    function command(line: string): void {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') reply('250-mail.test\r\n250 AUTH PLAIN')
      else if (verb === 'AUTH') reply(behaviour === 'refuse-credentials' ? '535 no' : '235 welcome')
      else if (verb === 'RCPT') {
        recipients.push(line)
        reply(behaviour === 'refuse-recipient' ? '550 no such mailbox' : '250 ok')
      } else if (verb === 'DATA') {
        if (behaviour === 'silence-before-content') return void socket.destroy()
        if (behaviour === 'deaf-before-content') return void unanswered.push(line)
        content = ''
        reply('354 go ahead')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else reply('250 ok')
    }

    function finish(): void {
      const whole = content ?? ''
      content = null
      if (behaviour === 'busy') return void reply('451 later')
      if (behaviour === 'refuse-content') return void reply('554 not wanted')
      received.push(whole)
      if (behaviour === 'silence-after-content') return void socket.destroy()
      if (behaviour === 'deaf-after-content') return void unanswered.push('.')
      reply('250 taken')
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    unanswered,
    recipients,
    setBehaviour(next) {
      behaviour = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
