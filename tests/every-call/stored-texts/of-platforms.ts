import { offerProvider } from '@atrium/contract/payments/providers.ts'
import { addPlatform as addPlatformCall, changePlatform, setDownloads } from '@atrium/contract/platforms/desk-calls.ts'
import type pg from 'pg'
import { ensureProvider } from '../../fixtures/payments/payment-providers.ts'
import { addPlatform } from '../../fixtures/trading/platforms.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { auditLog, type StoredText } from './stored-text.ts'

/** Texts of trading platforms. */
export function storedPlatformTexts({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const group = { name: 'real\\standard', alias: 'Standard', kind: 'live' }
  const download = { _id: null, system: 'web', name: 'Browser', link: 'https://web.example.com', file_id: null }
  const shown: StoredText['shown'] = ({ id }) => [
    ['staff', `/desk/api/platforms/${id}`],
    ['staff', auditLog],
  ]
  return [
    {
      call: addPlatformCall,
      fields: ['name'],
      async body() {
        // Deletes those without groups, so that the same text is accepted again.
        await owner.query(`delete from trading_platforms where groups = '[]'`)
        return { type: 'mt5' }
      },
      shown: () => [],
      isAnswered: true,
    },
    {
      call: changePlatform,
      fields: ['name', 'groups.0.alias', 'client_server'],
      async body() {
        // Renames the earlier ones, so that the same text is accepted again.
        await owner.query('update trading_platforms set name = platform_id::text')
        const id = await addPlatform(system)
        return { id, version: 0, name: 'Harbour', groups: [group], client_server: 'Harbour-Live' }
      },
      shown,
    },
    {
      call: setDownloads,
      fields: ['downloads.0.name'],
      body: async () => ({ id: await addPlatform(system), version: 0, downloads: [{ ...download, archived: false }] }),
      shown,
    },
  ]
}

/** Texts of payment providers. */
export function storedProviderTexts({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const terms = { currency: 'EUR', amount_min: '10', amount_max: '500', fee_percent: '0', fee_fixed: '0' }
  return [
    {
      call: offerProvider,
      fields: ['title'],
      async body() {
        const id = await ensureProvider(system)
        const { rows } = await owner.query<{ version: number }>(
          'select version from payment_providers where provider_id = $1',
          [id],
        )
        return { id, version: rows[0]?.version ?? 0, enabled: true, title: 'Cards', position: 0, currencies: [terms] }
      },
      shown: ({ id }) => [
        ['staff', `/desk/api/providers/${id}`],
        ['staff', auditLog],
      ],
    },
  ]
}
