import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findDownloadFile } from '../downloads/queries.ts'
import { askedRange } from '../files/byte-range.ts'
import { attachmentHeader } from '../files/file-name.ts'
import type { MediaRow } from '../files/media.ts'
import { findMedia } from '../files/queries.ts'
import { sayInstead } from '../files/said-instead.ts'
import { problemOfScan } from '../files/scanning.ts'
import { findStaffPicture } from '../files/staff-pictures.ts'
import { type Actor, authorize, type System, termsBlocking } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { assertState, Refusal, refuse, refuseNotFound } from '../foundation/errors.ts'
import { fileCookies, readFileCookie } from '../sessions/cookies.ts'
import { findMember, findStaff } from '../sessions/session.ts'
import { isApiHost } from '../workspaces/address.ts'
import { proveMember, proveStaff, proveWorkspace } from './route.ts'

/** KYC documents of members and programs for them: whole or a part of them, to whoever may see them. */
export function openPrivateFiles(app: FastifyInstance, context: Context): void {
  app.get('/cp/private/files/:id/:name', async (request, reply) => {
    const { id } = request.params as { id: string }
    const found = await findForAny(await proveReaders(context, request), id)
    if (!found) refuseNotFound()
    const problem = problemOfScan(found.scan)
    if (problem && isOfPerson(request)) return sayInstead(reply, problem, found.scan === 'waiting')
    if (problem) refuse('conflict', problem)
    const { small } = request.query as { small?: string }
    return small === '1'
      ? sendSmall(context, { row: found, request, reply })
      : sendFile(context, { row: found, request, reply })
  })
}

/** A link that was opened in a tab: whoever sits there reads a sentence, not what programs read. */
function isOfPerson({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Everybody that the request is, as far as terms let them read. */
async function proveReaders(context: Context, request: FastifyRequest): Promise<Actor[]> {
  const readers = await findReaders(await proveWorkspace(context, request), request)
  const [first] = readers
  if (!first) refuse('unauthenticated', 'Please sign in.')
  // Terms that block everything block KYC documents too; whoever is also signed in at the desk reads on as staff.
  const open = readers.filter((reader) => reader.kind !== 'member' || termsBlocking(reader, ['all']).length === 0)
  if (open.length === 0) authorize(first, 'all')
  return open
}

/** A picture of a few kilobytes, whose length was not kept: sent whole. */
async function sendSmall(context: Context, { row, request, reply }: Sending): Promise<FastifyReply> {
  const key = 'small_key' in row ? row.small_key : null
  if (!key) refuseNotFound()
  const etag = `"${row.sha256.toString('hex')}-small"`
  const small = { ...row, content_type: 'image/jpeg' }
  if (isKnown(request.headers['if-none-match'], etag))
    return setHeaders(context, { row: small, request, reply }, etag).removeHeader('content-length').code(304).send()
  const content = await context.files.read(key)
  assertState(content, 'a file row has its small picture')
  return setHeaders(context, { row: small, request, reply }, etag)
    .removeHeader('content-length')
    .removeHeader('accept-ranges')
    .send(content)
}

type Sending = { row: Served; request: FastifyRequest; reply: FastifyReply }

async function sendFile(context: Context, { row, request, reply }: Sending): Promise<FastifyReply> {
  const etag = `"${row.sha256.toString('hex')}"`
  const { headers } = request
  if (isKnown(headers['if-none-match'], etag))
    return setHeaders(context, { row, request, reply }, etag).code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? askedRange(headers.range, Number(row.size_bytes)) : null
  if (range === 'outside') return refuseRange(row, request, reply)
  // A stream, however empty: only then the length that was said stays.
  if (request.method === 'HEAD') return setHeaders(context, { row, request, reply }, etag).send(Readable.from([]))
  // Before any header of the file is set: an error is no attachment.
  const content = await context.files.read(row.storage_key, range ?? undefined)
  assertState(content, 'a file row has its file')
  setHeaders(context, { row, request, reply }, etag)
  if (!range) return reply.send(content)
  return reply
    .code(206)
    .header('content-range', `bytes ${range.from}-${range.to}/${row.size_bytes}`)
    .header('content-length', String(range.to - range.from + 1))
    .send(content)
}

/**
 * Nobody keeps a copy (`no-store`): KYC documents would stay on a computer that others use. The etag is for whoever goes on
 * with a download that broke off.
 */
function setHeaders(context: Context, { row, request, reply }: Sending, etag: string): FastifyReply {
  return reply
    .header('content-type', row.content_type)
    .header('content-length', String(row.size_bytes))
    .header('content-disposition', attachmentHeader(row.name))
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
    .header(
      'cross-origin-resource-policy',
      isApiHost(context.config, request.headers.host) ? 'same-site' : 'same-origin',
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('accept-ranges', 'bytes')
    .header('etag', etag)
}

function isKnown(said: string | undefined, etag: string): boolean {
  const known = (said ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

function refuseRange(row: Served, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = new Refusal('malformed', 'This part of the file does not exist.')
  return reply.code(416).header('content-range', `bytes */${row.size_bytes}`).send(refusal.answer(request.id))
}

/** Everybody that the request proves itself to be: one browser may hold a member's and a desk user's cookie at once. */
async function findReaders(system: System, request: FastifyRequest): Promise<Actor[]> {
  const memberCookie = readFileCookie(request, fileCookies.member)
  const staffCookie = readFileCookie(request, fileCookies.staff)
  const found = await Promise.all([
    proveMember(system, request),
    proveStaff(system, request),
    memberCookie ? findMember(system, { token: memberCookie, of: 'files' }) : null,
    staffCookie ? findStaff(system, { token: staffCookie, of: 'files' }) : null,
  ])
  return found.filter((actor) => actor !== null)
}

type Served = Pick<MediaRow, 'name' | 'content_type' | 'size_bytes' | 'storage_key' | 'sha256'> & Partial<MediaRow>

/** A KYC document of somebody's own, a program that their brokerage offers, or the face of somebody who works there. */
async function findForAny(readers: Actor[], id: string): Promise<Served | null> {
  if (!z.uuid().safeParse(id).success) return null
  for (const reader of readers) {
    const fileId = id.toLowerCase()
    const row = (await findMedia(reader, fileId)) ?? (await findDownloadFile(reader, fileId))
    const found = row ?? (await findStaffPicture(reader, fileId))
    if (found) return found
  }
  return null
}
