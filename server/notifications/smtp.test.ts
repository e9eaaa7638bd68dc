import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { describe, it } from 'node:test'
import { sendBySmtp } from './smtp.ts'

const post = {
  ...{ from: { name: 'Harbour', address: 'post@harbour.test' }, replyTo: null, to: 'member@harbour.test' },
  ...{ subject: 'Hello', text: 'Hello', html: '<p>Hello</p>', messageId: '<1@harbour.test>', date: new Date(0) },
}

/** A mail server on a non-loopback address. It answers as Postfix does and records the commands. */
async function startPostfix(
  starttls: 'missing' | 'refused',
): Promise<{ url: string; received: string[]; server: Server }> {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').write('220 mail.example.com ESMTP Postfix\r\n')
    socket.on('data', (text: string) => {
      for (const line of text.split('\r\n').filter(Boolean)) {
        received.push(line)
        const offered = starttls === 'missing' ? [] : ['250-STARTTLS']
        if (/^EHLO/i.test(line))
          socket.write(['250-mail.example.com', ...offered, '250-AUTH PLAIN LOGIN', '250 8BITMIME', ''].join('\r\n'))
        else if (/^STARTTLS/i.test(line))
          socket.write(
            starttls === 'missing' ? '502 5.5.1 Error: command not implemented\r\n' : '454 4.7.0 TLS not available\r\n',
          )
        else if (/^QUIT/i.test(line)) socket.end('221 2.0.0 Bye\r\n')
        else socket.write('250 2.0.0 Ok\r\n')
      }
    })
  }).listen(0, '127.0.0.2')
  await once(server, 'listening')
  return { url: `smtp://sender:S3cret-canary@127.0.0.2:${(server.address() as AddressInfo).port}`, received, server }
}

describe('the SMTP password', () => {
  for (const starttls of ['missing', 'refused'] as const)
    it(`never crosses a network unencrypted, where STARTTLS is ${starttls}`, async () => {
      const { url, received, server } = await startPostfix(starttls)
      try {
        const { outcome } = await sendBySmtp(url, post)
        assert.notEqual(outcome, 'sent')
        assert.ok(
          received.some((line) => /^STARTTLS/i.test(line)),
          received.join('\n'),
        )
        assert.deepEqual(
          received.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/i.test(line)),
          [],
        )
      } finally {
        server.close()
      }
    })
})
