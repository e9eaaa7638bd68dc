import { allCountries } from '@atrium/contract/countries.ts'
import { allCurrencies } from '@atrium/contract/currencies.ts'
import { taxonomiesOf } from '@atrium/contract/taxonomies.ts'
import {
  readCountries,
  readCurrencies,
  readSettings,
  readTaxonomies,
  readTradingConfiguration,
} from '@atrium/contract/workspace.ts'
import type { FastifyInstance } from 'fastify'
import { readOfferedPlatforms } from '../accounts/queries.ts'
import { reading } from '../foundation/database.ts'
import { open } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { asVendor } from './vendors.ts'
import { readWorkspace } from './workspace.ts'

export function openWorkspaceCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, readSettings, async (system, input) => {
    const workspace = asVendor(await reading(system, (tx) => readWorkspace(tx, system)), input.vendor)
    const { vendor, name, accent, logoUrl, supportEmail, features, vendors, departments } = workspace
    const brand = { name, accent, logo_url: logoUrl, support_email: supportEmail }
    const { default_currency, password_chars_max } = workspace.settings
    const { demo } = ground.config
    return { settings: { brand, features, default_currency, password_chars_max, vendors, vendor, departments, demo } }
  })

  const countries = allCountries()
  open(app, ground, readCountries, async () => ({ countries }))

  const currencies = allCurrencies()
  open(app, ground, readCurrencies, async () => currencies)

  open(app, ground, readTaxonomies, async (member, { entity }) => {
    const { settings } = await reading(member, (tx) => readWorkspace(tx, member))
    return { taxonomies: taxonomiesOf(entity, settings.taxonomies) }
  })

  open(app, ground, readTradingConfiguration, async (member) =>
    reading(member, async (tx) => {
      const { settings } = await readWorkspace(tx, member)
      const { acc_creation_live_configuration, acc_creation_demo_configuration, leverage } = settings
      const { default_bank_accounts_for_clients } = settings
      const platforms = await readOfferedPlatforms(tx, member)
      return {
        config: {
          acc_creation_live_configuration,
          acc_creation_demo_configuration,
          leverage,
          default_bank_accounts_for_clients,
          platforms,
        },
      }
    }),
  )
}
