import { Readable } from 'node:stream'
import { asciiEmail } from '@atrium/contract/validators/reach.ts'
import type { NodemailerError } from 'nodemailer/lib/errors'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'

export type Post = {
  from: { name: string; address: string }
  replyTo: string | null
  to: string
  subject: string
  text: string
  html: string
  /** The same at every attempt, so that the mail server can detect a duplicate. */
  messageId: string
  date: Date
}

/** `unknown`: the mail server had the whole mail and did not confirm it. */
export type Outcome = { outcome: 'sent' } | { outcome: 'refused' | 'later' | 'unknown'; problem: string }

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 30_000 }

/** For the whole attempt: a slow server could otherwise exceed the lease (delivery.ts). */
const patienceMs = 90_000

/** Sends one mail. Never throws for a mail server's behaviour, and never returns its text. */
export async function sendBySmtp(
  smtpUrl: string,
  post: Post,
  patience = AbortSignal.timeout(patienceMs),
): Promise<Outcome> {
  const content = await compose(post)
  const connection = new SMTPConnection({ ...optionsOf(new URL(smtpUrl)), ...timeouts })
  // The library reads the content only after the server's go-ahead: from here on silence means an unknown outcome.
  let isContentSent = false
  const stream = Readable.from(
    (function* () {
      isContentSent = true
      yield content
    })(),
  )
  try {
    const delivery = { url: new URL(smtpUrl), from: asciiEmail(post.from.address), to: asciiEmail(post.to), stream }
    await Promise.race([transmit(connection, delivery), runOut(patience)])
    return { outcome: 'sent' }
  } catch (problem) {
    return judge(problem as NodemailerError, isContentSent)
  } finally {
    connection.close()
  }
}

function compose(post: Post): Promise<Buffer> {
  const { from, replyTo, to, messageId, ...rest } = post
  const mail = new MailComposer({
    ...rest,
    from,
    // An object is one address, whatever commas it contains.
    to: { name: '', address: to },
    ...(replyTo && { replyTo: { name: from.name, address: replyTo } }),
    messageId,
    headers: { 'auto-submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return mail.compile().build()
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

function optionsOf(url: URL) {
  const secure = url.protocol === 'smtps:'
  const hasSecret = url.password !== ''
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // Requires TLS for a password, whatever the server offers.
    requireTLS: hasSecret && !secure && !loopback.includes(url.hostname),
    socketCloseTimeout: 0,
  }
}

function runOut(patience: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    patience.addEventListener('abort', () => reject(Object.assign(new Error('too slow'), { code: 'too slow' })))
  })
}

type Delivery = { url: URL; from: string; to: string; stream: Readable }

function transmit(connection: SMTPConnection, { url, from, to, stream }: Delivery): Promise<void> {
  return new Promise((resolve, reject) => {
    const send = (): void =>
      connection.send({ from, to: [to] }, stream, (problem) => {
        if (problem) return reject(problem)
        connection.quit()
        resolve()
      })
    connection.on('error', reject)
    connection.connect((problem) => {
      if (problem) return reject(problem)
      if (url.username === '') return send()
      const user = decodeURIComponent(url.username)
      const pass = decodeURIComponent(url.password)
      connection.login({ user, pass, credentials: { user, pass } }, (refused) => (refused ? reject(refused) : send()))
    })
  })
}

/** Codes only: a server's answer may repeat the address or more. */
function judge(problem: NodemailerError, isContentSent: boolean): Outcome {
  const words = [problem.code, problem.responseCode].filter((word) => word !== undefined).join(' ') || 'unknown'
  const isOurs = problem.code === 'EAUTH' || problem.code === 'ENOAUTH'
  // Wrong credentials are an installation problem, not this mail's: it is sent once they are corrected.
  if (problem.permanent && !isOurs) return { outcome: 'refused', problem: words }
  if (problem.responseCode !== undefined || !isContentSent) return { outcome: 'later', problem: words }
  return { outcome: 'unknown', problem: words }
}
