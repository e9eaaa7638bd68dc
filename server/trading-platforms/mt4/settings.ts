import { z } from 'zod'
import { insecureAddress, isOrigin, isSecureAddress, milliseconds, trustFields } from '../setting-fields.ts'

export const mt4Settings = z
  .strictObject({
    baseUrl: z
      .string()
      .refine(isOrigin, 'Enter the address of the bridge, such as https://mt4-bridge.example.com')
      .meta({ label: 'Bridge' }),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{16,512}$/)
      .meta({ label: 'Bridge token', secret: true }),
    ...trustFields,
    deadlines: z
      .strictObject({
        connectMs: milliseconds.default(10_000),
        readMs: milliseconds.default(15_000),
        writeMs: milliseconds.default(30_000),
      })
      .prefault({}),
    backOff: z.strictObject({ firstMs: milliseconds.default(1_000), maxMs: milliseconds.default(60_000) }).prefault({}),
    callsPerSecond: z.number().int().min(1).max(10_000).default(20),
    /** A bridge has one manager connection, so more concurrent calls would only wait there. */
    callsAtOnce: z.number().int().min(1).max(32).default(4),
  })
  .refine(isSecureAddress, insecureAddress)

export type Mt4Settings = z.output<typeof mt4Settings>
