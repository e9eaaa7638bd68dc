import * as contract from '@atrium/contract/platforms/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import { setDownloads } from '../downloads/downloads.ts'
import { keepDownloadFile } from '../downloads/upload.ts'
import { spoolFolder, spoolUpload } from '../files/spool.ts'
import { makeInspections, makeUploadLimit } from '../files/upload-limit.ts'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { connectPlatform } from './connection.ts'
import { addPlatform, changePlatform } from './platform.ts'
import { listPlatformGroups, tryPlatform } from './probe.ts'
import { listPlatforms, readPlatform } from './queries.ts'

/** Programs are large: one at a time per process bounds the load on the disk. */
const inspectionsAtOnce = 1

export function openDeskPlatformCalls(app: FastifyInstance, context: Context): void {
  const within = makeUploadLimit()
  const inspect = makeInspections(inspectionsAtOnce)
  open(app, context, contract.listPlatforms, async (staff) => ({ platforms: await listPlatforms(staff) }))
  open(app, context, contract.readPlatform, async (staff, { id }) => ({ platform: await readPlatform(staff, id) }))
  open(app, context, contract.addPlatform, {
    audit: ['platform.added'],
    idempotent: true,
    handler: async (staff, input) => ({
      platform: await readPlatform(staff, await addPlatform(staff, input)),
    }),
  })
  open(app, context, contract.changePlatform, {
    audit: ['platform.changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await changePlatform(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, context, contract.connectPlatform, {
    audit: ['platform.connection-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await connectPlatform(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, context, contract.setDownloads, {
    audit: ['platform.downloads-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await setDownloads(staff, input)
      return { platform: await readPlatform(staff, input.id) }
    },
  })
  open(app, context, contract.tryPlatform, {
    audit: ['platform.tried'],
    repeats: 'each try asks the platform again',
    handler: (staff, { id }) => tryPlatform(staff, id),
  })
  open(app, context, contract.listPlatformGroups, async (staff, { id }) => ({
    groups: await listPlatformGroups(staff, id),
  }))
  open(app, context, contract.uploadPlatformFile, {
    audit: ['download.file-uploaded'],
    repeats: 'each upload is a new file, and files that no download uses are swept',
    body: 'multipart',
    handler: (staff, _input, exchange) =>
      within(staff, async () => {
        // Before a place is taken, which a slow connection would keep from every other brokerage.
        const spooled = await spoolUpload(exchange, spoolFolder(context.config.dataDirectory), 'download')
        return { file: await inspect(staff, () => keepDownloadFile(staff, spooled)).finally(spooled.remove) }
      }),
  })
}
