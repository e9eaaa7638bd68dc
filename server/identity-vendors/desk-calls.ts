import * as desk from '@atrium/contract/documents/identity-vendors.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import { changeIdentityVendor, listIdentityVendors } from './desk-vendors.ts'

export function openDeskVendorCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listIdentityVendors, async (staff) => ({ vendors: await listIdentityVendors(staff) }))
  open(app, ground, desk.changeIdentityVendor, {
    audit: ['identity-vendor.changed'],
    idempotent: true,
    handler: async (staff, given) => ({
      vendors: await changeIdentityVendor(staff, given),
    }),
  })
}
