import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const style =
  'html{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem}'
const styleHash = createHash('sha256').update(style).digest('base64')

export const refusalTexts = {
  signedOut: 'Please sign in, and then open the file again.',
  unknown:
    'There is no such file for anybody who is signed in to this browser. If it is yours, sign in again, and then open the file again.',
} as const

type RefusalOptions = { status?: 401 | 404 | 409; isPassing?: boolean }

/**
 * A page with one sentence in place of a file, and a retry link for a temporary problem. Not sandboxed as files are,
 * since a sandboxed page would not send the cookie on a retry.
 */
export function sendRefusalPage(
  reply: FastifyReply,
  sentence: string,
  { status = 409, isPassing = false }: RefusalOptions = {},
): FastifyReply {
  const again = isPassing ? '<p><a href="">Try again</a></p>' : ''
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${sentence}</title><style>${style}</style></head><body><main><p>${sentence}</p>${again}</main></body></html>`,
    )
}
