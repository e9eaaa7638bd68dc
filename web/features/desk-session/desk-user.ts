import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeskUser } from '@atrium/contract/sessions/desk-calls.ts'

export type DeskUser = CallAnswer<typeof readDeskUser>['user']
