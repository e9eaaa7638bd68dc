import * as contract from '@atrium/contract/members/calls.ts'
import * as sales from '@atrium/contract/members/sales.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { removeMemberPicture, setMemberPicture } from './picture.ts'
import { changeAddresses, changeContacts, changePreferences } from './profile.ts'
import { exportReferredClients, listReferredClients } from './referred-clients.ts'

export function openMemberCalls(app: FastifyInstance, context: Context): void {
  const saved = (version: number) => ({ msg: [profileTexts.profileSaved], version })
  open(app, context, contract.saveContacts, {
    scopes: ['profile'],
    audit: ['contacts.changed'],
    idempotent: true,
    example: { version: 1, phones: ['+35621224455'] },
    handler: async (member, input) => saved(await changeContacts(member, input)),
  })
  open(app, context, contract.saveAddresses, {
    scopes: ['profile'],
    audit: ['addresses.changed'],
    idempotent: true,
    example: {
      version: 1,
      addresses: [{ address_line_1: '1 Harbour Street', city: 'Valletta', country: 'MT', primary: true }],
    },
    handler: async (member, input) => saved(await changeAddresses(member, input)),
  })
  open(app, context, contract.savePreferences, {
    scopes: ['profile'],
    audit: ['preferences.changed'],
    idempotent: true,
    example: { version: 1, language: null, time_zone: null, colour_scheme: 'dark' },
    handler: async (member, input) => saved(await changePreferences(member, input)),
  })

  open(app, context, contract.savePicture, {
    scopes: ['profile'],
    audit: ['picture.changed'],
    idempotent: true,
    handler: async (member, { media }) => {
      await setMemberPicture(member, media)
      return { msg: [profileTexts.pictureSaved] }
    },
  })
  open(app, context, contract.removePicture, {
    scopes: ['profile'],
    audit: ['picture.removed'],
    idempotent: true,
    handler: async (member) => {
      await removeMemberPicture(member)
      return { msg: [profileTexts.pictureRemoved] }
    },
  })

  open(app, context, sales.listClients, {
    scopes: ['sales'],
    handler: (member, input) => listReferredClients(member, input),
  })
  open(app, context, sales.exportClients, {
    scopes: ['sales'],
    handler: async (member, input) => {
      const at = context.clock.now().toISOString().slice(0, 10)
      return { ...(await exportReferredClients(member, input)), file_name: `clients-${at}.csv` }
    },
  })
}
