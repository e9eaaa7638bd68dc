import { z } from 'zod'
import { insecureAddress, isOrigin, isSecureAddress, milliseconds, trustFields } from '../setting-fields.ts'

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const mt5Settings = z
  .strictObject({
    baseUrl: z
      .string()
      .refine(isOrigin, 'Enter the address of the access server, such as https://mt5.example.com:443')
      .meta({ label: 'Access server' }),
    managerLogin: z
      .string()
      .regex(/^\d{1,20}$/)
      .meta({ label: 'Manager login' }),
    /** The API password of the manager account, not the password of the manager terminal. */
    managerPassword: z.string().min(1).max(64).meta({ label: 'API password', secret: true }),
    agent: z
      .string()
      .regex(/^[\x21-\x7e]{1,32}$/)
      .default('Atrium'),
    /** The zone of the platform's clock, since past times need the offset of their own day. */
    timeZone: z.string().refine(isTimeZone, 'Enter a zone such as Europe/Athens').meta({ label: 'Platform time zone' }),
    /** Many brokers use New York + 7 hours, which follows the American clock changes and has no zone name. */
    timeZoneShiftMinutes: z.number().int().min(-840).max(840).default(0),
    ...trustFields,
    deadlines: z
      .strictObject({
        connectMs: milliseconds.default(10_000),
        authMs: milliseconds.default(8_000),
        readMs: milliseconds.default(15_000),
        writeMs: milliseconds.default(30_000),
      })
      .prefault({}),
    /** The server drops a client after 180 s of silence and asks for no more than about one ping per 20 s. */
    pingEveryMs: milliseconds.max(120_000).default(20_000),
    backOff: z.strictObject({ firstMs: milliseconds.default(1_000), maxMs: milliseconds.default(60_000) }).prefault({}),
    /** The limit behind the platform's "too frequent" answer is not documented. */
    callsPerSecond: z.number().int().min(1).max(10_000).default(20),
    leverage: z
      .strictObject({ min: z.number().int().min(1).default(1), max: z.number().int().max(5_000).default(500) })
      .refine(({ min, max }) => min <= max, 'The smallest leverage must not be above the largest')
      .prefault({}),
    /** Enabled, may change the password, trailing stops, robots, reports. */
    accountRights: z
      .string()
      .regex(/^\d{1,20}$/)
      .default('355'),
  })
  .refine(isSecureAddress, insecureAddress)

export type Mt5Settings = z.output<typeof mt5Settings>
