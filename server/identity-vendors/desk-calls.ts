import * as desk from '@atrium/contract/identity-vendors/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { changeIdentityVendor, listIdentityVendors } from './desk-vendors.ts'

export function openDeskVendorCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listIdentityVendors, async (staff) => ({ vendors: await listIdentityVendors(staff) }))
  open(app, context, desk.changeIdentityVendor, {
    audit: ['identity-vendor.changed'],
    idempotent: true,
    handler: async (staff, given) => ({
      vendors: await changeIdentityVendor(staff, given),
    }),
  })
}
