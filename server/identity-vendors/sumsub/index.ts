import { z } from 'zod'
import { defineVendor } from '../contract.ts'
import { makeClient } from './client.ts'
import { readProvenEvent, readWebhookEvent, reportOf } from './translate.ts'

const needed = z.string().trim().min(1, 'Please enter this.').max(200, 'Use at most 200 characters.')

/** Long enough for a member who has to fetch a passport first. */
const goodForSeconds = 1_800

export const sumsub = defineVendor({
  name: 'Sumsub',
  pageHosts: '*.sumsub.com',
  fields: {
    base_url: {
      label: 'Address',
      help: 'The address of their API. Change it only if Sumsub gave you another one for your region.',
      usual: 'https://api.sumsub.com',
      schema: z.url({ protocol: /^https?$/, error: 'Enter an address such as https://api.sumsub.com' }),
    },
    level_name: { label: 'Level', help: 'The name of the verification level in their dashboard.', schema: needed },
    app_token: { label: 'App token', help: 'Dashboard, Dev space, App tokens.', isSecret: true, schema: needed },
    secret_key: { label: 'Secret key', help: 'It is shown once with the app token.', isSecret: true, schema: needed },
    webhook_secret: {
      label: 'Secret of the webhook',
      help: 'Dashboard, Dev space, Webhooks. Choose SHA-256 or SHA-512 there.',
      isSecret: true,
      schema: needed,
    },
  },
  connect({ base_url, level_name, app_token, secret_key, webhook_secret }, http, now) {
    const client = makeClient({ baseUrl: base_url, appToken: app_token, secretKey: secret_key, http, now })
    return {
      async start({ checkId, email }) {
        const applicantId = await client.createApplicant(level_name, checkId, email)
        const token = await client.makeToken(level_name, checkId, goodForSeconds)
        const url = await client.makeLink(level_name, checkId, goodForSeconds)
        return { applicantId, token, url }
      },
      async readReport(applicantId) {
        return reportOf(await client.readStatus(applicantId))
      },
      readWebhookEvent: (received) => readWebhookEvent(webhook_secret, received),
      readProvenEvent,
    }
  },
})
