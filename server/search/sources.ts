import { accountSource } from '../accounts/search.ts'
import { transactionSource } from '../funding/search.ts'
import { requestSource } from '../requests/search.ts'
import { ticketSource } from '../tickets/search.ts'
import type { SearchSource } from './source.ts'

/** Everything that can be found, in the order of the groups. What comes later adds its source here. */
export const sources: readonly SearchSource[] = [accountSource, transactionSource, ticketSource, requestSource]
