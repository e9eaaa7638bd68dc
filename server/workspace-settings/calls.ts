import { allCountries } from '@atrium/contract/members/countries.ts'
import { allCurrencies } from '@atrium/contract/money/currencies.ts'
import {
  readCountries,
  readCurrencies,
  readSettings,
  readTaxonomies,
  readTradingConfiguration,
} from '@atrium/contract/workspace-settings/calls.ts'
import * as desk from '@atrium/contract/workspace-settings/desk-calls.ts'
import { readSetup } from '@atrium/contract/workspace-settings/setup.ts'
import { taxonomiesOf } from '@atrium/contract/workspace-settings/taxonomies.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readPasswordPolicy } from '../accounts/password-policies.ts'
import { readOfferedPlatforms } from '../accounts/queries.ts'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { proveWorkspace } from '../http/authenticate.ts'
import { open } from '../http/route.ts'
import { findLogoContent } from '../workspaces/logo-content.ts'
import { asVendor } from '../workspaces/vendors.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { changeWorkspace, readDeskWorkspace } from './change.ts'
import { setLogo, setVendorLogo } from './logo.ts'
import { readSetupSteps } from './setup.ts'

export function openWorkspaceCalls(app: FastifyInstance, context: Context): void {
  open(app, context, readSettings, async (system, input) => {
    const workspace = asVendor(await reading(system, (tx) => readWorkspace(tx, system)), input.vendor)
    const { vendor, name, accent, logoUrl, supportEmail, features, vendors, departments } = workspace
    const brand = { name, accent, logo_url: logoUrl, support_email: supportEmail }
    const { default_currency, password_chars_max, bank_name_chars_max, withdrawal_cut_off } = workspace.settings
    const { demo } = context.config
    const limits = { password_chars_max, bank_name_chars_max }
    const account_openings = {
      live: workspace.settings.acc_creation_live_configuration.enabled,
      demo: workspace.settings.acc_creation_demo_configuration.enabled,
    }
    const place = { default_currency, time_zone: withdrawal_cut_off.zone }
    return { settings: { brand, features, ...place, ...limits, account_openings, vendors, vendor, departments, demo } }
  })

  const countries = allCountries()
  open(app, context, readCountries, async () => ({ countries }))

  const currencies = allCurrencies()
  open(app, context, readCurrencies, {
    scopes: ['all'],
    handler: async () => currencies,
  })

  open(app, context, readTaxonomies, {
    scopes: ['all'],
    handler: async (member, { entity }) => {
      const { settings } = await reading(member, (tx) => readWorkspace(tx, member))
      return { taxonomies: taxonomiesOf(entity, settings.taxonomies) }
    },
  })

  open(app, context, readTradingConfiguration, {
    scopes: ['all'],
    handler: async (member) => ({ config: await readConfiguration(member) }),
  })
}

async function readConfiguration(member: Member) {
  const { settings, offered } = await reading(member, async (tx) => ({
    settings: (await readWorkspace(tx, member)).settings,
    offered: await readOfferedPlatforms(tx, member),
  }))
  const { acc_creation_live_configuration, acc_creation_demo_configuration, leverage } = settings
  const platforms = await Promise.all(
    offered.map(async (platform) => ({
      ...platform,
      password_policy: await readPasswordPolicy(member, platform.id),
    })),
  )
  return {
    acc_creation_live_configuration,
    acc_creation_demo_configuration,
    leverage,
    default_bank_accounts_for_clients: settings.default_bank_accounts_for_clients,
    demo_deposit_daily: settings.demo_deposit_daily,
    platforms,
  }
}

export function openDeskWorkspaceCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.readDeskWorkspace, async (staff) => ({ workspace: await readDeskWorkspace(staff) }))
  open(app, context, desk.changeWorkspace, {
    audit: ['workspace.lists-changed'],
    idempotent: true,
    handler: async (staff, input) => ({ workspace: await changeWorkspace(staff, input) }),
  })
  open(app, context, readSetup, async (staff) => ({ steps: await readSetupSteps(staff) }))
  open(app, context, desk.setLogo, {
    audit: ['workspace.logo-changed'],
    repeats: 'the newest is shown, older ones stay for emails that were sent',
    handler: async (staff, { logo, seen }) => ({ workspace: await setLogo(staff, logo, seen) }),
  })
  open(app, context, desk.setVendorLogo, {
    audit: ['vendor.logo-changed'],
    repeats: 'the newest is shown, older ones stay for emails that were sent',
    handler: async (staff, input) => ({ workspace: await setVendorLogo(staff, input) }),
  })
  app.get('/brand/logos/:id/:name', (request, reply) => sendLogo(context, request, reply))
}

/** Public, because the sign-in screen and mails show it; immutable at its URL. */
async function sendLogo(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const system = await proveWorkspace(context, request)
  const { id } = request.params as { id: string }
  const logo = (await findLogoContent(system, id)) ?? refuseNotFound()
  return reply
    .header('content-type', logo.content_type)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('cross-origin-resource-policy', 'cross-origin')
    .send(logo.content)
}
