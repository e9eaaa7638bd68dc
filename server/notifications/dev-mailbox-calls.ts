import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import type { System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { proveWorkspace } from '../http/authenticate.ts'
import { openContent } from './mail.ts'
import { escapeHtml } from './templates.ts'

/**
 * The mailbox shows every mail, reset links included, to anyone, so it exists only in development and in the demo. A
 * server that merely lacks NODE_ENV=production has none.
 */
export function hasDevMailbox(config: Config): boolean {
  return !config.production && config.smtpUrl === null && (config.demo || config.development)
}

const shownMax = 100

type StoredMail = {
  _id: string
  to: string
  subject: string
  text: string
  html: string
  state: string
  created_at: number
}

export function openDevMailbox(app: FastifyInstance, context: Context): void {
  // Registered in production too, to answer 404: otherwise the portal's page would be served.
  app.get('/dev/mailbox', async (request, reply) => {
    if (!hasDevMailbox(context.config)) refuseNotFound()
    const mails = await readMails(await proveWorkspace(context, request))
    if (request.headers.accept?.includes('application/json')) return { status: 'ok', mails }
    return sendPage(reply, mails)
  })
  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async (request, reply) => {
    if (!hasDevMailbox(context.config)) refuseNotFound()
    const mails = await readMails(await proveWorkspace(context, request))
    const mail = mails.find((each) => each._id === request.params.id) ?? refuseNotFound()
    // As in a mail program: inline styles, and no scripts or other page features.
    const policy =
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-popups"
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(mail.html)
  })
}

/** Newest first, whether their job has run or not. */
async function readMails(system: System): Promise<StoredMail[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('mails')
      .select(['mail_id', 'recipient', 'subject', 'sealed_content', 'state', 'created_at'])
      .where('workspace_id', '=', system.workspaceId)
      .where('sealed_content', 'is not', null)
      .orderBy('created_at', 'desc')
      .orderBy('mail_id', 'desc')
      .limit(shownMax)
      .execute(),
  )
  return rows.map((row) => ({
    _id: row.mail_id,
    to: row.recipient,
    subject: row.subject,
    ...openContent(system, row.sealed_content ?? Buffer.alloc(0)),
    state: row.state,
    created_at: row.created_at.getTime(),
  }))
}

function sendPage(reply: FastifyReply, mails: StoredMail[]): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`
  const letters = mails.map(drawMail).join('\n') || '<p>No emails yet.</p>'
  return reply
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Mailbox</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
article { border-top: 1px solid; padding: 1rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
h2 { font-size: 1.1rem; margin: 0 }
</style>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Emails that an installation with SMTP would have sent. Only in the demo and in development.</p>
${letters}
</main>
</body>
</html>
`)
}

function drawMail({ _id, to, subject, text, created_at }: StoredMail): string {
  const at = new Date(created_at).toISOString()
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, <time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>,
<a href="/dev/mailbox/${_id}">as HTML</a></p>
<pre>${linkUp(text)}</pre>
</article>`
}

/** Escapes first, so that the created links are the only markup. */
function linkUp(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
}
