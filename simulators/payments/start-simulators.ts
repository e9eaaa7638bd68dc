import { startCoinpaymentsSimulator } from '../coinpayments/simulator.ts'
import { startNetellerSimulator } from '../neteller/simulator.ts'
import { startNganluongSimulator } from '../nganluong/simulator.ts'
import { startRpnpaySimulator } from '../rpnpay/simulator.ts'
import { startSafechargeSimulator } from '../safecharge/simulator.ts'
import { startSdsystemSimulator } from '../sdsystem/simulator.ts'
import { startSkrillSimulator } from '../skrill/simulator.ts'
import { startVirtualpaySimulator } from '../virtualpay/simulator.ts'
import { startZotaSimulator } from '../zotapay/simulator.ts'

/** Connection settings of each provider, by the provider's name. */
export type PaymentSettings = Record<string, Record<string, string>>

type SimulatorOptions = {
  /** Coins are detected after this time, and confirmed after the same time again; absent: when a test or a person does it. */
  coinsAfterMs?: number
  /** The portal's address for payout webhook events of SD System, which is configured there once. */
  webhookUrl?: string
}

const payoutsAfterMs = 6_000

/** The payment providers of the demo, with invented merchants and secrets. */
export async function startPaymentSimulators(options: SimulatorOptions = {}) {
  const simulators = {
    zotapay: await startZotaSimulator({
      merchantId: 'HARBOUR-MARKETS',
      secretKey: 'harbour-zota-secret-1',
      endpoints: {
        '402334': 'USD',
        '402335': 'EUR',
        '402336': 'GBP',
        '402337': 'JPY',
        '402338': 'USD',
        '402339': 'USD',
      },
      types: { '402338': 'alipay', '402339': 'wechat' },
      payoutEndpoints: { '402434': 'USD', '402435': 'EUR', '402436': 'GBP' },
      payoutsAfterMs,
    }),
    safecharge: await startSafechargeSimulator({
      merchantId: '1000000001',
      siteId: '200001',
      secretKey: 'harbour-safecharge-secret-1',
      payoutsAfterMs,
    }),
    skrill: await startSkrillSimulator({
      payToEmail: 'payments@harbour-markets.example',
      merchantId: '100005',
      secretWord: 'harbour1',
      apiPassword: 'harbour-skrill-password-1',
    }),
    coinpayments: await startCoinpaymentsSimulator({
      merchantId: 'harbour-markets-coins-1',
      publicKey: 'harbour-coins-public-1',
      privateKey: 'harbour-coins-private-1',
      ipnSecret: 'harbour-coins-notices-1',
      payoutsAfterMs,
      ...(options.coinsAfterMs !== undefined && { coinsAfterMs: options.coinsAfterMs }),
    }),
    neteller: await startNetellerSimulator({
      username: 'harbour-markets',
      password: 'harbour-neteller-secret-1',
      webhookKey: 'harbour-neteller-webhook-1',
      accountId: '1001234560',
      payoutsAfterMs,
    }),
    nganluong: await startNganluongSimulator({
      merchantId: '36680',
      password: 'harbour-nganluong-password-1',
      receiverEmail: 'payments@harbour-markets.example',
    }),
    rpnpay: await startRpnpaySimulator({
      merchantId: 'RPN10001',
      secretKey: 'harbour-rpnpay-key-1',
      payoutsAfterMs,
    }),
    sdsystem: await startSdsystemSimulator({
      merchantId: 'SD1001',
      key1: 'AQIDBAUGBwg=',
      key2: 'CAcGBQQDAgE=',
      md5Key: 'harbour-sdsystem-inner-key-00001',
      payouts: { loginAccount: 'harbour-payouts', key1: 'EQITBBUGFwg=', key2: 'GAcWBRQDEgE=' },
      payoutsAfterMs,
      ...(options.webhookUrl !== undefined && { webhookUrl: options.webhookUrl }),
    }),
    virtualpay: await startVirtualpaySimulator({
      merchantId: 'HARBOUR',
      secretKey: 'harbour-virtualpay-secret-1',
      separator: '|',
    }),
  }
  const settings: PaymentSettings = Object.fromEntries(
    Object.entries(simulators).map(([uid, { settings }]) => [uid, settings]),
  )
  return {
    ...simulators,
    settings,
    async stop(): Promise<void> {
      await Promise.all(Object.values(simulators).map((simulator) => simulator.stop()))
    },
  }
}
