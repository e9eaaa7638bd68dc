import * as contract from '@atrium/contract/files/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { openPrivateFiles } from '../http/private-files.ts'
import { type Exchange, open } from '../http/route.ts'
import { type MediaRow, wireMedia } from './media.ts'
import { openResumableUploads, uploadFacts } from './resumable/calls.ts'
import { keepPartFiles } from './resumable/part-files.ts'
import { finishUpload } from './resumable/uploads.ts'
import { spoolFolder, spoolUpload } from './spool.ts'
import { checkQuota, keepUpload } from './upload.ts'
import { makeInspections, makeUploadLimit } from './upload-limit.ts'

export function openFileCalls(app: FastifyInstance, context: Context): void {
  const within = makeUploadLimit()
  const inspect = makeInspections()
  const partFiles = keepPartFiles()
  const receive = (member: Member, purpose: contract.UploadPurpose, exchange: Exchange): Promise<MediaRow> =>
    within(member, async () => {
      await checkQuota(member)
      const spooled = await spoolUpload(exchange, spoolFolder(context.config.dataDirectory), purpose)
      return inspect(member, () => keepUpload(member, spooled)).finally(spooled.remove)
    })

  open(app, context, contract.uploadImage, {
    scopes: ['all'],
    body: 'multipart',
    audit: ['file.uploaded'],
    repeats: 'unused files are swept after a day, and a quota limits them',
    handler: async (member, input, exchange) => {
      return { image: wireMedia(await receive(member, input.purpose, exchange)) }
    },
  })
  open(app, context, contract.uploadFile, {
    ...uploadFacts,
    body: 'multipart',
    audit: ['file.uploaded'],
    repeats: 'unused files are swept after a day, and a quota limits them',
    handler: async (member, input, exchange) => {
      return { file: wireMedia(await receive(member, input.purpose, exchange)) }
    },
  })

  open(app, context, contract.uploadVideo, {
    scopes: ['all'],
    body: 'multipart',
    audit: ['file.uploaded'],
    repeats: 'unused files are swept after a day, and a quota limits them',
    handler: async (member, input, exchange) => {
      return { video: wireMedia(await receive(member, input.purpose, exchange)) }
    },
  })
  open(app, context, contract.finishUpload, {
    scopes: ['all'],
    audit: ['file.uploaded'],
    idempotent: true,
    handler: (member, { upload }) =>
      within(member, async () => ({
        file: wireMedia(await inspect(member, () => finishUpload(member, upload, partFiles))),
      })),
  })
  openResumableUploads(app, context, { within, partFiles })
  openPrivateFiles(app, context)
}
