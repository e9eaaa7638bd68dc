import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeskUser } from '@atrium/contract/desk.ts'

export type DeskUser = CallAnswer<typeof readDeskUser>['user']
