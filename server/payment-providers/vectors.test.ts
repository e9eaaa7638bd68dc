import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type HashName, hashOfParts } from './signing.ts'

/** Signatures published by providers, by their names in our documents. */
type Vector = { name: string; parts: string[]; expected: string; algorithm?: HashName }

const zotaOrder = '8b3a6b89697e8ac8f45d964bcc90c7ba41764acd'
const zotaReturn = (status: string): string[] => [status, '12345678', '1', 'MERCHANT-SECRET-KEY']
const dmn = (status: string): string[] => ['SecretDemo', '100.00', 'USD', '2024-07-01.11:05:00', '7001', status, '']
const manual = ['AJHFH9349JASFJHADJ9834', '115', 'USD', '2007-11-13.13:22:34', '3453459', 'APPROVED', 'YourProduct']

const vectors: Vector[] = [
  {
    name: 'zota.deposit.node-sdk',
    parts: ['testEndpointId', 'testMerchantId', '500', 'customer@email-address.com', 'testMerchantKey'],
    expected: '4289ea00fd365d9b59689745b743839f101dc679f9e420022edac099290b161f',
  },
  {
    name: 'zota.payout.node-sdk',
    parts: [
      'testEndpointId',
      'testMerchantId',
      '500',
      'customer@email-address.com',
      '3678094857345',
      'testMerchantKey',
    ],
    expected: '98dd04a5a24729498818033ba491716332afe7a6d614c41daf8e92b209643f6f',
  },
  {
    name: 'zota.deposit.tools-page',
    parts: ['000', 'db50b20425a7', '100.00', 'customer@just-for-test.com', 'MERCHANT-SECRET-KEY'],
    expected: '3e7d58c606733431e6215054d2d3140df7064ac68f33b9a1edb94b7fe5af3183',
  },
  {
    name: 'zota.deposit.docs',
    parts: ['1050', 'QvE8dZshpKhaOmHY', '500.00', 'customer@email-address.com', 'EXAMPLE-SECRET-KEY'],
    expected: '47d7ed292cf10e689b311ef5573eddbcc8505fe51e20d3f74e6b33756d96800b',
  },
  {
    name: 'zota.callback.docs',
    parts: [
      '1050',
      zotaOrder,
      'QvE8dZshpKhaOmHY',
      'APPROVED',
      '500.00',
      'customer@email-address.com',
      'EXAMPLE-SECRET-KEY',
    ],
    expected: '062c0480aafd1faf735b987f5a2f878634d7931ffb3df256cdbfa77c31a2a4cc',
  },
  {
    name: 'zota.callback.declined',
    parts: [
      '1050',
      zotaOrder,
      'QvE8dZshpKhaOmHY',
      'DECLINED',
      '500.00',
      'customer@email-address.com',
      'EXAMPLE-SECRET-KEY',
    ],
    expected: '52803e6682f38c9f02fe7b9602bbc477ec5fc05469d140291f9b236ce5f583b2',
  },
  {
    name: 'zota.status.docs',
    parts: ['EXAMPLE-MERCHANT-ID', 'QvE8dZshpKhaOmHY', zotaOrder, '1564617600', 'EXAMPLE-SECRET-KEY'],
    expected: '4a01f6cc95e6a7a771afe0e49f59fb572dbadec449f175d978e722b97ee9785d',
  },
  ...Object.entries({
    APPROVED: '6a4f1ad55ee636e65b8aece10b1025f28566c2896b23d623a42e101b905d043c',
    DECLINED: 'dd95963f4a1f8a393e710f878f7a17bba235ac6d76b82f8907daa26bf792959f',
    FILTERED: 'e3311081be54dc25dad8209eb9e2ae70e70cfbab1c7a2b78367539aad5245fba',
    PENDING: '78c0babd52fa86187ac3699913eb3bc98e44eca56587bb094293500b5a87a692',
    UNKNOWN: 'a2f74162c155f12832e7e2c62e5a45a87045f6debe47f6ec7555f0efc650fbab',
    ERROR: '18995477838a39b739768510bc5afb3158a7d175e03d2b4e630410a562306eb0',
  }).map(([status, expected]) => ({
    name: `zota.return.${status.toLowerCase()}`,
    parts: zotaReturn(status),
    expected,
  })),
  {
    name: 'safecharge.page.docs',
    // The signed time is misprinted in their documentation.
    parts: ['Secret1232834758912375515USDtest@test.comitem11512011-01-056:04:264.0.0https%3A%2F%2Fnotify.merchant.com'],
    expected: 'fedf7e2f70006c83fa740bfa121cdcac0932a672fc7e12a55621153cb52cddf9',
  },
  { name: 'safecharge.dmn.manual-md5', parts: manual, algorithm: 'md5', expected: '826fb8c4a2451e86f41df511c46f5a9b' },
  {
    name: 'safecharge.dmn.sha256',
    parts: manual,
    expected: '8fbcdd4d652e2d68331657204dbea77cba11a0c95cabb04831387b1d617c2082',
  },
  {
    name: 'safecharge.page.v3-md5',
    parts: ['SecretDemo', '1000000001', 'USD', '100', 'Deposit', '100', '1', '2024-07-01.11:04:10'],
    algorithm: 'md5',
    expected: '8045874c8fa45ec1e2e0bdb8a3f82057',
  },
  {
    name: 'safecharge.dmn.2 approved',
    parts: dmn('APPROVED'),
    expected: 'e3e6043d692d30fc3eb95ae11b81e48f84eeaa9bd2b8222e637eda3473f815cb',
  },
  {
    name: 'safecharge.dmn.2 declined',
    parts: dmn('DECLINED'),
    expected: 'f37a6d212a4a3d30f7ee2f110ee559d4b5301ad1ec386d0adaba9826ec89a65c',
  },
  {
    name: 'safecharge.openOrder',
    parts: ['1000000001', '200001', 'req-1', '100.00', 'USD', '20240701110410', 'SecretDemo'],
    expected: '7600a9ad0fae2e3005463a55c2883c021eba7b8ff063f23c6df9bcb0f6378365',
  },
  {
    name: 'safecharge.payout',
    parts: ['1000000001', '200001', 'wd-1', '50.00', 'USD', '20240701110410', 'SecretDemo'],
    expected: '3d848f325cad6b8bd572d9faaf28df7eaa3c3414e12c887fd0a7c100830f06de',
  },
]

describe('signatures', () => {
  for (const { name, parts, expected, algorithm } of vectors)
    it(`equal the published vector ${name}`, () => assert.equal(hashOfParts(parts, algorithm), expected))
})
