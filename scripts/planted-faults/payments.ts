import type { PlantedFault } from './planted-fault.ts'

const orders = ['server/payment-providers/orders.test.ts']
const zota = ['server/payment-providers/zotapay/zotapay.contract.test.ts']
const safecharge = ['server/payment-providers/safecharge/safecharge.contract.test.ts']

/** Payment providers: what is believed, what is credited, and where members are sent. */
export const paymentFaults: PlantedFault[] = [
  {
    name: 'a payment is credited whatever its amount',
    file: 'server/payment-providers/settle.ts',
    find: "if (reported.amount === null || !isSame(reported.amount, order.charge)) return 'amount_differs'",
    replace: "if (reported.amount === null || !isSame(order.charge, order.charge)) return 'amount_differs'",
    tests: zota,
    guards: 'M7',
  },
  {
    name: 'a payment is credited whatever its currency',
    file: 'server/payment-providers/settle.ts',
    find: "if (reported.currency !== order.currency) return 'currency_differs'",
    replace: '',
    tests: zota,
    guards: 'M7',
  },
  {
    name: 'a payment after the end is credited',
    file: 'server/payment-providers/settle.ts',
    find: '?? latenessOf(held)',
    replace: '?? (latenessOf(held) && null)',
    tests: orders,
    guards: 'M4',
  },
  {
    name: 'a payment signature is compared only when it is there',
    file: 'server/payment-providers/signing.ts',
    find: "if (typeof given !== 'string' || given.length !== expected.length) return false",
    replace: "if (typeof given !== 'string' || given.length !== expected.length) return true",
    tests: orders,
    guards: 'M5',
  },
  {
    name: 'a payment provider starts without its secret',
    file: 'server/payment-providers/setting-kinds.ts',
    find: ".min(8, 'A secret has at least 8 characters.')",
    replace: '',
    tests: orders,
    guards: 'M5',
  },
  {
    name: 'a payment of another order is taken',
    file: 'server/payment-providers/settle.ts',
    find: "return owner && owner.order_id !== order.order_id ? 'reference_taken' : null",
    replace: "return owner && owner.order_id === '' ? 'reference_taken' : null",
    tests: safecharge,
    guards: 'M6',
  },
  {
    name: 'a payment notification is looked for in every workspace’s merchant',
    file: 'server/payment-providers/zotapay/index.ts',
    find: "if (!reader.endpoints.some(({ id }) => id === textOf(message.endpointID))) return refused('another_merchant')",
    replace: '',
    tests: orders,
    guards: 'M6',
  },
  {
    name: 'a payment notification is read by whoever comes, however often',
    file: 'server/payment-providers/notification.ts',
    find: "if (locked?.verdict !== 'unread') return",
    replace: '',
    tests: orders,
    guards: 'M3',
  },
  {
    name: 'whatever is sent to a payment address is kept without an end',
    file: 'server/payment-providers/callbacks.ts',
    find: 'if (!read?.isGenuine) await',
    replace: 'if (received.method === "PUT") await',
    tests: orders,
    guards: 'M5',
  },
  {
    name: 'a payment page may be anywhere',
    file: 'server/payment-providers/page-address.ts',
    find: '!allowed.some((each) => isWithin(url.origin, each))',
    replace: 'allowed.length < 0',
    tests: orders,
    guards: 'U9',
  },
  {
    name: 'a payment simulator is reached in production',
    file: 'server/payment-providers/http.ts',
    find: "if (production && url.protocol !== 'https:') throw new PaymentProblem('misconfigured', 'not https')",
    replace: 'if (production) return url',
    tests: orders,
    guards: 'S4',
  },
]
