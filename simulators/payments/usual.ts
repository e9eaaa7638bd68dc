import { startSafechargeSimulator } from '../safecharge/simulator.ts'
import { startZotaSimulator } from '../zotapay/simulator.ts'

/** What a portal is set up with in order to reach a provider, by the provider's name. */
export type PaymentSettings = Record<'zotapay' | 'safecharge', Record<string, string>>

/** The payment providers of the demo. Merchants and secrets are inventions of this file. */
export async function startPaymentSimulators() {
  const zotapay = await startZotaSimulator({
    merchantId: 'HARBOUR-MARKETS',
    secretKey: 'harbour-zota-secret-1',
    endpoints: { '402334': 'USD', '402335': 'EUR', '402336': 'GBP', '402337': 'JPY' },
  })
  const safecharge = await startSafechargeSimulator({
    merchantId: '1000000001',
    siteId: '200001',
    secretKey: 'harbour-safecharge-secret-1',
  })
  const settings: PaymentSettings = { zotapay: zotapay.settings, safecharge: safecharge.settings }
  return {
    zotapay,
    safecharge,
    settings,
    async stop(): Promise<void> {
      await Promise.all([zotapay.stop(), safecharge.stop()])
    },
  }
}
