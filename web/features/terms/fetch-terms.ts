import type { CallAnswer } from '@atrium/contract/call.ts'
import { acceptTerms, readTerms } from '@atrium/contract/terms/calls.ts'
import { call } from '../../api/transport.ts'

export type Terms = CallAnswer<typeof readTerms>['terms'][number]

export const fetchTerms = async () => {
  const { terms, digest } = await call(readTerms, {}, { isQuiet: true })
  return { terms, digest }
}

export const sendAcceptance = ({ _id, version }: Terms) => call(acceptTerms, { id: _id, version })
