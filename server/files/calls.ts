import * as contract from '@atrium/contract/files.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findDownloadFile } from '../downloads/queries.ts'
import { type Actor, authorize, type Member, type System, termsBlocking } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { type Exchange, open, proveMember, proveStaff, proveWorkspace } from '../foundation/door.ts'
import { assertState, refuse, refuseNotFound } from '../foundation/errors.ts'
import type { Ground } from '../foundation/ground.ts'
import { makeTurnstile } from '../foundation/turnstile.ts'
import { fileCookies, readFileCookie } from '../sessions/cookies.ts'
import { findMember, findStaff } from '../sessions/session.ts'
import { isApiHost } from '../workspaces/address.ts'
import { attachmentHeader } from './file-name.ts'
import { type MediaRow, wireMedia } from './media.ts'
import { findMedia } from './queries.ts'
import { spoolFolder, spoolUpload } from './spool.ts'
import { checkQuota, keepUpload } from './upload.ts'

/** At the same time and in this process: it bounds disk and memory, not what a member may upload in a day. */
const atOnceMax = { uploadsPerSession: 4, inspections: 2 }

export function openFileCalls(app: FastifyInstance, ground: Ground): void {
  const receive = openUploads(ground)
  const multipart = { body: 'multipart' } as const

  open(
    app,
    ground,
    contract.uploadImage,
    async (member, input, exchange) => {
      return { image: wireMedia(await receive(member, input.purpose, exchange)) }
    },
    multipart,
  )
  open(
    app,
    ground,
    contract.uploadFile,
    async (member, input, exchange) => {
      return { file: wireMedia(await receive(member, input.purpose, exchange)) }
    },
    multipart,
  )

  app.get('/cp/private/files/:id/:name', (request, reply) => sendFile(ground, request, reply))
}

function openUploads(ground: Ground) {
  const sessions = new Map<string, number>()
  const inspections = makeTurnstile(atOnceMax.inspections)

  return async (member: Member, purpose: contract.UploadPurpose, exchange: Exchange): Promise<MediaRow> => {
    const under = sessions.get(member.sessionId) ?? 0
    if (under >= atOnceMax.uploadsPerSession) {
      const sentence = 'Please wait until your other uploads are done.'
      refuse('too_many_requests', sentence, { errors: { file: [sentence] }, retryAfterSeconds: 2 })
    }
    sessions.set(member.sessionId, under + 1)
    try {
      await inTransaction(member, (tx) => checkQuota(tx, member, 0))
      const spooled = await spoolUpload(exchange, spoolFolder(ground.config.dataDirectory), purpose)
      return await inspections(() => keepUpload(member, spooled)).finally(spooled.remove)
    } finally {
      const left = (sessions.get(member.sessionId) ?? 1) - 1
      if (left > 0) sessions.set(member.sessionId, left)
      else sessions.delete(member.sessionId)
    }
  }
}

async function sendFile(ground: Ground, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const system = await proveWorkspace(ground, request)
  const readers = await findReaders(system, request)
  const [first] = readers
  if (!first) refuse('unauthenticated', 'Please sign in.')
  // Terms that block everything block papers too; whoever is also signed in at the desk reads on as staff.
  const open = readers.filter((reader) => reader.kind !== 'member' || termsBlocking(reader, ['all']).length === 0)
  if (open.length === 0) authorize(first, 'all')
  const row = await findForAny(open, (request.params as { id: string }).id)
  if (!row) refuseNotFound()
  // Before any header of the file is set: an error is no attachment.
  const content = await ground.files.read(row.storage_key)
  assertState(content, 'a file row has its file')
  reply
    .header('content-type', row.content_type)
    .header('content-length', String(row.size_bytes))
    .header('content-disposition', attachmentHeader(row.name))
    .header('content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'")
    .header(
      'cross-origin-resource-policy',
      isApiHost(ground.config, request.headers.host) ? 'same-site' : 'same-origin',
    )
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
  return reply.send(content)
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

type Served = Pick<MediaRow, 'name' | 'content_type' | 'size_bytes' | 'storage_key'>

/** A paper of somebody's own, or a program that their brokerage offers. */
async function findForAny(readers: Actor[], id: string): Promise<Served | null> {
  if (!z.uuid().safeParse(id).success) return null
  for (const reader of readers) {
    const row = (await findMedia(reader, id.toLowerCase())) ?? (await findDownloadFile(reader, id.toLowerCase()))
    if (row) return row
  }
  return null
}
